// SPDX-License-Identifier: MIT

// MARK: - Springs that take over

extension Animation {
  /// The animation of a change without an explicit one: a critical spring of half a second.
  public static var `default`: Animation { spring }

  /// A spring of half a second that does not bounce.
  public static var spring: Animation { spring() }

  /// A spring by its perceptual duration in seconds and its bounce.
  ///
  /// The spring takes over a motion under way with its velocity. With a duration of zero or less the value jumps.
  /// `blendDuration` exists for compatibility with SwiftUI and has no effect.
  public static func spring(
    duration: Double = 0.5, bounce: Double = 0, blendDuration: Double = 0
  ) -> Animation {
    spring(Spring(duration: duration.atLeastZero, bounce: bounce.orNone), blendDuration: blendDuration)
  }

  /// A spring by its undamped period in seconds and its damping ratio.
  @_disfavoredOverload
  public static func spring(
    response: Double = 0.5, dampingFraction: Double = 0.825, blendDuration: Double = 0
  ) -> Animation {
    spring(Spring(response: response.atLeastZero, dampingRatio: dampingFraction), blendDuration: blendDuration)
  }

  /// An animation that moves as `spring` does.
  public static func spring(_ spring: Spring, blendDuration: Double = 0) -> Animation {
    Animation(form: .spring(SpringAnimation(spring: spring, blendDuration: blendDuration)))
  }

  /// A spring of half a second that does not bounce.
  public static var smooth: Animation { smooth() }

  /// A spring that does not bounce, with a duration in seconds and some bounce on top.
  public static func smooth(duration: Double = 0.5, extraBounce: Double = 0) -> Animation {
    spring(duration: duration, bounce: extraBounce)
  }

  /// A spring of half a second that bounces a little: 0.15.
  public static var snappy: Animation { snappy() }

  /// A spring that bounces a little, 0.15, with a duration in seconds and some bounce on top.
  public static func snappy(duration: Double = 0.5, extraBounce: Double = 0) -> Animation {
    spring(duration: duration, bounce: 0.15 + extraBounce)
  }

  /// A spring of half a second that bounces visibly: 0.3.
  public static var bouncy: Animation { bouncy() }

  /// A spring that bounces visibly, 0.3, with a duration in seconds and some bounce on top.
  public static func bouncy(duration: Double = 0.5, extraBounce: Double = 0) -> Animation {
    spring(duration: duration, bounce: 0.3 + extraBounce)
  }

  /// A quick spring for values that follow a finger or pointer.
  public static var interactiveSpring: Animation { interactiveSpring() }

  /// A quick spring by its undamped period in seconds and its damping ratio.
  public static func interactiveSpring(
    response: Double = 0.15, dampingFraction: Double = 0.86, blendDuration: Double = 0.25
  ) -> Animation {
    spring(response: response, dampingFraction: dampingFraction, blendDuration: blendDuration)
  }

  /// A quick spring that bounces a little, 0.15, with a duration in seconds and some bounce on top.
  @_disfavoredOverload
  public static func interactiveSpring(
    duration: Double = 0.15, extraBounce: Double = 0, blendDuration: Double = 0.25
  ) -> Animation {
    spring(duration: duration, bounce: 0.15 + extraBounce, blendDuration: blendDuration)
  }
}

// MARK: - Springs that add their effects

extension Animation {
  /// A spring by the constants of its equation, whose effect adds to the motion under way.
  ///
  /// `initialVelocity` is in fractions of the distance per second. A damping above the critical counts as critical.
  public static func interpolatingSpring(
    mass: Double = 1, stiffness: Double, damping: Double, initialVelocity: Double = 0
  ) -> Animation {
    Animation(
      form: .interpolatingSpring(
        InterpolatingSpringAnimation(
          mass: mass, stiffness: stiffness, damping: damping, initialVelocity: initialVelocity)))
  }

  /// A spring by its perceptual duration in seconds and its bounce, whose effect adds to the motion under way.
  ///
  /// `initialVelocity` is in fractions of the distance per second. A bounce below zero counts as zero. With a duration of
  /// zero or less the value jumps.
  public static func interpolatingSpring(
    duration: Double = 0.5, bounce: Double = 0, initialVelocity: Double = 0
  ) -> Animation {
    interpolatingSpring(Spring(duration: duration.atLeastZero, bounce: bounce.orNone), initialVelocity: initialVelocity)
  }

  /// An animation that moves as `spring` does, whose effect adds to the motion under way.
  ///
  /// `initialVelocity` is in fractions of the distance per second. An overdamped spring counts as critical.
  public static func interpolatingSpring(_ spring: Spring, initialVelocity: Double = 0) -> Animation {
    Animation(
      form: .interpolatingSpring(InterpolatingSpringAnimation(spring: spring, initialVelocity: initialVelocity)))
  }

  /// A spring of half a second that does not bounce, whose effect adds to the motion under way.
  public static var interpolatingSpring: Animation { interpolatingSpring() }
}

extension Double {
  /// Zero for a negative number. NaN and infinities stay: batches refuse an animation made of them, and must not take it
  /// for a jump.
  fileprivate var atLeastZero: Double { isFinite ? max(0, self) : self }

  /// NaN for an infinity, which would pass for the end of a range.
  fileprivate var orNone: Double { isFinite ? self : .nan }
}
