// SPDX-License-Identifier: MIT
import Kernels

/// When motions of one spring come to rest, and whether they surely move until they are logically complete. The second
/// question takes two products and no logarithm.
///
/// The age of ``RestBound`` is at least log₂ x / decay, where x is the larger of displacement and speed at the start,
/// each as a multiple of its tolerance. So a motion moves until a time t if x·2^(−decay·t) is more than 1. The slack
/// that `RestBound` adds to each logarithm is a thousand times the rounding of this.
struct MotionBound {
  private let coefficients: SpringCoefficients
  private let tolerance: RestTolerance
  private let dimensions: Double
  /// The time t, in seconds.
  private let seconds: Double
  /// The distance of a displacement of 1 at that time, and the speeds of a displacement and of an amplitude of 1, as
  /// multiples of the tolerances.
  private let distance: Double
  private let speedOfDisplacement: Double
  private let speedOfAmplitude: Double

  /// - Parameter dimensions: The dimensions of a track, each of which may be as large as the largest.
  init(_ coefficients: SpringCoefficients, dimensions: Int, _ tolerance: RestTolerance) {
    (self.coefficients, self.tolerance, self.dimensions) = (coefficients, tolerance, Double(dimensions))
    // A step is not longer than this, whatever its duration is rounded to.
    seconds = 1.001 * (coefficients.logicalAge ?? 0)
    let decay = ReproducibleMath.exp2OfNegative(-Double(coefficients.decay) * seconds)
    let left = coefficients.isDeceleration ? 0 : decay * self.dimensions
    let perVelocity =
      Double(tolerance.perVelocity) / (tolerance.isRelative ? coefficients.naturalFrequency : 1)
    distance = left * Double(tolerance.perValue)
    speedOfDisplacement = left * coefficients.α * perVelocity
    speedOfAmplitude = left * coefficients.κ * perVelocity
  }

  /// Whether a motion surely moves up to an age. If not, ``restAge(displacement:amplitude:)`` tells.
  ///
  /// - Parameter state: Displacement and amplitude at the start in any one dimension: a track that moves in one is not
  ///   at rest.
  @inline(__always)
  func moves(_ state: SIMD3<Float>, until age: Double) -> Bool {
    let (y, a) = (Double(abs(state.x)), Double(abs(state.y)))
    return age <= seconds && (y * distance > 1 || y * speedOfDisplacement + a * speedOfAmplitude > 1)
  }

  /// The age from which on a motion rests that starts with at most this displacement and amplitude in each dimension.
  func restAge(displacement: Float, amplitude: Float) -> Double {
    let bound = RestBound(
      coefficients, displacement: Double(displacement) * dimensions, amplitude: Double(amplitude) * dimensions)
    return bound.age(tolerance)
  }
}
