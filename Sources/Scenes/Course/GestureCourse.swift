// SPDX-License-Identifier: MIT
package import ModalMotion
import Murmuration

/// A hand that takes or lets go of one network.
package struct GestureChange {
  /// The time in seconds.
  package var time: Double
  /// The index of the network.
  package var instance: Int
  /// The point that is pulled, and its displacement; nil if the network is let go.
  package var pull: (point: Int, displacement: Double)?
}

/// The gestures on the networks of a group, one after another in time.
///
/// Both the player and the reference that checks it walk a course of their own. Each network has its own moment within the
/// time between two gestures, so no two gestures coincide.
package struct GestureCourse {
  private let gestures: Gestures
  private let index: Int
  private let seed: UInt64
  /// The moment of each network as a share of the time between two gestures, ascending.
  private let moments: [(share: Double, instance: Int)]
  /// The points that are pulled: those that yield at least half as much as the softest point. To pull a point beside an
  /// anchor, a hand would need a force that tears at the whole network.
  private let points: [Int]
  private var pulls = 0
  private var releases = 0

  /// The course of group `index` of `scene`, from the start; nil if nothing moves the networks.
  package init?(_ group: NetworkGroup, basis: ModalBasis, index: Int, instances: Int, scene: Scene) {
    guard let gestures = group.gestures else { return nil }
    self.gestures = gestures
    self.index = index
    seed = scene.seed
    var random = SceneRandom(seed: scene.seed, purpose: .stagger, group: index)
    moments = (0..<instances).map { (random.number(in: 0...1), $0) }.sorted { $0.0 < $1.0 }
    let compliances = basis.compliances
    let softest = compliances.max() ?? 0
    points = compliances.indices.filter { compliances[$0] > 0 && compliances[$0] >= softest / 2 }
    guard !points.isEmpty else { return nil }
  }

  /// The next change up to and including `time`, or nil without one; each change is returned once.
  package mutating func next(until time: Double) -> GestureChange? {
    let (pull, release) = (self.time(of: pulls), self.time(of: releases) + gestures.hold)
    // A hand lets go before another one takes the same network.
    if release <= pull {
      guard release <= time else { return nil }
      defer { releases += 1 }
      return GestureChange(time: release, instance: moments[releases % moments.count].instance)
    }
    guard pull <= time else { return nil }
    defer { pulls += 1 }
    let instance = moments[pulls % moments.count].instance
    var random = SceneRandom(
      seed: seed, purpose: .gestures, group: index,
      event: pulls / moments.count * ModalLimits.maximumInstances + instance)
    let point = points[min(points.count - 1, Int(random.number(in: 0...1) * Double(points.count)))]
    let height = random.number(in: 0.5...1) * gestures.reach
    return GestureChange(
      time: pull, instance: instance, pull: (point, random.number(in: 0...1) < 0.5 ? -height : height))
  }

  private func time(of pull: Int) -> Double {
    (Double(pull / moments.count) + moments[pull % moments.count].share) * gestures.every
  }
}
