// SPDX-License-Identifier: MIT
package import Murmuration

extension TimelineDescription {
  /// The timeline of the model.
  package var timeline: KeyframeTimeline<Double> { track.timeline(initialValue: initialValue) }

  /// The duration of the timeline in seconds; infinite if a spring in it never settles.
  var duration: Double { timeline.duration }
}
