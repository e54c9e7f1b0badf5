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
    tracks.show(index) { (Float(state.value[$0]), AmplitudeRule.shown(state.velocity[$0])) }
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

extension Engine {
  // MARK: - Changes

  /// Sends a track to a goal with an animation that is computed track by track.
  mutating func call(_ index: Int, _ animation: Animation, at moment: Double, _ change: UInt32, goal: (Int) -> Float) {
    var value = value(of: index, at: moment)
    value.retarget(to: vector { goal($0) + 0 }, with: animation, at: moment)
    beginCalled(index, value, at: moment, change)
  }

  /// Lets a track move to the target of a value of the model as that value does, which changed at a moment.
  mutating func beginCalled(_ index: Int, _ value: CalledValue, at moment: Double, _ change: UInt32) {
    let motion = CalledMotions.Motion(value: value, changed: moment)
    if tracks.tiles.kind(at: index) != .called {
      stand(index)
      tracks.tiles.call(index)
    }
    called.begin(index, motion)
    tracks.columns.change[index] = change
    velocities.mark(index)
    for dimension in 0..<dimensions {
      tracks.columns.target[tracks.element(index, dimension)] = Float(value.target[dimension])
    }
    called.showIfOver(index, at: moment, tracks)
  }

  /// The motion of a track, as a value to which an animation can add its effect at a moment.
  private func value(of index: Int, at moment: Double) -> CalledValue {
    let kind = tracks.tiles.kind(at: index)
    if kind == .called { return called[index].value }
    if kind == .curves { return value(ofCurves: index) }
    if kind.isClip || kind == .still || startsAfresh(index, at: moment) {
      return CalledValue(vector { tracks.columns.value[tracks.element(index, $0)] })
    }
    let target = vector { tracks.columns.target[tracks.element(index, $0)] }
    guard kind == .spring, !springs.isAtRest(index) else { return CalledValue(target) }
    return springValue(at: index, to: target)
  }

  /// The motion of a spring, perhaps under curves.
  func springValue(at index: Int, to target: TrackVector) -> CalledValue {
    let (columns, coefficients) = (springs.columns, springs.coefficients(at: index))
    let start = columns.start[index]
    let displacement = vector { columns.displacement[$0 * columns.startStride + index] }
    let amplitude = vector { columns.amplitude[$0 * columns.startStride + index] }
    if coefficients.isDeceleration {
      // The way follows from the amplitude, v/κ: far from 0 the displacement has fewer digits than the velocity at the
      // start.
      var value = CalledValue(target - amplitude)
      // A change at the start adds to the slide, so the slide must have started before.
      value.retarget(to: target, with: .deceleration(decayConstant: coefficients.κ), at: start.nextDown)
      return value
    }
    guard let spring = Spring(coefficients) else { return CalledValue(target) }
    let velocity = amplitude.scaled(by: coefficients.κ) - displacement.scaled(by: coefficients.α)
    return CalledValue(target + displacement, velocity: velocity, target: target, with: spring, at: start)
  }

  /// A vector with a component for each dimension.
  func vector(_ component: (Int) -> Float) -> TrackVector { TrackVector(count: dimensions) { Double(component($0)) } }
}

extension Spring {
  /// The spring of coefficients that are neither a jump's nor a deceleration's; nil for these.
  fileprivate init?(_ coefficients: SpringCoefficients) {
    guard !coefficients.isJump, !coefficients.isDeceleration else { return nil }
    let decay = coefficients.isOverdamped ? coefficients.α + coefficients.κ / 2 : coefficients.α
    self.init(
      naturalFrequency: coefficients.naturalFrequency, decayConstant: decay,
      angularFrequency: coefficients.isOverdamped ? -coefficients.κ / 2 : coefficients.κ, mass: 1)
  }
}
