// SPDX-License-Identifier: MIT

/// The limits of what batches accept. The model takes anything, as SwiftUI does; a batch checks each call before it changes
/// anything.
public enum BatchLimits {
  /// The largest number of components of a value.
  @inlinable
  public static var maximumDimensions: Int { 4096 }
  /// The largest number of tracks of one batch: indices have 32 bits.
  @inlinable
  public static var maximumTracks: Int { 1 << 28 }
  /// The largest number of bytes that the columns of one batch may take: 64 GiB, or what 32 bits count.
  @inlinable
  public static var maximumBytes: Int { Int(clamping: Int64(1) << 36) }
  /// The largest magnitude of a value, target or velocity.
  @inlinable
  public static var maximumMagnitude: Float { 1e15 }
  /// The largest magnitude of a clock reading, seconds.
  @inlinable
  public static var maximumTime: Double { 1e10 }
  /// Spring durations, seconds; 0 is accepted too and jumps.
  @inlinable
  public static var durations: ClosedRange<Double> { 1e-4...1e6 }

  /// Natural frequencies of springs, per second: a rounding of the duration at either end is not the caller's fault.
  package static let naturalFrequencies =
    2 * .pi / durations.upperBound * (1 - 1e-12)...2 * .pi / durations.lowerBound * (1 + 1e-12)
  /// The largest damping ratio. With more damping the slow rate would be 0 in Float.
  package static let maximumDampingRatio = 1e16

  /// Decay constants of decelerations, per second.
  @inlinable
  public static var decelerationConstants: ClosedRange<Double> { 1e-5...1e6 }

  /// Speeds of motions other than clips.
  package static var speeds: ClosedRange<Double> { 1e-6...1e6 }

  /// The reason why batches refuse a spring; nil if they accept it.
  package static func defect(of spring: Spring) -> String? {
    guard spring.mass > 0, spring.mass.isFinite else {
      return "the mass must be positive and finite, is \(spring.mass)"
    }
    if spring.jumps {
      // The decay constant of a jump is not finite; a finite one comes with an infinite stiffness.
      return spring.decayConstant.isFinite ? "the stiffness must be finite, is \(spring.stiffness)" : nil
    }
    guard !spring.standsStill else {
      return "the bounce must be above −1 and the damping finite: this spring would stand still"
    }
    let frequency = spring.naturalFrequency
    guard !frequency.isNaN else { return "every parameter must be a number and the stiffness positive, is nan" }
    guard naturalFrequencies ~= frequency else {
      return "the duration must be 0 or in 1e-4…1e6 s, is \(spring.duration) s "
        + "(mass \(spring.mass), stiffness \(spring.stiffness))"
    }
    // A spring stores its rates, in which a negative duration and a negative damping look the same.
    guard spring.decayConstant >= 0 else {
      return spring.decayConstant.isNaN
        ? "every parameter must be a number, the damping is nan"
        : "the duration and the damping must not be negative: the motion would grow "
          + "(damping ratio \(spring.dampingRatio) at a duration of \(spring.duration) s)"
    }
    // Damping so strong that its bounce is −1 in Double is refused too: in Float its slow rate would be 0.
    guard spring.decayConstant <= maximumDampingRatio * spring.naturalFrequency, spring.angularFrequency.isFinite else {
      return "the bounce must be above −1 and the damping ratio at most 1e16, the ratio is \(spring.dampingRatio)"
    }
    return nil
  }
}
