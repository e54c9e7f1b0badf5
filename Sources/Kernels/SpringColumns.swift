// SPDX-License-Identifier: MIT

/// The columns of springs: one element for each lane, and `dimensions` sets of the columns that a lane has for each
/// dimension.
///
/// Lanes come in tiles of ``laneCountOfTile``; each column is padded to whole tiles and aligned to 64 bytes, so kernels
/// need no scalar tail. The columns are lent: a kernel neither keeps nor frees them.
///
/// A spring at age t moves as
///
///     x(t) = target + C(t) · displacement + S(t) · amplitude
///
/// where the factors C, S depend on the spring and its age alone. They are computed from the first columns: of each lane,
/// or once for a run of lanes that have the same spring and start.
public struct SpringColumns {
  /// Seconds on the batch's clock at which the motion began.
  public var start: Column<Double>
  /// κ: oscillating springs in negative quarter turns per second; overdamped ones as κ·log₂e per second.
  public var rate: Column<Double>
  /// α·log₂e ≥ 0 per second, α being the (slow) decay rate; with its sign bit set the lane is at rest.
  public var decay: Column<Float>
  /// Seconds from the start until the lane is at rest.
  public var restAge: Column<Float>
  /// Seconds from the start until the motion is logically complete; infinite if only rest completes it.
  public var logicalAge: Column<Float>

  /// Value minus target at the start (dimension 0).
  public var displacement: Column<Float>
  /// (v₀ + α · displacement)/κ: how far the sine part of the motion swings (dimension 0).
  public var amplitude: Column<Float>
  /// Floats from a displacement or amplitude to that of the next dimension.
  public var startStride: Int

  /// Where the motion heads (dimension 0).
  public var target: Column<Float>
  /// Output: the value at the time of the last evaluation.
  public var value: Column<Float>
  /// Output: its velocity, per second.
  public var velocity: Column<Float>

  /// Floats from a target, value or velocity to that of the next dimension.
  public var dimensionStride: Int
  /// Values per track.
  public var dimensions: Int

  public init(
    start: Column<Double>, rate: Column<Double>, decay: Column<Float>,
    restAge: Column<Float>, logicalAge: Column<Float>,
    displacement: Column<Float>, amplitude: Column<Float>, startStride: Int, target: Column<Float>,
    value: Column<Float>, velocity: Column<Float>, dimensionStride: Int, dimensions: Int
  ) {
    self.start = start
    self.rate = rate
    self.decay = decay
    self.restAge = restAge
    self.logicalAge = logicalAge
    self.displacement = displacement
    self.amplitude = amplitude
    self.startStride = startStride
    self.target = target
    self.value = value
    self.velocity = velocity
    self.dimensionStride = dimensionStride
    self.dimensions = dimensions
  }

  /// Moves the columns of displacement and amplitude so that an index that moves by ``dimensionStride`` reaches their
  /// next dimension.
  @export(implementation) @inline(__always)
  mutating func moveStarts() {
    displacement += startStride &- dimensionStride
    amplitude += startStride &- dimensionStride
  }
}
