// SPDX-License-Identifier: MIT
import Kernels

/// The tracks that are computed one at a time, in Double: custom animations, and sums that kernels do not evaluate.
struct CalledMotions: Sendable {
  /// The motion of a track.
  struct Motion: Sendable {
    var value: CalledValue
    /// When the motion was changed last, and the number of that change.
    var changed: Double
    var change: UInt32
    var reported = SpringWatch.Reported()
    /// Whether the motion has finished, and the track shows its target.
    var isOver = false
  }

  /// The motions by slot; nil for slots with other motions.
  private var motions: [Motion?] = []
  /// The slots that have a motion, in no order; and the position of each slot in that list, or −1.
  private(set) var slots: [UInt32] = []
  private var places: [Int32] = []
  /// The state of one track, kept so that frames need not allocate.
  private var values: [Double] = []
  private var velocities: [Double] = []
  private let dimensions: Int

  init(dimensions: Int) { self.dimensions = dimensions }

  /// The motion of a called track.
  subscript(slot: Int) -> Motion {
    _read { yield unsafe motions[slot].unsafelyUnwrapped }
    _modify { yield &motions[slot]! }
  }

  /// Gives the track of a slot a motion.
  mutating func begin(_ slot: Int, _ motion: Motion) {
    motions.grow(to: slot + 1, with: nil)
    places.grow(to: slot + 1, with: -1)
    values.grow(to: dimensions, with: 0)
    velocities.grow(to: dimensions, with: 0)
    motions[slot] = motion
    guard places[slot] < 0 else { return }
    places[slot] = Int32(slots.count)
    slots.append(UInt32(slot))
  }

  /// Ends the motion of a slot.
  mutating func end(_ slot: Int) {
    motions[slot] = nil
    let place = Int(places[slot])
    places[slot] = -1
    let last = slots.removeLast()
    guard Int(last) != slot else { return }
    slots[place] = last
    places[Int(last)] = Int32(place)
  }

  /// Writes the values and velocities of all called tracks at a time, and reports their completions.
  mutating func show(at time: Double, _ tracks: borrowing TrackStore, _ events: inout EventList) {
    guard !slots.isEmpty else { return }
    var shared = SharedProgress()
    for slot in slots {
      let slot = Int(slot)
      motions[slot]?.value.advance(to: time)
      let (isOver, isComplete) = self[slot].value.state(at: time, &shared, &values, &velocities)
      // A track at rest keeps showing its target. It moves again only if the clock goes back.
      if !isOver || !self[slot].isOver { write(slot, tracks) }
      motions[slot]?.isOver = isOver
      motions[slot]?.report(until: time, isOver: isOver, isComplete: isComplete, slot, &events)
    }
  }

  /// Reports completions of the motion of a track until a time, each of them once.
  mutating func report(_ slot: Int, until time: Double, _ events: inout EventList) {
    guard !self[slot].reported.settled else { return }
    var shared = SharedProgress()
    let (isOver, isComplete) = self[slot].value.state(at: time, &shared, &values, &velocities)
    motions[slot]?.report(until: time, isOver: isOver, isComplete: isComplete, slot, &events)
  }

  /// Makes the columns of a track show its motion at a moment.
  mutating func show(_ slot: Int, at time: Double, _ tracks: borrowing TrackStore) {
    var shared = SharedProgress()
    _ = self[slot].value.state(at: time, &shared, &values, &velocities)
    write(slot, tracks)
  }

  /// Makes the columns of a track show its motion at the moment of its beginning, if it takes no time.
  mutating func showIfOver(_ slot: Int, at moment: Double, _ tracks: borrowing TrackStore) {
    guard self[slot].value.isFinished(at: moment) else { return }
    show(slot, at: moment, tracks)
    motions[slot]?.isOver = true
  }

  /// Makes the columns of a track show its motion at a moment at which another one takes over: at its end its target, with
  /// the velocity of the last moment before.
  mutating func conclude(_ slot: Int, at moment: Double, _ tracks: borrowing TrackStore) {
    let value = self[slot].value
    let time = moment.underWay(until: value.endTime, isFinished: value.isFinished(at: moment))
    show(slot, at: time, tracks)
    guard value.isFinished(at: moment), value.endsAtTarget else { return }
    let row = tracks.slots.row(of: slot)
    for dimension in values.indices {
      let element = tracks.element(row, dimension)
      tracks.columns.value[element] = tracks.columns.target[element]
    }
  }

  /// Makes the columns of a track show the state that was computed last.
  private func write(_ slot: Int, _ tracks: borrowing TrackStore) {
    let row = tracks.slots.row(of: slot)
    for dimension in values.indices {
      let element = tracks.element(row, dimension)
      tracks.columns.value[element] = Float(values[dimension])
      tracks.columns.velocity[element] = AmplitudeRule.shown(velocities[dimension])
    }
  }

  /// The moment of the latest change of a called track.
  var latestChange: Double {
    slots.reduce(-BatchLimits.maximumTime) { max($0, motions[Int($1)]?.changed ?? -.infinity) }
  }

  /// Forgets every motion.
  mutating func removeAll() {
    motions.clear()
    places.clear()
    slots.clear()
  }
}

extension CalledMotions.Motion {
  /// Reports completions of the motion until a time, each of them once.
  fileprivate mutating func report(
    until time: Double, isOver: Bool, isComplete: Bool, _ slot: Int, _ events: inout EventList
  ) {
    // A sum to which nothing was added ends at no time: it was over when it began. When a custom animation is complete is
    // found by trying, so it is not asked before it is.
    let (value, changed) = (value, changed)
    events.complete(
      &reported, slot: slot, change, isOver: isOver,
      logicalEnd: isComplete && time >= changed ? max(changed, value.logicalEndTime) : .infinity,
      end: max(changed, value.restTime), until: time)
  }
}
