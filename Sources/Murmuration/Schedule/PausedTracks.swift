// SPDX-License-Identifier: MIT
import AnimationModel
import Kernels

/// The paused tracks, and the motion with which each goes on. A clip keeps its own pause, so a track that plays a clip is
/// here only if its phases or its waiting call are paused too.
struct PausedTracks: Sendable {
  /// The state of a track when it was paused.
  struct Pause: Sendable {
    let slot: UInt32
    let since: Double
    /// The motion of the track; nil if the track stood, or plays a clip.
    let motion: PausedMotion?

    /// The time of a moment if the track goes on now. A moment that lay ahead at the pause is not in the past then, however
    /// sums are rounded.
    func moment(_ moment: Double, resumedAt now: Double) -> Double { now + (moment - since) }
  }

  private let dimensions: Int
  /// The pauses, in no order.
  private(set) var list: [Pause] = []
  /// The velocities that the tracks of the list had, each with its dimensions side by side; behind them those of the pause
  /// that ended last.
  private var velocities: [Float] = []
  /// By slot: the place of its pause in the list, plus 1; 0 without a pause.
  private var places: [UInt32] = []
  /// No pause began after this moment.
  var latest = -BatchLimits.maximumTime

  init(dimensions: Int) { self.dimensions = dimensions }

  var count: Int { list.count }
  var isEmpty: Bool { list.isEmpty }
  func contains(_ slot: Int) -> Bool { !isEmpty && slot < places.count && places[slot] != 0 }
  subscript(slot: Int) -> Pause? { contains(slot) ? list[Int(places[slot]) - 1] : nil }

  /// The velocity that a paused track takes up again.
  func velocity(_ slot: Int, _ dimension: Int) -> Float {
    velocities[(Int(places[slot]) - 1) * dimensions + dimension]
  }

  /// The velocity that the track takes up again whose pause ended last.
  func endedVelocity(_ dimension: Int) -> Float { velocities[list.count * dimensions + dimension] }

  /// Whether the track of a slot goes on to follow.
  func isOfFollower(_ slot: Int) -> Bool {
    if case .following? = self[slot]?.motion { true } else { false }
  }

  /// Notes that the track of a slot, which is not paused, is paused with its velocities.
  mutating func begin(_ slot: Int, since: Double, _ motion: PausedMotion?, velocity: (_ dimension: Int) -> Float) {
    velocities.grow(to: (list.count + 1) * dimensions, with: 0)
    for dimension in 0..<dimensions { velocities[list.count * dimensions + dimension] = velocity(dimension) }
    list.append(Pause(slot: UInt32(slot), since: since, motion: motion))
    places.grow(to: slot + 1, with: 0)
    places[slot] = UInt32(list.count)
    latest = max(latest, since)
  }

  /// Forgets the pause of a slot, and returns it.
  mutating func end(_ slot: Int) -> Pause? {
    guard contains(slot) else { return nil }
    let (place, last) = (Int(places[slot]) - 1, list.count - 1)
    if place != last {
      list.swapAt(place, last)
      velocities.withColumn { velocities in
        for dimension in 0..<dimensions {
          let (own, other) = (place * dimensions + dimension, last * dimensions + dimension)
          (velocities[own], velocities[other]) = (velocities[other], velocities[own])
        }
      }
      places[Int(list[place].slot)] = UInt32(place + 1)
    }
    places[slot] = 0
    return list.removeLast()
  }

  mutating func removeAll() {
    list.removeAll()
    velocities.removeAll()
    places.removeAll()
  }
}

/// The motion of a track that is paused, and what was reported of it: small for springs, of which there may be many.
enum PausedMotion: Sendable {
  /// The columns of springs keep it, in the row in which the track stands.
  case spring(SpringWatch.Reported)
  indirect case curve(HeldCurve)
  /// Goals and leaders stay where they are.
  case following(SpringCoefficients)
  indirect case called(CalledMotions.Motion)
}

/// A curve that a track goes on with.
struct HeldCurve: Sendable {
  /// The curve, or the modified animation.
  let motion: MotionRequest
  let start: Double
  /// The value where it began, by dimension.
  let origin: [Float]
  let reported: SpringWatch.Reported
}
