// SPDX-License-Identifier: MIT
package import Formats
package import Murmuration

/// The springs of a group: one that all tracks share, or one drawn for each.
package enum SpringChoice: Equatable, Sendable {
  /// All tracks have this spring, and are evaluated together.
  case shared(SpringDescription)
  /// Each track has its own, drawn from the seed: they are played as mixed springs.
  case drawn(SpringRanges)
}

/// Ranges from which each track's spring is drawn, evenly.
package struct SpringRanges: Equatable, Sendable, Decodable {
  /// Durations in seconds.
  package var duration: ClosedRange<Double>
  /// Bounces.
  package var bounce: ClosedRange<Double>

  /// Ranges put together in code.
  package init(duration: ClosedRange<Double>, bounce: ClosedRange<Double>) {
    self.duration = duration
    self.bounce = bounce
  }

  /// The keys of the ranges.
  package enum Key: String, CodingKey, CaseIterable { case duration, bounce }

  /// Reads the ranges; each is a number or the array of its ends.
  package init(from decoder: any Decoder) throws(DescriptionError) {
    let fields = try StrictFields<Key>(decoder)
    duration = try fields.range(.duration, NumberRule("in [1e-4, 1e6]") { (1e-4...1e6).contains($0) }, default: 0.5)
    bounce = try fields.range(.bounce, .bounce, default: 0)
  }

  /// A spring drawn from the ranges: the duration first, then the bounce.
  package func draw(using random: inout SceneRandom) -> Spring {
    let length = random.number(in: duration)
    return Spring(duration: length, bounce: random.number(in: bounce))
  }
}

extension StrictFields {
  /// The range under a key: a number (from it to itself) or an array of two in order.
  func range(
    _ key: Key, _ rule: NumberRule, default fallback: Double
  ) throws(DescriptionError) -> ClosedRange<Double> {
    guard has(key) else { return fallback...fallback }
    if let number = try? value(key, as: Double.self) {
      try rule.check(number, at: path(key))
      return number...number
    }
    let ends = try numbers(key, rule)
    guard ends.count == 2 else { throw error(key, "must be a number or an array of two, holds \(ends.count)") }
    guard ends[0] <= ends[1] else { throw error(key, "must hold the lower end first") }
    return ends[0]...ends[1]
  }
}
