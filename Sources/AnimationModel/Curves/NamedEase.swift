// SPDX-License-Identifier: MIT
#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// One of the thirty eases that most animation libraries know by name, or the inverse of one.
///
/// A family has one course f from 0 to 1, which starts slowly: its ease *in*. Its ease *out* is the mirror image
/// 1 − f(1 − x). Its ease *in and out* is the first at half the size, and then the second. In that direction ``Family/back``
/// swings further and ``Family/elastic`` swings more slowly.
///
/// Source: the formulas of easings.net, after R. Penner. Those of ``Family/expo`` and ``Family/elastic`` do not come to 0 at
/// their slow end, but within 2⁻¹⁰ of it, so there the curve jumps. At that end ``limit(at:)`` is what the formula gives.
package struct NamedEase: Hashable, Sendable {
  /// The formulas of eases, with the words of their names.
  package enum Family: String, CaseIterable, Sendable {
    /// A quarter of a sine wave.
    case sine = "Sine"
    /// Powers of x.
    case quad = "Quad"
    case cubic = "Cubic"
    case quart = "Quart"
    case quint = "Quint"
    /// Doubles its distance from 0 in each tenth of the time.
    case expo = "Expo"
    /// A quarter of a circle.
    case circ = "Circ"
    /// Swings back first.
    case back = "Back"
    /// A cosine that doubles in each tenth of the time.
    case elastic = "Elastic"
    /// Four parabolas.
    case bounce = "Bounce"
  }

  /// The ends at which an ease is slow, with the words of names.
  package enum Direction: String, CaseIterable, Sendable {
    case `in` = "In"
    case out = "Out"
    case inOut = "InOut"
  }

  package let family: Family
  package let direction: Direction
  /// Whether time and value are exchanged. The family rises all the way then.
  package private(set) var isInverse = false

  package init(_ family: Family, _ direction: Direction) { (self.family, self.direction) = (family, direction) }

  /// The thirty eases: in, out, and in and out of each family.
  package static let all = Family.allCases.flatMap { family in Direction.allCases.map { NamedEase(family, $0) } }

  /// The name as a member of ``UnitCurve``.
  package var name: String { "ease" + direction.rawValue + family.rawValue + (isInverse ? ".inverse" : "") }
}

// MARK: - Evaluation

extension NamedEase {
  /// The value at a progress in 0…1, exactly 0 and 1 at the ends.
  package func value(at x: Double) -> Double { x <= 0 ? 0 : x >= 1 ? 1 : course(x) }

  /// The value at a progress in 0…1; at the ends the limit from inside.
  package func limit(at x: Double) -> Double {
    x <= 0 && startsWithJump || x >= 1 && endsWithJump ? course(x) : value(at: x)
  }

  /// The slope at a progress in 0…1; at the ends the limit from inside, at a corner that of one side.
  @inline(never)
  package func velocity(at x: Double) -> Double {
    switch direction {
    case .in: slope(x, 1 - x)
    case .out: slope(1 - x, x)
    case .inOut: x < 0.5 ? slope(2 * x, 1 - 2 * x) : slope(2 - 2 * x, 2 * x - 1)
    }
  }

  /// The inputs between 0 and 1 at which the formula changes, ascending.
  package var corners: [Double] {
    switch (family, direction) {
    case (.bounce, .in): [1.0 / 11, 3.0 / 11, 7.0 / 11]
    case (.bounce, .out): Self.bounceEnds
    case (.bounce, .inOut): [1.0 / 22, 3.0 / 22, 7.0 / 22, 0.5, 15.0 / 22, 19.0 / 22, 21.0 / 22]
    case (_, .inOut): [0.5]
    default: []
    }
  }

  /// Whether the limit at the start is not 0.
  package var startsWithJump: Bool { jumps && direction != .out }

  /// Whether the limit at the end is not 1.
  package var endsWithJump: Bool { jumps && direction != .in }

  private var jumps: Bool { (family == .expo || family == .elastic) && !isInverse }

  /// The ease with time and value exchanged. A circle's is its mirror image, as in SwiftUI. Eases that fall somewhere, and
  /// the circle in and out, return themselves.
  package var inverse: NamedEase {
    var other = self
    switch (family, direction) {
    case (.circ, .in): return NamedEase(.circ, .out)
    case (.circ, .out): return NamedEase(.circ, .in)
    case (.circ, .inOut), (.back, _), (.elastic, _), (.bounce, _): return self
    default: other.isInverse.toggle()
    }
    return other
  }

