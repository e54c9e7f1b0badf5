// SPDX-License-Identifier: MIT
import Kernels

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The memory of playing instances: one block that holds every column, laid out as that of springs is.
@safe
struct PlaybackStorage: ~Copyable {
  /// What kernels take.
  let columns: PlaybackColumns
  /// The interval of the clock for which the columns of a row hold; rows without an instance hold always.
  let from: UnsafeMutablePointer<Double>
  let until: UnsafeMutablePointer<Double>
  let states: UnsafeMutablePointer<LaneState>
  /// The index of the instance in each row, and the clip that it plays.
  let track: UnsafeMutablePointer<UInt32>
  let clip: UnsafeMutablePointer<Int32>
  /// What an instance shows when no playback says otherwise (dimension 0).
  let own: UnsafeMutablePointer<Float>
  /// The pieces of rows that play a clip each.
  let pieces: HotPieces
  /// Rows that fit, a multiple of the tile.
  let capacity: Int
  private let block: UnsafeMutableRawPointer

  private static let stagger = 13 * 64
  private static let wideColumns = 5
  /// Narrow ones for each row, besides those for each dimension.
  private static let narrowColumns = 2

  private static func columnsPerDimension(varies: Bool) -> Int { varies ? 5 : 3 }

  /// Bytes that a row takes.
  static func bytesPerRow(dimensions: Int, varies: Bool) -> Int {
    8 * wideColumns + MemoryLayout<LaneState>.stride + 4 * narrowColumns
      + 4 * columnsPerDimension(varies: varies) * dimensions
  }

  private static func columnStride(bytesPerRow: Int, capacity: Int) -> Int {
    (bytesPerRow * capacity + 4095) / 4096 * 4096 + stagger
  }

  private static func size(dimensions: Int, capacity: Int, varies: Bool) -> Int {
    wideColumns * columnStride(bytesPerRow: 8, capacity: capacity)
      + columnStride(bytesPerRow: MemoryLayout<LaneState>.stride, capacity: capacity)
      + (narrowColumns + columnsPerDimension(varies: varies) * dimensions)
      * columnStride(bytesPerRow: 4, capacity: capacity)
  }

  private static func capacity(rows: Int) -> Int {
    max(1, (rows + laneCountOfTile - 1) / laneCountOfTile) * laneCountOfTile
  }

  /// Whether the system would give the memory for so many rows now, as an allocation that fails ends the process.
  static func hasRoom(dimensions: Int, rows: Int, varies: Bool) -> Bool {
    let capacity = capacity(rows: rows)
    let size =
      size(dimensions: dimensions, capacity: capacity, varies: varies)
      + HotPieces.size(dimensions: dimensions, capacity: capacity)
    guard size <= BatchLimits.maximumBytes, let probe = unsafe malloc(size) else {
      return false
    }
    unsafe free(probe)
    return true
  }

  /// Storage for at least `rows` rows without instances.
  init(dimensions: Int, rows: Int, varies: Bool) {
    let capacity = Self.capacity(rows: rows)
    let size = Self.size(dimensions: dimensions, capacity: capacity, varies: varies)
    // Large blocks begin on a large page.
    let block = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: size >= 1 << 22 ? 1 << 21 : 4096)
    #if os(Linux)
      _ = unsafe madvise(block, size, MADV_HUGEPAGE)
    #endif
    unsafe block.initializeMemory(as: UInt8.self, repeating: 0, count: size)
    let wide = Self.columnStride(bytesPerRow: 8, capacity: capacity)
    let narrow = Self.columnStride(bytesPerRow: 4, capacity: capacity)
    let doubles = { (column: Int) in unsafe (block + column * wide).assumingMemoryBound(to: Double.self) }
    let states = unsafe block + Self.wideColumns * wide
    let narrows =
      unsafe states + Self.columnStride(bytesPerRow: MemoryLayout<LaneState>.stride, capacity: capacity)
    let floats = { (column: Int) in
      unsafe (narrows + (Self.narrowColumns + column) * narrow).assumingMemoryBound(to: Float.self)
    }
    pieces = HotPieces(dimensions: dimensions, capacity: capacity)
    unsafe columns = PlaybackColumns(
      origin: doubles(0), base: doubles(1), rate: doubles(2), scale: varies ? floats(3) : nil,
      offset: varies ? floats(4) : nil, value: floats(0), velocity: floats(1),
      dimensionStride: Self.columnsPerDimension(varies: varies) * narrow / 4, dimensions: dimensions,
      pieces: pieces.columns)
    unsafe from = doubles(3)
    unsafe until = doubles(4)
    unsafe self.states = states.assumingMemoryBound(to: LaneState.self)
    unsafe track = narrows.assumingMemoryBound(to: UInt32.self)
    unsafe clip = (narrows + narrow).assumingMemoryBound(to: Int32.self)
    unsafe own = floats(2)
    unsafe self.block = block
    self.capacity = capacity
    unsafe from.update(repeating: -.infinity, count: capacity)
    unsafe until.update(repeating: .infinity, count: capacity)
    unsafe self.states.initialize(repeating: LaneState(home: 0, changed: 0), count: capacity)
    for dimension in 0..<(varies ? dimensions : 0) {
      unsafe (floats(3) + dimension * columns.dimensionStride).update(repeating: 1, count: capacity)
    }
  }

  var varies: Bool { unsafe columns.scale != nil }

  /// Copies `count` rows from `source` on of storage of the same dimensions, but for their pieces. Where only this one
  /// varies, they do not.
  func copyRows(_ source: Int, of other: borrowing PlaybackStorage, to row: Int, count: Int = 1) {
    let (to, old) = (columns, other.columns)
    unsafe (to.origin + row).update(from: old.origin + source, count: count)
    unsafe (to.base + row).update(from: old.base + source, count: count)
    unsafe (to.rate + row).update(from: old.rate + source, count: count)
    unsafe (from + row).update(from: other.from + source, count: count)
    unsafe (until + row).update(from: other.until + source, count: count)
    unsafe (states + row).update(from: other.states + source, count: count)
    unsafe (track + row).update(from: other.track + source, count: count)
    unsafe (clip + row).update(from: other.clip + source, count: count)
    for dimension in 0..<columns.dimensions {
      let (new, first) = (dimension * to.dimensionStride + row, dimension * old.dimensionStride + source)
      unsafe (to.value + new).update(from: old.value + first, count: count)
      unsafe (to.velocity + new).update(from: old.velocity + first, count: count)
      unsafe (own + new).update(from: other.own + first, count: count)
      if let scale = unsafe to.scale, let offset = unsafe to.offset {
        if let oldScale = unsafe old.scale, let oldOffset = unsafe old.offset {
          unsafe (scale + new).update(from: oldScale + first, count: count)
          unsafe (offset + new).update(from: oldOffset + first, count: count)
        } else {
          unsafe (scale + new).update(repeating: 1, count: count)
          unsafe (offset + new).update(repeating: 0, count: count)
        }
      }
    }
  }

  /// Makes a row one without an instance: it stands still, and is never due.
  func clear(_ row: Int) {
    unsafe columns.rate[row] = 0
    unsafe from[row] = -.infinity
    unsafe until[row] = .infinity
  }

  deinit {
    unsafe block.deallocate()
  }
}

// As with springs: the block has one owner, and nothing else points into it.
extension PlaybackStorage: @unchecked Sendable {}
