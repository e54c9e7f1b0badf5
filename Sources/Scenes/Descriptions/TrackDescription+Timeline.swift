// SPDX-License-Identifier: MIT
package import Murmuration

extension TrackDescription {
  /// The timeline of one number that starts at `initialValue` and plays the keyframes.
  ///
  /// A spring of duration 0 jumps: it plays as a move, and then holds for the keyframe's duration if it has one.
  package func timeline(initialValue: Double) -> KeyframeTimeline<Double> {
    KeyframeTimeline(initialValue: initialValue) { KeyframeTrack { content } }
  }

  /// The timeline of one number that starts in motion.
  package func timeline(initialValue: Double, initialVelocity: Double) -> KeyframeTimeline<Double> {
    KeyframeTimeline(initialValue: initialValue, initialVelocity: initialVelocity) { KeyframeTrack { content } }
  }

  /// The keyframes of the model.
  @KeyframeTrackContentBuilder<Double> var content: KeyframeSequence<Double> {
    for keyframe in keyframes {
      switch keyframe {
      case .linear(let target, let duration, let curve):
        LinearKeyframe(target, duration: duration, timingCurve: curve.curve)
      case .cubic(let target, let duration, let start, let end):
        CubicKeyframe(target, duration: duration, startVelocity: start, endVelocity: end)
      case .spring(let target, let duration, let spring, _) where spring.isJump:
        MoveKeyframe(target)
        LinearKeyframe(target, duration: duration ?? 0)
      case .spring(let target, let duration, let spring, let velocity):
        SpringKeyframe(target, duration: duration, spring: spring.spring, startVelocity: velocity)
      case .move(let target):
        MoveKeyframe(target)
      }
    }
  }
}
