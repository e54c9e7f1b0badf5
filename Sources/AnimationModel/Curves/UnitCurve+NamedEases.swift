// SPDX-License-Identifier: MIT

// The thirty eases that most animation libraries have, with the formulas of easings.net. Like SwiftUI's curves they clamp
// their input to 0…1.
extension UnitCurve {
  /// A quarter of a sine wave that starts flat: 1 − cos(πx/2).
  public static var easeInSine: UnitCurve { UnitCurve(.named(NamedEase(.sine, .in))) }
  /// A quarter of a sine wave that ends flat: sin(πx/2).
  public static var easeOutSine: UnitCurve { UnitCurve(.named(NamedEase(.sine, .out))) }
  /// Half a sine wave, flat at both ends: (1 − cos πx)/2.
  public static var easeInOutSine: UnitCurve { UnitCurve(.named(NamedEase(.sine, .inOut))) }

  /// Starts slowly: the square, x².
  public static var easeInQuad: UnitCurve { UnitCurve(.named(NamedEase(.quad, .in))) }
  /// Ends slowly: 1 − (1 − x)².
  public static var easeOutQuad: UnitCurve { UnitCurve(.named(NamedEase(.quad, .out))) }
  /// Both, one after the other: ``easeInQuad`` at half the size, and then ``easeOutQuad``.
  public static var easeInOutQuad: UnitCurve { UnitCurve(.named(NamedEase(.quad, .inOut))) }

  /// Starts slowly: the cube, x³.
  public static var easeInCubic: UnitCurve { UnitCurve(.named(NamedEase(.cubic, .in))) }
  /// Ends slowly: 1 − (1 − x)³.
  public static var easeOutCubic: UnitCurve { UnitCurve(.named(NamedEase(.cubic, .out))) }
  /// Both, one after the other: ``easeInCubic`` at half the size, and then ``easeOutCubic``.
  public static var easeInOutCubic: UnitCurve { UnitCurve(.named(NamedEase(.cubic, .inOut))) }

  /// Starts slowly: the fourth power, x⁴.
  public static var easeInQuart: UnitCurve { UnitCurve(.named(NamedEase(.quart, .in))) }
  /// Ends slowly: 1 − (1 − x)⁴.
  public static var easeOutQuart: UnitCurve { UnitCurve(.named(NamedEase(.quart, .out))) }
  /// Both, one after the other: ``easeInQuart`` at half the size, and then ``easeOutQuart``.
  public static var easeInOutQuart: UnitCurve { UnitCurve(.named(NamedEase(.quart, .inOut))) }

  /// Starts slowly: the fifth power, x⁵.
  public static var easeInQuint: UnitCurve { UnitCurve(.named(NamedEase(.quint, .in))) }
  /// Ends slowly: 1 − (1 − x)⁵.
  public static var easeOutQuint: UnitCurve { UnitCurve(.named(NamedEase(.quint, .out))) }
  /// Both, one after the other: ``easeInQuint`` at half the size, and then ``easeOutQuint``.
  public static var easeInOutQuint: UnitCurve { UnitCurve(.named(NamedEase(.quint, .inOut))) }

  /// Starts slowly, with a jump: 2^(10x − 10), but 0 at 0. Right after that it is 2⁻¹⁰.
  public static var easeInExpo: UnitCurve { UnitCurve(.named(NamedEase(.expo, .in))) }
  /// Ends slowly, with a jump: 1 − 2^(−10x), but 1 at 1. Right before that it is 1 − 2⁻¹⁰.
  public static var easeOutExpo: UnitCurve { UnitCurve(.named(NamedEase(.expo, .out))) }
  /// Both, one after the other: ``easeInExpo`` at half the size, and then ``easeOutExpo``.
  public static var easeInOutExpo: UnitCurve { UnitCurve(.named(NamedEase(.expo, .inOut))) }

  /// The same curve as ``circularEaseIn``.
  public static var easeInCirc: UnitCurve { UnitCurve(.named(NamedEase(.circ, .in))) }
  /// The same curve as ``circularEaseOut``.
  public static var easeOutCirc: UnitCurve { UnitCurve(.named(NamedEase(.circ, .out))) }
  /// The same curve as ``circularEaseInOut``.
  public static var easeInOutCirc: UnitCurve { UnitCurve(.named(NamedEase(.circ, .inOut))) }

  /// Swings back by a tenth of the way first: 2.70158 x³ − 1.70158 x².
  public static var easeInBack: UnitCurve { UnitCurve(.named(NamedEase(.back, .in))) }
  /// Swings too far by a tenth of the way: the mirror image of ``easeInBack``.
  public static var easeOutBack: UnitCurve { UnitCurve(.named(NamedEase(.back, .out))) }
  /// Swings back and too far by a tenth of the way: ``easeInBack`` at half the size and its mirror image, with 2.5949095 in
  /// place of 1.70158.
  public static var easeInOutBack: UnitCurve { UnitCurve(.named(NamedEase(.back, .inOut))) }

  /// Swings ever further about 0: 2^(10x − 10) · cos(20π(x − 1)/3), but 0 at 0. Right after that it is −2⁻¹¹.
  public static var easeInElastic: UnitCurve { UnitCurve(.named(NamedEase(.elastic, .in))) }
  /// Swings ever less about 1: the mirror image of ``easeInElastic``. Right before 1 it is 1 + 2⁻¹¹.
  public static var easeOutElastic: UnitCurve { UnitCurve(.named(NamedEase(.elastic, .out))) }
  /// Swings about 0, and then about 1: ``easeInElastic`` at half the size and its mirror image, with 4.5 in place of 3.
  public static var easeInOutElastic: UnitCurve { UnitCurve(.named(NamedEase(.elastic, .inOut))) }

  /// Bounces from 0 ever higher: the mirror image of ``easeOutBounce``.
  public static var easeInBounce: UnitCurve { UnitCurve(.named(NamedEase(.bounce, .in))) }
  /// Falls to 1 as a ball does, and bounces three times, by 1/4, 1/16 and 1/64 of the way.
  public static var easeOutBounce: UnitCurve { UnitCurve(.named(NamedEase(.bounce, .out))) }
  /// Both, one after the other: ``easeInBounce`` at half the size, and then ``easeOutBounce``.
  public static var easeInOutBounce: UnitCurve { UnitCurve(.named(NamedEase(.bounce, .inOut))) }
}

extension UnitCurve {
  /// The curves that have names, with the names of the members. Of two names of a curve the first is its own.
  package static let named: [(name: String, curve: UnitCurve)] =
    [
      ("linear", .linear), ("easeIn", .easeIn), ("easeOut", .easeOut), ("easeInOut", .easeInOut),
      ("circularEaseIn", .circularEaseIn), ("circularEaseOut", .circularEaseOut),
      ("circularEaseInOut", .circularEaseInOut),
    ] + NamedEase.all.map { ($0.name, UnitCurve(.named($0))) }

  /// The name of the member that gives the curve; nil for a curve with numbers of its own.
  package var name: String? {
    if let named = Self.named.first(where: { $0.curve == self }) { return named.name }
    return if case .named(let ease) = shape { ease.name } else { nil }
  }
}
