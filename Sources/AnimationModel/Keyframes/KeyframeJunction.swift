// SPDX-License-Identifier: MIT

/// A keyframe and the state where it meets the keyframe before it. Here velocities pass from one to the next.
///
/// Source: the rules recorded from SwiftUI and documented with `CubicKeyframe`; see the table of deviations for the
/// places where sources differ.
struct KeyframeJunction<Vector: VectorArithmetic> {
  let keyframes: [Keyframe<Vector>]
  let index: Int
  /// The value reached where the keyframe starts.
  let value: Vector
  /// The velocity reached there: the end velocity of the keyframe before, or the one carried into the track.
  let velocity: Vector

  private var next: Keyframe<Vector>? { index + 1 < keyframes.count ? keyframes[index + 1] : nil }

  /// The keyframe as a segment that starts `start` seconds into the track.
  func segment(start: Double) -> KeyframeSegment<Vector> {
    switch keyframes[index] {
    case .move(let to):
      return KeyframeSegment(path: .move(to: to), start: start, duration: 0)
    case .linear(let to, let duration, let curve):
      return KeyframeSegment(path: .linear(from: value, to: to, timingCurve: curve), start: start, duration: duration)
    case .cubic(let to, let duration, let startVelocity, let endVelocity):
      let cubic = CubicSegment(
        from: value, to: to,
        // The keyframe before has settled the velocity where the two meet, whatever its kind.
        startVelocity: startVelocity ?? velocity,
        endVelocity: endVelocity ?? cubicEndVelocity(to: to, duration: duration),
        duration: duration)
      return KeyframeSegment(path: .cubic(cubic), start: start, duration: duration)
    case .spring(let to, let duration, let spring, let startVelocity):
      let velocity = startVelocity ?? velocity
      let seconds =
        duration ?? spring.settlingDuration(target: to - value, initialVelocity: velocity, epsilon: 0.0001)
      guard seconds > 0 else { return KeyframeSegment(path: .move(to: to), start: start, duration: 0) }
      return KeyframeSegment(
        path: .spring(spring, from: value, to: to, startVelocity: velocity), start: start, duration: seconds)
    }
  }

  /// The end velocity of a cubic keyframe without an explicit one: it follows from the next keyframe.
  private func cubicEndVelocity(to: Vector, duration: Double) -> Vector {
    switch next {
    case .none, .move:
      return .zero
    case .linear(let nextTo, let nextDuration, let curve):
      return curve.velocity(of: nextTo - to, at: 0, duration: nextDuration)
    case .cubic(let nextTo, let nextDuration, let startVelocity, _):
      return startVelocity
        ?? CubicSegment.automaticVelocity(previous: value, before: duration, next: nextTo, after: nextDuration)
    case .spring(let nextTo, _, _, let startVelocity):
      // A spring's length does not count here, so the cubic's own length stands for both sides.
      return startVelocity
        ?? CubicSegment.automaticVelocity(previous: value, before: duration, next: nextTo, after: duration)
    }
  }
}
