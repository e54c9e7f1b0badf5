// SPDX-License-Identifier: MIT

/// Particles with several properties, each with motions, ends and events of its own: a position that is still on its way
/// while the colour has long arrived.
///
/// ```swift
/// var sparks = Particles()
/// let position = try sparks.addProperty(SIMD3<Float>.self)
/// let scale = try sparks.addProperty(Float.self)
/// let burst = try sparks.add(position.start(at: places, to: goals, .bouncy), scale.start(at: ones))
/// try sparks[scale].animate(burst, to: 0, .easeOut(duration: 2))  // the scale alone
/// try sparks.advance(to: 0.5)
/// for event in sparks[position].events where event.kind == .settled { print(event.track.index) }
/// ```
///
/// A particle has one handle and one index, which name it in all properties. Particles are added, removed and advanced as a
/// whole; `sparks[property]` takes every call of ``AnimatedTracks`` for one property. The calls of ``TrackSet``, which need no
/// values, work on all properties too.
///
/// Bits and accuracy are the same as with an ``AnimationBatch`` of each property.
public struct Particles: TrackBatch, ~Copyable, Sendable {
  let store: ParticleStore

  public func withParts<Result, Failure: Error>(
    _ body: (borrowing TrackParts) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try body(TrackParts(.particles(store)))
  }

  /// The particles whose lifetime ended with the last advance, by index. They are gone already.
  public var expired: [TrackHandle] { store.state.expired }

  /// No particles, and no properties.
  ///
  /// - Parameter kernels: The instruction set; nil for the one in force, see ``KernelSet/selected``.
  public init(kernels: KernelSet? = nil) { store = ParticleStore(kernels) }

  // MARK: - Properties

  /// Adds a property. Existing particles have it too, and stand at 0.
  ///
  /// - Throws: ``BatchError/unsupportedValue(_:)`` if a value is not its components side by side in memory,
  ///   ``BatchError/invalidDimensions(_:)``, ``BatchError/unsupportedKernels(_:)`` or ``BatchError/capacityExceeded(_:)``;
  ///   nothing changes then.
  /// - Complexity: O(particles).
  public mutating func addProperty<Value: TrackValue>(
    _ type: Value.Type = Value.self
  ) throws(BatchError) -> ParticleProperty<Value> {
    guard Value.isPacked else { throw .unsupportedValue(Value.name) }
    return ParticleProperty(index: try addProperty(dimensions: Value.dimensions), store: store.number)
  }

  /// Adds a property of a number of components, and returns its index; otherwise as ``addProperty(_:)``.
  package mutating func addProperty(dimensions: Int) throws(BatchError) -> Int {
    store.boxes.append(
      try EngineBox(
        dimensions: dimensions, kernels: store.set, store: store.number, tracksOf: boxes.first, time: time,
        workers: store.workers))
    store.owners.append(store.number)
    return boxes.count - 1
  }

  private var boxes: [EngineBox] { store.boxes }

  /// The tracks of a property. Whoever lends them changes their motions and nothing else.
  package func box(ofProperty index: Int) -> EngineBox { boxes[index] }

  /// One property of all particles, as tracks to send to goals and to read. A property of other particles has no tracks
  /// here.
  public subscript<Value>(property: ParticleProperty<Value>) -> ParticleTracks<Value> {
    _read { yield ParticleTracks(core: TrackCore(box: box(of: property))) }
    _modify {
      var tracks = ParticleTracks(core: TrackCore<Value>(box: box(of: property)))
      yield &tracks
    }
  }

  private func box<Value>(of property: ParticleProperty<Value>) -> EngineBox {
    // The property belongs to other particles, so an engine accepts its values.
    has(property)
      ? boxes[property.index] : EngineBox(Engine(accepted: Value.dimensions, kernels: .portable))
  }

  private func has<Value>(_ property: ParticleProperty<Value>) -> Bool {
    boxes.indices ~= property.index && store.owners[property.index] == property.store
  }

  // MARK: - Life

  /// Adds particles that stand at 0 in all properties, for calls that put them in place and send them off.
  ///
  /// ```swift
  /// let burst = try sparks.add(100, lifetime: 2)
  /// try sparks[position].set(burst, center)
  /// try sparks[position].animate(burst, to: goals, .easeOut(duration: 0.5), delays: .over(0.2))
  /// ```
  ///
  /// - Parameters:
  ///   - count: The number of particles.
  ///   - lifetime: Seconds until they are removed; infinity for never. See ``setLifetime(_:of:)``.
  /// - Returns: The handles.
  /// - Throws: ``BatchError/capacityExceeded(_:)``, ``BatchError/propertyOutOfRange(_:)`` if there are no properties, or
  ///   ``BatchError/invalidDelay(index:seconds:)`` for the lifetime; nothing is added then.
  /// - Complexity: O(particles · properties), amortised. `add(handles:)` does the same without an allocation.
  @discardableResult
  public mutating func add(_ count: Int, lifetime: Double = .infinity) throws(BatchError) -> [TrackHandle] {
    guard !boxes.isEmpty else { throw .propertyOutOfRange(0) }
    try Lifetimes.check(lifetime, index: 0, at: time)
    for box in boxes { try box.engine.reserve(count, for: .springs) }
    let particles = try [TrackHandle](count: count) { handles throws(BatchError) in
      for box in boxes { try addStanding(to: box, &handles) }
    }
    if lifetime < .infinity { try setLifetime(lifetime, of: particles) }
    return particles
  }

