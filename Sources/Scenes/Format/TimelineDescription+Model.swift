// SPDX-License-Identifier: MIT
import Murmuration

extension TimelineDescription {
  /// The timeline as the model plays it.
  var timeline: KeyframeTimeline<Double> { track.timeline(initialValue: initialValue) }

  /// How long the timeline takes, in seconds; infinite when a spring in it never settles.
  var duration: Double { timeline.duration }
}
