// SPDX-License-Identifier: MIT

/// One piece of one dimension of a clip, with everything that evaluating it takes: half of a line of memory.
///
/// The pieces of a dimension stand one after the other. Together they cover every tick once: the first piece begins
/// with the lowest tick, and the last piece ends with the highest one.
@frozen public struct PieceRecord: Sendable {
  /// The first tick, less 2³¹; and the last tick less the first, less 2³¹. So one difference and one signed comparison
  /// tell whether a tick is within the piece; see ``PieceColumns``.
  public var first: Int32
  public var span: Int32
  /// The tick that u is measured from.
  public var center: Int32
  /// In the first piece the number of pieces; unused in the others.
  public var count: Int32
  /// The cubic, the constant coefficient first.
  public var cubic: SIMD4<Float>

  /// A piece from one tick to another, both included.
  @export(implementation) public init(first: Int32, last: Int32, center: Int32, cubic: SIMD4<Float>) {
    self.first = first &+ .min
    span = (last &- first) &+ .min
    self.center = center
    count = 0
    self.cubic = cubic
  }

  /// A piece of all ticks that shows 0.
  @export(implementation) public static var everything: PieceRecord {
    PieceRecord(first: .min, last: .max, center: 0, cubic: .zero)
  }
}

/// The current pieces of instances: for each instance and dimension a copy of one piece's record, as columns.
///
/// A tick belongs to the piece if tick − first ≤ span as unsigned integers; with the bias of both, as signed ones. All
/// differences are modulo 2³². The records themselves are read only when an instance leaves its piece.
@safe
public struct PieceColumns {
  public var first: Column<Int32>
  public var span: Column<Int32>
  public var center: Column<Int32>
  public var x: Column<Float>
  public var y: Column<Float>
  public var z: Column<Float>
  public var w: Column<Float>
  /// The index of the piece among the records of its clip.
  public var piece: Column<Int32>
  /// The records of the clip; unused for instances that never leave their piece.
  public var records: Column<UnsafePointer<PieceRecord>?>

  /// Elements from a column of one dimension to the same column of the next; then the same for the records.
  public var dimensionStride: Int
  public var recordStride: Int

  public init(
    first: Column<Int32>, span: Column<Int32>, center: Column<Int32>, x: Column<Float>, y: Column<Float>,
    z: Column<Float>, w: Column<Float>, piece: Column<Int32>, records: Column<UnsafePointer<PieceRecord>?>,
    dimensionStride: Int, recordStride: Int
  ) {
    self.first = first
    self.span = span
    self.center = center
    self.x = x
    self.y = y
    self.z = z
    self.w = w
    self.piece = piece
    unsafe self.records = records
    self.dimensionStride = dimensionStride
    self.recordStride = recordStride
  }

  /// The records of an instance that plays a clip, whose number the first one has.
  @export(implementation) @inline(__always)
  func records(at element: Int) -> ConstantColumn<PieceRecord> {
    let first = unsafe records[element].unsafelyUnwrapped
    return unsafe ConstantColumn(first, count: Int(first.pointee.count))
  }

  /// Gives an instance and dimension a piece.
  @export(implementation) @inline(__always)
  public func set(_ element: Int, to record: PieceRecord, piece: Int32) {
    first[element] = record.first
    span[element] = record.span
    center[element] = record.center
    x[element] = record.cubic.x
    y[element] = record.cubic.y
    z[element] = record.cubic.z
    w[element] = record.cubic.w
    self.piece[element] = piece
  }
}
