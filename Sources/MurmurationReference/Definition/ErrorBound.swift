// SPDX-License-Identifier: MIT
import Murmuration

/// The errors that a batch is allowed in one dimension of a track.
public struct ErrorBound: Equatable, Sendable {
  /// The error of a value, in its units.
  public var value: Double
  /// The error of a velocity, in units per second.
  public var velocity: Double

  /// A bound of these errors; zero unless given.
  public init(value: Double = 0, velocity: Double = 0) {
    self.value = value
    self.velocity = velocity
  }

  /// Adds another error.
  package mutating func add(_ other: ErrorBound) {
    value += other.value
    velocity += other.velocity
  }

  /// Allows another error as well: of the two, the larger one counts.
  mutating func include(_ other: ErrorBound) {
    value = max(value, other.value)
    velocity = max(velocity, other.velocity)
  }

  /// The part of an error that a factor passes on: 0 if the factor is 0, even if the error is infinite.
  static func passed(_ error: Double, by factor: Double) -> Double {
    error == 0 || factor == 0 ? 0 : error * abs(factor)
  }

  /// Any error.
  static let infinite = ErrorBound(value: .infinity, velocity: .infinity)

  /// u, the rounding unit of Float: 2⁻²⁴.
  package static let unit = 0x1p-24

  /// 8 u, the error of evaluating one motion, as a share of its scale.
  package static let perMotion = 8 * unit

  /// The least Float. What is smaller, a batch may lose with each of its terms.
  static let least = Double(Float.leastNonzeroMagnitude)

  /// Half a unit in the last place of a Float as large as a number: the error of rounding it.
  package static func rounding(of number: Double) -> Double {
    Double(Float(min(abs(number), Double(Float.greatestFiniteMagnitude))).ulp) / 2
  }
}

/// The exact state of one dimension of a motion at a moment, and how far a batch may be from it.
public struct MotionSample: Sendable {
  /// The exact value.
  public var value: Double
  /// The exact velocity, in units per second.
  public var velocity: Double
  /// The errors that a batch is allowed.
  public var bound: ErrorBound

  public init(value: Double, velocity: Double = 0, bound: ErrorBound = ErrorBound()) {
    self.value = value
    self.velocity = velocity
    self.bound = bound
  }

  /// A state given in Float, with an error of its value.
  package init(_ value: Float, velocity: Float = 0, error: Double = 0) {
    self.init(value: Double(value), velocity: Double(velocity), bound: ErrorBound(value: error))
  }

  /// States given in Float; without velocities they stand.
  package static func exact(_ values: [Float], velocities: [Float] = []) -> [MotionSample] {
    values.indices.map { MotionSample(values[$0], velocity: velocities.isEmpty ? 0 : velocities[$0]) }
  }

  /// The value as a Float, with the error of rounding it.
  package var rounded: MotionSample { MotionSample(Float(value), error: bound.value + ErrorBound.rounding(of: value)) }

  /// The same state with any error.
  var unbounded: MotionSample { MotionSample(value: value, velocity: velocity, bound: .infinite) }

  /// The same value without a velocity.
  package var standing: MotionSample { MotionSample(value: value, bound: ErrorBound(value: bound.value)) }

  /// Whether the value is one that a batch accepts. Goals that are written in place may be others.
  var isNumber: Bool { abs(value) <= Double(BatchLimits.maximumMagnitude) }

  /// The state with its value multiplied by a factor, and its velocity by another one.
  func scaled(by factor: Double, velocityBy pace: Double) -> MotionSample {
    let error = ErrorBound(
      value: ErrorBound.passed(bound.value, by: factor), velocity: ErrorBound.passed(bound.velocity, by: pace))
    return MotionSample(value: value * factor, velocity: pace == 0 ? 0 : velocity * pace, bound: error)
  }

  /// The state, of which a batch may show another one as well, and anything between the two.
  func allowing(_ other: MotionSample) -> MotionSample {
    var sample = self
    sample.bound.value = max(bound.value, abs(other.value - value) + other.bound.value)
    sample.bound.velocity = max(bound.velocity, abs(other.velocity - velocity) + other.bound.velocity)
    return sample
  }
}

extension [MotionSample] {
  /// The states, of which a batch may show others as well.
  func allowing(_ others: [MotionSample]) -> [MotionSample] { zip(self, others).map { $0.allowing($1) } }
}

/// The errors of a batch in units of their bounds: at most 1 each if the batch is right.
package struct Excess: Equatable, Sendable {
  package var value = 0.0
  package var velocity = 0.0

  package init() {}

  /// The errors of a value and a velocity; a velocity of nil is ignored.
  package init(value: Float, velocity: Float?, of exact: MotionSample) {
    self.value = Self.share(abs(Double(value) - exact.value), of: exact.bound.value)
    if let velocity { self.velocity = Self.share(abs(Double(velocity) - exact.velocity), of: exact.bound.velocity) }
  }

  /// The larger of the two; infinite if an error is not a number.
  package var largest: Double { max(value, velocity) }

  /// An error as a share of a bound: a bound of 0 allows no error, an infinite bound any error that is a number. Both are
  /// sums that are rounded.
  private static func share(_ error: Double, of bound: Double) -> Double {
    if error.isNaN { return .infinity }
    return error == 0 || bound == .infinity ? 0 : error / (bound + bound * 0x1p-48)
  }
}
