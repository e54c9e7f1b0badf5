// SPDX-License-Identifier: MIT
package import Formats

/// A pointer that wanders over a field of tracks: the tracks near it follow, and go home when it has passed.
///
/// It moves in the plane of the first two dimensions, on a path drawn from the seed. Each of its moves is a retarget of
/// all tracks within the radius: they are pulled towards it and turned about it, less and less towards the rim.
package struct Pointer: Equatable, Sendable, Decodable {
  /// The distance within which tracks follow.
  package var radius: Double
  /// The share of the way to the pointer that a track right beneath it would go.
  package var pull: Double
  /// The turn of such a track about the pointer, in turns.
  package var twist: Double
  /// How far from the origin the path goes in each dimension.
  package var reach: Double
  /// How often the path turns, in turns per second.
  package var pace: Double
  /// The number of moves of the pointer per second.
  package var movesPerSecond: Double
  /// The spring of tracks that follow; nil for the group's spring, with which they go home.
  package var spring: SpringDescription?

  /// The keys of a pointer.
  package enum Key: String, CodingKey, CaseIterable { case radius, pull, twist, reach, pace, movesPerSecond, spring }

  /// A pointer put together in code.
  package init(
    radius: Double, pull: Double = 0.5, twist: Double = 0, reach: Double, pace: Double = 0.1,
    movesPerSecond: Double = 60, spring: SpringDescription? = nil
  ) {
    self.radius = radius
    self.pull = pull
    self.twist = twist
    self.reach = reach
    self.pace = pace
    self.movesPerSecond = movesPerSecond
    self.spring = spring
  }

  /// Reads a pointer, strictly.
  package init(from decoder: any Decoder) throws(DescriptionError) {
    let fields = try StrictFields<Key>(decoder)
    radius = try fields.number(.radius, NumberRule("in (0, 1e14]") { $0 > 0 && $0 <= 1e14 })
    pull = try fields.number(.pull, .fraction, default: 0.5)
    twist = try fields.number(.twist, NumberRule("within ±1e6") { abs($0) <= 1e6 }, default: 0)
    reach = try fields.number(.reach, .coordinate)
    pace = try fields.number(.pace, .pace, default: 0.1)
    movesPerSecond = try fields.number(.movesPerSecond, .frameRate, default: 60)
    spring = try fields.optional(.spring)
  }
}
