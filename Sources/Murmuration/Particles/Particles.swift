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
/// whole; `sparks[property]` takes every call of ``AnimatedTracks`` for one property. Calls that need no values, such as
/// ``pause(_:)``, work on all properties too.
///
/// Bits and accuracy are the same as with an ``AnimationBatch`` of each property. Particles are mutated by one owner at a
/// time, and can be sent to another thread.
public struct Particles: ~Copyable, Sendable {
  /// The tracks of each property.
  var boxes: [EngineBox] = []
  let store: UInt32
  /// The store that each property was added to: this one, or one of which this is a copy.
  var owners: [UInt32] = []
  let set: KernelSet?
  private var workers: WorkerPool?
  var state = State()

  /// The state of particles that is not of a property.
  package struct State: Sendable {
    var clock = BatchClock()
    var lifetimes = Lifetimes()
    var expired: [TrackHandle] = []

    mutating func code(_ coder: inout StateCoder) {
      coder.code(&clock)
      lifetimes.code(&coder)
      coder.code(&expired)
    }

    /// The same for particles that are a copy.
    func renamed(_ store: UInt32) -> State {
      State(clock: clock, lifetimes: lifetimes.renamed(store), expired: expired.map { $0.renamed(store) })
    }
  }

  /// The particles whose lifetime ended with the last advance, by index. They are gone already.
  public var expired: [TrackHandle] { state.expired }

  /// No particles, and no properties.
  ///
  /// - Parameter kernels: The instruction set; nil for the one in force, see ``KernelSet/selected``.
  public init(kernels: KernelSet? = nil) { (set, store) = (kernels, IndexTable.newStore()) }

