// SPDX-License-Identifier: MIT
import Kernels

/// When motions of one spring come to rest, and whether they surely move until they are logically complete, which takes
/// two products and no logarithm.
///
/// The first of the bounds of ``RestBound`` that fall alone is log₂ x / decay, where x is the larger one of what
/// displacement is of its tolerance, and speed of its own, at the start. So a motion moves for a time t if x·2^(−decay·t) is
/// more than 1. What `RestBound` adds to each logarithm is a thousand times what rounding takes from this.
struct MotionBound {
  private let coefficients: SpringCoefficients
  private let tolerance: RestTolerance
  private let dimensions: Double
  /// The time t, in seconds.
  private let seconds: Double
  /// What a displacement and an amplitude of 1 count for then.
  private let distance: Double
  private let speedOfDisplacement: Double
  private let speedOfAmplitude: Double

  /// - Parameter dimensions: Values of a track, any of which may be as large as the largest.
  init(_ coefficients: SpringCoefficients, dimensions: Int, _ tolerance: RestTolerance) {
    (self.coefficients, self.tolerance, self.dimensions) = (coefficients, tolerance, Double(dimensions))
    // A step that was rounded is no longer.
    seconds = 1.001 * (coefficients.logicalAge ?? 0)
    let decay = ReproducibleMath.exp2OfNegative(-Double(coefficients.decay) * seconds)
    let left = coefficients.isDeceleration ? 0 : decay * self.dimensions
    let perVelocity =
      Double(tolerance.perVelocity) / (tolerance.isRelative ? coefficients.naturalFrequency : 1)
    distance = left * Double(tolerance.perValue)
    speedOfDisplacement = left * coefficients.α * perVelocity
    speedOfAmplitude = left * coefficients.κ * perVelocity
  }

  /// Whether a motion surely moves up to an age; false where that takes ``restAge(displacement:amplitude:)`` to tell.
  ///
  /// - Parameter state: What it began with, in any dimension: what moves in one is not at rest.
  @inline(__always)
  func moves(_ state: PhaseState, until age: Double) -> Bool {
    let (y, a) = (Double(abs(state.x)), Double(abs(state.y)))
    return age <= seconds && (y * distance > 1 || y * speedOfDisplacement + a * speedOfAmplitude > 1)
  }

  /// The age from which on a motion rests, whose displacements and amplitudes were no larger in any dimension.
  func restAge(displacement: Float, amplitude: Float) -> Double {
    let bound = RestBound(
      coefficients, displacement: Double(displacement) * dimensions, amplitude: Double(amplitude) * dimensions)
    return bound.age(tolerance)
  }
}
