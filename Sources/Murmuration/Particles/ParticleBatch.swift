// SPDX-License-Identifier: MIT
public import AnimationModel

/// Particles with several properties, each with springs, ends and completions of its own: a position that is still on its
/// way while the colour has long arrived.
///
/// Each property is a batch, and a handle names the same particle in all of them.
///
/// ```swift
/// var particles = try ParticleBatch(properties: [3, 1, 4])          // position, scale, colour
/// let springs: [Spring] = [.bouncy, .snappy, .smooth]
/// var handles = [TrackHandle](repeating: .noTrack, count: 1_000)
/// var added = handles.mutableSpan
/// try particles.emit(springs.span, values: from.span, targets: to.span, handles: &added)
/// try particles.retarget(1, handles.span, to: scales.span, spring: .bouncy)   // the scale alone
/// try particles.advance(to: 0.5)
/// for handle in try particles.settled(0) { print(handle.index) }     // positions that arrived
/// ```
///
/// Values of all properties are laid out one property after the other, each component-major: for two particles with the
/// properties above x₀ x₁ y₀ y₁ z₀ z₁, s₀ s₁, r₀ r₁ g₀ g₁ b₀ b₁ a₀ a₁.
public struct ParticleBatch: ~Copyable, Sendable {
  /// Values per particle of each property.
  public let properties: [Int]

  private let batches: [Box]

  /// Holds a batch, as arrays hold no noncopyable values. The particle batch owns it, and mutates it only where it is
  /// mutated itself.
  final class Box: @unchecked Sendable {
    var batch: SpringBatch
    init(_ batch: consuming SpringBatch) { self.batch = batch }
  }

  /// No particles.
  ///
  /// - Parameters:
  ///   - properties: Values per particle of each property, each 1…``BatchLimits/maximumDimensions``; at least one property.
  ///   - capacity: Particles to make room for now.
  ///   - kernels: The instruction set; nil for the one in force.
  /// - Throws: As ``SpringBatch/init(dimensions:reservingCapacity:kernels:)``.
  public init(properties: [Int], reservingCapacity capacity: Int = 0, kernels: KernelSet? = nil) throws(BatchError) {
    batches = try Self.batches(properties, capacity, kernels)
    self.properties = properties
  }

  /// A batch for each property; all accept the same handles.
  private static func batches(
    _ properties: [Int], _ capacity: Int, _ kernels: KernelSet?
  ) throws(BatchError) -> [Box] {
    guard !properties.isEmpty else {
      throw .invalidDimensions(0)
    }
    let slots = SlotTable()
    return try properties.map { dimensions throws(BatchError) in
      Box(try SpringBatch(dimensions: dimensions, capacity: capacity, kernels: kernels, slots: slots))
    }
  }

  /// Particles that live.
  public var count: Int { batches[0].batch.count }
  /// One past the largest index that a particle ever had.
  public var indexCount: Int { batches[0].batch.indexCount }
  /// The clock, in seconds.
  public var time: Double { batches[0].batch.time }

  /// Threads that ``advance(to:)`` may use for each property: see ``SpringBatch/threadCount``.
  public var threadCount: Int {
    get { batches[0].batch.threadCount }
    set {
      batches[0].batch.threadCount = newValue
      for box in batches.dropFirst() {
        box.batch.workers = batches[0].batch.workers
      }
    }
  }

  /// The batch of a property.
  func box(_ property: Int) throws(BatchError) -> Box {
    guard batches.indices ~= property else {
      throw .propertyOutOfRange(property)
    }
    return batches[property]
  }

  // MARK: - Time

  /// Evaluates every property of every particle at a time: see ``SpringBatch/advance(to:)``.
  ///
  /// - Throws: ``BatchError``; no clock moves then.
  public mutating func advance(to seconds: Double) throws(BatchError) {
    for box in batches {
      try box.batch.check(time: seconds)
    }
    for box in batches {
      try box.batch.advance(to: seconds)
    }
  }

  /// Moves the clock by a number of seconds: see ``SpringBatch/advance(by:)``.
  ///
  /// - Throws: ``BatchError``; no clock moves then.
  public mutating func advance(by seconds: Double) throws(BatchError) {
    for box in batches {
      try box.batch.check(step: seconds)
    }
    for box in batches {
      try box.batch.advance(by: seconds)
    }
  }

  // MARK: - Life

  /// Adds particles that start now: in each property one cohort.
  ///
  /// - Parameters:
  ///   - springs: One for each property.
  ///   - values: Where they start: all properties, laid out as ``ParticleBatch`` says.
  ///   - targets: Where they head, likewise.
  ///   - velocities: Per second, likewise; empty for particles at rest.
  ///   - handles: Gets the handles; as many as particles.
  /// - Throws: ``BatchError``; nothing is added or written then.
  /// - Complexity: O(particles · values per particle); no allocation while there is room.
  public mutating func emit(
    _ springs: Span<Spring>, values: Span<Float>, targets: Span<Float>, velocities: Span<Float> = Span(),
    handles: inout MutableSpan<TrackHandle>
  ) throws(BatchError) {
    guard springs.count == properties.count else {
      throw .wrongCount(of: "springs", expected: properties.count, got: springs.count)
    }
    let count = handles.count
    let length = count * properties.reduce(0, +)
    let counts = [
      ("values", values.count), ("targets", targets.count),
      ("velocities", velocities.isEmpty ? length : velocities.count),
    ]
    for (what, got) in counts where got != length {
      throw .wrongCount(of: what, expected: length, got: got)
    }
    for (property, box) in batches.enumerated() {
      try box.batch.check(springs[property], index: property)
      try box.batch.reserve(count)
    }
    try batches[0].batch.check(values, of: "value")
    try batches[0].batch.check(targets, of: "target")
    try batches[0].batch.check(velocities, of: "velocity")
    var first = 0
    for (property, box) in batches.enumerated() {
      let part = first..<first + count * properties[property]
      try box.batch.emit(
        springs[property], values: values.extracting(part), targets: targets.extracting(part),
        velocities: velocities.isEmpty ? velocities : velocities.extracting(part), handles: &handles)
      first = part.upperBound
    }
  }

  /// Removes particles. One that is named twice is removed once.
  ///
  /// - Throws: ``BatchError/staleHandle(_:)`` or ``BatchError/storeMismatch(_:)``; nothing is removed then.
  /// - Complexity: O(handles · properties); no allocation.
  public mutating func remove(_ handles: Span<TrackHandle>) throws(BatchError) {
    for box in batches {
      try box.batch.remove(handles)
    }
  }

  /// Removes every particle.
  public mutating func removeAll() {
    for box in batches {
      box.batch.removeAll()
    }
  }

  /// Whether the handle's particle lives in this batch.
  public func contains(_ handle: TrackHandle) -> Bool { batches[0].batch.contains(handle) }
}
