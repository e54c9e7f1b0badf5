// SPDX-License-Identifier: MIT

/// The columns of springs: one row for each lane, and `dimensions` sets of the columns that a lane has for each
/// dimension.
///
/// Rows come in tiles of ``laneCountOfTile``; each column is padded to whole tiles and aligned to 64 bytes, so kernels
/// need no scalar tail. The pointers are lent: a kernel neither keeps nor frees them.
///
/// A spring at age t moves as
///
///     x(t) = target + C(t) · displacement + S(t) · amplitude
///
/// where the basis C, S depends on the spring and its age alone (`LaneBasis`). From the first columns a lane computes
/// its own basis; tracks of a cohort share a basis and leave these columns unread.
@safe
public struct SpringColumns {
  /// Seconds on the batch's clock at which the motion began.
  public var start: UnsafeMutablePointer<Double>
  /// κ: oscillating springs in negative quarter turns per second; overdamped ones as κ·log₂e per second.
  public var rate: UnsafeMutablePointer<Double>
  /// α·log₂e ≥ 0 per second, α being the (slow) decay rate; with its sign bit set the lane is at rest.
  public var decay: UnsafeMutablePointer<Float>
  /// Seconds from the start until the lane is at rest.
  public var restAge: UnsafeMutablePointer<Float>
  /// Seconds from the start until the motion is logically complete; infinite if only rest completes it.
  public var logicalAge: UnsafeMutablePointer<Float>
  /// The basis that the lane follows, in tiles that several cohorts share.
  public var member: UnsafeMutablePointer<Int32>

  /// Value minus target at the start (dimension 0).
  public var displacement: UnsafeMutablePointer<Float>
  /// (v₀ + α · displacement)/κ: how far the sine part of the motion swings (dimension 0).
  public var amplitude: UnsafeMutablePointer<Float>
  /// Floats from a displacement or amplitude to that of the next dimension.
  public var startStride: Int

  /// Where the motion heads (dimension 0).
  public var target: UnsafeMutablePointer<Float>
  /// Output: the value at the time of the last evaluation.
  public var value: UnsafeMutablePointer<Float>
  /// Output: its velocity, per second.
  public var velocity: UnsafeMutablePointer<Float>

  /// Floats from a target, value or velocity to that of the next dimension.
  public var dimensionStride: Int
  /// Values per track.
  public var dimensions: Int

  public init(
    start: UnsafeMutablePointer<Double>, rate: UnsafeMutablePointer<Double>, decay: UnsafeMutablePointer<Float>,
    restAge: UnsafeMutablePointer<Float>, logicalAge: UnsafeMutablePointer<Float>,
    member: UnsafeMutablePointer<Int32>, displacement: UnsafeMutablePointer<Float>,
    amplitude: UnsafeMutablePointer<Float>, startStride: Int, target: UnsafeMutablePointer<Float>,
    value: UnsafeMutablePointer<Float>, velocity: UnsafeMutablePointer<Float>, dimensionStride: Int, dimensions: Int
  ) {
    unsafe self.start = start
    unsafe self.rate = rate
    unsafe self.decay = decay
    unsafe self.restAge = restAge
    unsafe self.logicalAge = logicalAge
    unsafe self.member = member
    unsafe self.displacement = displacement
    unsafe self.amplitude = amplitude
    self.startStride = startStride
    unsafe self.target = target
    unsafe self.value = value
    unsafe self.velocity = velocity
    self.dimensionStride = dimensionStride
    self.dimensions = dimensions
  }

  /// Moves the columns of displacement and amplitude so that an index that moves by ``dimensionStride`` reaches their
  /// next dimension.
  @export(implementation) @inline(__always)
  mutating func moveStarts() {
    unsafe displacement += startStride &- dimensionStride
    unsafe amplitude += startStride &- dimensionStride
  }
}
