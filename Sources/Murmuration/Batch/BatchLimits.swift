// SPDX-License-Identifier: MIT
import Kernels

/// The limits of what batches accept. The model takes anything, as SwiftUI does; a batch checks each call before it changes
/// anything.
public enum BatchLimits {
  /// The largest number of components of a value.
  public static let maximumDimensions = 4096
  /// The largest number of tracks of one batch: rows are numbered in 32 bits.
  public static let maximumTracks = 1 << 28
  /// The largest number of bytes that the columns of one batch may take: 64 GiB, or what 32 bits count.
  public static let maximumBytes = Int(clamping: Int64(1) << 36)
  /// The largest magnitude of a value, target or velocity.
  public static let maximumMagnitude: Float = 1e15
  /// The largest magnitude of a clock reading, seconds.
  public static let maximumTime = 1e10
  /// The largest number of animations whose effects add up in one track at a time.
  public static let maximumAnimations = 1024
  /// Spring durations, seconds; 0 is accepted too and jumps.
  public static let durations = 1e-4...1e6

  /// Natural frequencies of springs, per second: a rounding of the duration at either end is not the caller's fault.
  static let naturalFrequencies =
    2 * .pi / durations.upperBound * (1 - 1e-12)...2 * .pi / durations.lowerBound * (1 + 1e-12)
  /// The largest damping ratio. With more damping the slow rate would be 0 in Float.
  static let maximumDampingRatio = 1e16

  /// The same for kernels.
  static var springs: SpringLimits {
    SpringLimits(
      leastFrequency: naturalFrequencies.lowerBound, greatestFrequency: naturalFrequencies.upperBound,
      greatestDampingRatio: maximumDampingRatio)
  }

  /// Decay constants of decelerations, per second.
  public static let decelerationConstants = 1e-5...1e6

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

extension BatchLimits {
  /// Whether there is memory now for an array of a number of elements.
  package static func hasRoom<Element>(for count: Int, of type: Element.Type) -> Bool {
    let (bytes, overflow) = count.multipliedReportingOverflow(by: MemoryLayout<Element>.stride)
    return !overflow && MemoryBlock.hasRoom(forBytes: bytes)
  }

  /// Throws ``BatchError/capacityExceeded(_:)`` unless there is memory now for an array of an element for each track.
  package static func checkRoom<Element>(for count: Int, of type: Element.Type) throws(BatchError) {
    guard hasRoom(for: count, of: type) else { throw .capacityExceeded(count) }
  }

  /// Throws ``BatchError/invalidValue(of:index:value:)`` for the first value that is NaN or beyond ``maximumMagnitude``.
  ///
  /// - Parameters:
  ///   - values: The values.
  ///   - what: The name of one value, for the message.
  static func check(_ values: Span<Float>, of what: String) throws(BatchError) {
    if let index = firstRefused(values) {
      throw .invalidValue(of: what, index: index, value: values[index])
    }
  }

  /// The index of the first value that is NaN or beyond ``maximumMagnitude``; nil if all are accepted.
  static func firstRefused(_ values: Span<Float>) -> Int? {
    guard values.count > laneCountOfTile else { return firstRefusedOneByOne(values) }
    // Without the sign, the bits of Floats are in the order of their magnitudes, with NaN last. So the bits of the largest
    // accepted value minus the bits of a refused value are negative. The signs of all differences are collected without a
    // branch; single values are compared only if one is refused.
    let largest = Int32(bitPattern: maximumMagnitude.bitPattern)
    var signs: Int32 = 0
    for index in values.indices {
      signs |= unsafe largest &- Int32(bitPattern: values[unchecked: index].bitPattern & 0x7FFF_FFFF)
    }
    guard signs < 0 else { return nil }
    return firstRefusedOneByOne(values)
  }

  private static func firstRefusedOneByOne(_ values: Span<Float>) -> Int? {
    for index in values.indices where !(abs(values[index]) <= maximumMagnitude) { return index }
    return nil
  }
}
