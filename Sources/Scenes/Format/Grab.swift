// SPDX-License-Identifier: MIT

/// A hand that takes the tracks of a timeline group in mid-run, draws them along, and lets go: they begin anew from there,
/// or are left to springs.
///
/// One that holds them for no time has them begin anew in motion, with the velocity that they have.
package struct Grab: Equatable, Sendable, Decodable {
  /// Whom it takes when.
  package var trigger: SceneTrigger
  /// Seconds for which each track is held.
  package var hold: Double
  /// How far a track is drawn while it is held, a number a dimension; empty: it is kept where it is.
  package var drag: [Double]
  /// What becomes of the tracks when they are let go; nil: their timelines begin anew from there.
  package var release: Release?

  /// The keys of a grab.
  package enum Key: String, CodingKey, CaseIterable { case at, waves, order, hold, drag, release }

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
    trigger = try SceneTrigger(fields, at: .at, waves: .waves, order: .order)
    hold = try fields.number(.hold, .sceneTime, default: 0)
    drag = try fields.optionalNumbers(.drag, .coordinate) ?? []
    release = try fields.optional(.release)
    guard drag.isEmpty || hold > 0 else { throw fields.error(.drag, "needs a hold of more than 0 s") }
    guard release == nil || hold > 0 else { throw fields.error(.release, "needs a hold of more than 0 s") }
  }

  /// Whether timelines begin anew from where a track is.
  var restarts: Bool { release == nil || release?.resume != nil }

  /// The times that a track is taken, let go, and begins anew.
  var changesPerTrack: Int { release?.resume == nil ? 2 : 3 }

  /// By how much a component is drawn after so many seconds. It sets out at rest; it stops at rest too, but where it is
  /// left to a spring it is let go in motion.
  func way(_ component: Int, after seconds: Double) -> Double {
    guard !drag.isEmpty else { return 0 }
    let share = min(max(seconds / hold, 0), 1)
    let part = release == nil ? share * share * (3 - 2 * share) : share * share * (3 - share) / 2
    return drag[component] * part
  }

  /// How fast a component is drawn when it is let go, per second.
  func speedAtRelease(_ component: Int) -> Double {
    guard !drag.isEmpty, release != nil else { return 0 }
    return 1.5 * drag[component] / hold
  }
}

extension Grab {
  /// How tracks are handed to a spring when they are let go: it takes their values and the hand's velocity over.
  package struct Release: Equatable, Sendable, Decodable {
    /// The spring.
    package var spring: SpringDescription
    /// How many seconds further, at the hand's velocity, the place lies where the spring leads.
    package var glide: Double
    /// Seconds after which the timelines begin anew, from where the spring has the track and with its velocity; nil: never.
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

    /// Where the spring leads a component that is let go at a value and a velocity.
    func target(_ value: Double, _ velocity: Double) -> Double { value + glide * velocity }
  }
}
