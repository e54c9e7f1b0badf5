// SPDX-License-Identifier: MIT
import Kernels

/// The pieces that rows show which play a clip each: a block of memory beside that of the other columns.
///
/// It is as large as the rows need if all are of this kind, but only tiles of it are ever written to that are: the system
/// gives memory to the others when they become so.
@safe
struct HotPieces: ~Copyable {
  /// What kernels take.
  let columns: PieceColumns
  private let dimensions: Int
  private let memory: ColumnMemory

  /// What a row has: of each dimension a pointer and eight numbers.
  static func shape(dimensions: Int) -> RowShape {
    RowShape(wide: dimensions, narrow: PieceColumns.columnCount * dimensions)
  }

  /// Memory for at least `rows` rows; there must be room. Nothing of it is initialised.
  init(dimensions: Int, rows: Int) {
    memory = ColumnMemory(Self.shape(dimensions: dimensions), rows: rows, isZeroed: false)
    let count = PieceColumns.columnCount
    unsafe columns = PieceColumns(
      tiles: memory.narrow(0, as: Int32.self),
      records: UnsafeMutableRawPointer(memory.wide(0)).assumingMemoryBound(to: UnsafePointer<PieceRecord>?.self),
      dimensionStride: count * memory.narrowStride, recordStride: memory.wideStride)
    self.dimensions = dimensions
  }

  /// Makes the rows of a tile such as have no instance.
  func clear(tile: Int) {
    for row in tile * laneCountOfTile..<(tile + 1) * laneCountOfTile { clear(row) }
  }

  /// Makes a row one without an instance: it never leaves its piece.
  func clear(_ row: Int) {
    for dimension in 0..<dimensions {
      columns.lane(row, dimension).set(to: .everything, piece: 0)
      unsafe columns.records[row + dimension * columns.recordStride] = nil
    }
  }

  /// Gives a row the first pieces of a clip, from where it finds those that it needs.
  func set(_ row: Int, to clip: ClipRecords) {
    unsafe clip.withRecords { dimension, records in
      unsafe columns.lane(row, dimension).set(to: records[0], piece: 0)
      unsafe columns.records[row + dimension * columns.recordStride] = records
    }
  }

  /// Copies the rows of a tile from memory for other capacities.
  func copy(tile: Int, of other: borrowing HotPieces) {
    let (new, old) = (columns, other.columns)
    let row = tile * laneCountOfTile
    for dimension in 0..<dimensions {
      unsafe new.lane(row, dimension).first.update(
        from: old.lane(row, dimension).first, count: PieceColumns.columnCount * laneCountOfTile)
      unsafe (new.records + row + dimension * new.recordStride).update(
        from: old.records + row + dimension * old.recordStride, count: laneCountOfTile)
    }
  }
}

// The memory has one owner; what its records point to is owned by the batch's clips.
extension HotPieces: @unchecked Sendable {}
