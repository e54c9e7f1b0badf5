// SPDX-License-Identifier: MIT
import AnimationModel

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The tracks whose animation the model computes: those that follow curves, interpolating springs, their sums and
/// modifiers, and custom animations.
///
/// One track at a time, in Double, as `AnimatedValue` has it; so what adds to what, and what takes over, is the model's
/// affair.
struct CalledMotions: Sendable {
  /// What a track follows.
  struct Motion: Sendable {
    var value: AnimatedValue<Components>
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

  /// What the track of a slot follows, which is called.
  subscript(slot: Int) -> Motion {
    get { unsafe motions[slot].unsafelyUnwrapped }
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

  /// The moment of the latest change of those that are followed.
  var latestChange: Double {
    slots.reduce(-BatchLimits.maximumTime) { max($0, self[Int($1)].changed) }
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
