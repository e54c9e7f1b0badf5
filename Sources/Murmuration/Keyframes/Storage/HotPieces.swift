// SPDX-License-Identifier: MIT
import Kernels

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The pieces that rows show which play a clip each: a block of memory beside that of the other columns.
///
/// It is as large as the rows need if all are of this kind, but only tiles of it are ever written to that are: the system
/// gives memory to the others when they become so.
@safe
struct HotPieces: ~Copyable {
  /// What kernels take.
  let columns: PieceColumns
  private let dimensions: Int
  private let block: UnsafeMutableRawPointer

  private static let stagger = 13 * 64
  private static let narrowColumns = 8

  /// Bytes that a row takes.
  static func bytesPerRow(dimensions: Int) -> Int { (4 * narrowColumns + 8) * dimensions }

  private static func columnStride(bytesPerRow: Int, capacity: Int) -> Int {
    (bytesPerRow * capacity + 4095) / 4096 * 4096 + stagger
  }

  /// Bytes of the block.
  static func size(dimensions: Int, capacity: Int) -> Int {
    dimensions
      * (narrowColumns * columnStride(bytesPerRow: 4, capacity: capacity)
        + columnStride(bytesPerRow: 8, capacity: capacity))
  }

  /// Memory for so many rows, a multiple of the tile. Nothing of it is initialised.
  init(dimensions: Int, capacity: Int) {
    let size = Self.size(dimensions: dimensions, capacity: capacity)
    let block = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: size >= 1 << 22 ? 1 << 21 : 4096)
    #if os(Linux)
      _ = unsafe madvise(block, size, MADV_HUGEPAGE)
    #endif
    let narrow = Self.columnStride(bytesPerRow: 4, capacity: capacity)
    let wide = Self.columnStride(bytesPerRow: 8, capacity: capacity)
    let ints = { (column: Int) in unsafe (block + column * narrow).assumingMemoryBound(to: Int32.self) }
    let floats = { (column: Int) in unsafe (block + column * narrow).assumingMemoryBound(to: Float.self) }
    unsafe columns = PieceColumns(
      first: ints(0), span: ints(1), center: ints(2), x: floats(3), y: floats(4), z: floats(5), w: floats(6),
      piece: ints(7),
      records: (block + Self.narrowColumns * narrow * dimensions).assumingMemoryBound(
        to: UnsafePointer<PieceRecord>?.self),
      dimensionStride: Self.narrowColumns * narrow / 4, recordStride: wide / 8)
    self.dimensions = dimensions
    unsafe self.block = block
  }

  /// Makes the rows of a tile such as have no instance.
  func clear(tile: Int) {
    for row in tile * laneCountOfTile..<(tile + 1) * laneCountOfTile { clear(row) }
  }

  /// Makes a row one without an instance: it never leaves its piece.
  func clear(_ row: Int) {
    for dimension in 0..<dimensions {
      columns.set(row + dimension * columns.dimensionStride, to: .everything, piece: 0)
      unsafe columns.records[row + dimension * columns.recordStride] = nil
    }
  }

  /// Gives a row the first pieces of a clip, from where it finds those that it needs.
  func set(_ row: Int, to clip: ClipRecords) {
    unsafe clip.withRecords { dimension, records in
      unsafe columns.set(row + dimension * columns.dimensionStride, to: records[0], piece: 0)
      unsafe columns.records[row + dimension * columns.recordStride] = records
    }
  }

  /// Copies the rows of a tile from memory for other capacities.
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

  deinit {
    unsafe block.deallocate()
  }
}

// The block has one owner; what its records point to is owned by the batch's clips.
extension HotPieces: @unchecked Sendable {}
