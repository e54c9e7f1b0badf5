// SPDX-License-Identifier: MIT
package import Formats
import Murmuration

/// A keyframe timeline of one number as JSON describes it.
package struct TimelineDescription: Equatable, Sendable, Decodable {
  /// The value before the first keyframe.
  package var initialValue: Double
  /// The keyframes.
  package var track: TrackDescription

  /// The keys of a timeline.
  package enum Key: String, CodingKey, CaseIterable { case initialValue, track }

  /// A timeline put together in code.
  package init(initialValue: Double, track: TrackDescription) {
    self.initialValue = initialValue
    self.track = track
  }

  /// Reads a timeline, strictly.
  package init(from decoder: any Decoder) throws(DescriptionError) {
    let fields = try StrictFields<Key>(decoder)
    initialValue = try fields.number(.initialValue, .value, default: 0)
    track = try fields.value(.track)
  }
}
