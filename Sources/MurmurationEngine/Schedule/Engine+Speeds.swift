// SPDX-License-Identifier: MIT
import Kernels

/// The speeds of tracks whose motion was slowed down or sped up, by index. A change gives the track a motion at speed 1.
struct TrackSpeeds: Sendable {
  struct Record: Sendable {
    /// The change that began the motion.
    let change: UInt32
    let speed: Double
    /// The spring, or the one under the effects, at speed 1.
    let spring: SpringCoefficients?
  }

  private var records: [Record?] = []

  /// The speed of a motion that a change began.
  subscript(index: Int, change: UInt32) -> Record? {
    guard index < records.count, let record = records[index], record.change == change else { return nil }
    return record
  }

  /// Bytes for all indices.
  var byteCount: Int { records.count * MemoryLayout<Record?>.stride }

  mutating func code(_ coder: inout StateCoder) { coder.code(&records) }

  /// Makes room for the records of a number of indices.
  ///
  /// - Throws: ``BatchError/capacityExceeded(_:)`` if there is no memory; nothing changes then.
  mutating func makeRoom(for indexCount: Int) throws(BatchError) {
    guard indexCount > records.count else { return }
    try BatchLimits.checkRoom(forIndices: indexCount, beyond: records.count, bytes: [MemoryLayout<Record?>.stride])
    records.grow(to: indexCount, with: nil)
  }

  /// Notes the speed of a motion. In a copy, whose track came with its speed, there may be no record before.
  mutating func set(_ index: Int, _ record: Record) {
    records.grow(to: index + 1, with: nil)
    records[index] = record
  }

  mutating func forget(_ index: Int) { if index < records.count { records[index] = nil } }
}

// Speeds. A clip has its own, which may be 0 or below. Any other motion is held as in a pause, and goes on from the value that
// it shows with its moments, its spring and its velocity at another pace.
extension Engine {
  /// Changes the speeds of tracks from where they are. Tracks at rest are left alone.
  ///
  /// - Parameter speeds: One for all, or one for each.
  package mutating func setSpeed(_ speeds: Span<Double>, of tracks: SelectedTracks) throws(BatchError) {
    try check(speeds: speeds, of: tracks)
    try pauses.makeRoom(for: indexCount)
    try self.speeds.makeRoom(for: indexCount)
    for position in 0..<picks.count where !picks[position].isDropped {
      let (index, speed) = (picks[position].index, speeds[speeds.count == 1 ? 0 : position])
      if self.tracks.tiles.kind(at: index).isClip {
        clips.change(index, at: time) { state, timing in state.setSpeed(speed, timing) }
      } else {
        setSpeed(index, speed, at: time)
      }
      phases.setSpeed(index, speed, at: pauses[index]?.since ?? time)
    }
    record { BatchCall(.setSpeed, $0.names(tracks), numbers: $0.list(speeds)) }
  }

  /// Picks tracks, and throws ``BatchError`` unless they can move at these speeds.
  package mutating func check(speeds: Span<Double>, of tracks: SelectedTracks) throws(BatchError) {
    if speeds.count != 1 { try BatchError.check(speeds.count, of: "speeds", expected: count(of: tracks)) }
    for position in speeds.indices {
      if let defect = Playback(speed: speeds[position]).defect {
        throw .invalidPlayback(index: position, reason: defect)
      }
    }
    try pick(tracks)
    for position in 0..<picks.count where !picks[position].isDropped {
      let given = speeds.count == 1 ? 0 : position
      if let defect = defect(ofSpeed: speeds[given], picks[position].index) {
        throw .invalidPlayback(index: given, reason: defect)
      }
    }
  }

  /// Why a track cannot move at a speed; nil if it can, or stands.
  private func defect(ofSpeed speed: Double, _ index: Int) -> String? {
    let kind = tracks.tiles.kind(at: index)
    let moves = !kind.isClip && (kind == .following || pauses[index]?.motion != nil || !isAtRest(index))
    guard moves || phases.isPlaying(index) else { return nil }
    guard BatchLimits.speeds ~= speed else {
      return "the speed must be in 1e-6…1e6 where a track plays no clip, is \(speed)"
    }
    guard let spring = springAtSpeed1(at: index), !spring.isJump else { return nil }
    let paced = spring.paced(by: speed)
    let isAccepted =
      spring.isDeceleration
      ? BatchLimits.decelerationConstants ~= paced.κ : BatchLimits.naturalFrequencies ~= paced.naturalFrequency
    return isAccepted ? nil : "at speed \(speed), the spring of the track would be too fast or too slow"
  }

