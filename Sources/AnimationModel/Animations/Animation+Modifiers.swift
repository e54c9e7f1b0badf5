// SPDX-License-Identifier: MIT

extension Animation {
  /// This animation after a pause of `delay` seconds, during which the value stays where it is.
  ///
  /// A negative delay skips the beginning. A delay inside of a repeat is paid on every leg, outside only once.
  public func delay(_ delay: Double) -> Animation {
    Animation(DelayAnimation(base: self, delay: delay))
  }

  /// This animation played `speed` times as fast; at a speed of zero or below it never finishes.
  public func speed(_ speed: Double) -> Animation {
    Animation(SpeedAnimation(base: self, speed: speed))
  }

  /// This animation played `repeatCount` times, at least once; with `autoreverses` every second time is backwards.
  ///
  /// A way back counts as one, so that an even number of them ends where it started; then the value is at its target at
  /// once.
  public func repeatCount(_ repeatCount: Int, autoreverses: Bool = true) -> Animation {
    Animation(RepeatAnimation(base: self, count: repeatCount, autoreverses: autoreverses))
  }

  /// This animation played without end; with `autoreverses` every second time is backwards.
  public func repeatForever(autoreverses: Bool = true) -> Animation {
    Animation(RepeatAnimation(base: self, count: nil, autoreverses: autoreverses))
  }

  /// This animation, logically complete after `duration` seconds unless it is sooner.
  public func logicallyComplete(after duration: Double) -> Animation {
    Animation(LogicallyCompleteAnimation(base: self, seconds: duration))
  }
}
