// SPDX-License-Identifier: MIT
package import Formats

/// A hand that takes the tracks of a timeline group in mid-run, draws them along, and lets go. Then their timelines
/// begin anew from there, or springs take over.
///
/// With a `hold` of 0 the timelines begin anew in motion, with the velocity of the tracks.
package struct Grab: Equatable, Sendable, Decodable {
  /// When the hand takes which tracks.
  package var trigger: SceneTrigger
  /// Seconds for which each track is held.
  package var hold: Double
  /// The way of a track while it is held, a number a dimension; empty if it stays where it is.
  package var drag: [Double]
  /// The springs that take over when the tracks are let go; nil if their timelines begin anew.
  package var release: Release?

  /// The keys of a grab.
  package enum Key: String, CodingKey, CaseIterable { case at, waves, from, columns, hold, drag, release }

  /// A grab put together in code.
  package init(_ trigger: SceneTrigger, hold: Double = 0, drag: [Double] = [], release: Release? = nil) {
    self.trigger = trigger
    self.hold = hold
    self.drag = drag
    self.release = release
  }

  /// Reads a grab, strictly.
  package init(from decoder: any Decoder) throws(DescriptionError) {
    let fields = try StrictFields<Key>(decoder)
    trigger = try SceneTrigger(fields, at: .at, waves: .waves, from: .from, columns: .columns)
    hold = try fields.number(.hold, .sceneTime, default: 0)
    drag = try fields.optionalNumbers(.drag, .coordinate) ?? []
    release = try fields.optional(.release)
    guard drag.isEmpty || hold > 0 else { throw fields.error(.drag, "needs a hold of more than 0 s") }
    guard release == nil || hold > 0 else { throw fields.error(.release, "needs a hold of more than 0 s") }
  }

  /// Whether timelines begin anew from where a track is.
  var restarts: Bool { release == nil || release?.resume != nil }

  /// The number of changes of a track: it is taken, let go, and may begin anew.
  var changesPerTrack: Int { release?.resume == nil ? 2 : 3 }

  /// The way of a component after a number of seconds. The way begins at rest. It ends at rest too, unless the track is
  /// left to a spring: then it ends in motion.
  package func way(_ component: Int, after seconds: Double) -> Double {
    guard !drag.isEmpty else { return 0 }
    let share = min(max(seconds / hold, 0), 1)
    let part = release == nil ? share * share * (3 - 2 * share) : share * share * (3 - share) / 2
    return drag[component] * part
  }

  /// The velocity of a component when it is let go, per second.
  package func speedAtRelease(_ component: Int) -> Double {
    guard !drag.isEmpty, release != nil else { return 0 }
    return 1.5 * drag[component] / hold
  }
}

extension Grab {
  /// The hand-over of tracks to a spring when they are let go: it takes over their values and the hand's velocity.
  package struct Release: Equatable, Sendable, Decodable {
    /// The spring.
    package var spring: SpringDescription
    /// The spring leads to where the hand would be after `glide` more seconds at its velocity.
    package var glide: Double
    /// Seconds after which the timelines begin anew, from the spring's value and velocity; nil for never.
    package var resume: Double?

    /// The keys of a release.
    package enum Key: String, CodingKey, CaseIterable { case spring, glide, resume }

    /// A release put together in code.
    package init(spring: SpringDescription, glide: Double = 0, resume: Double? = nil) {
      self.spring = spring
      self.glide = glide
      self.resume = resume
    }

    /// Reads a release, strictly.
    package init(from decoder: any Decoder) throws(DescriptionError) {
      let fields = try StrictFields<Key>(decoder)
      spring = try fields.value(.spring)
      guard !spring.isJump else { throw fields.error(.spring, "needs a duration of more than 0") }
      glide = try fields.number(.glide, NumberRule("in [0, 100]") { (0...100).contains($0) }, default: 0)
      resume = try fields.optionalNumber(.resume, .sceneTime)
    }

    /// The target of the spring for a component that is let go at a value and a velocity.
    package func target(_ value: Double, _ velocity: Double) -> Double { value + glide * velocity }
  }
}
