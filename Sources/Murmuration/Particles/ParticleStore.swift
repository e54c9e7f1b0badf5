// SPDX-License-Identifier: MIT

/// The engines of the properties of ``Particles``, and what is not of one property.
///
/// Its ``Particles`` alone reach it. They change it only while they are mutated themselves.
@usableFromInline
package final class ParticleStore: @unchecked Sendable {
  /// The tracks of each property.
  @safe @exclusivity(unchecked) var boxes: [EngineBox] = []
  /// The store of the handles.
  let number: UInt32
  /// The store that each property was added to: this one, or one of which this is a copy.
  var owners: [UInt32] = []
  let set: KernelSet?
  var workers: WorkerPool? {
    didSet { for box in boxes { box.engine.workers = workers } }
  }
  @safe @exclusivity(unchecked) var state = State()

  /// The state of particles that is not of a property.
  struct State: Sendable {
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

  init(_ set: KernelSet?) { (self.set, number) = (set, IndexTable.newStore()) }

  /// The engine of a property; without properties, one without tracks.
  @usableFromInline
  subscript(property: Int) -> LentEngine { LentEngine(boxes.isEmpty ? none : boxes[property]) }

  /// An engine without tracks, whose errors are those of particles without properties.
  private let none = EngineBox(Engine(accepted: 1, kernels: .portable))

  @usableFromInline
  func advance(to seconds: Double, _ velocities: Bool) throws(BatchError) {
    try advance(BatchClock(time: seconds), velocities)
  }

  /// Moves the clock, which sums with compensation, and evaluates every property.
  @usableFromInline
  func advance(by seconds: Double, _ velocities: Bool) throws(BatchError) {
    try advance(try state.clock.after(seconds), velocities)
  }

  /// Evaluates every property at a time, after the particles whose lifetime is over have gone.
  ///
  /// - Throws: ``BatchError`` of any property; nothing changes in any then.
  private func advance(_ next: BatchClock, _ velocities: Bool) throws(BatchError) {
    guard abs(next.time) <= BatchLimits.maximumTime else { throw .invalidTime(next.time) }
    let boxes = boxes
    for box in boxes { try box.engine.prepareAdvance(to: next.time) }
    endLives(at: next.time)
    for box in boxes { try box.engine.advance(to: next.time, velocities: velocities) }
    state.clock = next
  }

  private func endLives(at time: Double) {
    var expired: [TrackHandle] = []
    swap(&expired, &state.expired)
    expired.removeAll(keepingCapacity: true)
    if let first = boxes.first, state.lifetimes.mayEnd {
      state.lifetimes.end(by: time) { if first.engine.index(of: $0) != nil { expired.append($0) } }
      for box in boxes where !expired.isEmpty { box.engine.removeLive(expired.span) }
    }
    state.expired = expired
  }

  /// Removes the particles of which no property moves any more, and the motion of at least one has ended.
  func removeSettled() -> Int {
    guard let first = boxes.first else { return 0 }
    let settled = (0..<first.engine.indexCount).compactMap { first.engine.handle(at: $0) }.filter { particle in
      hasEnded(particle.index) && boxes.contains { $0.engine.isOver(particle.index) }
    }
    for box in boxes { box.engine.removeLive(settled.span) }
    return settled.count
  }

  /// The events with which the last property of a particle came to rest, in the order of indices.
  var settledEvents: [AnimationEvent] {
    var settled: [AnimationEvent] = []
    for box in boxes { settled += box.engine.frameEvents.filter { $0.kind == .settled } }
    settled.sort { ($0.track.index, $0.moment) < ($1.track.index, $1.moment) }
    return settled.indices.lazy
      .filter { $0 + 1 == settled.count || settled[$0 + 1].track != settled[$0].track }
      .map { settled[$0] }
      .filter { [self] in boxes[0].engine.index(of: $0.track) != nil && hasEnded($0.track.index) }
  }

  /// Whether no property of a particle moves any more. A clip that has come to its end may have a velocity there.
  private func hasEnded(_ index: Int) -> Bool {
    boxes.allSatisfy { $0.engine.isAtRest(index) || $0.engine.isOver(index) }
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
