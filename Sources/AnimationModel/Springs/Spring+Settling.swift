// SPDX-License-Identifier: MIT
#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

extension Spring {
  /// SwiftUI's estimate of the time in seconds until a motion over a distance of 1 has come to rest.
  ///
  /// ``settlingDuration(target:initialVelocity:epsilon:)`` says how it is found;
  /// ``restTime(target:initialVelocity:tolerance:velocityTolerance:)`` is the exact time.
  public var settlingDuration: Double { settlingDuration(target: 1.0) }

  /// SwiftUI's estimate of the time in seconds until the motion to `target` has come to rest.
  ///
  /// The number is SwiftUI's in every case. For a bouncy spring it comes from an envelope whose terms mix units, so it can
  /// be late or, for slow springs, early. For any other spring it is a multiple of 0.1 s: the first sample from which on
  /// all samples of more than a second are nearer than `epsilon`, or 0 if 102.4 s have no such sample.
  ///
  /// - Parameters:
  ///   - target: Where the spring pulls to, as seen from the start.
  ///   - initialVelocity: The velocity at the start, in value units per second.
  ///   - epsilon: The distance from the target, in value units, below which the motion counts as at rest.
  /// - Returns: The time in seconds, infinite for an undamped spring.
  public func settlingDuration<V: VectorArithmetic>(
    target: V, initialVelocity: V = .zero, epsilon: Double = 0.001
  ) -> Double {
    if jumps { return 0 }
    if decayConstant == 0 { return .infinity }
    if angularFrequency > 0 {
      let swing = (target.scaled(by: decayConstant) - initialVelocity).magnitude + target.magnitude
      return max(0, log(swing / epsilon) / decayConstant)
    }
    return Self.scannedSettlingDuration(epsilon: epsilon) { time in
      (value(target: target, initialVelocity: initialVelocity, time: time) - target).magnitude
    }
  }

  /// SwiftUI's estimate of the time in seconds until the motion between two values has come to rest.
  ///
  /// See ``settlingDuration(target:initialVelocity:epsilon:)``; the distance is measured in animatable data.
  public func settlingDuration<V: Animatable>(
    fromValue: V, toValue: V, initialVelocity: V, epsilon: Double = 0.001
  ) -> Double {
    settlingDuration(
      target: toValue.animatableData - fromValue.animatableData, initialVelocity: initialVelocity.animatableData,
      epsilon: epsilon)
  }

  /// The first multiple of 0.1 s from which on a distance stays below `epsilon` for more than a second, or 0.
  ///
  /// The times are summed up, not multiplied, since SwiftUI's answers carry that rounding: 0.7999999999999999.
  static func scannedSettlingDuration(epsilon: Double, distance: (Double) -> Double) -> Double {
    var time = 0.0
    var settled: Double?
    for _ in 0..<1024 {
      let distance = distance(time)
      guard distance.isFinite else { return 0 }
      if distance >= epsilon {
        settled = nil
      } else if let start = settled {
        if time - start > 1 { return start }
      } else {
        settled = time
      }
      time += 0.1
    }
    return 0
  }
}
