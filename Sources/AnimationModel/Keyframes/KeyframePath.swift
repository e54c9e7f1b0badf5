// SPDX-License-Identifier: MIT

/// One track's keyframes in a row: the value of a vector over time.
///
/// A boundary instant belongs to the earlier keyframe. Before the start the initial value holds, after the end the
/// last value.
package struct KeyframePath<Vector: VectorArithmetic>: Sendable {
  package let initialValue: Vector
  package let segments: [KeyframeSegment<Vector>]
  /// The index of the first keyframe that is made of something that is no number.
  package let undefinedKey: Int?

  /// The path through `keyframes`, which starts at a value and with a velocity.
  package init(initialValue: Vector, initialVelocity: Vector = .zero, keyframes: [Keyframe<Vector>]) {
    self.initialValue = initialValue
    undefinedKey = keyframes.firstIndex { !$0.isDefined }
    let keyframes = keyframes.map { $0.normalized }
    var segments: [KeyframeSegment<Vector>] = []
    segments.reserveCapacity(keyframes.count)
    var (time, value, velocity) = (0.0, initialValue, initialVelocity)
    for index in keyframes.indices {
      let junction = KeyframeJunction(keyframes: keyframes, index: index, value: value, velocity: velocity)
      let segment = junction.segment(start: time)
      segments.append(segment)
      (time, value, velocity) = (segment.end, segment.endValue, segment.endVelocity)
    }
    self.segments = segments
  }

  /// Seconds from the start to the end of the last keyframe; infinite when a spring never settles.
  package var duration: Double { segments.last?.end ?? 0 }

  /// The value at `time` seconds from the start.
  ///
  /// - Complexity: O(log n) in the number of keyframes.
  package func value(at time: Double) -> Vector {
    guard time >= 0, let segment = segment(at: time) else { return initialValue }
    // A move shows only after its moment, so the very start shows the initial value.
    guard time > 0 else { return initialValue }
    // From its end on a keyframe is over, however the difference is rounded.
    return segment.value(at: time < segment.end ? time - segment.start : segment.duration)
  }

  /// The rate of change at `time` seconds from the start; zero outside, and at a jump that of the keyframe before.
  ///
  /// - Complexity: O(log n) in the number of keyframes.
  package func velocity(at time: Double) -> Vector {
    guard time >= 0, time <= duration, let segment = segment(at: time) else { return .zero }
    return segment.velocity(at: time - segment.start)
  }

  /// The first segment that ends at `time` or later, else the last.
  private func segment(at time: Double) -> KeyframeSegment<Vector>? {
    var (low, high) = (0, segments.count)
    while low < high {
      let middle = (low + high) / 2
      if segments[middle].end < time { low = middle + 1 } else { high = middle }
    }
    return low < segments.count ? segments[low] : segments.last
  }
}
