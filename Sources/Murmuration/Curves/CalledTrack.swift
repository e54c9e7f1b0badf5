// SPDX-License-Identifier: MIT
import AnimationModel

/// A track whose animation is called, as the model keeps it, on a clock that pauses hold back.
struct CalledTrack: Sendable {
  private var value: AnimatedValue<Components>
  /// Seconds that its clock is behind the batch's.
  var lag = 0.0

  /// Whether what it shows follows from the time alone, as none of its animations is a custom one.
  private(set) var isPure = true

  init(_ value: AnimatedValue<Components>) { self.value = value }

  var logicalEndTime: Double { value.logicalEndTime + lag }

  func isFinished(at moment: Double) -> Bool { value.isFinished(at: moment - lag) }

  func state(at moment: Double) -> (position: Components, velocity: Components) {
    (value.value(at: moment - lag), value.velocity(at: moment - lag))
  }

  mutating func retarget(to target: Components, with animation: Animation, at moment: Double) {
    value.retarget(to: target, with: animation, at: moment - lag)
    isPure = isPure && !animation.isCustom
  }

  /// Lets the time pass for animations that step from frame to frame.
  mutating func advance(to moment: Double) { value.advance(to: moment - lag) }
}
