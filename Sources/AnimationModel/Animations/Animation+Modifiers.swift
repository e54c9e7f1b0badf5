// SPDX-License-Identifier: MIT

extension Animation {
  /// This animation after a pause of `delay` seconds, during which the value stays where it is.
  ///
  /// A negative delay skips the beginning. A delay inside a repeat applies to every iteration, a delay outside it only
  /// once.
  public func delay(_ delay: Double) -> Animation {
    Animation(form: .delay(DelayAnimation(base: self, delay: delay)))
  }

  /// This animation played `speed` times as fast. At a speed of zero or below its clock stands still or runs backwards, and
  /// never comes to its end.
  public func speed(_ speed: Double) -> Animation {
    Animation(form: .speed(SpeedAnimation(base: self, speed: speed)))
  }

  /// This animation played `repeatCount` times, at least once; with `autoreverses` every second iteration runs
  /// backwards.
  ///
  /// A way back counts as an iteration. So an even number of iterations ends at the start value, and the value then jumps
  /// to its target.
  public func repeatCount(_ repeatCount: Int, autoreverses: Bool = true) -> Animation {
    Animation(form: .repeat(RepeatAnimation(base: self, count: repeatCount, autoreverses: autoreverses)))
  }

  /// This animation played without end; with `autoreverses` every second iteration runs backwards.
  public func repeatForever(autoreverses: Bool = true) -> Animation {
    Animation(form: .repeat(RepeatAnimation(base: self, count: nil, autoreverses: autoreverses)))
  }

  /// This animation, logically complete after `duration` seconds or at its own logical end, whichever is earlier.
  public func logicallyComplete(after duration: Double) -> Animation {
    Animation(form: .logicallyComplete(LogicallyCompleteAnimation(base: self, seconds: duration)))
  }
}

// MARK: - Pace

extension Animation {
  /// This animation at another pace: one modifier of speed, however often the pace is changed.
  package func paced(by ratio: Double) -> Animation {
    guard case .speed(let base, let speed) = structure else { return ratio == 1 ? self : self.speed(ratio) }
    return speed * ratio == 1 ? base : base.speed(speed * ratio)
  }
}

extension Spring {
  /// The spring on a clock that runs at a speed.
  package func paced(by speed: Double) -> Spring {
    jumps
      ? self
      : Spring(
        naturalFrequency: naturalFrequency * speed, decayConstant: decayConstant * speed,
        angularFrequency: angularFrequency * speed, mass: mass)
  }
}

extension Double {
  /// A moment of a motion that goes on at another pace from this time on: it moves closer to this time, or farther away.
  package func paced(_ moment: Double, by ratio: Double) -> Double { self + (moment - self) / ratio }
}
