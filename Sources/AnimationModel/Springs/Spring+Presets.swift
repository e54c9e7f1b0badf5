// SPDX-License-Identifier: MIT

extension Spring {
  /// A spring that does not bounce.
  public static var smooth: Spring { smooth() }

  /// A spring that does not bounce, with a duration and some bounce on top.
  public static func smooth(duration: Double = 0.5, extraBounce: Double = 0) -> Spring {
    Spring(duration: duration, bounce: extraBounce)
  }

  /// A spring that bounces a little: 0.15.
  public static var snappy: Spring { snappy() }

  /// A spring that bounces a little, 0.15, with a duration and some bounce on top.
  public static func snappy(duration: Double = 0.5, extraBounce: Double = 0) -> Spring {
    Spring(duration: duration, bounce: 0.15 + extraBounce)
  }

  /// A spring that bounces visibly: 0.3.
  public static var bouncy: Spring { bouncy() }

  /// A spring that bounces visibly, 0.3, with a duration and some bounce on top.
  public static func bouncy(duration: Double = 0.5, extraBounce: Double = 0) -> Spring {
    Spring(duration: duration, bounce: 0.3 + extraBounce)
  }
}
