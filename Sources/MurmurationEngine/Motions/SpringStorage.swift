// SPDX-License-Identifier: MIT
package import Kernels

/// Columns of springs without a batch. Benchmarks, checks and tests run kernels over them.
package struct SpringStorage: ~Copyable {
  /// The columns that kernels take.
  package let columns: SpringColumns
  private let memory: ColumnMemory

  /// The number of columns of four bytes that a track has once, and of those that it has for each dimension.
  private static let narrowColumns = 3
  private static let columnsPerDimension = 5

  /// Zeroed columns for at least `count` indices, for which there must be room.
  package init(dimensions: Int, count: Int) {
    let (first, each) = (Self.narrowColumns, Self.columnsPerDimension)
    memory = ColumnMemory(ColumnShape(wide: 2, narrow: first + each * dimensions), count: count)
    columns = SpringColumns(
      start: memory.wide(0), rate: memory.wide(1), decay: memory.narrow(0), restAge: memory.narrow(1),
      logicalAge: memory.narrow(2),
      displacement: memory.narrow(first, every: each), amplitude: memory.narrow(first + 1, every: each),
      startStride: each * memory.narrowStride, target: memory.narrow(first + 2, every: each),
      value: memory.narrow(first + 3, every: each), velocity: memory.narrow(first + 4, every: each),
      dimensionStride: each * memory.narrowStride, dimensions: dimensions)
  }

  /// Indices that fit, a multiple of the tile.
  package var capacity: Int { memory.capacity }
}

// The columns point into memory that the value owns, and the type cannot be copied.
extension SpringStorage: @unchecked Sendable {}
