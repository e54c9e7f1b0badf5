// SPDX-License-Identifier: MIT

/// One piece of one dimension of a clip, with all that evaluating it takes: half of a line of memory.
///
/// The pieces of a dimension stand one after the other. Together they cover every tick, each once: the first begins with
/// the first tick there is, and the last ends with the last one.
@frozen public struct PieceRecord: Sendable {
  /// The first tick, less 2³¹; and the last tick less the first, less 2³¹. So one difference and one comparison with a
  /// sign tell whether a tick is within the piece, see ``PieceColumns``.
  public var first: Int32
  public var span: Int32
  /// The tick that u is measured from.
  public var center: Int32
  /// Of the first piece how many there are; of others nothing.
  public var count: Int32
  /// The cubic, the constant coefficient first.
  public var cubic: SIMD4<Float>

  /// A piece from one tick to another, both included.
  @inlinable public init(first: Int32, last: Int32, center: Int32, cubic: SIMD4<Float>) {
    self.first = first &+ .min
    span = (last &- first) &+ .min
    self.center = center
    count = 0
    self.cubic = cubic
  }

  /// A piece of all ticks that shows 0.
  @inlinable public static var everything: PieceRecord {
    PieceRecord(first: .min, last: .max, center: 0, cubic: .zero)
  }
}

/// Where the pieces are that rows show: a copy of the record of one for each row and dimension.
///
/// Rows stand tile by tile, and those of a tile as eight columns of sixteen numbers, so that a dimension is read as one
/// stream. A tick belongs to the piece if tick − first ≤ span as integers without sign; with the bias of both, as integers
/// with one. All differences are modulo 2³². The records themselves are looked at only when a row leaves its piece.
public struct PieceColumns {
  /// First, span, centre, x, y, z, w of each lane of a tile, and the place of the piece among the records of its clip.
  public var tiles: UnsafeMutablePointer<Int32>
  /// The records of the clip of each row; of rows that never leave their piece anything.
  public var records: UnsafeMutablePointer<UnsafePointer<PieceRecord>?>

  /// Numbers from the first tile of one dimension to that of the next; and likewise of the records.
  public var dimensionStride: Int
  public var recordStride: Int

  /// Columns of a tile.
  @inlinable public static var columnCount: Int { @inline(__always) get { 8 } }

  public init(
    tiles: UnsafeMutablePointer<Int32>, records: UnsafeMutablePointer<UnsafePointer<PieceRecord>?>,
    dimensionStride: Int, recordStride: Int
  ) {
    self.tiles = tiles
    self.records = records
    self.dimensionStride = dimensionStride
    self.recordStride = recordStride
  }

  /// Where the numbers of a row are: the first of them here, each of the others a column further.
  @inlinable @inline(__always)
  public func lane(_ row: Int, _ dimension: Int) -> PieceLane {
    let place = (row & ~(laneCountOfTile &- 1)) &* Self.columnCount &+ row & (laneCountOfTile &- 1)
    return PieceLane(first: tiles + (place &+ dimension &* dimensionStride))
  }
}

/// The piece of a row, or of a vector of them.
@frozen public struct PieceLane {
  public var first: UnsafeMutablePointer<Int32>

  @inlinable @inline(__always)
  init(first: UnsafeMutablePointer<Int32>) { self.first = first }

  @inlinable public var span: UnsafeMutablePointer<Int32> { @inline(__always) get { first + laneCountOfTile } }
  @inlinable public var center: UnsafeMutablePointer<Int32> { @inline(__always) get { first + 2 &* laneCountOfTile } }
  /// The place of the piece among the records of its clip.
  @inlinable public var piece: UnsafeMutablePointer<Int32> { @inline(__always) get { first + 7 &* laneCountOfTile } }

  /// The column of a coefficient, 0…3.
  @inlinable @inline(__always)
  public func coefficient(_ power: Int) -> UnsafeMutablePointer<Float> {
    UnsafeMutableRawPointer(first + (3 &+ power) &* laneCountOfTile).assumingMemoryBound(to: Float.self)
  }

  /// Gives the row a piece.
  @inlinable @inline(__always)
  public func set(to record: PieceRecord, piece: Int32) {
    first.pointee = record.first
    span.pointee = record.span
    center.pointee = record.center
    coefficient(0).pointee = record.cubic.x
    coefficient(1).pointee = record.cubic.y
    coefficient(2).pointee = record.cubic.z
    coefficient(3).pointee = record.cubic.w
    self.piece.pointee = piece
  }
}
