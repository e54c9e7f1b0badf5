// SPDX-License-Identifier: MIT
import AnimationModel
import Foundation
import TestSupport
import Testing

/// The thirty named eases against the formulas of easings.net.
struct NamedEaseTests {
  /// An ease, and its formula.
  struct Ease: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let curve: UnitCurve
    let formula: @Sendable (Double) -> Double
  }

  /// The formula of the ease in of a family, as easings.net writes it, and that of the ease in and out if its constants
  /// differ. Out is in seen from the end; in and out are two halves.
  private static func family(
    _ name: String, _ curves: (in: UnitCurve, out: UnitCurve, inOut: UnitCurve),
    inOut: (@Sendable (Double) -> Double)? = nil, _ ease: @escaping @Sendable (Double) -> Double
  ) -> [Ease] {
    let half = inOut ?? ease
    return [
      Ease(testDescription: "easeIn\(name)", curve: curves.in, formula: ease),
      Ease(testDescription: "easeOut\(name)", curve: curves.out) { 1 - ease(1 - $0) },
      Ease(testDescription: "easeInOut\(name)", curve: curves.inOut) {
        $0 < 0.5 ? half(2 * $0) / 2 : 1 - half(2 - 2 * $0) / 2
      },
    ]
  }

  private static func outBounce(_ x: Double) -> Double {
    let (n1, d1) = (7.5625, 2.75)
    if x < 1 / d1 { return n1 * x * x }
    if x < 2 / d1 { return n1 * (x - 1.5 / d1) * (x - 1.5 / d1) + 0.75 }
    if x < 2.5 / d1 { return n1 * (x - 2.25 / d1) * (x - 2.25 / d1) + 0.9375 }
    return n1 * (x - 2.625 / d1) * (x - 2.625 / d1) + 0.984375
  }

  private static func back(_ c: Double) -> @Sendable (Double) -> Double {
    { (c + 1) * $0 * $0 * $0 - c * $0 * $0 }
  }

  private static func elastic(_ period: Double) -> @Sendable (Double) -> Double {
    let c = 2 * .pi / period
    return { $0 == 0 ? 0 : $0 == 1 ? 1 : -pow(2, 10 * $0 - 10) * sin((10 * $0 - 10) * c - .pi / 2) }
  }

  static let eases: [Ease] = [
    family("Sine", (.easeInSine, .easeOutSine, .easeInOutSine)) { 1 - cos(($0 * .pi) / 2) },
    family("Quad", (.easeInQuad, .easeOutQuad, .easeInOutQuad)) { $0 * $0 },
    family("Cubic", (.easeInCubic, .easeOutCubic, .easeInOutCubic)) { pow($0, 3) },
    family("Quart", (.easeInQuart, .easeOutQuart, .easeInOutQuart)) { pow($0, 4) },
    family("Quint", (.easeInQuint, .easeOutQuint, .easeInOutQuint)) { pow($0, 5) },
    family("Expo", (.easeInExpo, .easeOutExpo, .easeInOutExpo)) { $0 == 0 ? 0 : pow(2, 10 * $0 - 10) },
    family("Circ", (.easeInCirc, .easeOutCirc, .easeInOutCirc)) { 1 - sqrt(1 - pow($0, 2)) },
    family("Back", (.easeInBack, .easeOutBack, .easeInOutBack), inOut: back(1.70158 * 1.525), back(1.70158)),
    family("Elastic", (.easeInElastic, .easeOutElastic, .easeInOutElastic), inOut: elastic(4.5), elastic(3)),
    family("Bounce", (.easeInBounce, .easeOutBounce, .easeInOutBounce)) { 1 - outBounce(1 - $0) },
  ].flatMap(\.self)

  @Test func allAreThereByTheirNames() {
    #expect(NamedEase.all.map(\.name) == Self.eases.map(\.testDescription))
    for ease in Self.eases {
      #expect(UnitCurve.named.first { $0.name == ease.testDescription }?.curve == ease.curve)
      #expect(ease.curve.inverse.name?.isEmpty == false)
    }
    #expect(Set(Self.eases.map(\.curve)).count == 30)
    #expect(UnitCurve.easeInOutCirc == .circularEaseInOut && UnitCurve.easeOutBack.name == "easeOutBack")
  }

  @Test(arguments: Self.eases) func valuesAreTheFormulas(_ ease: Ease) {
    var random = SplitMix64(seed: 33)
    for index in 0...3000 {
      let x = index <= 2000 ? Double(index) / 2000 : random.unit()
      #expect(isClose(ease.curve.value(at: x), ease.formula(x), absolute: 1e-13), "at \(x)")
    }
    #expect(
      [-0.5, 0].allSatisfy { ease.curve.value(at: $0) == 0 } && [1, 1.5].allSatisfy { ease.curve.value(at: $0) == 1 })
    #expect(ease.curve.value(at: .nan).isNaN && ease.curve.velocity(at: .nan).isNaN)
  }

  /// The slopes at the ends, from inside: also where the curve jumps there.
  @Test func velocitiesAtTheEndsAreLimits() {
    for ease in Self.eases where !ease.testDescription.hasSuffix("Circ") {
      let (f, step) = (ease.formula, 0x1p-14)
      for (end, sign) in [(0.0, 1.0), (1, -1)] {
        // Differences of third order from three points inside.
        let (a, b, c) = (f(end + sign * step), f(end + 2 * sign * step), f(end + 3 * sign * step))
        let slope = sign * (-2.5 * a + 4 * b - 1.5 * c) / step
        #expect(isClose(ease.curve.velocity(at: end), slope, absolute: 1e-4), "\(ease.testDescription) at \(end)")
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
      for x in stride(from: 0.001, through: 0.999, by: 0.001) {
        let (y, slope) = (ease.curve.value(at: x), ease.curve.velocity(at: x))
        // A rounding of the value moves its time by 1/slope.
        let rounding = 1e-15 * (1 + 1 / slope)
        #expect(isClose(inverse.value(at: y), x, absolute: rounding), "at \(x)")
        #expect(isClose(inverse.velocity(at: y) * slope, 1, absolute: 1e-6 + rounding / 1e-6), "at \(x)")
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
