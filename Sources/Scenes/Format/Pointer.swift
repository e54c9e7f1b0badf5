// SPDX-License-Identifier: MIT

/// A pointer that wanders over a field of tracks: those whose places are near follow it, and go home when it has passed.
///
/// It moves in the plane of the first two dimensions, on a path drawn from the seed. Each of its moves is a retarget of
/// all tracks within the radius: they are pulled towards it and turned about it, less and less towards the rim.
package struct Pointer: Equatable, Sendable, Decodable {
  /// How near a track's place has to be.
  package var radius: Double
  /// The share of the way to the pointer that a track beneath it would go.
  package var pull: Double
  /// By how much a track is turned about the pointer, in turns.
  package var twist: Double
  /// How far from the origin the path goes in each dimension.
  package var reach: Double
  /// How often the path turns, in turns per second.
  package var pace: Double
  /// How often the pointer moves on.
  package var movesPerSecond: Double
  /// The spring with which tracks follow; nil: the group's, with which they go home.
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
