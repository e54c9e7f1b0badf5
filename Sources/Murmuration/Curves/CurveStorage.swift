// SPDX-License-Identifier: MIT
import Kernels

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The memory of a curve store: one block that holds every column, as that of ``SpringStorage`` does.
@safe
struct CurveStorage: ~Copyable {
  /// Where the columns are.
  let columns: PlaybackColumns
  /// The index of the track in each row, where there is or was one.
  let track: UnsafeMutablePointer<UInt32>
  /// Rows that fit, a multiple of the tile.
  let capacity: Int
  private let block: UnsafeMutableRawPointer

  /// Columns at equal offsets within a page would wait for each other.
  private static let stagger = 13 * 64
  private static let wideColumns = 2
  private static let columnsPerDimension = 4
  /// All curves are followed from their start, so one tile of bases, before the columns, is enough for all rows.
  private static let baseBytes = 8 * laneCountOfTile

  /// Bytes that a row takes.
  static func bytesPerRow(dimensions: Int) -> Int { 8 * wideColumns + 4 * (1 + columnsPerDimension * dimensions) }

  private static func stride(bytesPerRow: Int, capacity: Int) -> Int {
    (bytesPerRow * capacity + 4095) / 4096 * 4096 + stagger
  }

  private static func size(dimensions: Int, capacity: Int) -> Int {
    wideColumns * stride(bytesPerRow: 8, capacity: capacity)
      + (1 + columnsPerDimension * dimensions) * stride(bytesPerRow: 4, capacity: capacity) + baseBytes
  }

  private static func capacity(rows: Int) -> Int {
    max(1, (rows + laneCountOfTile - 1) / laneCountOfTile) * laneCountOfTile
  }

  /// Whether the system would give the memory for so many rows now; see ``SpringStorage``.
  static func hasRoom(dimensions: Int, rows: Int) -> Bool {
    let size = size(dimensions: dimensions, capacity: capacity(rows: rows))
    guard size <= BatchLimits.maximumBytes, let probe = unsafe malloc(size) else {
      return false
    }
    unsafe free(probe)
    return true
  }

  /// Storage for at least `rows` rows, all of which stand at the start of a curve.
  init(dimensions: Int, rows: Int) {
    let capacity = Self.capacity(rows: rows)
    let size = Self.size(dimensions: dimensions, capacity: capacity)
    let wide = Self.stride(bytesPerRow: 8, capacity: capacity)
    let narrow = Self.stride(bytesPerRow: 4, capacity: capacity)
    let block = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: size >= 1 << 22 ? 1 << 21 : 4096)
    #if os(Linux)
      _ = unsafe madvise(block, size, MADV_HUGEPAGE)
    #endif
    unsafe block.initializeMemory(as: UInt8.self, repeating: 0, count: size)
    let wides = unsafe block + Self.baseBytes
    let narrows = unsafe wides + Self.wideColumns * wide
    let doubles = { (column: Int) in unsafe (wides + column * wide).assumingMemoryBound(to: Double.self) }
    let floats = { (column: Int) in unsafe (narrows + (1 + column) * narrow).assumingMemoryBound(to: Float.self) }
    unsafe columns = PlaybackColumns(
      origin: doubles(0), base: block.assumingMemoryBound(to: Double.self), rate: doubles(1), scale: floats(0),
      offset: floats(1), value: floats(2), velocity: floats(3),
      dimensionStride: Self.columnsPerDimension * narrow / 4, dimensions: dimensions, sharesBase: true)
    unsafe columns.base.update(repeating: Double(ClipTick.start), count: laneCountOfTile)
    unsafe track = narrows.assumingMemoryBound(to: UInt32.self)
    unsafe self.block = block
    self.capacity = capacity
  }

  /// Copies the rows of another storage of the same dimensions, which is not larger.
  func copyRows(of other: borrowing CurveStorage) {
    let (to, from, count) = (columns, other.columns, other.capacity)
    unsafe to.origin.update(from: from.origin, count: count)
    unsafe to.rate.update(from: from.rate, count: count)
    unsafe track.update(from: other.track, count: count)
    for dimension in 0..<columns.dimensions {
      for column in 0..<Self.columnsPerDimension {
        let target = unsafe self.column(column) + dimension * to.dimensionStride
        unsafe target.update(from: other.column(column) + dimension * from.dimensionStride, count: count)
      }
    }
  }

  /// Scales, offsets, values and velocities of dimension 0.
  private func column(_ index: Int) -> UnsafeMutablePointer<Float> {
    let columns = columns
    return switch index {
    case 0: unsafe columns.scale.unsafelyUnwrapped
    case 1: unsafe columns.offset.unsafelyUnwrapped
    case 2: unsafe columns.value
    default: unsafe columns.velocity
    }
  }

  deinit {
    unsafe block.deallocate()
  }
}

// As `SpringStorage`: the block has one owner, and nothing else points into it.
extension CurveStorage: @unchecked Sendable {}
