// SPDX-License-Identifier: MIT

/// Where the columns of playing instances are: one row per instance.
///
/// An instance stands at the tick
///
///     base + (now − origin) · rate
///
/// of its clip. Whoever keeps the columns sees to it that this stays within the clip: instances that wait, are held or
/// paused have rate 0.
@safe
public struct PlaybackColumns {
  /// Seconds on the batch's clock.
  public var origin: UnsafeMutablePointer<Double>
  /// Ticks at the origin: one a row, or one tile that all rows share.
  public var base: UnsafeMutablePointer<Double>
  /// What a row's place in `base` is made of: all bits of the row, or those within a tile.
  @usableFromInline var baseMask: Int
  /// Ticks per second; negative where an instance plays backwards.
  public var rate: UnsafeMutablePointer<Double>

  /// What values are multiplied with, and what is added then (dimension 0); nil where nothing varies.
  public var scale: UnsafeMutablePointer<Float>?
  public var offset: UnsafeMutablePointer<Float>?
  /// Floats from a scale or offset to that of the next dimension; ``dimensionStride`` unless set.
  public var variationStride: Int
  /// The pieces that rows show which play a clip each; nil where there are no such rows.
  public var pieces: PieceColumns?
  /// Output: the value at the time of the last evaluation (dimension 0).
  public var value: UnsafeMutablePointer<Float>
  /// Output: its velocity, per second.
  public var velocity: UnsafeMutablePointer<Float>

  /// Floats from a value or velocity to that of the next dimension.
  public var dimensionStride: Int
  /// Values per instance.
  public var dimensions: Int

  public init(
    origin: UnsafeMutablePointer<Double>, base: UnsafeMutablePointer<Double>, rate: UnsafeMutablePointer<Double>,
    scale: UnsafeMutablePointer<Float>?, offset: UnsafeMutablePointer<Float>?, value: UnsafeMutablePointer<Float>,
    velocity: UnsafeMutablePointer<Float>, dimensionStride: Int, dimensions: Int, sharesBase: Bool = false,
    pieces: PieceColumns? = nil
  ) {
    unsafe self.origin = origin
    unsafe self.base = base
    baseMask = sharesBase ? laneCountOfTile - 1 : -1
    unsafe self.rate = rate
    unsafe self.scale = scale
    unsafe self.offset = offset
    self.pieces = pieces
    unsafe self.value = value
    unsafe self.velocity = velocity
    self.dimensionStride = dimensionStride
    variationStride = dimensionStride
    self.dimensions = dimensions
  }
}

/// Consecutive tiles whose instances play one clip, or a clip each.
public struct ClipRun: Sendable, Equatable {
  /// The clip of a run of instances that play a clip each: what they show is in ``PlaybackColumns/pieces``.
  public static let mixed = -2

  /// First lane, a multiple of ``laneCountOfTile``.
  public var firstLane: Int
  /// Lanes, a multiple of ``laneCountOfTile``.
  public var laneCount: Int
  /// The clip's place among the tables, or ``mixed``.
  public var clip: Int

  public init(firstLane: Int, laneCount: Int, clip: Int) {
    self.firstLane = firstLane
    self.laneCount = laneCount
    self.clip = clip
  }
}
