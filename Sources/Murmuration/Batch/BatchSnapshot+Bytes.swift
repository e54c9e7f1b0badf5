// SPDX-License-Identifier: MIT
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
    unsafe header.withUnsafeBytes { bytes.replaceSubrange(0..<Header.byteCount, with: unsafe $0) }
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
