// SPDX-License-Identifier: MIT
import Kernels

/// The memory of a curve store.
@safe
struct CurveStorage: ~Copyable {
  /// Where the columns are.
  let columns: PlaybackColumns
  /// The index of the track in each row, where there is or was one.
  let track: UnsafeMutablePointer<UInt32>
  let memory: ColumnMemory

  private static let columnsPerDimension = 4

  static func shape(dimensions: Int) -> RowShape {
    RowShape(wide: 3, narrow: 1 + columnsPerDimension * dimensions)
  }

  /// Storage for at least `rows` rows, all of which stand at the start of a curve; there must be room.
  init(dimensions: Int, rows: Int) {
    memory = ColumnMemory(Self.shape(dimensions: dimensions), rows: rows)
    unsafe columns = PlaybackColumns(
      origin: memory.wide(0), base: memory.wide(1), rate: memory.wide(2), scale: memory.narrow(1),
      offset: memory.narrow(2), value: memory.narrow(3), velocity: memory.narrow(4),
      dimensionStride: Self.columnsPerDimension * memory.narrowStride, dimensions: dimensions)
    unsafe columns.base.update(repeating: Double(ClipTick.start), count: memory.capacity)
    unsafe track = memory.narrow(0, as: UInt32.self)
  }

  /// Rows that fit, a multiple of the tile.
  var capacity: Int { memory.capacity }

  /// Copies the rows of another storage of the same dimensions, which is not larger.
  func copyRows(of other: borrowing CurveStorage) {
    let count = other.capacity
    for column in 0..<memory.shape.wide {
      unsafe memory.wide(column).update(from: other.memory.wide(column), count: count)
    }
    for column in 0..<memory.shape.narrow {
      unsafe memory.narrow(column).update(from: other.memory.narrow(column), count: count)
    }
  }
}

// What is pointed to is the memory that it owns.
extension CurveStorage: @unchecked Sendable {}
