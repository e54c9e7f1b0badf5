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
/// within a page make a store wait for an unrelated load, which can cost a factor of two. All bytes start as zero. Rows
/// without a track hold what the last one left: kernels run over them, and what they write there means nothing.
@safe
package struct SpringStorage: ~Copyable {
  /// Where the columns are.
  package let columns: SpringColumns
  /// The index of the track in each row, ``noTrack`` where there was none; `TileTable` knows whether it is still there.
  let track: UnsafeMutablePointer<UInt32>
  /// Rows that fit, a multiple of the tile.
  package let capacity: Int
  private let block: UnsafeMutableRawPointer

  static let noTrack = UInt32.max

  private static let stagger = 13 * 64
  /// Columns of eight and of four bytes a row that every track has once, and those of four that it has per dimension.
  private static let wideColumns = 2
  private static let narrowColumns = 5
  private static let columnsPerDimension = 5

  /// Bytes that a row takes.
  static func bytesPerRow(dimensions: Int) -> Int {
    8 * wideColumns + 4 * (narrowColumns + columnsPerDimension * dimensions)
  }

  private static func columnStride(bytesPerRow: Int, capacity: Int) -> Int {
    let bytes = bytesPerRow * capacity
    return (bytes + 4095) / 4096 * 4096 + stagger
  }

  /// Large blocks begin on a large page.
  private static func alignment(_ size: Int) -> Int { size >= 1 << 22 ? 1 << 21 : 4096 }

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
      wideColumns * columnStride(bytesPerRow: 8, capacity: capacity)
      + (narrowColumns + columnsPerDimension * dimensions) * columnStride(bytesPerRow: 4, capacity: capacity)
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
    let size =
      Self.wideColumns * wide + (Self.narrowColumns + Self.columnsPerDimension * dimensions) * narrow
    let block = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: Self.alignment(size))
    #if os(Linux)
      // A track at random touches a dozen pages; large ones keep the processor from looking each of them up.
      _ = unsafe madvise(block, size, MADV_HUGEPAGE)
    #endif
    unsafe block.initializeMemory(as: UInt8.self, repeating: 0, count: size)

    let narrows = unsafe block + Self.wideColumns * wide
    let values = unsafe narrows + Self.narrowColumns * narrow
    let doubles = { (column: Int) in unsafe (block + column * wide).assumingMemoryBound(to: Double.self) }
    let floats = { (column: Int) in unsafe (narrows + column * narrow).assumingMemoryBound(to: Float.self) }
    let first = { (column: Int) in unsafe (values + column * narrow).assumingMemoryBound(to: Float.self) }
    unsafe columns = SpringColumns(
      start: doubles(0), rate: doubles(1), decay: floats(0), restAge: floats(1), logicalAge: floats(2),
      member: (narrows + 3 * narrow).assumingMemoryBound(to: Int32.self),
      displacement: first(0), amplitude: first(1), target: first(2), value: first(3), velocity: first(4),
      dimensionStride: Self.columnsPerDimension * narrow / 4, dimensions: dimensions)
    unsafe track = (narrows + 4 * narrow).assumingMemoryBound(to: UInt32.self)
    unsafe track.update(repeating: Self.noTrack, count: capacity)
    unsafe self.block = block
    self.capacity = capacity
  }

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

  deinit {
    unsafe block.deallocate()
  }
}

// The block has one owner, as the type cannot be copied, and nothing else points into it; so it may change threads, and
// may be read from several at once while no one mutates it.
extension SpringStorage: @unchecked Sendable {}
