// SPDX-License-Identifier: MIT
package import Kernels

/// The memory of a spring store.
///
/// Rows without a track hold what the last one left: kernels run over them, and what they write there means nothing.
@safe
package struct SpringStorage: ~Copyable {
  /// Where the columns are.
  package let columns: SpringColumns
  /// The index of the track in each row, ``noTrack`` where there was none; `TileTable` knows whether it is still there.
  let track: UnsafeMutablePointer<UInt32>
  let memory: ColumnMemory

  static let noTrack = UInt32.max

  /// Columns of four bytes a row that every track has once, and those that it has per dimension.
  private static let narrowColumns = 5
  private static let columnsPerDimension = 5

  static func shape(dimensions: Int) -> RowShape {
    RowShape(wide: 2, narrow: narrowColumns + columnsPerDimension * dimensions)
  }

  /// Zeroed storage for at least `rows` rows, for which there must be room.
  package init(dimensions: Int, rows: Int) {
    memory = ColumnMemory(Self.shape(dimensions: dimensions), rows: rows)
    let first = Self.narrowColumns
    unsafe columns = SpringColumns(
      start: memory.wide(0), rate: memory.wide(1), decay: memory.narrow(0), restAge: memory.narrow(1),
      logicalAge: memory.narrow(2), member: memory.narrow(3, as: Int32.self),
      displacement: memory.narrow(first), amplitude: memory.narrow(first + 1),
      startStride: Self.columnsPerDimension * memory.narrowStride, target: memory.narrow(first + 2),
      value: memory.narrow(first + 3), velocity: memory.narrow(first + 4),
      dimensionStride: Self.columnsPerDimension * memory.narrowStride, dimensions: dimensions)
    unsafe track = memory.narrow(4, as: UInt32.self)
    unsafe track.update(repeating: Self.noTrack, count: memory.capacity)
  }

  /// Rows that fit, a multiple of the tile.
  package var capacity: Int { memory.capacity }

  /// Copies `rows` rows of `other`, which has the same dimensions, to as many from `first` on.
  package func copyRows(_ rows: Range<Int>, of other: borrowing SpringStorage, to first: Int = 0) {
    let (from, count) = (other.columns, rows.count)
    let source = rows.lowerBound
    unsafe (columns.start + first).update(from: from.start + source, count: count)
    unsafe (columns.rate + first).update(from: from.rate + source, count: count)
    unsafe (columns.decay + first).update(from: from.decay + source, count: count)
    unsafe (columns.restAge + first).update(from: from.restAge + source, count: count)
    unsafe (columns.logicalAge + first).update(from: from.logicalAge + source, count: count)
    unsafe (columns.member + first).update(from: from.member + source, count: count)
    unsafe (track + first).update(from: other.track + source, count: count)
    for dimension in 0..<columns.dimensions {
      let to = dimension * columns.dimensionStride + first
      let offset = dimension * from.dimensionStride + source
      unsafe (columns.displacement + to).update(from: from.displacement + offset, count: count)
      unsafe (columns.amplitude + to).update(from: from.amplitude + offset, count: count)
      unsafe (columns.target + to).update(from: from.target + offset, count: count)
      unsafe (columns.value + to).update(from: from.value + offset, count: count)
      unsafe (columns.velocity + to).update(from: from.velocity + offset, count: count)
    }
  }
}

// What is pointed to is the memory that it owns.
extension SpringStorage: @unchecked Sendable {}
