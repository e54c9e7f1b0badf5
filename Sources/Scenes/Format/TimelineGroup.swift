// SPDX-License-Identifier: MIT
import Formats
package import Murmuration
import Text

/// Keyframe timelines, one for each dimension, that all tracks of a group play at staggered times.
package struct TimelineGroup: Equatable, Sendable {
  /// The timelines, one for each dimension.
  package var timelines: [TimelineDescription]
  /// When each track starts.
  package var stagger: StaggerDescription
  /// The seconds after which a track plays its timelines again, from their initial values. Nil if it repeats them, if
  /// at all, as soon as they are over.
  package var repeatEvery: Double?
  /// How fast and how often the timelines are played.
  package var playback: PlaybackDescription
  /// The offsets of the timelines' values, a position for each track; nil without offsets.
  package var offsets: Layout?
  /// The hand that takes the tracks in mid-run; nil without a hand.
  package var grab: Grab?

  /// A group put together in code.
  package init(
    timelines: [TimelineDescription], stagger: StaggerDescription = StaggerDescription(), repeatEvery: Double? = nil,
    playback: PlaybackDescription = PlaybackDescription(), offsets: Layout? = nil, grab: Grab? = nil
  ) {
    self.timelines = timelines
    self.stagger = stagger
    self.repeatEvery = repeatEvery
    self.playback = playback
    self.offsets = offsets
    self.grab = grab
  }

  init(_ fields: StrictFields<SceneGroup.Key>) throws(DescriptionError) {
    timelines = try fields.value(.timelines)
    stagger = try fields.optional(.stagger) ?? StaggerDescription()
    repeatEvery = try fields.optionalNumber(.repeatEvery, .period)
    playback = try fields.optional(.playback) ?? PlaybackDescription()
    offsets = try fields.optional(.offsets)
    grab = try fields.optional(.grab)
    guard let grab, grab.restarts else { return }
    guard playback.speed.lowerBound > 0 else {
      throw fields.error(.grab, "needs tracks that play forwards, at a speed of more than 0")
    }
    // The end of such a keyframe depends on its start value, which is not known here.
    guard !timelines.contains(where: \.hasOpenSprings) else {
      throw fields.error(.grab, "needs springs that have a duration in every keyframe")
    }
  }

  /// How often the timelines are played.
  package var repetition: Playback.Repetition { playback.repeats ?? (repeatEvery == nil ? .count(1) : .forever) }

  /// The number of times that the group's tracks are taken, let go, or begin anew in a run.
  var changes: Double { grab.map { Double($0.changesPerTrack * $0.trigger.waves.count) } ?? 0 }

  func check(count: Int, dimensions: Int, path: [DescriptionError.Step]) throws(DescriptionError) {
    guard timelines.count == dimensions else {
      throw DescriptionError(
        path: path + [.key("timelines")],
        reason: "must hold \(dimensions) timelines, one a dimension, holds \(timelines.count)")
    }
    let duration = timelines.map(\.duration).max() ?? 0
    if let repeatEvery, repeatEvery < duration {
      throw DescriptionError(
        path: path + [.key("repeatEvery")],
        reason: "must not be shorter than the timelines, which take \(NumberText.short(duration)) s, is "
          + NumberText.short(repeatEvery))
    }
    try stagger.check(count: count, path: path + [.key("stagger")])
    try offsets?.check(count: count, dimensions: dimensions, path: path + [.key("offsets")])
    guard let grab, !grab.drag.isEmpty, grab.drag.count != dimensions else { return }
    throw DescriptionError(
      path: path + [.key("grab"), .key("drag")],
      reason: "must hold \(dimensions) numbers, one a dimension, holds \(grab.drag.count)")
  }
}

extension TimelineDescription {
  /// Whether a spring keyframe lasts until the spring has settled.
  fileprivate var hasOpenSprings: Bool {
    track.keyframes.contains { keyframe in
      if case .spring(_, nil, let spring, _) = keyframe { !spring.isJump } else { false }
    }
  }
}