  /// The value of the formula at a progress in 0…1. It is not inlined, as the formulas are long and many loops ask for them.
  @inline(never)
  private func course(_ x: Double) -> Double {
    switch direction {
    case .in: start(x)
    case .out: end(x)
    case .inOut: x < 0.5 ? start(2 * x) / 2 : (1 + end(2 * x - 1)) / 2
    }
  }

  /// The family's course.
  private func start(_ x: Double) -> Double { isInverse ? Self.inverse(of: family, x) : rise(x, 1 - x) }

  /// The mirror image of the family's course.
  private func end(_ x: Double) -> Double {
    // A circle stands upright at 0, where the difference would cost half of the digits.
    family == .circ ? (x * (2 - x)).squareRoot() : 1 - start(1 - x)
  }

  private func slope(_ x: Double, _ left: Double) -> Double {
    guard isInverse else { return steepness(x, left) }
    let time = Self.inverse(of: family, x)
    // An exponential is above 0 at its start, so its inverse stays there for a while.
    return family == .expo && time == 0 ? 0 : 1 / steepness(time, 1 - time)
  }
}

// MARK: - Formulas

extension NamedEase {
  /// The overshoot of ``Family/back``. With 1.70158 it swings back by a tenth of its way.
  private var overshoot: Double { direction == .inOut ? 1.70158 * 1.525 : 1.70158 }

  /// Radians per time of ``Family/elastic``.
  private var frequency: Double { 20 * .pi / (direction == .inOut ? 4.5 : 3) }

  /// The rate at which ``Family/expo`` and ``Family/elastic`` grow: 2¹⁰ in all.
  private static let growth = 6.931471805599453

  /// The ends of all parabolas but the last, from the end that is fast. Their widths are 4, 4, 2 and 1 elevenths; of the
  /// first one half is there.
  private static let bounceEnds = [4.0 / 11, 8.0 / 11, 10.0 / 11]

  /// The parabola of ``Family/bounce`` at a time from the fast end: its middle and its lowest value.
  private static func parabola(at time: Double) -> (middle: Double, low: Double) {
    if time < bounceEnds[0] { return (0, 0) }
    if time < bounceEnds[1] { return (6.0 / 11, 0.75) }
    return time < bounceEnds[2] ? (9.0 / 11, 0.9375) : (10.5 / 11, 0.984375)
  }

  /// The course of the family at x, with 1 − x given.
  private func rise(_ x: Double, _ left: Double) -> Double {
    switch family {
    case .sine:
      let s = sin(x * (.pi / 4))
      return 2 * s * s
    case .quad: return x * x
    case .cubic: return x * x * x
    case .quart: return x * x * (x * x)
    case .quint: return x * x * (x * x) * x
    case .expo: return exp(-Self.growth * left)
    // Without the cancellation of 1 − √(1 − x²) for a small x.
    case .circ: return x * x / (1 + (left * (1 + x)).squareRoot())
    case .back: return x * x * ((overshoot + 1) * x - overshoot)
    case .elastic: return exp(-Self.growth * left) * cos(frequency * left)
    case .bounce:
      let (middle, low) = Self.parabola(at: left)
      return 1 - (7.5625 * (left - middle) * (left - middle) + low)
    }
  }

  /// The slope of the family's course.
  private func steepness(_ x: Double, _ left: Double) -> Double {
    switch family {
    case .sine: return .pi / 2 * sin(x * (.pi / 2))
    case .quad: return 2 * x
    case .cubic: return 3 * x * x
    case .quart: return 4 * x * x * x
    case .quint: return 5 * (x * x) * (x * x)
    case .expo: return Self.growth * exp(-Self.growth * left)
    case .circ: return x / (left * (1 + x)).squareRoot()
    case .back: return x * (3 * (overshoot + 1) * x - 2 * overshoot)
    case .elastic:
      let angle = frequency * left
      return exp(-Self.growth * left) * (Self.growth * cos(angle) + frequency * sin(angle))
    case .bounce: return 2 * 7.5625 * (left - Self.parabola(at: left).middle)
    }
  }

  /// The time at which the course of a family that rises all the way has a value.
  private static func inverse(of family: Family, _ value: Double) -> Double {
    switch family {
    case .sine: 4 / .pi * atan2(value.squareRoot(), (2 - value).squareRoot())
    case .quad: value.squareRoot()
    case .cubic: cbrt(value)
    case .quart: value.squareRoot().squareRoot()
    case .quint: pow(value, 0.2)
    case .expo: max(0, 1 + log(value) / growth)
    case .circ, .back, .elastic, .bounce: value
    }
  }
}
