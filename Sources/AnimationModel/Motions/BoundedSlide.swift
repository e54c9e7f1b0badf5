// SPDX-License-Identifier: MIT
#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A number that slides within bounds: at a bound, a spring takes over its velocity and holds it there.
///
/// Until it meets the bound b it is start + v₀·(1 − e^(−kt))/k, which is there at t = −ln(1 − k·(b − start)/v₀)/k. A number that
/// starts outside of its bounds springs back at once.
package struct BoundedSlide: Hashable, Sendable, BitwiseCopyable {
  private let deceleration: Deceleration
  private let spring: Spring
  package let start: Double
  private let velocity: Double
  /// When the spring takes over, in seconds from the start; infinite if the slide ends within the bounds.
  private let contact: Double
  /// Where the spring takes over, and how fast.
  private let (place, speed): (Double, Double)
  /// The projected end, or the bound.
  package let end: Double

  /// - Parameters:
  ///   - start: The value at the start.
  ///   - velocity: The velocity at the start, per second.
  ///   - bounds: The bounds, which may be infinite.
  ///   - spring: The spring at a bound.
  package init(
    from start: Double, velocity: Double, by deceleration: Deceleration, within bounds: ClosedRange<Double>,
    _ spring: Spring
  ) {
    (self.start, self.velocity, self.deceleration, self.spring) = (start, velocity, deceleration, spring)
    let projected = deceleration.projectedEnd(from: start, initialVelocity: velocity)
    let bound = min(max(bounds.contains(start) ? projected : start, bounds.lowerBound), bounds.upperBound)
    end = bound
    if bounds.contains(start), bounds.contains(projected) {
      (contact, place, speed) = (.infinity, bound, 0)
    } else if bounds.contains(start) {
      let k = deceleration.decayConstant
      contact = -log1p(-k * (bound - start) / velocity) / k
      // What is left of the velocity goes with the way to the projected end.
      (place, speed) = (bound, k * (projected - bound))
    } else {
      (contact, place, speed) = (0, start, velocity)
    }
  }

  /// Whether a spring takes over.
  package var meetsBound: Bool { contact < .infinity }

  package func value(at age: Double) -> Double {
    if age < contact { return deceleration.value(from: start, initialVelocity: velocity, time: age) }
    // From the end on, so that it comes to that very number.
    return end + (place - end) + spring.value(target: end - place, initialVelocity: speed, time: age - contact)
  }

  package func velocity(at age: Double) -> Double {
    age < contact
      ? deceleration.velocity(initialVelocity: velocity, time: age)
      : spring.velocity(target: end - place, initialVelocity: speed, time: age - contact)
  }

  /// Seconds from the start after which value and velocity stay within tolerances of the end, and of 0.
  package func restTime(tolerance: Double, velocityTolerance: Double?) -> Double {
    guard meetsBound else {
      return deceleration.restTime(
        initialVelocity: velocity, tolerance: tolerance, velocityTolerance: velocityTolerance)
    }
    return contact
      + spring.restTime(
        target: end - place, initialVelocity: speed, tolerance: tolerance, velocityTolerance: velocityTolerance)
  }
}