  /// Particles whose properties are engines of a store.
  init(_ boxes: [EngineBox], _ state: State, store: UInt32, set: KernelSet?) {
    (self.boxes, self.state, self.store, self.set) = (boxes, state, store, set)
    owners = boxes.map { _ in store }
  }

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
    return ParticleProperty(index: try addProperty(dimensions: Value.dimensions), store: store)
  }

  /// Adds a property of a number of components, and returns its index; otherwise as ``addProperty(_:)``.
  package mutating func addProperty(dimensions: Int) throws(BatchError) -> Int {
    boxes.append(
      try EngineBox(
        dimensions: dimensions, kernels: set, store: store, tracksOf: boxes.first, time: time, workers: workers))
    owners.append(store)
    return boxes.count - 1
  }

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
    boxes.indices ~= property.index && owners[property.index] == property.store
  }

  // MARK: - Time

  /// The clock, in seconds: the time of the last ``advance(to:velocities:)``.
  public var time: Double { state.clock.time }

  /// Threads that ``advance(to:velocities:)`` may use for each property: see ``AnimationBatch/threadCount``.
  public var threadCount: Int {
    get { workers?.count ?? 1 }
    set {
      workers = .threads(newValue)
      for box in boxes { box.engine.workers = workers }
    }
  }

  /// Evaluates every property of every particle at a time: see ``AnimationBatch/advance(to:velocities:)``. Particles whose
  /// lifetime is over are removed before: see ``setLifetime(_:of:)``.
  ///
  /// - Throws: ``BatchError`` of any property; nothing changes in any then.
  public mutating func advance(to seconds: Double, velocities: Bool = false) throws(BatchError) {
    try advance(BatchClock(time: seconds), velocities)
  }

  /// Moves the clock by a number of seconds, and evaluates every property of every particle. The clock sums with
  /// compensation.
  ///
  /// - Throws: As ``advance(to:velocities:)``.
  public mutating func advance(by seconds: Double, velocities: Bool = false) throws(BatchError) {
    try advance(try state.clock.after(seconds), velocities)
  }

  private mutating func advance(_ next: BatchClock, _ velocities: Bool) throws(BatchError) {
    guard abs(next.time) <= BatchLimits.maximumTime else { throw .invalidTime(next.time) }
    for box in boxes { try box.engine.prepareAdvance(to: next.time) }
    endLives(at: next.time)
    for box in boxes { try box.engine.advance(to: next.time, velocities: velocities) }
    state.clock = next
  }

  // MARK: - Life

  /// The number of live particles.
  public var count: Int { boxes.first?.engine.count ?? 0 }

  /// One past the largest index that a particle has had since ``compact()`` or ``removeAll()``.
  public var indexCount: Int { boxes.first?.engine.indexCount ?? 0 }

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
    _ starts: repeat ParticleStart<each Value>, handles: inout MutableSpan<TrackHandle>
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

  /// Makes room for `additional` particles beyond the live ones.
  ///
  /// - Throws: ``BatchError/capacityExceeded(_:)``.
  public mutating func reserve(_ additional: Int) throws(BatchError) {
    for box in boxes { try box.engine.reserve(additional) }
  }

  /// Removes particles. A particle that is named twice is removed once.
  ///
  /// - Throws: ``BatchError/staleHandle(_:)`` or ``BatchError/storeMismatch(_:)``; nothing is removed then.
  /// - Complexity: O(particles · properties); no allocation for handles.
  public mutating func remove(_ particles: some TrackSelection & ~Escapable) throws(BatchError) {
    try inAllProperties(particles) { engine, particles throws(BatchError) in try engine.remove(particles) }
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
    let (box, now) = (boxes.first ?? none, time)
    try particles.withNames { named throws(BatchError) in
      let count = try box.engine.checkedCount(of: named.tracks)
      try seconds.withElements(of: count) { seconds throws(BatchError) in
        try seconds.check("lifetimes", count: count)
        let seconds = unsafe seconds.elements
        for index in unsafe seconds.indices { try unsafe Lifetimes.check(seconds[index], index: index, at: now) }
        try box.engine.forEachTrack(of: named.tracks) { particle, index in
          state.lifetimes.set(particle, end: now + (unsafe seconds[seconds.count == 1 ? 0 : index]))
        }
      }
    }
  }

  /// Removes the particles whose lifetime is over.
  private mutating func endLives(at time: Double) {
    state.expired.removeAll(keepingCapacity: true)
    guard let first = boxes.first, state.lifetimes.mayEnd else { return }
    state.lifetimes.end(by: time) { if first.engine.index(of: $0) != nil { state.expired.append($0) } }
    for box in boxes where !expired.isEmpty { box.engine.removeLive(expired.span) }
  }

  /// Removes the particles of which no property moves any more, and the motion of at least one has ended.
  ///
  /// - Returns: The number of particles that were removed.
  /// - Complexity: O(particles · properties).
  @discardableResult
  public mutating func removeSettled() -> Int {
    let settled = (0..<indexCount).compactMap { handle(at: $0) }.filter { particle in
      hasEnded(particle) && boxes.contains { $0.engine.isOver(particle.index) }
    }
    for box in boxes { box.engine.removeLive(settled.span) }
    return settled.count
  }

  /// Removes every particle. Their indices are all free; memory stays reserved.
  public mutating func removeAll() {
    for box in boxes { box.engine.removeAll() }
    state.lifetimes = Lifetimes()
  }

  /// Gives back the memory behind the last particle: see ``AnimationBatch/compact()``.
  ///
  /// - Throws: ``BatchError/capacityExceeded(_:)``; no motion has changed then.
  public mutating func compact() throws(BatchError) {
    for box in boxes { try box.engine.compact() }
  }

  // MARK: - All properties

  /// Pauses particles in all properties: see ``MovingTracks/pause(_:)``. Lifetimes go on.
  ///
  /// - Throws: ``BatchError``; nothing changes then.
  public mutating func pause(_ particles: some TrackSelection & ~Escapable) throws(BatchError) {
    try inAllProperties(particles) { engine, particles throws(BatchError) in try engine.pause(particles) }
  }

  /// Resumes particles in all properties: see ``MovingTracks/resume(_:)``.
  ///
  /// - Throws: ``BatchError``; nothing changes then.
  public mutating func resume(_ particles: some TrackSelection & ~Escapable) throws(BatchError) {
    try inAllProperties(particles) { engine, particles throws(BatchError) in try engine.resume(particles) }
  }

  /// Stops particles where they are in all properties: see ``MovingTracks/stop(_:)``.
  ///
  /// - Throws: ``BatchError``; nothing changes then.
  public mutating func stop(_ particles: some TrackSelection & ~Escapable) throws(BatchError) {
    try inAllProperties(particles) { engine, particles throws(BatchError) in try engine.stop(particles) }
  }

  /// Changes the speed of particles in all properties: see ``MovingTracks/setSpeed(_:of:)``. Lifetimes go on.
  ///
  /// - Parameters:
  ///   - speeds: One for all particles, or one for each.
  ///   - particles: The particles.
  /// - Throws: ``BatchError``, also if a property refuses its motion the speed; nothing changes then.
  public mutating func setSpeed(
    _ speeds: some PerTrack<Double> & ~Escapable, of particles: some TrackSelection & ~Escapable
  ) throws(BatchError) {
    try particles.withNames { named throws(BatchError) in
      let count = try (boxes.first ?? none).engine.checkedCount(of: named.tracks)
      try speeds.withElements(of: count) { speeds throws(BatchError) in
        try speeds.check("speeds", count: count)
        let speeds = unsafe speeds.elements.span
        for box in boxes { try box.engine.check(speeds: speeds, of: named.tracks) }
        for box in boxes { try box.engine.setSpeed(speeds, of: named.tracks) }
      }
    }
  }

  /// Cancels the calls that wait for particles, in all properties.
  ///
  /// - Throws: ``BatchError``; nothing changes then.
  public mutating func cancelDelays(of particles: some TrackSelection & ~Escapable) throws(BatchError) {
    try inAllProperties(particles) { engine, particles throws(BatchError) in try engine.cancelDelays(particles) }
  }

  /// Makes a call about particles in each property. No property refuses what all have accepted.
  private func inAllProperties(
    _ particles: some TrackSelection & ~Escapable,
    _ call: (inout Engine, SelectedTracks) throws(BatchError) -> Void
  ) throws(BatchError) {
    try particles.withNames { named throws(BatchError) in
      for box in boxes.isEmpty ? [none] : boxes { try box.engine.accept(named.tracks) }
      for box in boxes { try call(&box.engine, named.tracks) }
    }
  }

  /// An engine without tracks, whose errors are those of particles without properties.
  private var none: EngineBox { EngineBox(Engine(accepted: 1, kernels: .portable)) }

  // MARK: - Asking

  /// Whether a handle names a live particle.
  public func contains(_ particle: TrackHandle) -> Bool {
    boxes.first?.engine.index(of: particle) != nil
  }

  /// The particle at an index; nil for an index without a particle.
  public func handle(at index: Int) -> TrackHandle? { boxes.first?.engine.handle(at: index) }

  /// Whether all properties of a particle showed their targets and no velocities in the last frame; nil for a handle of no
  /// particle.
  public func isAtRest(_ particle: TrackHandle) -> Bool? {
    guard contains(particle) else { return nil }
    return boxes.allSatisfy { $0.engine.isAtRest(particle.index) }
  }

  /// The particles that came to rest as a whole with the last advance: for each the event of kind
  /// ``AnimationEvent/Kind/settled`` of the property that rested last, in the order of indices. `sparks[property]` has the
  /// events of one property.
  ///
  /// - Complexity: O(events · log events); allocates.
  public var events: [AnimationEvent] {
    var settled: [AnimationEvent] = []
    for box in boxes { settled += box.engine.frameEvents.filter { $0.kind == .settled } }
    settled.sort { ($0.track.index, $0.moment) < ($1.track.index, $1.moment) }
    return settled.indices.lazy
      .filter { $0 + 1 == settled.count || settled[$0 + 1].track != settled[$0].track }
      .map { settled[$0] }.filter { hasEnded($0.track) }
  }

  /// Whether no property of a particle moves any more. A clip that has come to its end may have a velocity there.
  private func hasEnded(_ particle: TrackHandle) -> Bool {
    contains(particle)
      && boxes.allSatisfy {
        let index = particle.index
        return $0.engine.isAtRest(index) || $0.engine.isOver(index)
      }
  }
}

