// SPDX-License-Identifier: MIT
package import Formats

/// Targets spread about a point that wanders smoothly, on a path drawn from the seed.
///
/// Each track gets a new target every `every` seconds. With waves the tracks take turns: they are divided into parts, and
/// each part gets its targets at its own moment of that time.
package struct Wander: Equatable, Sendable, Decodable {
  /// Seconds between two targets of one track.
  package var every: Double
  /// The number of parts of the tracks that take turns.
  package var waves: Int
  /// How far from the origin the path goes in each dimension.
  package var reach: Double
  /// How often the path turns, in turns per second.
  package var pace: Double
  /// The positions of the targets about the wandering point.
  package var around: Layout

  /// The keys of a wandering course.
  package enum Key: String, CodingKey, CaseIterable { case every, waves, reach, pace, around }

  /// A course put together in code.
  package init(every: Double, waves: Int = 1, reach: Double, pace: Double = 0.1, around: Layout) {
    self.every = every
    self.waves = waves
    self.reach = reach
    self.pace = pace
    self.around = around
  }

  /// Reads a course, strictly.
  package init(from decoder: any Decoder) throws(DescriptionError) {
    let fields = try StrictFields<Key>(decoder)
    every = try fields.number(.every, .period)
    waves = fields.has(.waves) ? try fields.integer(.waves, in: 1...SceneLimits.waves) : 1
    reach = try fields.number(.reach, .coordinate)
    pace = try fields.number(.pace, .pace, default: 0.1)
    around = try fields.value(.around)
  }

  /// The position at a time of a point that wanders smoothly, a number a dimension.
  ///
  /// Three sines a dimension, of frequencies without a common period, with phases drawn from `random`.
  static func path(
    reach: Double, pace: Double, dimensions: Int, seed random: SceneRandom
  ) -> @Sendable (Double) -> [Double] {
    var random = random
    let frequencies = [1, 1.618_033_988_75, 2.414_213_562_37]
    let amplitudes = [0.55, 0.3, 0.15]
    let phases = (0..<dimensions).map { _ in frequencies.map { _ in random.number(in: 0...1) } }
    return { time in
      phases.map { phases in
        var sum = 0.0
        for index in frequencies.indices {
          sum += amplitudes[index] * Turns.sine(pace * frequencies[index] * time + phases[index])
        }
        return reach * sum
      }
    }
  }
}
