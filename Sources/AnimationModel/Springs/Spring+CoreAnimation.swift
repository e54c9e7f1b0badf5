// SPDX-License-Identifier: MIT
#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

extension Spring {
  /// The settling duration in seconds that Core Animation's `CASpringAnimation` reports for this spring.
  ///
  /// It is also the length of SwiftUI's `interpolatingSpring`. Both go from 0 to 1 and take overdamped springs as critical.
  /// For an underdamped spring it is ln((1 + |B|)/0.001)/d with B = (d − v)/w, for a critical one SwiftUI's scan in
  /// steps of 0.1 s.
  ///
  /// - Parameter initialVelocity: The velocity at the start in fractions of the distance per second.
  /// - Returns: The time in seconds. Infinite for an undamped spring, where Core Animation answers the largest Float.
  public func coreAnimationSettlingDuration(initialVelocity: Double = 0) -> Double {
    if jumps { return 0 }
    if decayConstant == 0 { return .infinity }
    if angularFrequency > 0 {
      let ratio = (decayConstant - initialVelocity) / angularFrequency
      return max(0, log((1 + ratio.magnitude) / 0.001) / decayConstant)
    }
    let undamped = naturalFrequency
    return Self.scannedSettlingDuration(epsilon: 0.001) { time in
      ((1 + (undamped - initialVelocity) * time) * exp(-undamped * time)).magnitude
    }
  }
}
