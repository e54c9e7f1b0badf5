// SPDX-License-Identifier: MIT

/// The whole state of a batch, or of particles, at one time. They go back to it with ``TrackBatch/restore(_:)``.
///
/// It holds tracks and what they show, all motions, effects and delays, pauses, phases, clips and sequences, the clock, and
/// events that are not read yet. Every frame after `restore` has the bits that it would have had, on every instruction set.
///
/// Handles, clips and sequences of that time are good again. Those that were given out since then name nothing, and numbers
/// of changes go on from the largest: so nothing is ever taken for something else. Outcomes of changes may be told again.
///
/// Snapshots are values; copies of one share their memory, which threads may read at the same time.
public struct BatchSnapshot: Sendable {
  var parts: [EngineState] = []
  /// The state of particles that is not of a property.
  var particles: ParticleStore.State?

  /// The clock at that time, in seconds.
  public var time: Double { particles?.clock.time ?? parts.first?.time ?? 0 }

  /// Bytes that it takes, without clips, sequences and animations, which it shares with the batch.
  public var byteCount: Int { parts.reduce(0) { $0 + $1.byteCount } }

  /// Components of each part: of the batch, or of each property.
  package var dimensions: [Int] { parts.map { $0.dimensions } }

  package init() {}

  /// Makes the snapshot one of tracks, in memory that is there if no other snapshot shares it.
  package mutating func take(_ tracks: TrackEngines) throws(BatchError) {
    let store = tracks.particles
    let count = store?.boxes.count ?? 1
    if parts.count != count { parts = (0..<count).map { _ in EngineState() } }
    for part in 0..<count { try parts[part].makeRoom(for: &tracks[part].engine) }
    for part in 0..<count { parts[part].write(&tracks[part].engine) }
    particles = store?.state
  }

  /// Makes tracks what they were.
  ///
  /// - Throws: ``BatchError``; nothing changes then.
  package func give(_ tracks: TrackEngines) throws(BatchError) {
    let store = tracks.particles
    let count = store?.boxes.count ?? 1
    guard parts.count == count, (particles == nil) == (store == nil),
      (0..<count).allSatisfy({ parts[$0].store == tracks[$0].store })
    else { throw .snapshotMismatch }
    for part in 0..<count { try tracks[part].engine.check(parts[part]) }
    for part in 0..<count { try tracks[part].engine.take(parts[part]) }
    if let store, let particles { store.state = particles }
  }
}

extension BatchSnapshot {
  /// The engine of a batch that begins with the snapshot.
  ///
  /// - Throws: As ``AnimationBatch/init(_:kernels:)``.
  package func box(areRotations: Bool = false, kernels: KernelSet? = nil) throws(BatchError) -> EngineBox {
    guard particles == nil, parts.count == 1, parts[0].areRotations == areRotations else { throw .snapshotMismatch }
    return try EngineBox(parts[0], store: IndexTable.newStore(), kernels: try .ofBatch(kernels))
  }
}

extension AnimationBatch {
  /// A batch with the same state, on one thread. From now on each goes its own way.
  ///
  /// A track of the copy has the index of the original, and a handle of its own: `copy.handle(at: track.index)`. Names of clips
  /// and sequences that are loaded now are good in both.
  ///
  /// - Throws: ``BatchError/capacityExceeded(_:)`` if there is no memory.
  /// - Complexity: As for ``TrackBatch/snapshot()``.
  public func copy() throws(BatchError) -> AnimationBatch {
    AnimationBatch(box: try EngineBox(copyOf: core.box, store: IndexTable.newStore()))
  }