/// When particles are removed, by index.
struct Lifetimes: Sendable {
  /// By index the end of a particle, in seconds of the clock; infinity for none.
  private var ends: [Double] = []
  /// The particle that an end was set for. It may be gone.
  private var particles: [TrackHandle] = []
  /// For each sixteen indices a moment before which none of them ends.
  private var firstEnds: [Double] = []

  private static let groupSize = 16

  /// Whether any end was ever set.
  var mayEnd: Bool { !ends.isEmpty }

  /// - Throws: ``BatchError/invalidDelay(index:seconds:)``.
  static func check(_ seconds: Double, index: Int, at now: Double) throws(BatchError) {
    let isValid = seconds == .infinity || seconds >= 0 && now + seconds <= BatchLimits.maximumTime
    guard isValid else { throw .invalidDelay(index: index, seconds: seconds) }
  }

  mutating func set(_ particle: TrackHandle, end: Double) {
    let index = particle.index
    if end == .infinity, index >= ends.count { return }
    while ends.count <= index {
      firstEnds.append(.infinity)
      ends.append(contentsOf: repeatElement(.infinity, count: Self.groupSize))
      particles.append(contentsOf: repeatElement(.noTrack, count: Self.groupSize))
    }
    (ends[index], particles[index]) = (end, particle)
    firstEnds[index / Self.groupSize] = min(firstEnds[index / Self.groupSize], end)
  }

  mutating func code(_ coder: inout StateCoder) {
    coder.code(&ends)
    coder.code(&particles)
    coder.code(&firstEnds)
  }

  /// The same lifetimes of a copy of the particles.
  func renamed(_ store: UInt32) -> Lifetimes {
    var copy = self
    copy.particles = particles.map { $0 == .noTrack ? $0 : $0.renamed(store) }
    return copy
  }

  /// Gives each particle whose end has come, and forgets the end.
  mutating func end(by time: Double, _ body: (_ particle: TrackHandle) -> Void) {
    for group in firstEnds.indices where firstEnds[group] <= time {
      firstEnds[group] = .infinity
      for index in group * Self.groupSize..<(group + 1) * Self.groupSize {
        if ends[index] <= time {
          ends[index] = .infinity
          body(particles[index])
        }
        firstEnds[group] = min(firstEnds[group], ends[index])
      }
    }
  }
}
