// SPDX-License-Identifier: MIT
@testable import Murmuration

/// How a track stands in a batch, which decides how it is evaluated.
enum Standing: String, CaseIterable, Sendable {
  case alone, smallCohort, largeCohort

  /// Adds a track with a motion, in company of its standing, to a batch of one dimension.
  func add(_ motion: Motion, to batch: inout SpringBatch) throws -> TrackHandle {
    let count =
      switch self {
      case .alone: 5
      case .smallCohort: 4
      case .largeCohort: 37
      }
    let own = count / 2
    let values = (0..<count).map { $0 == own ? motion.value : motion.value * Float($0) / Float(count) }
    let targets = [Float](repeating: motion.target, count: count)
    let velocities = (0..<count).map { $0 == own ? motion.velocity : 0 }
    guard self == .alone else {
      return try batch.add(motion.spring, values: values.span, targets: targets.span, velocities: velocities.span)[own]
    }
    let springs = [Spring](repeating: motion.spring, count: count)
    return try batch.add(springs.span, values: values.span, targets: targets.span, velocities: velocities.span)[own]
  }
}

/// A motion in Double, as the model has it, and how far from it a batch may be.
struct ExactMotion {
  private static let unit = 8 * 0x1p-24

  let spring: Spring
  var start: Double
  let value: Double
  let velocity: Double
  let target: Double
  /// What the value and the velocity at the start may be off.
  var valueError = 0.0
  var velocityError = 0.0

  init(_ motion: Motion, start: Double) {
    (spring, self.start) = (motion.spring, start)
    (value, velocity, target) = (Double(motion.value), Double(motion.velocity), Double(motion.target))
  }

  /// The motion that follows another from a moment on.
  init(after other: ExactMotion, at moment: Double, spring: Spring? = nil, target: Float) {
    let state = other.state(at: moment)
    (self.spring, start, self.target) = (spring ?? other.spring, moment, Double(target))
    (value, velocity) = (state.value, state.velocity)
    (valueError, velocityError) = other.bounds(at: moment)
  }

  func state(at time: Double) -> (value: Double, velocity: Double) {
    (
      spring.value(fromValue: value, toValue: target, initialVelocity: velocity, time: time - start),
      spring.velocity(fromValue: value, toValue: target, initialVelocity: velocity, time: time - start)
    )
  }

  /// The promised bounds, and what became of the errors at the start.
  func bounds(at time: Double) -> (value: Double, velocity: Double) {
    let frequency = spring.naturalFrequency
    let scale = max(abs(value - target), abs(velocity) / frequency)
    let rounding = Double(max(Float(abs(target)), Float(abs(state(at: time).value))).ulp) / 2
    return (
      Self.unit * scale + rounding + valueError + velocityError / frequency,
      Self.unit * scale * frequency + valueError * frequency + velocityError
    )
  }
}

extension SpringBatch {
  /// How far a track of one dimension is from the model, in units of the bounds.
  mutating func excess(of handle: TrackHandle, _ exact: ExactMotion) throws -> Double {
    let (value, velocity): (Float, Float) = (try self.value(of: handle), try self.velocity(of: handle))
    let (state, bounds) = (exact.state(at: time), exact.bounds(at: time))
    return max(
      abs(Double(value) - state.value) / bounds.value, abs(Double(velocity) - state.velocity) / bounds.velocity)
  }

  /// Sends one track of one dimension to a target after a delay.
  mutating func retarget(_ handle: TrackHandle, to target: Float, spring: Spring? = nil, delay: Double) throws {
    try retarget([handle].span, to: [target].span, spring: spring, delays: [delay].span)
  }
}
