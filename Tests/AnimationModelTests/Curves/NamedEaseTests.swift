// SPDX-License-Identifier: MIT
import AnimationModel
import Foundation
import TestSupport
import Testing

/// The thirty named eases against the formulas of easings.net.
struct NamedEaseTests {
  /// An ease, and its formula as easings.net writes it.
  struct Ease: Sendable, CustomTestStringConvertible {
    var name: String
    var curve: UnitCurve
    var formula: @Sendable (Double) -> Double

    init(_ name: String, _ curve: UnitCurve, _ formula: @escaping @Sendable (Double) -> Double) {
      (self.name, self.curve, self.formula) = (name, curve, formula)
    }

    var testDescription: String { name }
  }

  private static func outBounce(_ start: Double) -> Double {
    let (n1, d1) = (7.5625, 2.75)
    var x = start
    if x < 1 / d1 { return n1 * x * x }
    if x < 2 / d1 {
      x -= 1.5 / d1
      return n1 * x * x + 0.75
    }
    if x < 2.5 / d1 {
      x -= 2.25 / d1
      return n1 * x * x + 0.9375
    }
    x -= 2.625 / d1
    return n1 * x * x + 0.984375
  }

  static let eases: [Ease] = sines + powers + exponentials + circles + swings

  private static let sines = [
    Ease("easeInSine", .easeInSine) { 1 - cos(($0 * .pi) / 2) },
    Ease("easeOutSine", .easeOutSine) { sin(($0 * .pi) / 2) },
    Ease("easeInOutSine", .easeInOutSine) { -(cos(.pi * $0) - 1) / 2 },
  ]

  private static let powers = [
    Ease("easeInQuad", .easeInQuad) { $0 * $0 },
    Ease("easeOutQuad", .easeOutQuad) { 1 - (1 - $0) * (1 - $0) },
    Ease("easeInOutQuad", .easeInOutQuad) { $0 < 0.5 ? 2 * $0 * $0 : 1 - pow(-2 * $0 + 2, 2) / 2 },
    Ease("easeInCubic", .easeInCubic) { $0 * $0 * $0 },
    Ease("easeOutCubic", .easeOutCubic) { 1 - pow(1 - $0, 3) },
    Ease("easeInOutCubic", .easeInOutCubic) { $0 < 0.5 ? 4 * $0 * $0 * $0 : 1 - pow(-2 * $0 + 2, 3) / 2 },
    Ease("easeInQuart", .easeInQuart) { pow($0, 4) },
    Ease("easeOutQuart", .easeOutQuart) { 1 - pow(1 - $0, 4) },
    Ease("easeInOutQuart", .easeInOutQuart) { $0 < 0.5 ? 8 * pow($0, 4) : 1 - pow(-2 * $0 + 2, 4) / 2 },
    Ease("easeInQuint", .easeInQuint) { pow($0, 5) },
    Ease("easeOutQuint", .easeOutQuint) { 1 - pow(1 - $0, 5) },
    Ease("easeInOutQuint", .easeInOutQuint) { $0 < 0.5 ? 16 * pow($0, 5) : 1 - pow(-2 * $0 + 2, 5) / 2 },
  ]

  private static let exponentials = [
    Ease("easeInExpo", .easeInExpo) { $0 == 0 ? 0 : pow(2, 10 * $0 - 10) },
    Ease("easeOutExpo", .easeOutExpo) { $0 == 1 ? 1 : 1 - pow(2, -10 * $0) },
    Ease("easeInOutExpo", .easeInOutExpo) {
      $0 == 0 ? 0 : $0 == 1 ? 1 : $0 < 0.5 ? pow(2, 20 * $0 - 10) / 2 : (2 - pow(2, -20 * $0 + 10)) / 2
    },
  ]

  private static let circles = [
    Ease("easeInCirc", .easeInCirc) { 1 - sqrt(1 - pow($0, 2)) },
    Ease("easeOutCirc", .easeOutCirc) { sqrt(1 - pow($0 - 1, 2)) },
    Ease("easeInOutCirc", .easeInOutCirc) {
      $0 < 0.5 ? (1 - sqrt(1 - pow(2 * $0, 2))) / 2 : (sqrt(1 - pow(-2 * $0 + 2, 2)) + 1) / 2
    },
  ]

  private static let (c1, c2, c3) = (1.70158, 1.70158 * 1.525, 1.70158 + 1)
  private static let (c4, c5) = (2 * Double.pi / 3, 2 * Double.pi / 4.5)

  private static let swings = [
    Ease("easeInBack", .easeInBack) { c3 * $0 * $0 * $0 - c1 * $0 * $0 },
    Ease("easeOutBack", .easeOutBack) { 1 + c3 * pow($0 - 1, 3) + c1 * pow($0 - 1, 2) },
    Ease("easeInOutBack", .easeInOutBack) {
      $0 < 0.5
        ? (pow(2 * $0, 2) * ((c2 + 1) * 2 * $0 - c2)) / 2
        : (pow(2 * $0 - 2, 2) * ((c2 + 1) * ($0 * 2 - 2) + c2) + 2) / 2
    },
    Ease("easeInElastic", .easeInElastic) {
      $0 == 0 ? 0 : $0 == 1 ? 1 : -pow(2, 10 * $0 - 10) * sin(($0 * 10 - 10.75) * c4)
    },
    Ease("easeOutElastic", .easeOutElastic) {
      $0 == 0 ? 0 : $0 == 1 ? 1 : pow(2, -10 * $0) * sin(($0 * 10 - 0.75) * c4) + 1
    },
    Ease("easeInOutElastic", .easeInOutElastic) {
      $0 == 0
        ? 0
        : $0 == 1
          ? 1
          : $0 < 0.5
            ? -(pow(2, 20 * $0 - 10) * sin((20 * $0 - 11.125) * c5)) / 2
            : (pow(2, -20 * $0 + 10) * sin((20 * $0 - 11.125) * c5)) / 2 + 1
    },
    Ease("easeInBounce", .easeInBounce) { 1 - outBounce(1 - $0) },
    Ease("easeOutBounce", .easeOutBounce) { outBounce($0) },
    Ease("easeInOutBounce", .easeInOutBounce) {
      $0 < 0.5 ? (1 - outBounce(1 - 2 * $0)) / 2 : (1 + outBounce(2 * $0 - 1)) / 2
    },
  ]