  /// A batch that begins with a snapshot of another one, which may be gone, or may have been in another process: see
  /// ``copy()``.
  ///
  /// - Parameters:
  ///   - snapshot: A snapshot of an ``AnimationBatch`` with the same number of components.
  ///   - kernels: The instruction set; nil for the one in force, see ``KernelSet/selected``. Bits do not depend on it.
  /// - Throws: ``BatchError/snapshotMismatch`` for a snapshot of particles, of rotations, or with another number of components,
  ///   ``BatchError/unsupportedKernels(_:)``, and ``BatchError/capacityExceeded(_:)`` if there is no memory.
  /// - Complexity: As for ``TrackBatch/snapshot()``.
  public init(_ snapshot: BatchSnapshot, kernels: KernelSet? = nil) throws(BatchError) {
    let box = try snapshot.box(kernels: kernels)
    guard Value.dimensions == 0 || Value.dimensions == box.engine.dimensions && Value.isPacked else {
      throw .snapshotMismatch
    }
    self.init(box: box)
  }

  private init(box: EngineBox) { core = TrackCore(box: box) }
}

extension Particles {
  /// Particles that begin with a snapshot of others: see ``AnimationBatch/init(_:kernels:)``. A property has the index that it
  /// had: see ``property(_:at:)``.
  ///
  /// - Throws: As there; ``BatchError/snapshotMismatch`` for a snapshot of a batch.
  public init(_ snapshot: BatchSnapshot, kernels: KernelSet? = nil) throws(BatchError) {
    guard let state = snapshot.particles else { throw .snapshotMismatch }
    let (set, store) = (try KernelSet.ofBatch(kernels), ParticleStore(kernels))
    for part in snapshot.parts { store.boxes.append(try EngineBox(part, store: store.number, kernels: set)) }
    store.owners = snapshot.parts.map { _ in store.number }
    store.state = state.renamed(store.number)
    self.store = store
  }

  /// The property at an index: 0 for the first that was added.
  ///
  /// - Throws: ``BatchError/propertyOutOfRange(_:)``, and ``BatchError/unsupportedValue(_:)`` if its values have another number
  ///   of components.
  public func property<Value: TrackValue>(
    _ type: Value.Type = Value.self, at index: Int
  ) throws(BatchError) -> ParticleProperty<Value> {
    guard store.boxes.indices ~= index else { throw .propertyOutOfRange(index) }
    guard Value.isPacked, Value.dimensions == store.boxes[index].engine.dimensions else {
      throw .unsupportedValue(Value.name)
    }
    return ParticleProperty(index: index, store: store.owners[index])
  }

  /// Particles with the same state: see ``AnimationBatch/copy()``. Properties are good in both.
  ///
  /// - Throws: ``BatchError/capacityExceeded(_:)`` if there is no memory.
  public func copy() throws(BatchError) -> Particles {
    let copy = Particles(kernels: store.set)
    for box in store.boxes { copy.store.boxes.append(try EngineBox(copyOf: box, store: copy.store.number)) }
    copy.store.state = store.state.renamed(copy.store.number)
    copy.store.owners = store.owners
    return copy
  }
}

// Snapshots as bytes, which go to a file or to another process and come back.
extension BatchSnapshot {
  /// The first bytes.
  private struct Header {
    /// "MURMSNAP" in the order of this machine.
    static let mark: UInt64 = 0x4D55_524D_534E_4150
    /// The version of the format, and the width of an `Int`: state is kept as it is in memory.
    static let version = UInt64(1) << 8 | UInt64(Int.bitWidth)
    static let byteCount = 32
  }

  /// Tells the bytes of this process: the stores of another one are not those of this one.
  private static let process = UInt64.random(in: .min ... .max)

