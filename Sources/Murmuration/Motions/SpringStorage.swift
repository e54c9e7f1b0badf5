// SPDX-License-Identifier: MIT
package import Kernels

/// Columns of springs without a batch. Benchmarks, checks and tests run kernels over them.
@safe
package struct SpringStorage: ~Copyable {
  /// What kernels take.
  package let columns: SpringColumns
  private let memory: ColumnMemory

  /// The number of columns of four bytes that a track has once, and of those that it has for each dimension.
  private static let narrowColumns = 4
  private static let columnsPerDimension = 5

  /// Zeroed columns for at least `rows` rows, for which there must be room.
  package init(dimensions: Int, rows: Int) {
    let first = Self.narrowColumns
    memory = ColumnMemory(RowShape(wide: 2, narrow: first + Self.columnsPerDimension * dimensions), rows: rows)
    unsafe columns = SpringColumns(
      start: memory.wide(0), rate: memory.wide(1), decay: memory.narrow(0), restAge: memory.narrow(1),
      logicalAge: memory.narrow(2), member: memory.narrow(3, as: Int32.self),
      displacement: memory.narrow(first), amplitude: memory.narrow(first + 1),
      startStride: Self.columnsPerDimension * memory.narrowStride, target: memory.narrow(first + 2),
      value: memory.narrow(first + 3), velocity: memory.narrow(first + 4),
      dimensionStride: Self.columnsPerDimension * memory.narrowStride, dimensions: dimensions)
  }

  /// Rows that fit, a multiple of the tile.
  package var capacity: Int { memory.capacity }
}

// The pointers point to memory that it owns.
extension SpringStorage: @unchecked Sendable {}
