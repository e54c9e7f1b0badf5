// SPDX-License-Identifier: MIT
import Murmuration

/// A change to all springs of a scene's groups.
package struct SpringChange: Equatable, Sendable {
  /// The factor of their durations.
  package var durationFactor = 1.0
  /// The number that is added to their bounces.
  package var bounce = 0.0

  /// No change.
  package init() {}

  /// A duration and a bounce, changed and kept within the limits of a scene.
  fileprivate func applied(duration: Double, bounce: Double) -> (duration: Double, bounce: Double) {
    (min(1e6, max(1e-4, duration * durationFactor)), min(1, max(-0.99, bounce + self.bounce)))
  }
}

extension Scene {
  /// This scene with other springs; keyframes, phases and networks keep theirs.
  package func changingSprings(_ change: SpringChange) -> Scene {
    guard change != SpringChange() else { return self }
    var scene = self
    for index in scene.groups.indices {
      guard case .springs(var springs) = scene.groups[index].motion else { continue }
      springs.springs = springs.springs.changed(change)
      switch springs.course {
      case .events(var events):
        for event in events.indices {
          let changed = events[event].springs?.changed(change)
          events[event].springs = changed
        }
        springs.course = .events(events)
      case .particles(var particles):
        let following = particles.pointer?.spring?.changed(change)
        particles.pointer?.spring = following
        for burst in particles.bursts.indices {
          let changed = particles.bursts[burst].springs?.changed(change)
          particles.bursts[burst].springs = changed
        }
        springs.course = .particles(particles)
      case .follow, .wander: break
      }
      scene.groups[index].motion = .springs(springs)
    }
    return scene
  }
}

extension SpringChoice {
  fileprivate func changed(_ change: SpringChange) -> SpringChoice {
    switch self {
    case .shared(let spring): return .shared(spring.changed(change))
    case .drawn(let ranges):
      let low = change.applied(duration: ranges.duration.lowerBound, bounce: ranges.bounce.lowerBound)
      let high = change.applied(duration: ranges.duration.upperBound, bounce: ranges.bounce.upperBound)
      return .drawn(SpringRanges(duration: low.duration...high.duration, bounce: low.bounce...high.bounce))
    }
  }
}

extension SpringDescription {
  fileprivate func changed(_ change: SpringChange) -> SpringDescription {
    guard !isJump else { return self }
    let new = change.applied(duration: spring.duration, bounce: spring.bounce)
    // Within the limits, so that it is never refused.
    return (try? SpringDescription(duration: new.duration, bounce: new.bounce)) ?? self
  }
}