  /// The spring of a track, or the one under its effects, as it was before its speed was changed; nil for none.
  private func springAtSpeed1(at index: Int) -> SpringCoefficients? {
    if let spring = speeds[index, tracks.columns.change[index]]?.spring { return spring }
    if let pause = pauses[index] {
      if case .following(let coefficients)? = pause.motion { return coefficients }
      return pause.keepsSpring ? springs.coefficients(at: index) : nil
    }
    let kind = tracks.tiles.kind(at: index)
    let hasSpring = kind == .spring || kind == .following || kind == .curves && curves.isOnSpring(index)
    return hasSpring ? springs.coefficients(at: index) : nil
  }

  /// The speed of the motion of a track.
  func speed(at index: Int) -> Double { speeds[index, tracks.columns.change[index]]?.speed ?? 1 }

  /// Makes the motion of a track, and its velocity, what they are on a clock that runs at a speed: a step of a sequence takes
  /// them over there.
  mutating func showOnClock(_ index: Int, of speed: Double, at moment: Double) {
    if setSpeed(index, self.speed(at: index) / speed, at: moment) { return }
    for dimension in 0..<dimensions {
      let element = tracks.element(index, dimension)
      tracks.columns.velocity[element] = AmplitudeRule.shown(Double(tracks.columns.velocity[element]) / speed)
    }
    velocities.mark(index)
  }

  /// Lets the motion of a track go on at a speed from a moment on, unless it is over.
  ///
  /// - Returns: Whether it goes on.
  @discardableResult
  mutating func setSpeed(_ index: Int, _ speed: Double, at moment: Double) -> Bool {
    let change = tracks.columns.change[index]
    let spring = springAtSpeed1(at: index)
    let ratio = speed / self.speed(at: index)
    let isPaused = pauses.contains(index)
    if !isPaused {
      guard let motion = hold(index, evenAtRest: false) else { return false }
      let columns = tracks.columns
      pauses.begin(index, since: time, motion) { columns.velocity[$0 * columns.dimensionStride + index] }
    }
    guard let pause = pauses[index], let motion = pause.motion else { return false }
    let anchor = isPaused ? pause.since : moment
    let paced = paced(motion, at: index, by: ratio, at: anchor, spring?.paced(by: speed))
    pauses.pace(index, by: ratio, paced)
    speeds.set(index, TrackSpeeds.Record(change: change, speed: speed, spring: spring))
    if !isPaused, let held = pauses.end(index) { release(index, paced, held) }
    return true
  }

  /// A held motion at another pace from a moment on.
  ///
  /// - Parameter spring: Its spring, or the one under its effects.
  private func paced(
    _ motion: PausedMotion, at index: Int, by ratio: Double, at moment: Double, _ spring: SpringCoefficients?
  ) -> PausedMotion {
    // Displacement and amplitude stay: a motion on another clock covers the same way.
    func paceSpring() {
      guard let spring else { return }
      let columns = springs.columns
      columns.start[index] = moment.paced(columns.start[index], by: ratio)
      (columns.rate[index], columns.decay[index]) = (spring.rate, spring.decay)
    }
    switch motion {
    case .spring:
      paceSpring()
      return motion
    case .following(let coefficients): return .following(spring ?? coefficients)
    case .called(var motion):
      motion.value.pace(by: ratio, at: moment)
      motion.changed = moment.paced(motion.changed, by: ratio)
      return .called(motion)
    case .curves(var held):
      if held.areOnSpring { paceSpring() }
      held.effects = held.effects.map {
        .init(motion: $0.motion.paced(by: ratio), start: moment.paced($0.start, by: ratio), goal: $0.goal)
      }
      return .curves(held)
    }
  }
}

extension MotionRequest {
  /// A curve, or a modified animation, at another pace.
  fileprivate func paced(by ratio: Double) -> MotionRequest {
    switch self {
    case .curve(let curve, let duration): return .curve(curve, duration: duration / ratio)
    case .program(let program):
      let (progress, animation) = (program.progress, program.progress.animation.paced(by: ratio))
      guard let elapsed = progress.form.elapsed else { return .program(CurveProgram(animation) ?? program) }
      return .program(
        CurveProgram(
          Progress(
            continuing: animation, elapsed: elapsed / ratio, logicalEnd: progress.logicalEnd / ratio,
            end: progress.end / ratio)))
    case .jump, .spring, .called: return self
    }
  }
}