  @Test func allAreThereByTheirNames() {
    #expect(NamedEase.all.map(\.name) == Self.eases.map(\.name))
    for ease in Self.eases {
      #expect(UnitCurve.named.first { $0.name == ease.name }?.curve == ease.curve)
      #expect(ease.curve.inverse.name?.isEmpty == false)
    }
    #expect(Set(Self.eases.map(\.curve)).count == 30)
    #expect(UnitCurve.easeInOutCirc == .circularEaseInOut && UnitCurve.easeOutBack.name == "easeOutBack")
  }

  @Test(arguments: Self.eases) func valuesAreTheFormulas(_ ease: Ease) {
    var random = SplitMix64(seed: 33)
    for index in 0...3000 {
      let x = index <= 2000 ? Double(index) / 2000 : random.unit()
      #expect(isClose(ease.curve.value(at: x), ease.formula(x), absolute: 1e-13), "\(ease.name) at \(x)")
    }
    #expect(ease.curve.value(at: -0.5) == 0 && ease.curve.value(at: 0) == 0)
    #expect(ease.curve.value(at: 1) == 1 && ease.curve.value(at: 1.5) == 1)
    #expect(ease.curve.value(at: .nan).isNaN && ease.curve.velocity(at: .nan).isNaN)
  }

  @Test(arguments: Self.eases) func velocitiesAreTheDifferences(_ ease: Ease) {
    let step = 0x1p-18
    guard case .named(let named) = ease.curve.shape else { return }
    for index in 1..<4000 {
      let x = Double(index) / 4000
      if x < 0.001 || x > 0.999 || named.corners.contains(where: { abs($0 - x) < 2 * step }) { continue }
      // Where a circle is almost upright its slope changes fast.
      if named.family == .circ, abs(x - 0.5) < 0.01 || x < 0.01 || x > 0.99 { continue }
      let (f, slope) = (ease.formula, ease.curve.velocity(at: x))
      let near = 8 * (f(x + step) - f(x - step)) - (f(x + 2 * step) - f(x - 2 * step))
      #expect(isClose(slope, near / (12 * step), absolute: 1e-8 * (1 + abs(slope))), "\(ease.name) at \(x)")
    }
  }

  /// The slopes at the ends, from inside: also where the curve jumps there.
  @Test func velocitiesAtTheEndsAreLimits() {
    for ease in Self.eases where !ease.name.hasSuffix("Circ") {
      let (f, step) = (ease.formula, 0x1p-14)
      for (end, sign) in [(0.0, 1.0), (1, -1)] {
        // Differences of third order from three points inside.
        let (a, b, c) = (f(end + sign * step), f(end + 2 * sign * step), f(end + 3 * sign * step))
        let slope = sign * (-2.5 * a + 4 * b - 1.5 * c) / step
        #expect(isClose(ease.curve.velocity(at: end), slope, absolute: 1e-4), "\(ease.name) at \(end)")
      }
    }
    #expect(UnitCurve.easeInCirc.velocity(at: 0) == 0 && UnitCurve.easeInCirc.velocity(at: 1) == .infinity)
  }

  @Test(arguments: Self.eases) func inversesLeadBack(_ ease: Ease) {
    let inverse = ease.curve.inverse
    guard case .named(let named) = ease.curve.shape else { return }
    switch (named.family, named.direction) {
    case (.circ, .in): #expect(inverse == .easeOutCirc)
    case (.circ, .out): #expect(inverse == .easeInCirc)
    case (.circ, .inOut), (.back, _), (.elastic, _), (.bounce, _): #expect(inverse == ease.curve)
    default:
      #expect(inverse != ease.curve && inverse.inverse == ease.curve)
      #expect(inverse.value(at: 0) == 0 && inverse.value(at: 1) == 1)
      for index in 1..<1000 {
        let x = Double(index) / 1000
        let (y, slope) = (ease.curve.value(at: x), ease.curve.velocity(at: x))
        // A rounding of the value moves its time by 1/slope.
        let rounding = 1e-15 * (1 + 1 / slope)
        #expect(isClose(inverse.value(at: y), x, absolute: rounding), "\(ease.name) at \(x)")
        #expect(isClose(inverse.velocity(at: y) * slope, 1, absolute: 1e-6 + rounding / 1e-6), "\(ease.name) at \(x)")
      }
    }
  }

  /// Between 0 and 2⁻¹⁰ an exponential has no value, so its inverse stays at its start.
  @Test func inversesOfExponentialsStay() {
    let inverse = UnitCurve.easeInExpo.inverse
    #expect(inverse.value(at: 0x1p-11) == 0 && inverse.velocity(at: 0x1p-11) == 0)
    #expect(isClose(inverse.value(at: 0x1p-9), 0.1, absolute: 1e-15))
    #expect(UnitCurve.easeOutExpo.inverse.value(at: 1 - 0x1p-11) == 1)
    #expect(UnitCurve.easeInOutExpo.inverse.value(at: 0x1p-12) == 0)
  }
}
