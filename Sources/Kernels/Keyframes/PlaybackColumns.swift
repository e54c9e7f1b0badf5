// SPDX-License-Identifier: MIT

/// The columns of playing instances: one element for each instance.
///
/// An instance stands at the tick
///
///     base + (now − origin) · rate
///
/// of its clip. The owner of the columns keeps this within the clip: instances that wait, are held or are paused have
/// rate 0.
public struct PlaybackColumns {
  /// Seconds on the batch's clock.
  public var origin: Column<Double>
  /// Ticks at the origin.
  public var base: Column<Double>
  /// Ticks per second; negative where an instance plays backwards.
  public var rate: Column<Double>

  /// The factors of values, and the offsets added to the products (dimension 0); nil where nothing varies.
  public var scale: Column<Float>?
  public var offset: Column<Float>?
  /// Floats from a scale or offset to that of the next dimension; ``dimensionStride`` unless set.
  public var variationStride: Int
  /// The scale of a lane without an effect, where curves lead on from the values that are shown.
  public static var vacant: Float { -2 }
  /// The current pieces of instances that play a clip each; nil if there are none.
  public var pieces: PieceColumns?
  /// Whether most instances have left their pieces since they were evaluated last: then their new pieces are not kept.
  public var jumps = false
  /// The clip's index among the tables for each lane that has no piece, as values have many components; negative for a
  /// lane without an instance. Nil if there are no such lanes.
  public var clips: ConstantColumn<Int32>?
  /// Output: the value at the time of the last evaluation (dimension 0).
  public var value: Column<Float>
  /// Output: its velocity, per second.
  public var velocity: Column<Float>

  /// Floats from a value or velocity to that of the next dimension.
  public var dimensionStride: Int
  /// Values per instance.
  public var dimensions: Int

  public init(
    origin: Column<Double>, base: Column<Double>, rate: Column<Double>,
    scale: Column<Float>?, offset: Column<Float>?, value: Column<Float>,
    velocity: Column<Float>, dimensionStride: Int, dimensions: Int, pieces: PieceColumns? = nil
  ) {
    self.origin = origin
    self.base = base
    self.rate = rate
    self.scale = scale
    self.offset = offset
    self.pieces = pieces
    clips = nil
    self.value = value
    self.velocity = velocity
    self.dimensionStride = dimensionStride
    variationStride = dimensionStride
    self.dimensions = dimensions
  }
}

/// Consecutive tiles whose instances play one clip, or a clip each.
public struct ClipRun: Sendable, Equatable, BitwiseCopyable {
  /// The clip of a run of instances that play a clip each: their pieces are in ``PlaybackColumns/pieces``, or
  /// ``PlaybackColumns/clips`` names their clips.
  public static let mixed = -2

  /// The first lane, a multiple of ``laneCountOfTile``.
  public var firstLane: Int
  /// The number of lanes, a multiple of ``laneCountOfTile``.
  public var laneCount: Int
  /// The clip's index among the tables, or ``mixed``.
  public var clip: Int

  public init(firstLane: Int, laneCount: Int, clip: Int) {
    self.firstLane = firstLane
    self.laneCount = laneCount
    self.clip = clip
  }
}
