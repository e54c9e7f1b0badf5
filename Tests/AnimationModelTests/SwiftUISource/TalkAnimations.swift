// SPDX-License-Identifier: MIT

// Code as it is written for SwiftUI: only the next line differs, which says `import SwiftUI` there.
import AnimationModel

// MARK: - Keyframes

struct AnimationValues {
  var scale = 1.0
  var verticalStretch = 1.0
  var verticalTranslation = 0.0
  var angle = Angle.zero
}

/// A heart that ducks, leaps with a stretch, wags in the air, and lands with a squash.
@KeyframesBuilder<AnimationValues>
func leap(height: Double = 80) -> some Keyframes<AnimationValues> {
  KeyframeTrack(\.scale) {
    LinearKeyframe(1.0, duration: 0.3)
    SpringKeyframe(1.4, duration: 0.75, spring: .bouncy)
    SpringKeyframe(1.0, spring: .bouncy)
  }

  KeyframeTrack(\.verticalStretch) {
    CubicKeyframe(1.0, duration: 0.05)
    CubicKeyframe(0.7, duration: 0.2)
    CubicKeyframe(1.3, duration: 0.15)
    CubicKeyframe(1.0, duration: 0.7)
    CubicKeyframe(0.75, duration: 0.12)
    CubicKeyframe(1.0, duration: 0.3)
  }

  KeyframeTrack(\.verticalTranslation) {
    LinearKeyframe(0.0, duration: 0.05)
    SpringKeyframe(12.0, duration: 0.2, spring: .snappy)
    SpringKeyframe(-height, duration: 0.75, spring: .bouncy)
    SpringKeyframe(0.0, spring: .smooth(duration: 0.3))
  }

  KeyframeTrack(\.angle) {
    CubicKeyframe(.zero, duration: 0.5)
    for side in [1.0, -1, 1] {
      CubicKeyframe(.degrees(12 * side), duration: 0.15)
    }
    CubicKeyframe(.zero, duration: 0.15)
  }
}

struct Marker: Animatable {
  var position: UnitPoint
  var size: Double

  var animatableData: AnimatablePair<UnitPoint.AnimatableData, Double> {
    get { AnimatablePair(position.animatableData, size) }
    set {
      position.animatableData = newValue.first
      size = newValue.second
    }
  }
}

func route(through stops: [UnitPoint], closed: Bool) -> KeyframeTimeline<Marker> {
  KeyframeTimeline(initialValue: Marker(position: .init(x: 0, y: 0), size: 1)) {
    KeyframeTrack(\.position) {
      for stop in stops {
        CubicKeyframe(stop, duration: 0.5)
      }
      if closed {
        LinearKeyframe(.init(x: 0, y: 0), duration: 0.25, timingCurve: .easeInOut)
      }
    }
    KeyframeTrack(\.size) {
      if stops.isEmpty {
        MoveKeyframe(0)
      } else {
        SpringKeyframe(2, duration: 0.5, spring: .snappy(duration: 0.4))
        MoveKeyframe(1)
      }
    }
  }
}

// MARK: - Custom animations

struct SteadyAnimation: CustomAnimation {
  var duration: TimeInterval

  func animate<V: VectorArithmetic>(value: V, time: TimeInterval, context: inout AnimationContext<V>) -> V? {
    time <= duration ? value.scaled(by: time / duration) : nil
  }

  func velocity<V: VectorArithmetic>(value: V, time: TimeInterval, context: AnimationContext<V>) -> V? {
    value.scaled(by: 1 / duration)
  }
}

private struct HandOver<Value: VectorArithmetic>: AnimationStateKey {
  var time: TimeInterval = 0
  var covered: Value = .zero
  var velocity: Value = .zero

  static var defaultValue: Self { .init() }
}

/// A custom spring, which keeps the value and the velocity of the animation that it follows.
struct HandMadeSpringAnimation: CustomAnimation {
  var spring: Spring

  func animate<V: VectorArithmetic>(value: V, time: TimeInterval, context: inout AnimationContext<V>) -> V? {
    let start = context.state[HandOver<V>.self]
    let elapsed = time - start.time
    context.isLogicallyComplete = elapsed >= spring.duration
    guard elapsed < 4 * spring.duration else { return nil }
    return start.covered
      + spring.value(target: value - start.covered, initialVelocity: start.velocity, time: elapsed)
  }

  func velocity<V: VectorArithmetic>(value: V, time: TimeInterval, context: AnimationContext<V>) -> V? {
    let start = context.state[HandOver<V>.self]
    return spring.velocity(
      target: value - start.covered, initialVelocity: start.velocity, time: time - start.time)
  }

  func shouldMerge<V: VectorArithmetic>(
    previous: Animation, value: V, time: TimeInterval, context: inout AnimationContext<V>
  ) -> Bool {
    let velocity = previous.velocity(value: value, time: time, context: context) ?? .zero
    let covered = previous.animate(value: value, time: time, context: &context) ?? value
    context.state[HandOver<V>.self] = HandOver(time: time, covered: covered, velocity: velocity)
    return true
  }
}

extension Animation {
  static func steady(duration: TimeInterval) -> Animation {
    Animation(SteadyAnimation(duration: duration))
  }

  static var handMade: Animation { Animation(HandMadeSpringAnimation(spring: .bouncy)) }

  static let entrance: Animation = .spring(response: 0.4, dampingFraction: 0.7).delay(0.1).speed(2)
  static let pulse: Animation = .easeInOut(duration: 0.25).repeatForever(autoreverses: true)
  static let shake: Animation = .interpolatingSpring(mass: 1, stiffness: 400, damping: 8, initialVelocity: 10)
    .repeatCount(3, autoreverses: false)
  static let sheet: Animation = .timingCurve(0.2, 0.8, 0.2, 1, duration: 0.45).logicallyComplete(after: 0.3)
}
