// SPDX-License-Identifier: MIT
import AnimationModel
import Kernels

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The tracks that are computed one at a time, in Double: those in which effects add up, that follow modified curves or
/// interpolating springs, and custom animations.
struct CalledMotions: Sendable {
  /// What a track follows.
  struct Motion: Sendable {
    var value: CalledValue
    /// When it was changed last, and the number of that call.
    var changed: Double
    var change: UInt32
    var isLogicalReported = false
    var isRestReported = false
    /// Whether it has finished, and the track shows its target.
    var isOver = false
  }

  /// By slot; nil for slots that follow something else.
  private var motions: [Motion?] = []
  /// The slots that follow these, in no order, and the place of each slot among them.
  private(set) var slots: [UInt32] = []
  private var places: [Int32] = []
  /// The state of one track, kept so that frames need not allocate.
  private var values: [Double]
  private var velocities: [Double]

  init(dimensions: Int) {
    values = Array(repeating: 0, count: dimensions)
    velocities = values
  }

  /// What the track of a slot follows, which is called.
  subscript(slot: Int) -> Motion {
    _read { yield unsafe motions[slot].unsafelyUnwrapped }
    set { motions[slot] = newValue }
  }

  /// Has the track of a slot follow a motion from now on.
  mutating func begin(_ slot: Int, _ motion: Motion) {
    if slot >= motions.count {
      let more = slot + 1 - motions.count
      motions.append(contentsOf: repeatElement(nil, count: more))
      places.append(contentsOf: repeatElement(-1, count: more))
    }
    motions[slot] = motion
    guard places[slot] < 0 else { return }
    places[slot] = Int32(slots.count)
    slots.append(UInt32(slot))
  }

  /// Takes something of the motion of a slot for reported, or for still to be reported.
  mutating func setReported(_ slot: Int, _ reported: SpringWatch.Reported) {
    motions[slot]?.isLogicalReported = reported.logical
    motions[slot]?.isRestReported = reported.settled
  }

  /// Has the track of a slot follow these no longer.
  mutating func end(_ slot: Int) {
    motions[slot] = nil
    let place = Int(places[slot])
    places[slot] = -1
    let last = slots.removeLast()
    guard Int(last) != slot else { return }
    slots[place] = last
    places[Int(last)] = Int32(place)
  }

  /// Shows the tracks at a time, and reports what they completed.
  mutating func show(at time: Double, _ tracks: borrowing TrackStore, _ events: inout EventList) {
    guard !slots.isEmpty else { return }
    var shared = SharedProgress()
    for slot in slots {
      let slot = Int(slot)
      motions[slot]?.value.advance(to: time)
      let isOver = self[slot].value.isFinished(at: time)
      // At rest it goes on showing its target, and only going back has it move again.
      if !isOver || !self[slot].isOver { show(slot, at: time, tracks, &shared) }
      motions[slot]?.isOver = isOver
      report(slot, until: time, &events)
    }
  }

  /// Reports what the motion of a track has completed at a time, once.
  mutating func report(_ slot: Int, until time: Double, _ events: inout EventList) {
    if !self[slot].isRestReported { motions[slot]?.report(until: time, slot, &events) }
  }

  /// Makes the columns of a track show what it follows at a moment.
  mutating func show(_ slot: Int, at time: Double, _ tracks: borrowing TrackStore) {
    var shared = SharedProgress()
    show(slot, at: time, tracks, &shared)
  }

  private mutating func show(
    _ slot: Int, at time: Double, _ tracks: borrowing TrackStore, _ shared: inout SharedProgress
  ) {
    motions[slot]?.value.state(at: time, &shared, &values, &velocities)
    let (row, largest) = (tracks.slots.row(of: slot), Double(AmplitudeRule.largestVelocity))
    for dimension in values.indices {
      let element = tracks.element(row, dimension)
      unsafe tracks.columns.value[element] = Float(values[dimension])
      unsafe tracks.columns.velocity[element] = Float(max(-largest, min(largest, velocities[dimension]))) + 0
    }
  }

  /// The moment of the latest change of those that are followed.
  var latestChange: Double {
    slots.reduce(-BatchLimits.maximumTime) { max($0, motions[Int($1)]?.changed ?? -.infinity) }
  }

  /// Forgets every motion.
  mutating func removeAll() {
    motions.removeAll(keepingCapacity: true)
    places.removeAll(keepingCapacity: true)
    slots.removeAll(keepingCapacity: true)
  }
}

/// What a track that slows down does, as an animation: the model adds other animations to it.
struct DecelerationAnimation: CustomAnimation {
  let decayConstant: Double

  func animate<V: VectorArithmetic>(value: V, time: Double, context: inout AnimationContext<V>) -> V? {
    value.scaled(by: -expm1(-decayConstant * max(0, time)))
  }

  func velocity<V: VectorArithmetic>(value: V, time: Double, context: AnimationContext<V>) -> V? {
    value.scaled(by: decayConstant * exp(-decayConstant * max(0, time)))
  }
}

extension CalledMotions.Motion {
  /// Reports what it has completed at a time, once.
  fileprivate mutating func report(until time: Double, _ slot: Int, _ events: inout EventList) {
    let isOver = value.isFinished(at: time)
    let end = min(value.endTime, time)
    if !isLogicalReported, isOver || time >= value.logicalEndTime {
      isLogicalReported = true
      events.append(.logicallyComplete, slot: slot, change, at: min(value.logicalEndTime, end))
    }
    if !isRestReported, isOver {
      isRestReported = true
      events.append(.settled, slot: slot, change, at: end)
    }
  }
}