  /// The snapshot as bytes: a header with a version, the length and a checksum, and then the whole state with its clips,
  /// sequences and animations. Machines of one byte order and word size read each other's, on every instruction set.
  ///
  /// A clip that was made by a function of its first value keeps its pieces, and cannot start from other values any more. Bytes
  /// between values are not set, so the same state may give bytes that differ there.
  ///
  /// - Throws: ``BatchError/invalidSnapshot(reason:)`` if it holds a custom animation, which is code, and
  ///   ``BatchError/capacityExceeded(_:)`` if there is no memory.
  /// - Complexity: O(bytes).
  public func bytes() throws(BatchError) -> [UInt8] {
    // Twice the bytes, as they are copied where their memory grows.
    guard MemoryBlock.hasRoom(forBytes: 2 * byteCount) else { throw .capacityExceeded(byteCount) }
    var snapshot = self
    var coder = StateCoder(.writing, [UInt8](repeating: 0, count: Header.byteCount))
    snapshot.code(&coder)
    guard coder.isIntact else { throw .invalidSnapshot(reason: "it holds a custom animation, which is code") }
    var bytes = coder.bytes
    let header = [Header.mark, Header.version, UInt64(bytes.count), Self.checksum(bytes)]
    unsafe header.withUnsafeBytes { unsafe bytes.replaceSubrange(0..<Header.byteCount, with: $0) }
    return bytes
  }

  /// The snapshot that ``bytes()`` made bytes of.
  ///
  /// If they are of this process, the batch goes back to it. In any process a new batch can be made of it: see
  /// ``AnimationBatch/init(_:kernels:)``. The checksum finds damage. Nothing finds intent: read no bytes of strangers.
  ///
  /// - Throws: ``BatchError/invalidSnapshot(reason:)`` for bytes of another version or kind of machine, and for bytes that
  ///   were cut or damaged; ``BatchError/capacityExceeded(_:)`` if there is no memory.
  /// - Complexity: O(bytes), and a fit of each curve that the batch has.
  public init(bytes: [UInt8]) throws(BatchError) {
    self.init()
    guard bytes.count >= Header.byteCount else { throw .invalidSnapshot(reason: "it has \(bytes.count) bytes") }
    var coder = StateCoder(.reading, bytes)
    let header = coder.coded(SIMD4<UInt64>.zero)
    guard header.x == Header.mark else {
      throw .invalidSnapshot(reason: "its first bytes are not those of a snapshot")
    }
    guard header.y == Header.version else {
      throw .invalidSnapshot(
        reason:
          "it is of version \(header.y >> 8) with \(header.y & 255) bits, not of \(Header.version >> 8) with \(Int.bitWidth)"
      )
    }
    guard header.z == UInt64(bytes.count) else {
      throw .invalidSnapshot(reason: "it has \(bytes.count) bytes, and had \(header.z)")
    }
    guard header.w == Self.checksum(bytes) else { throw .invalidSnapshot(reason: "its checksum is wrong") }
    code(&coder)
    guard coder.isIntact, coder.left == 0 else { throw .ofOtherBuild }
    // What a batch cannot take over is found now.
    for part in parts { _ = try EngineBox(part, store: part.store, kernels: .portable) }
  }

  private mutating func code(_ coder: inout StateCoder) {
    let process = coder.coded(Self.process)
    let count = coder.codedCount(parts.count, width: 1)
    if coder.isReading { parts = (0..<count).map { _ in EngineState() } }
    for part in 0..<count where coder.isIntact {
      parts[part].code(&coder)
      if process != Self.process { parts[part].forgetStore() }
    }
    if coder.coded(particles != nil) {
      var state = particles ?? ParticleStore.State()
      state.code(&coder)
      particles = state
    }
  }

  /// A hash of all bytes but the header's sum and what stands before it. Bytes that differ in one word differ in it.
  private static func checksum(_ bytes: [UInt8]) -> UInt64 {
    unsafe bytes.withUnsafeBytes { bytes in
      var sum = UInt64(bytes.count)
      func add(_ word: UInt64) {
        sum = (sum ^ word) &* 0x9E37_79B9_7F4A_7C15
        sum ^= sum >> 32
      }
      var offset = Header.byteCount
      while offset + 8 <= bytes.count {
        add(unsafe bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
        offset += 8
      }
      while offset < bytes.count {
        add(UInt64(unsafe bytes[offset]))
        offset += 1
      }
      return sum
    }
  }
}
