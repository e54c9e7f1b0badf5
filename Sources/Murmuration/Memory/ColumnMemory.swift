// SPDX-License-Identifier: MIT
import Kernels

/// What each row of a store has: a number in so many columns.
struct RowShape {
  /// Columns of eight bytes a row.
  var wide = 0
  /// Bytes a row of one column more; 0 for none.
  var stateBytes = 0
  /// Columns of four bytes a row.
  var narrow: Int

  /// Bytes that a row takes.
  var byteCount: Int { 8 * wide + stateBytes + 4 * narrow }
}

/// The memory of a store: one block that holds every column.
///
/// Columns begin on 64-byte lines and are staggered by 13 lines more than a multiple of 4 KiB: columns at equal offsets
/// within a page make a store wait for an unrelated load, which can cost a factor of two. All bytes start as zero, unless the
/// memory is not to be touched before it is needed.
@safe
struct ColumnMemory: ~Copyable, Sendable {
  let shape: RowShape
  /// Rows that fit, a multiple of the tile, at least one.
  let capacity: Int
  private let block: MemoryBlock

  /// Bytes between the pages of two columns.
  static let stagger = 13 * 64

  /// Memory for at least `rows` rows, zeroed unless said otherwise.
  init(_ shape: RowShape, rows: Int, isZeroed: Bool = true) {
    self.shape = shape
    capacity = Self.capacity(rows: rows)
    block = MemoryBlock(byteCount: Self.byteCount(shape, rows: rows), isZeroed: isZeroed)
  }

  // MARK: - Columns

  func wide(_ column: Int) -> UnsafeMutablePointer<Double> {
    unsafe (block.start + column * Self.stride(8, capacity)).assumingMemoryBound(to: Double.self)
  }

  func states<State>(as type: State.Type) -> UnsafeMutablePointer<State> {
    assert(MemoryLayout<State>.stride == shape.stateBytes)
    return unsafe (block.start + shape.wide * Self.stride(8, capacity)).assumingMemoryBound(to: State.self)
  }

  func narrow<Number>(_ column: Int, as type: Number.Type = Float.self) -> UnsafeMutablePointer<Number> {
    assert(MemoryLayout<Number>.stride == 4)
    let first = shape.wide * Self.stride(8, capacity) + Self.stride(shape.stateBytes, capacity)
    return unsafe (block.start + first + column * Self.stride(4, capacity)).assumingMemoryBound(to: Number.self)
  }

  /// Doubles from one column of eight bytes to the next.
  var wideStride: Int { Self.stride(8, capacity) / 8 }

  /// Floats from one column of four bytes to the next.
  var narrowStride: Int { Self.stride(4, capacity) / 4 }

  // MARK: - Room

  /// Whether the system would give the memory for so many rows now.
  static func hasRoom(_ shape: RowShape, rows: Int) -> Bool {
    MemoryBlock.hasRoom(forBytes: byteCount(shape, rows: rows))
  }

  /// How many rows memory that takes the place of this one should have: twice as many, so that adding one by one stays
  /// cheap; where there is no room for that, what is needed.
  ///
  /// - Throws: ``BatchError/capacityExceeded(_:)`` if there is no room for these either.
  func grownRows(needed: Int) throws(BatchError) -> Int {
    let generous = max(needed, 2 * capacity)
    for rows in [generous, needed] where Self.hasRoom(shape, rows: rows) {
      return rows
    }
    throw .capacityExceeded(needed)
  }

  private static func capacity(rows: Int) -> Int {
    max(1, (rows + laneCountOfTile - 1) / laneCountOfTile) * laneCountOfTile
  }

  /// Bytes from one column to the next; 0 where rows have nothing in it.
  private static func stride(_ bytesPerRow: Int, _ capacity: Int) -> Int {
    bytesPerRow == 0 ? 0 : (bytesPerRow * capacity + 4095) / 4096 * 4096 + stagger
  }

  private static func byteCount(_ shape: RowShape, rows: Int) -> Int {
    let capacity = capacity(rows: rows)
    return shape.wide * stride(8, capacity) + stride(shape.stateBytes, capacity) + shape.narrow * stride(4, capacity)
  }
}
