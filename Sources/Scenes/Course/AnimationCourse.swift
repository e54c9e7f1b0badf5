// SPDX-License-Identifier: MIT
import Murmuration

/// The events of a group that animations move, one after another in time.
///
/// Both the player and the reference that checks it walk a course of their own.
package struct AnimationCourse {
  /// An event, laid out.
  package struct Change {
    /// The time in seconds.
    package var time: Double
    /// The targets: component-major over all tracks.
    package var targets: [Float]
    /// The animations, in the order of the tracks.
    package var animations: DrawnAnimations
    /// The seconds after which each track sets out; empty if all do at once.
    package var delays: [Double]
  }

  private let group: AnimationGroup
  private let index: Int
  private let count: Int
  private let dimensions: Int
  private let seed: UInt64
  /// The number of events so far.
  private var step = 0

  /// The course of group `index` of `scene`, from the start.
  package init(_ group: AnimationGroup, index: Int, count: Int, scene: Scene) {
    (self.group, self.index, self.count) = (group, index, count)
    (dimensions, seed) = (scene.dimensions, scene.seed)
  }

  /// The moment of the next event; infinite after the last.
  package var nextTime: Double { step < group.events.count ? group.events[step].time : .infinity }

  /// The next event up to and including `time`, or nil without one; each event is returned once.
  package mutating func next(until time: Double) -> Change? {
    guard nextTime <= time else { return nil }
    defer { step += 1 }
    let event = group.events[step]
    func random(_ purpose: SceneRandom.Purpose) -> SceneRandom {
      SceneRandom(seed: seed, purpose: purpose, group: index, event: step)
    }
    let delays = (event.stagger ?? group.stagger).delays(count: count, random: random(.stagger))
    return Change(
      time: event.time,
      targets: event.target.points(count: count, dimensions: dimensions, random: random(.targets)),
      animations: (event.animation ?? group.animation).drawn(count: count, random: random(.animations)),
      delays: delays.allSatisfy { $0 == 0 } ? [] : delays)
  }
}
