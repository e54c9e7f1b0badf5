// SPDX-License-Identifier: MIT
import Kernels

/// The current pieces of tracks that play a clip each: a block of memory beside the block of the other columns.
///
/// It is mapped with the first track of this kind. It has room for all indices, but only tiles of this kind are ever written:
/// the system gives memory to a tile when it becomes one.
final class HotPieces {
  /// The columns that kernels take.
  let columns: PieceColumns
  private let dimensions: Int
  private let memory: ColumnMemory

  /// The columns of an index: for each dimension one pointer and eight numbers.
  static func shape(dimensions: Int) -> ColumnShape { ColumnShape(wide: dimensions, narrow: 8 * dimensions) }

  /// Takes memory for at least `count` indices; there must be room. The memory is not initialised.
  init(dimensions: Int, count: Int) {
    memory = ColumnMemory(Self.shape(dimensions: dimensions), count: count, isZeroed: false)
    columns = unsafe PieceColumns(
      first: memory.narrow(0, every: 8, as: Int32.self), span: memory.narrow(1, every: 8, as: Int32.self),
      center: memory.narrow(2, every: 8, as: Int32.self), x: memory.narrow(3, every: 8), y: memory.narrow(4, every: 8),
      z: memory.narrow(5, every: 8), w: memory.narrow(6, every: 8), piece: memory.narrow(7, every: 8, as: Int32.self),
      records: memory.wide(0, every: 1).rebound(to: UnsafePointer<PieceRecord>?.self),
      dimensionStride: 8 * memory.narrowStride, recordStride: memory.wideStride)
    self.dimensions = dimensions
  }

  /// Clears the lanes of a tile: they have no instance.
  func clear(tile: Int) {
    for index in tile * laneCountOfTile..<(tile + 1) * laneCountOfTile { clear(index) }
  }

  /// Clears an index: it has no instance, and never leaves its piece.
  func clear(_ index: Int) {
    for dimension in 0..<dimensions {
      columns.set(index + dimension * columns.dimensionStride, to: .everything, piece: 0)
      unsafe columns.records[index + dimension * columns.recordStride] = nil
    }
  }

  /// Gives a track the first pieces of a clip. From there it finds the pieces that it needs.
  func set(_ index: Int, to clip: ClipRecords) {
    clip.withRecords { dimension, records in
      columns.set(index + dimension * columns.dimensionStride, to: records[0], piece: 0)
      unsafe columns.records[index + dimension * columns.recordStride] = records.address
    }
  }

  /// Codes the lanes of a tile, without their records: those that are read get them from their clips.
  func code(_ coder: inout StateCoder, tile: Int, _ clip: (_ index: Int) -> ClipRecords?) {
    let first = tile * laneCountOfTile
    for column in 0..<8 * dimensions { coder.code(memory.narrow(column) + first, count: laneCountOfTile) }
    guard coder.isReading else { return }
    for index in first..<first + laneCountOfTile {
      for dimension in 0..<dimensions { unsafe columns.records[index + dimension * columns.recordStride] = nil }
      clip(index)?.withRecords { dimension, records in
        unsafe columns.records[index + dimension * columns.recordStride] = records.address
      }
    }
  }

  /// Copies the lanes of a tile from memory of another capacity. With 32 bits, records are half as wide as their column.
  func copy(tile: Int, of other: HotPieces) {
    let index = tile * laneCountOfTile
    for column in 0..<8 * dimensions {
      (memory.narrow(column) + index).update(from: other.memory.narrow(column) + index, count: laneCountOfTile)
    }
    for dimension in 0..<dimensions {
      for lane in index..<index + laneCountOfTile {
        unsafe columns.records[lane + dimension * columns.recordStride] =
          other.columns.records[lane + dimension * other.columns.recordStride]
      }
    }
  }
}

// The memory has one owner; the batch's clips own the memory that its records point to.
extension HotPieces: @unchecked Sendable {}

extension ClipRecords {
  /// Lends the records of each dimension; the first one says how many there are.
  @inline(__always)
  func withRecords(_ body: (Int, ConstantColumn<PieceRecord>) -> Void) {
    var records = block.constant
    for dimension in 0..<dimensions {
      body(dimension, records)
      records += Int(records[0].count)
    }
  }
}
