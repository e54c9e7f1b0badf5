// SPDX-License-Identifier: MIT

/// Where the columns of a spring store are: one row per track, `dimensions` sets of the five value columns.
///
/// Rows come in tiles of ``laneCountOfTile``; each column is padded to whole tiles and aligned to 64 bytes, so kernels
/// need no scalar tail. The pointers are lent: a kernel neither keeps nor frees them.
///
/// A spring at age t moves as
///
///     x(t) = target + φ₀(t) · displacement + φ₁(t) · initialVelocity
///     v(t) =          ψ₀(t) · displacement + ψ₁(t) · initialVelocity
///
/// where the basis φ, ψ depends on the spring and its age alone. The first block of columns is what a lane needs to
/// compute its own basis; tracks of a cohort share theirs and leave that block unread.
public struct SpringColumns {
  /// Seconds on the batch's clock at which the motion began.
  public var start: UnsafeMutablePointer<Double>
  /// κ: oscillating springs in quarter turns per second; overdamped ones as −κ·log₂e per second.
  public var rate: UnsafeMutablePointer<Double>
  /// −α·log₂e per second, α being the (slow) decay rate.
  public var decay: UnsafeMutablePointer<Float>
  /// 1/κ, seconds.
  public var inverseRate: UnsafeMutablePointer<Float>
  /// ω₀² = stiffness / mass, per second squared.
  public var stiffness: UnsafeMutablePointer<Float>
  /// Which basis the lane follows: see ``LaneGroup``.
  public var group: UnsafeMutablePointer<Int32>

  /// Value minus target at the start (dimension 0).
  public var displacement: UnsafeMutablePointer<Float>
  /// Velocity at the start, per second.
  public var initialVelocity: UnsafeMutablePointer<Float>
  /// Where the motion heads.
  public var target: UnsafeMutablePointer<Float>
  /// Output: the value at the time of the last evaluation.
  public var value: UnsafeMutablePointer<Float>
  /// Output: its velocity, per second.
  public var velocity: UnsafeMutablePointer<Float>

  /// Floats from a column of one dimension to the same column of the next.
  public var dimensionStride: Int
  /// Values per track.
  public var dimensions: Int

  public init(
    start: UnsafeMutablePointer<Double>, rate: UnsafeMutablePointer<Double>, decay: UnsafeMutablePointer<Float>,
    inverseRate: UnsafeMutablePointer<Float>, stiffness: UnsafeMutablePointer<Float>,
    group: UnsafeMutablePointer<Int32>, displacement: UnsafeMutablePointer<Float>,
    initialVelocity: UnsafeMutablePointer<Float>, target: UnsafeMutablePointer<Float>,
    value: UnsafeMutablePointer<Float>, velocity: UnsafeMutablePointer<Float>, dimensionStride: Int, dimensions: Int
  ) {
    self.start = start
    self.rate = rate
    self.decay = decay
    self.inverseRate = inverseRate
    self.stiffness = stiffness
    self.group = group
    self.displacement = displacement
    self.initialVelocity = initialVelocity
    self.target = target
    self.value = value
    self.velocity = velocity
    self.dimensionStride = dimensionStride
    self.dimensions = dimensions
  }
}

/// The values of the `group` column.
public enum LaneGroup {
  /// The row holds no track.
  public static let free: Int32 = -1
  /// The lane computes its own basis, bounce ≥ 0.
  public static let oscillating: Int32 = 0
  /// The lane computes its own basis, bounce < 0.
  public static let overdamped: Int32 = 1
  /// Lanes with this value or a larger one share the basis of a cohort.
  public static let firstCohort: Int32 = 2
}
