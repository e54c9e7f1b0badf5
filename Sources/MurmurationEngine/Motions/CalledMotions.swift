// SPDX-License-Identifier: MIT
import Kernels

/// The motion of a track as the model evaluates it.
typealias CalledValue = AnimatedValue<TrackVector>

/// The tracks that are computed one at a time, in Double: custom animations, and effects that kernels do not evaluate.
struct CalledMotions: Sendable {
  /// The motion of a track.
  struct Motion: Sendable {
    var value: CalledValue
    /// When the motion was changed last.
    var changed: Double
    var reported = SpringWatch.Reported()
    /// Whether the motion has finished, and the track shows its target.
    var isOver = false
  }

  /// The motions by row; nil for rows with other motions.
  private var motions: [Motion?] = []
  /// The rows that have a motion, in no order; and the position of each row in that list, or −1.
  private(set) var rows: [UInt32] = []
  private var positions: [Int32] = []
  private let dimensions: Int

  init(dimensions: Int) { self.dimensions = dimensions }

  /// The motion of a called track.
  subscript(row: Int) -> Motion {
    _read { yield unsafe motions[row].unsafelyUnwrapped }
    _modify { yield &motions[row]! }
  }

  /// Gives the track of a row a motion.
  mutating func begin(_ row: Int, _ motion: Motion) {
    motions.grow(to: row + 1, with: nil)
    positions.grow(to: row + 1, with: -1)
    motions[row] = motion
    guard positions[row] < 0 else { return }
    positions[row] = Int32(rows.count)
    rows.append(UInt32(row))
  }

  /// Ends the motion of a row.
  mutating func end(_ row: Int) {
    motions[row] = nil
    let position = Int(positions[row])
    positions[row] = -1
    let last = rows.removeLast()
    guard Int(last) != row else { return }
    rows[position] = last
    positions[Int(last)] = Int32(position)
  }

  /// Writes the values and velocities of all called tracks at a time, and reports their completions.
  mutating func show(at time: Double, _ tracks: borrowing TrackStore, _ events: inout EventList) {
    for row in rows {
      let row = Int(row)
      let state = self[row].value.step(to: time)
      // A track at rest keeps showing its target. It moves again only if the clock goes back.
      if !state.hasArrived || !self[row].isOver { write(state, row, tracks) }
      motions[row]?.isOver = state.hasArrived
      motions[row]?.report(state, until: time, row, tracks.columns.change[row], &events)
    }
  }

  /// Reports completions of the motion of a track until a time, each of them once.
  mutating func report(_ row: Int, until time: Double, _ tracks: borrowing TrackStore, _ events: inout EventList) {
    guard !self[row].reported.settled else { return }
    let state = self[row].value.moment(at: time)
    motions[row]?.report(state, until: time, row, tracks.columns.change[row], &events)
  }

  /// Makes the columns of a track show its motion at the moment of its beginning, if it takes no time.
  mutating func showIfOver(_ row: Int, at moment: Double, _ tracks: borrowing TrackStore) {
    let state = self[row].value.moment(at: moment)
    guard state.hasArrived else { return }
    write(state, row, tracks)
    motions[row]?.isOver = true
  }

  /// Makes the columns of a track show its motion at a moment at which another one takes over: at its end its target, with
  /// the velocity of the last moment before.
  func conclude(_ row: Int, at moment: Double, _ tracks: borrowing TrackStore) {
    let value = self[row].value
    let isFinished = value.hasArrived(at: moment)
    write(value.moment(at: moment.underWay(until: value.endTime, isFinished: isFinished)), row, tracks)
    guard isFinished, value.endsAtTarget else { return }
    for dimension in 0..<dimensions {
      let element = tracks.element(row, dimension)
      tracks.columns.value[element] = tracks.columns.target[element]
    }
  }

  /// Makes the columns of a track show a state.
  private func write(_ state: CalledValue.Moment, _ row: Int, _ tracks: borrowing TrackStore) {
    for dimension in 0..<dimensions {
      let element = tracks.element(row, dimension)
      tracks.columns.value[element] = Float(state.value[dimension])
      tracks.columns.velocity[element] = AmplitudeRule.shown(state.velocity[dimension])
    }
  }

  /// The moment of the latest change of a called track.
  var latestChange: Double {
    rows.reduce(-BatchLimits.maximumTime) { max($0, motions[Int($1)]?.changed ?? -.infinity) }
  }

  /// Forgets every motion.
  mutating func removeAll() {
    motions.clear()
    positions.clear()
    rows.clear()
  }
}

extension CalledMotions.Motion {
  /// Reports completions of the motion until a time, at which it has a state, each of them once.
  fileprivate mutating func report(
    _ state: CalledValue.Moment, until time: Double, _ row: Int, _ change: UInt32, _ events: inout EventList
  ) {
    // When a custom animation is complete is found by trying, so it is not asked before it is.
    let (value, changed) = (value, changed)
    events.complete(
      &reported, row: row, change, isOver: state.hasArrived,
      logicalEnd: state.isLogicallyComplete && time >= changed ? max(changed, value.logicalEndTime) : .infinity,
      end: max(changed, value.restTime), until: time)
  }
}

extension CalledValue {
  /// The first moment from which on the value is at its target for good; infinite if never.
  fileprivate var restTime: Double {
    let end = endTime
    return !end.isFinite || hasArrived(at: end) ? end : end.nextUp
  }

  /// Whether it shows its target at its end, and not only after it.
  fileprivate var endsAtTarget: Bool {
    // A rounded clock may show a curve of steps just before its last step.
    latestAnimation.flatMap { Progress($0)?.endsAtTarget } ?? hasArrived(at: endTime)
  }
}
