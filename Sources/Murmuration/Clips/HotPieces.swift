// SPDX-License-Identifier: MIT
import Kernels

/// The current pieces of rows that play a clip each: a block of memory beside the block of the other columns.
///
/// It has room for all rows, but only tiles of this kind are ever written: the system gives memory to a tile when it
/// becomes one.
@safe
struct HotPieces: ~Copyable {
  /// The pointers that kernels take.
  let columns: PieceColumns
  private let dimensions: Int
  private let memory: ColumnMemory

  /// The columns of a row: for each dimension one pointer and eight numbers.
  static func shape(dimensions: Int) -> RowShape { RowShape(wide: dimensions, narrow: 8 * dimensions) }

  /// Takes memory for at least `rows` rows; there must be room. The memory is not initialised.
  init(dimensions: Int, rows: Int) {
    memory = ColumnMemory(Self.shape(dimensions: dimensions), rows: rows, isZeroed: false)
    unsafe columns = PieceColumns(
      first: memory.narrow(0, as: Int32.self), span: memory.narrow(1, as: Int32.self),
      center: memory.narrow(2, as: Int32.self), x: memory.narrow(3), y: memory.narrow(4), z: memory.narrow(5),
      w: memory.narrow(6), piece: memory.narrow(7, as: Int32.self),
      records: UnsafeMutableRawPointer(memory.wide(0)).assumingMemoryBound(to: UnsafePointer<PieceRecord>?.self),
      dimensionStride: 8 * memory.narrowStride, recordStride: memory.wideStride)
    self.dimensions = dimensions
  }

  /// Clears the rows of a tile: they have no instance.
  func clear(tile: Int) {
    for row in tile * laneCountOfTile..<(tile + 1) * laneCountOfTile { clear(row) }
  }

  /// Clears a row: it has no instance, and never leaves its piece.
  func clear(_ row: Int) {
    for dimension in 0..<dimensions {
      columns.set(row + dimension * columns.dimensionStride, to: .everything, piece: 0)
      unsafe columns.records[row + dimension * columns.recordStride] = nil
    }
  }

  /// Gives a row the first pieces of a clip. From there it finds the pieces that it needs.
  func set(_ row: Int, to clip: ClipRecords) {
    unsafe clip.withRecords { dimension, records in
      unsafe columns.set(row + dimension * columns.dimensionStride, to: records[0], piece: 0)
      unsafe columns.records[row + dimension * columns.recordStride] = records
    }
  }

  /// Copies the rows of a tile from memory of another capacity.
  func copy(tile: Int, of other: borrowing HotPieces) {
    let (new, old) = (columns, other.columns)
    let row = tile * laneCountOfTile
    for dimension in 0..<dimensions {
      for lane in row..<row + laneCountOfTile {
        let (element, source) = (lane + dimension * new.dimensionStride, lane + dimension * old.dimensionStride)
        unsafe new.first[element] = old.first[source]
        unsafe new.span[element] = old.span[source]
        unsafe new.center[element] = old.center[source]
        unsafe new.x[element] = old.x[source]
        unsafe new.y[element] = old.y[source]
        unsafe new.z[element] = old.z[source]
        unsafe new.w[element] = old.w[source]
        unsafe new.piece[element] = old.piece[source]
        unsafe new.records[lane + dimension * new.recordStride] = old.records[lane + dimension * old.recordStride]
      }
    }
  }
}

// The memory has one owner; the batch's clips own the memory that its records point to.
extension HotPieces: @unchecked Sendable {}
