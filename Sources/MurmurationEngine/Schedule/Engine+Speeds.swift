// SPDX-License-Identifier: MIT
import Kernels

/// The speeds of tracks whose motion was slowed down or sped up, by row. A change gives the track a motion at speed 1.
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
  subscript(row: Int, change: UInt32) -> Record? {
    guard row < records.count, let record = records[row], record.change == change else { return nil }
    return record
  }

  /// Makes room for the records of a number of rows.
  ///
  /// - Throws: ``BatchError/capacityExceeded(_:)`` if there is no memory; nothing changes then.
  mutating func makeRoom(for rows: Int) throws(BatchError) {
    guard rows > records.count else { return }
    try BatchLimits.checkRoom(forRows: rows, beyond: records.count, bytes: [MemoryLayout<Record?>.stride])
    records.grow(to: rows, with: nil)
  }

  /// Notes the speed of a motion. In a copy, whose track came with its speed, there may be no record before.
  mutating func set(_ row: Int, _ record: Record) {
    records.grow(to: row + 1, with: nil)
    records[row] = record
  }

  mutating func forget(_ row: Int) { if row < records.count { records[row] = nil } }
}

// Speeds. A clip has its own, which may be 0 or below. Any other motion is held as in a pause, and goes on from the value that
// it shows with its moments, its spring and its velocity at another pace.
extension Engine {
  /// Changes the speeds of tracks from where they are. Tracks that stand are left alone.
  ///
  /// - Parameter speeds: One for all, or one for each.
  package mutating func setSpeed(_ speeds: Span<Double>, of tracks: SelectedTracks) throws(BatchError) {
    if speeds.count != 1 { try BatchError.check(speeds.count, of: "speeds", expected: count(of: tracks)) }
    for index in speeds.indices {
      if let defect = Playback(speed: speeds[index]).defect { throw .invalidPlayback(index: index, reason: defect) }
    }
    func speed(_ index: Int) -> Double { speeds[speeds.count == 1 ? 0 : index] }
    try pick(tracks)
    for index in 0..<picks.count where !picks[index].isDropped {
      if let defect = defect(ofSpeed: speed(index), picks[index].row) {
        throw .invalidPlayback(index: speeds.count == 1 ? 0 : index, reason: defect)
      }
    }
    try pauses.makeRoom(for: indexCount)
    try self.speeds.makeRoom(for: indexCount)
    for index in 0..<picks.count where !picks[index].isDropped {
      let row = picks[index].row
      if self.tracks.tiles.kind(ofRow: row).isClip {
        clips.change(row, at: time) { state, timing in state.setSpeed(speed(index), timing) }
      } else {
        setSpeed(row, speed(index), at: time)
      }
      phases.setSpeed(row, speed(index), at: pauses[row]?.since ?? time)
    }
    record { BatchCall(.setSpeed, $0.names(tracks), numbers: $0.list(speeds)) }
  }

  /// Why the track of a row cannot move at a speed; nil if it can, or stands.
  private func defect(ofSpeed speed: Double, _ row: Int) -> String? {
    let kind = tracks.tiles.kind(ofRow: row)
    let moves = !kind.isClip && (kind == .following || pauses[row]?.motion != nil || !isAtRest(row))
    guard moves || phases.isPlaying(row) else { return nil }
    guard BatchLimits.speeds ~= speed else {
      return "the speed must be in 1e-6…1e6 where a track plays no clip, is \(speed)"
    }
    guard let spring = springAtSpeed1(ofRow: row), !spring.isJump else { return nil }
    let paced = spring.paced(by: speed)
    let isAccepted =
      spring.isDeceleration
      ? BatchLimits.decelerationConstants ~= paced.κ : BatchLimits.naturalFrequencies ~= paced.naturalFrequency
    return isAccepted ? nil : "at speed \(speed), the spring of the track would be too fast or too slow"
  }

  /// The spring of the track of a row, or the one under its effects, as it was before its speed was changed; nil for none.
  private func springAtSpeed1(ofRow row: Int) -> SpringCoefficients? {
    if let spring = speeds[row, tracks.columns.change[row]]?.spring { return spring }
    if let pause = pauses[row] {
      if case .following(let coefficients)? = pause.motion { return coefficients }
      return pause.keepsSpring ? springs.coefficients(ofRow: row) : nil
    }
    let kind = tracks.tiles.kind(ofRow: row)
    let hasSpring = kind == .spring || kind == .following || kind == .curves && curves.isOnSpring(row)
    return hasSpring ? springs.coefficients(ofRow: row) : nil
  }

  /// The speed of the motion of a row.
  func speed(ofRow row: Int) -> Double { speeds[row, tracks.columns.change[row]]?.speed ?? 1 }

  /// Makes the motion of a row, and its velocity, what they are on a clock that runs at a speed: a step of a sequence takes
  /// them over there.
  mutating func showOnClock(_ row: Int, of speed: Double, at moment: Double) {
    if setSpeed(row, self.speed(ofRow: row) / speed, at: moment) { return }
    for dimension in 0..<dimensions {
      let element = tracks.element(row, dimension)
      tracks.columns.velocity[element] = AmplitudeRule.shown(Double(tracks.columns.velocity[element]) / speed)
    }
    velocities.mark(row)
  }

  /// Lets the motion of the track of a row go on at a speed from a moment on, unless it is over.
  ///
  /// - Returns: Whether it goes on.
  @discardableResult
  mutating func setSpeed(_ row: Int, _ speed: Double, at moment: Double) -> Bool {
    let change = tracks.columns.change[row]
    let spring = springAtSpeed1(ofRow: row)
    let ratio = speed / self.speed(ofRow: row)
    let isPaused = pauses.contains(row)
    if !isPaused {
      guard let motion = hold(row, evenAtRest: false) else { return false }
      let columns = tracks.columns
      pauses.begin(row, since: time, motion) { columns.velocity[$0 * columns.dimensionStride + row] }
    }
    guard let pause = pauses[row], let motion = pause.motion else { return false }
    let anchor = isPaused ? pause.since : moment
    let paced = paced(motion, ofRow: row, by: ratio, at: anchor, spring?.paced(by: speed))
    pauses.pace(row, by: ratio, paced)
    speeds.set(row, TrackSpeeds.Record(change: change, speed: speed, spring: spring))
    if !isPaused, let held = pauses.end(row) { release(row, paced, held) }
    return true
  }

  /// A held motion at another pace from a moment on.
  ///
  /// - Parameter spring: Its spring, or the one under its effects.
  private func paced(
    _ motion: PausedMotion, ofRow row: Int, by ratio: Double, at moment: Double, _ spring: SpringCoefficients?
  ) -> PausedMotion {
    // Displacement and amplitude stay: a motion on another clock covers the same way.
    func paceSpring() {
      guard let spring else { return }
      let columns = springs.columns
      columns.start[row] = moment.paced(columns.start[row], by: ratio)
      (columns.rate[row], columns.decay[row]) = (spring.rate, spring.decay)
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