  /// Adds particles, and returns their handles; otherwise as with memory of the caller.
  ///
  /// The first start gives their number.
  @discardableResult
  public mutating func add<First, each Rest>(
    _ first: ParticleStart<First>, _ rest: repeat ParticleStart<each Rest>
  ) throws(BatchError) -> [TrackHandle] {
    try .init(count: first.values.count) { span throws(BatchError) in try add(first, repeat each rest, handles: &span) }
  }

  /// Adds particles, and writes their handles into memory of the caller.
  ///
  /// - Parameters:
  ///   - starts: How properties start, see ``ParticleProperty/start(at:velocities:to:_:)``; properties without a start
  ///     stand at 0.
  ///   - handles: Gets the handles, one for each particle.
  /// - Throws: ``BatchError``: also ``BatchError/propertyOutOfRange(_:)`` for a property of other particles or one with two
  ///   starts, and ``BatchError/invalidSpring(index:reason:)`` with the number of the property. Nothing is added to any
  ///   property or written then.
  /// - Complexity: O(particles · values per particle), amortised.
  public mutating func add<each Value>(
    _ starts: repeat ParticleStart<each Value>, handles: inout some TrackOutput<TrackHandle> & ~Copyable & ~Escapable
  ) throws(BatchError) {
    try handles.withMutableElements { handles throws(BatchError) in
      var handles = unsafe handles.elements.mutableSpan
      try add(repeat each starts, to: &handles)
    }
  }

  private func add<each Value>(
    _ starts: repeat ParticleStart<each Value>, to handles: inout MutableSpan<TrackHandle>
  ) throws(BatchError) {
    var isNamed = [Bool](repeating: false, count: boxes.count)
    for start in repeat each starts {
      guard has(start.property), !isNamed[start.property.index] else {
        throw .propertyOutOfRange(start.property.index)
      }
      isNamed[start.property.index] = true
      try start.check(count: handles.count)
    }
    guard !boxes.isEmpty else { throw .propertyOutOfRange(0) }
    for box in boxes { try box.engine.reserve(handles.count, for: .springs) }
    for start in repeat each starts { try start.add(to: boxes[start.property.index], &handles) }
    for (index, box) in boxes.enumerated() where !isNamed[index] { try addStanding(to: box, &handles) }
  }

  /// Adds particles to a property, in which they stand at 0; there must be room.
  private func addStanding(to box: EngineBox, _ handles: inout MutableSpan<TrackHandle>) throws(BatchError) {
    try InputValues.withZeros(handles.count, dimensions: box.engine.dimensions) { zeros throws(BatchError) in
      try box.engine.add(zeros, handles: &handles)
    }
  }

  /// Adds particles that stand at values, and writes their handles; otherwise as ``add(_:handles:)``.
  ///
  /// - Parameter values: For each property, a value for each particle.
  package mutating func add(
    _ values: [InputValues], handles: UnsafeMutablePointer<TrackHandle>?
  ) throws(BatchError) {
    for values in values { try values.check("value") }
    for (box, values) in zip(boxes, values) { try box.engine.reserve(values.count) }
    for (box, values) in zip(boxes, values) { try unsafe box.engine.add(values, handles: handles) }
  }

  /// Removes particles after a time, whatever they do then: those whose time is over go at the start of an advance, and
  /// ``expired`` has their handles after it. They are not shown any more, and report nothing.
  ///
  /// - Parameters:
  ///   - seconds: Seconds from now on, 0 or more, one for all or one for each particle; infinity for never.
  ///   - particles: The particles. If one is named twice, the last time counts.
  /// - Throws: ``BatchError/invalidDelay(index:seconds:)`` or ``BatchError`` about the particles; nothing changes then.
  /// - Complexity: O(particles). Each advance looks at one number for sixteen indices, if any particle has a lifetime.
  public mutating func setLifetime(
    _ seconds: some PerTrack<Double> & ~Escapable, of particles: some TrackSelection & ~Escapable
  ) throws(BatchError) {
    let (first, now) = (store[0], time)
    try particles.withNames { named throws(BatchError) in
      let count = try first.engine.checkedCount(of: named.tracks)
      try seconds.withElements(of: count) { seconds throws(BatchError) in
        try seconds.check("lifetimes", count: count)
        let seconds = unsafe seconds.elements
        for index in seconds.indices { try unsafe Lifetimes.check(seconds[index], index: index, at: now) }
        try first.engine.forEachTrack(of: named.tracks) { particle, index in
          store.state.lifetimes.set(particle, end: now + (unsafe seconds[seconds.count == 1 ? 0 : index]))
        }
      }
    }
  }

  /// The particles that came to rest as a whole with the last advance: for each the event of kind
  /// ``AnimationEvent/Kind/settled`` of the property that rested last, in the order of indices. Particles that were removed or
  /// set in motion since then are left out. `sparks[property]` has the events of one property.
  ///
  /// - Complexity: O(events · log events); allocates.
  public var events: [AnimationEvent] { store.settledEvents }
}
