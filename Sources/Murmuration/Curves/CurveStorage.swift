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
  /// All curves are followed from their start, so one tile of bases is enough for all rows.
  private let base: UnsafeMutablePointer<Double>

  private static let columnsPerDimension = 4

  static func shape(dimensions: Int) -> RowShape {
    RowShape(wide: 2, narrow: 1 + columnsPerDimension * dimensions)
  }

  /// Storage for at least `rows` rows; there must be room.
  init(dimensions: Int, rows: Int) {
    memory = ColumnMemory(Self.shape(dimensions: dimensions), rows: rows)
    unsafe base = UnsafeMutableRawPointer.allocate(byteCount: 8 * laneCountOfTile, alignment: 64)
      .bindMemory(to: Double.self, capacity: laneCountOfTile)
    unsafe base.initialize(repeating: Double(ClipTick.start), count: laneCountOfTile)
    unsafe columns = PlaybackColumns(
      origin: memory.wide(0), base: base, rate: memory.wide(1), scale: memory.narrow(1), offset: memory.narrow(2),
      value: memory.narrow(3), velocity: memory.narrow(4),
      dimensionStride: Self.columnsPerDimension * memory.narrowStride, dimensions: dimensions, sharesBase: true)
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

  /// Copies a row of another storage of the same dimensions to a row of this one.
  func copyRow(_ row: Int, of other: borrowing CurveStorage, to newRow: Int) {
    for column in 0..<memory.shape.wide {
      unsafe memory.wide(column)[newRow] = other.memory.wide(column)[row]
    }
    for column in 0..<memory.shape.narrow {
      unsafe memory.narrow(column)[newRow] = other.memory.narrow(column)[row]
    }
  }

  deinit {
    unsafe UnsafeMutableRawPointer(base).deallocate()
  }
}

// What is pointed to is the memory that it owns.
extension CurveStorage: @unchecked Sendable {}
