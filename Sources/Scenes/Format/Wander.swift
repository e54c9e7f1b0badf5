// SPDX-License-Identifier: MIT
package import Formats

/// Targets spread about a point that wanders smoothly, on a path drawn from the seed.
///
/// Each track gets a new target every `every` seconds. With waves the tracks take turns: they are divided into parts, and
/// each part gets its targets at its own moment of that time.
///
/// With a `length` the tracks do not head for one point but for a stretch of the path: the first tracks for its past, the
/// last ones for its future. They form a ribbon that bends where the path does, thin at its ends.
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
  /// The seconds of the path along which the tracks are spread; 0 for one point.
  package var length: Double
  /// The waves of density that run along the tracks; nil for none.
  package var density: Density?

  /// Waves in which tracks crowd together and draw apart, running along the stretch of a path.
  package struct Density: Equatable, Sendable, Decodable {
    /// The number of waves on the stretch.
    package var crests: Int
    /// The crests that pass a track, per second.
    package var pace: Double
    /// How much the tracks crowd together: at a depth of d they are 1 / (1 − d) times as dense at a crest.
    package var depth: Double

    /// The keys of the waves.
    package enum Key: String, CodingKey, CaseIterable { case crests, pace, depth }

    /// Waves put together in code.
    package init(crests: Int, pace: Double, depth: Double) {
      (self.crests, self.pace, self.depth) = (crests, pace, depth)
    }

    /// Reads the waves, strictly.
    package init(from decoder: any Decoder) throws(DescriptionError) {
      let fields = try StrictFields<Key>(decoder)
      crests = try fields.integer(.crests, in: 1...1000)
      pace = try fields.number(.pace, .pace, default: 0.5)
      depth = try fields.number(.depth, NumberRule("in [0, 0.95]") { (0...0.95).contains($0) }, default: 0.5)
    }
  }

  /// The keys of a wandering course.
  package enum Key: String, CodingKey, CaseIterable { case every, waves, reach, pace, around, length, density }

  /// A course put together in code.
  package init(every: Double, waves: Int = 1, reach: Double, pace: Double = 0.1, around: Layout, length: Double = 0) {
    self.every = every
    self.waves = waves
    self.reach = reach
    self.pace = pace
    self.around = around
    self.length = length
  }

  /// Reads a course, strictly.
  package init(from decoder: any Decoder) throws(DescriptionError) {
    let fields = try StrictFields<Key>(decoder)
    every = try fields.number(.every, .period)
    waves = fields.has(.waves) ? try fields.integer(.waves, in: 1...SceneLimits.waves) : 1
    reach = try fields.number(.reach, .coordinate)
    pace = try fields.number(.pace, .pace, default: 0.1)
    around = try fields.value(.around)
    length = try fields.number(.length, NumberRule("in [0, 1000]") { (0...1000).contains($0) }, default: 0)
    density = try fields.optional(.density)
    if density != nil, length == 0 { throw fields.error(.density, "needs a length") }
  }

  /// Where track `index` of `count` heads for at `time`: how many seconds ahead on the path, and how far from it, as a share
  /// of its position in the layout.
  func heading(ofTrack index: Int, of count: Int, at time: Double) -> (ahead: Double, share: Double) {
    guard length > 0 else { return (0, 1) }
    let along = (Double(index) + 0.5) / Double(count)
    var place = 2 * along - 1
    if let density {
      // A sine along the stretch, whose slope is less than 1: no track overtakes another.
      let crests = Double(density.crests)
      place -= density.depth / (Double.pi * crests) * Turns.sine(crests * along - density.pace * time)
    }
    return (length / 2 * place, max(0, 1 - 0.75 * place * place))
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
