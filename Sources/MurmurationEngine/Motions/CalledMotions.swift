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

  /// The motions by index; nil for tracks with other motions.
  private var motions: [Motion?] = []
  /// The indices that have a motion, in no order; and the position of each index in that list, or −1.
  private(set) var indices: [UInt32] = []
  private var positions: [Int32] = []
  private let dimensions: Int

  init(dimensions: Int) { self.dimensions = dimensions }

  /// The motion of a called track.
  subscript(index: Int) -> Motion {
    _read { yield unsafe motions[index].unsafelyUnwrapped }
    _modify { yield &motions[index]! }
  }

  /// Codes the motions. Those of custom animations are refused.
  mutating func code(_ coder: inout StateCoder) {
    var list = indices
    coder.code(&list)
    if coder.isReading { self = CalledMotions(dimensions: dimensions) }
    for index in list.map({ Int($0) }) {
      guard let motion = coder.coded(coder.isReading ? nil : self[index]), index < BatchLimits.maximumTracks else {
        return coder.refuse()
      }
      if coder.isReading { begin(index, motion) }
    }
  }

  /// Gives a track a motion.
  mutating func begin(_ index: Int, _ motion: Motion) {
    motions.grow(to: index + 1, with: nil)
    positions.grow(to: index + 1, with: -1)
    motions[index] = motion
    guard positions[index] < 0 else { return }
    positions[index] = Int32(indices.count)
    indices.append(UInt32(index))
  }

  /// Ends the motion of a track.
  mutating func end(_ index: Int) {
    motions[index] = nil
    let position = Int(positions[index])
    positions[index] = -1
    let last = indices.removeLast()
    guard Int(last) != index else { return }
    indices[position] = last
    positions[Int(last)] = Int32(position)
  }

  /// Writes the values and velocities of all called tracks at a time, and reports their completions.
  mutating func show(at time: Double, _ tracks: borrowing TrackStore, _ events: inout EventList) {
    for index in indices {
      let index = Int(index)
      let state = self[index].value.step(to: time)
      // A track at rest keeps showing its target. It moves again only if the clock goes back.
      if !state.hasArrived || !self[index].isOver { write(state, index, tracks) }
      motions[index]?.isOver = state.hasArrived
      motions[index]?.report(state, until: time, index, tracks.columns.change[index], &events)
    }
  }

  /// Reports completions of the motion of a track until a time, each of them once.
  mutating func report(_ index: Int, until time: Double, _ tracks: borrowing TrackStore, _ events: inout EventList) {
    guard !self[index].reported.settled else { return }
    let state = self[index].value.moment(at: time)
    motions[index]?.report(state, until: time, index, tracks.columns.change[index], &events)
  }

  /// Makes the columns of a track show its motion at the moment of its beginning, if it takes no time.
  mutating func showIfOver(_ index: Int, at moment: Double, _ tracks: borrowing TrackStore) {
    let state = self[index].value.moment(at: moment)
    guard state.hasArrived else { return }
    write(state, index, tracks)
    motions[index]?.isOver = true
  }

  /// Makes the columns of a track show its motion at a moment at which another one takes over: at its end its target, with
  /// the velocity of the last moment before.
  func conclude(_ index: Int, at moment: Double, _ tracks: borrowing TrackStore) {
    let value = self[index].value
    let isFinished = value.hasArrived(at: moment)
    write(value.moment(at: moment.underWay(until: value.endTime, isFinished: isFinished)), index, tracks)
    guard isFinished, value.endsAtTarget else { return }
    for dimension in 0..<dimensions {
      let element = tracks.element(index, dimension)
      tracks.columns.value[element] = tracks.columns.target[element]
    }
  }

  /// Makes the columns of a track show a state.
  private func write(_ state: CalledValue.Moment, _ index: Int, _ tracks: borrowing TrackStore) {
    for dimension in 0..<dimensions {
      let element = tracks.element(index, dimension)
      tracks.columns.value[element] = Float(state.value[dimension])
      tracks.columns.velocity[element] = AmplitudeRule.shown(state.velocity[dimension])
    }
  }

  /// The moment of the latest change of a called track.
  var latestChange: Double {
    indices.reduce(-BatchLimits.maximumTime) { max($0, motions[Int($1)]?.changed ?? -.infinity) }
  }

  /// Forgets every motion.
  mutating func removeAll() {
    motions.clear()
    positions.clear()
    indices.clear()
  }
}

extension CalledMotions.Motion {
  /// Reports completions of the motion until a time, at which it has a state, each of them once.
  fileprivate mutating func report(
    _ state: CalledValue.Moment, until time: Double, _ index: Int, _ change: UInt32, _ events: inout EventList
  ) {
    // When a custom animation is complete is found by trying, so it is not asked before it is.
    let (value, changed) = (value, changed)
    events.complete(
      &reported, index: index, change, isOver: state.hasArrived,
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
