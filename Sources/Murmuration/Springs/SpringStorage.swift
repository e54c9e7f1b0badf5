// SPDX-License-Identifier: MIT
package import Kernels

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The memory of a spring store: one block that holds every column.
///
/// Columns begin on 64-byte lines and are staggered by 13 lines more than a multiple of 4 KiB: columns at equal offsets
/// within a page make a store wait for an unrelated load, which can cost a factor of two. All bytes start as zero, and
/// rows without a track keep zeros, so that kernels may run over them.
@safe
package struct SpringStorage: ~Copyable {
  /// Where the columns are.
  package let columns: SpringColumns
  /// Rows that fit, a multiple of the tile.
  package let capacity: Int
  private let block: UnsafeMutableRawPointer

  private static let stagger = 13 * 64

  private static func columnStride(bytesPerRow: Int, capacity: Int) -> Int {
    let bytes = bytesPerRow * capacity
    return (bytes + 4095) / 4096 * 4096 + stagger
  }

  /// The rows that are made for `rows`: at least a tile, and whole ones.
  private static func capacity(rows: Int) -> Int {
    max(1, (rows + laneCountOfTile - 1) / laneCountOfTile) * laneCountOfTile
  }

  /// Whether the system would give the memory for so many rows now.
  ///
  /// An allocation that fails ends the process, so a batch asks first. What is asked for is given back untouched: that
  /// costs no memory, and little time where the storage is small.
  package static func hasRoom(dimensions: Int, rows: Int) -> Bool {
    let capacity = capacity(rows: rows)
    let size =
      2 * columnStride(bytesPerRow: 8, capacity: capacity)
      + (4 + 5 * dimensions) * columnStride(bytesPerRow: 4, capacity: capacity)
    guard size <= BatchLimits.maximumBytes, let probe = unsafe malloc(size) else {
      return false
    }
    unsafe free(probe)
    return true
  }

  /// Zeroed storage for at least `rows` rows.
  package init(dimensions: Int, rows: Int) {
    let capacity = Self.capacity(rows: rows)
    let wide = Self.columnStride(bytesPerRow: 8, capacity: capacity)
    let narrow = Self.columnStride(bytesPerRow: 4, capacity: capacity)
    let size = 2 * wide + (4 + 5 * dimensions) * narrow
    let block = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 4096)
    unsafe block.initializeMemory(as: UInt8.self, repeating: 0, count: size)

    let doubles = { (column: Int) in unsafe (block + column * wide).assumingMemoryBound(to: Double.self) }
    let narrows = unsafe block + 2 * wide
    let floats = { (column: Int) in unsafe (narrows + column * narrow).assumingMemoryBound(to: Float.self) }
    unsafe columns = SpringColumns(
      start: doubles(0), rate: doubles(1), decay: floats(0), inverseRate: floats(1), stiffness: floats(2),
      group: (narrows + 3 * narrow).assumingMemoryBound(to: Int32.self),
      displacement: floats(4), initialVelocity: floats(5), target: floats(6), value: floats(7), velocity: floats(8),
      dimensionStride: 5 * narrow / 4, dimensions: dimensions)
    for row in 0..<capacity {
      unsafe columns.group[row] = LaneGroup.free
    }
    unsafe self.block = block
    self.capacity = capacity
  }

  /// Floats from the displacement column to the initial velocities, and from there to the targets, of one dimension:
  /// the three are a matrix of that row stride.
  package var matrixStride: Int { unsafe columns.initialVelocity - columns.displacement }

  /// Copies the first `rows` rows of `other`, which has the same dimensions.
  package func copyRows(_ rows: Int, of other: borrowing SpringStorage) {
    let from = other.columns
    unsafe columns.start.update(from: from.start, count: rows)
    unsafe columns.rate.update(from: from.rate, count: rows)
    unsafe columns.decay.update(from: from.decay, count: rows)
    unsafe columns.inverseRate.update(from: from.inverseRate, count: rows)
    unsafe columns.stiffness.update(from: from.stiffness, count: rows)
    unsafe columns.group.update(from: from.group, count: rows)
    for dimension in 0..<columns.dimensions {
      let to = dimension * columns.dimensionStride
      let offset = dimension * from.dimensionStride
      unsafe (columns.displacement + to).update(from: from.displacement + offset, count: rows)
      unsafe (columns.initialVelocity + to).update(from: from.initialVelocity + offset, count: rows)
      unsafe (columns.target + to).update(from: from.target + offset, count: rows)
      unsafe (columns.value + to).update(from: from.value + offset, count: rows)
      unsafe (columns.velocity + to).update(from: from.velocity + offset, count: rows)
    }
  }

  deinit {
    unsafe block.deallocate()
  }
}

// The block has one owner, as the type cannot be copied, and nothing else points into it; so it may change threads, and
// may be read from several at once while no one mutates it.
extension SpringStorage: @unchecked Sendable {}
