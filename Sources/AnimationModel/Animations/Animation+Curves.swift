// SPDX-License-Identifier: MIT

/// Without a duration, animations along a curve last 0.35 seconds.
extension Animation {
  /// A motion at constant speed.
  public static var linear: Animation { linear(duration: 0.35) }

  /// A motion at constant speed during `duration` seconds.
  public static func linear(duration: Double) -> Animation { timingCurve(.linear, duration: duration) }

  /// A motion that starts slowly.
  public static var easeIn: Animation { easeIn(duration: 0.35) }

  /// A motion that starts slowly, during `duration` seconds.
  public static func easeIn(duration: Double) -> Animation { timingCurve(.easeIn, duration: duration) }

  /// A motion that ends slowly.
  public static var easeOut: Animation { easeOut(duration: 0.35) }

  /// A motion that ends slowly, during `duration` seconds.
  public static func easeOut(duration: Double) -> Animation { timingCurve(.easeOut, duration: duration) }

  /// A motion that starts and ends slowly.
  public static var easeInOut: Animation { easeInOut(duration: 0.35) }

  /// A motion that starts and ends slowly, during `duration` seconds.
  public static func easeInOut(duration: Double) -> Animation { timingCurve(.easeInOut, duration: duration) }

  /// A motion along the Bézier curve from (0, 0) to (1, 1) with the two given control points.
  ///
  /// The x of a control point counts as the nearest in 0…1; y is free, and the motion may overshoot.
  public static func timingCurve(
    _ p1x: Double, _ p1y: Double, _ p2x: Double, _ p2y: Double, duration: Double = 0.35
  ) -> Animation {
    timingCurve(
      .bezier(startControlPoint: UnitPoint(x: p1x, y: p1y), endControlPoint: UnitPoint(x: p2x, y: p2y)),
      duration: duration)
  }

  /// A motion along `curve` during `duration` seconds; at a duration of zero the value is at its target at once.
  public static func timingCurve(_ curve: UnitCurve, duration: Double) -> Animation {
    Animation(form: .curve(CurveAnimation(curve: curve, duration: duration)))
  }
}
