// SPDX-License-Identifier: MIT
package import Formats
import Text

/// Hands that pull at networks: from time to time each takes a point drawn from the seed, pulls it, and lets go.
package struct Gestures: Equatable, Sendable, Decodable {
  /// Seconds between two gestures on one network.
  package var every: Double
  /// Seconds for which a point is held.
  package var hold: Double
  /// The greatest distance by which a point is pulled, up or down; the least is half of it.
  package var reach: Double

  /// The keys of gestures.
  package enum Key: String, CodingKey, CaseIterable { case every, hold, reach }

  /// Gestures put together in code.
  package init(every: Double, hold: Double, reach: Double) {
    self.every = every
    self.hold = hold
    self.reach = reach
  }

  /// Reads gestures, strictly.
  package init(from decoder: any Decoder) throws(DescriptionError) {
    let fields = try StrictFields<Key>(decoder)
    every = try fields.number(.every, .period)
    hold = try fields.number(.hold, .sceneTime)
    reach = try fields.number(.reach, .coordinate)
    guard hold < every else {
      throw fields.error(.hold, "must be less than every, \(NumberText.short(every)), is \(NumberText.short(hold))")
    }
  }
}
