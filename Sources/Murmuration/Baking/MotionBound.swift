// SPDX-License-Identifier: MIT
import Kernels

/// Whether motions of one spring surely move until they are logically complete. That takes two products and no logarithm.
///
/// The age of rest that kernels compute is at least log₂ x / decay, where x is the larger of displacement and speed at the
/// start, each as a multiple of its tolerance. So a motion moves until a time t if x·2^(−decay·t) is more than 1. The
/// slack that the kernels add to each logarithm is a hundred times the rounding of this.
struct MotionBound {
  /// The time t, in seconds.
  private let seconds: Double
  /// The distance of a displacement of 1 at that time, and the speeds of a displacement and of an amplitude of 1, as
  /// multiples of the tolerances.
  private let distance: Double
  private let speedOfDisplacement: Double
  private let speedOfAmplitude: Double

  init(_ coefficients: SpringCoefficients, _ tolerance: RestTolerance) {
    // A step is not longer than this, whatever its duration is rounded to.
    seconds = 1.001 * (coefficients.logicalAge ?? 0)
    let decay = ReproducibleMath.exp2OfNegative(-Double(coefficients.decay) * seconds)
    let left = coefficients.isDeceleration ? 0 : decay
    let perVelocity =
      Double(tolerance.perVelocity) / (tolerance.isRelative ? coefficients.naturalFrequency : 1)
    distance = left * Double(tolerance.perValue)
    speedOfDisplacement = left * coefficients.α * perVelocity
    speedOfAmplitude = left * coefficients.κ * perVelocity
  }

  /// Whether a motion surely moves up to an age.
  ///
  /// - Parameter state: Displacement and amplitude at the start in any one dimension: a track that moves in one is not
  ///   at rest.
  @inline(__always)
  func moves(_ state: SIMD3<Float>, until age: Double) -> Bool {
    let (y, a) = (Double(abs(state.x)), Double(abs(state.y)))
    return age <= seconds && (y * distance > 1 || y * speedOfDisplacement + a * speedOfAmplitude > 1)
  }
}

/// The columns of one tile in which kernels compute when a motion without a track comes to rest.
struct RestTile: ~Copyable {
  private let storage: SpringStorage
  private let table: KernelTable

  init(dimensions: Int, _ table: KernelTable) {
    storage = SpringStorage(dimensions: dimensions, rows: laneCountOfTile)
    self.table = table
  }

  /// The age from which on a motion is at rest.
  ///
  /// - Parameter state: Displacement and amplitude of a dimension at the start, and a third number.
  func restAge(
    _ coefficients: SpringCoefficients, _ tolerance: RestTolerance, state: (_ dimension: Int) -> SIMD3<Float>
  ) -> Float {
    let columns = storage.columns
    (columns.rate[0], columns.decay[0]) = (coefficients.rate, coefficients.decay)
    for dimension in 0..<columns.dimensions {
      let (state, start) = (state(dimension), dimension * columns.startStride)
      (columns.displacement[start], columns.amplitude[start]) = (state.x, state.y)
    }
    table.computeRest(columns, 0..<1, tolerance)
    return columns.restAge[0]
  }
}
