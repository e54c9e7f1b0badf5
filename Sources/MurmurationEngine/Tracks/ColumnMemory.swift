// SPDX-License-Identifier: MIT
package import Kernels
import Synchronization

/// The number of columns of each width in a store.
package struct ColumnShape {
  /// Columns with eight bytes for each index.
  var wide = 0
  /// Bytes for each index in the column of states; 0 without that column.
  var stateBytes = 0
  /// Columns with four bytes for each index.
  var narrow: Int
  /// Lines of 64 bytes before the first column. They stagger the columns of two blocks over which one loop runs.
  var leadingLines = 0
  /// Bytes, at most, that the owner keeps for each tile apart from the columns: twice what a tile takes, as
  /// columns double when they grow.
  var tileBytes = 0

  /// Bytes that an index takes.
  var byteCount: Int { 8 * wide + stateBytes + 4 * narrow }
}

extension ColumnShape {
  /// A number of columns of four bytes.
  package init(narrowColumns count: Int) { self.init(narrow: count) }
}

/// The memory of a store: one block that holds every column.
///
/// Columns begin on 64-byte lines. Long columns are 13 lines more than a multiple of 4 KiB apart: a processor may hold
/// back a load after an unrelated store at the same offset within a page. All bytes start as zero, unless the owner
/// asks for memory that is not zeroed and writes each byte before it reads it.
package struct ColumnMemory: ~Copyable, Sendable {
  let shape: ColumnShape
  /// Indices that fit: whole tiles, at least one.
  let capacity: Int
  private let block: MemoryBlock
  private var bytes: Column<UInt8> { block.bytes + 64 * shape.leadingLines }
  private let pin = Pin()

  /// The bytes by which a long column begins later within its page than the column before it.
  static let stagger = 13 * 64

  /// Memory for at least `count` indices, zeroed if `isZeroed` is true.
  ///
  /// - Parameter isSparse: Whether whole columns may never be touched.
  package init(_ shape: ColumnShape, count: Int, isZeroed: Bool = true, isSparse: Bool = false) {
    self.shape = shape
    capacity = Self.capacity(count: count)
    let byteCount = Self.byteCount(shape, count: count)
    // Columns on a few pages need not begin on one, and a small batch need not take a page more for each block.
    let alignment = byteCount < 8 * MemoryBlock.pageByteCount ? 64 : MemoryBlock.pageByteCount
    block = MemoryBlock(byteCount: byteCount, alignment: alignment, isZeroed: isZeroed, isSparse: isSparse)
  }

  // MARK: - Columns

  /// A column with eight bytes for each index.
  ///
  /// - Parameter distance: See ``narrow(_:every:as:)``.
  func wide(_ column: Int, every distance: Int = 0) -> Column<Double> {
    let further = distance == 0 ? 0 : (shape.wide - 1 - column) / distance * distance
    return bytes.elements(
      of: Double.self, at: column * Self.stride(8, capacity), count: further * wideStride + capacity)
  }

  /// The column of states.
  func states<State>(as type: State.Type) -> Column<State> {
    assert(MemoryLayout<State>.stride == shape.stateBytes)
    return bytes.elements(of: type, at: shape.wide * Self.stride(8, capacity), count: capacity)
  }

  /// A column with four bytes for each index.
  ///
  /// - Parameter distance: The number of columns from a dimension's to the next dimension's; the result then reaches to
  ///   the end of the last dimension's. 0 for one column that serves all dimensions.
  package func narrow<Number>(
    _ column: Int, every distance: Int = 0, as type: Number.Type = Float.self
  ) -> Column<Number> {
    assert(MemoryLayout<Number>.stride == 4)
    let first = shape.wide * Self.stride(8, capacity) + Self.stride(shape.stateBytes, capacity)
    let further = distance == 0 ? 0 : (shape.narrow - 1 - column) / distance * distance
    return bytes.elements(
      of: type, at: first + column * Self.stride(4, capacity), count: further * narrowStride + capacity)
  }

  /// Doubles from one column of eight bytes to the next.
  var wideStride: Int { Self.stride(8, capacity) / 8 }

  /// Floats from one column of four bytes to the next.
  var narrowStride: Int { Self.stride(4, capacity) / 4 }

  /// Codes the columns of the first indices.
  ///
  /// - Parameter distance: From one coded column of four bytes to the next.
  func code(_ coder: inout StateCoder, _ count: Int, every distance: Int = 1) {
    guard count <= capacity else { return coder.refuse() }
    for column in 0..<shape.wide { coder.code(wide(column), count: count) }
    coder.code(bytes + shape.wide * Self.stride(8, capacity), count: count * shape.stateBytes)
    for column in Swift.stride(from: 0, to: shape.narrow, by: distance) { coder.code(narrow(column), count: count) }
  }

  /// Copies a range of other memory of this shape to the indices from `first` on.
  func copy(_ range: Range<Int>, of other: borrowing ColumnMemory, to first: Int) {
    for column in 0..<shape.wide {
      (wide(column) + first).update(from: other.wide(column) + range.lowerBound, count: range.count)
    }
    let (to, from) = (shape.wide * Self.stride(8, capacity), shape.wide * Self.stride(8, other.capacity))
    (bytes + (to + first * shape.stateBytes)).update(
      from: other.bytes + (from + range.lowerBound * shape.stateBytes), count: range.count * shape.stateBytes)
    for column in 0..<shape.narrow {
      (narrow(column) + first).update(from: other.narrow(column) + range.lowerBound, count: range.count)
    }
  }

  // MARK: - Room

  /// Bytes for a number of indices, and for what the owner keeps of their tiles; nil if they cannot be counted.
  package static func bytes(_ shape: ColumnShape, count: Int) -> Int? {
    // With 32 bits, fewer indices than a batch may have take more bytes than can be counted.
    guard count <= .max / 2 / max(1, shape.byteCount + shape.tileBytes) else { return nil }
    return byteCount(shape, count: count) + shape.tileBytes * (count / laneCountOfTile)
  }

  /// Whether there is memory for a number of indices now, and for what the owner keeps of their tiles.
  package static func hasRoom(_ shape: ColumnShape, count: Int) -> Bool {
    bytes(shape, count: count).map { MemoryBlock.hasRoom(forBytes: $0) } ?? false
  }

  private static func capacity(count: Int) -> Int {
    max(1, (count + laneCountOfTile - 1) / laneCountOfTile) * laneCountOfTile
  }

  /// Bytes from one column to the next; 0 for a column without bytes. Columns of at most 1 024 bytes are an odd number
  /// of lines apart. That staggers them too, and takes little memory for thousands of columns.
  private static func stride(_ bytesPerElement: Int, _ capacity: Int) -> Int {
    let bytes = bytesPerElement * capacity
    if bytes == 0 { return 0 }
    return bytes <= 1024 ? ((bytes + 63) / 64 | 1) * 64 : (bytes + 4095) / 4096 * 4096 + stagger
  }

  private static func byteCount(_ shape: ColumnShape, count: Int) -> Int {
    let capacity = capacity(count: count)
    return 64 * shape.leadingLines + shape.wide * stride(8, capacity) + stride(shape.stateBytes, capacity)
      + shape.narrow * stride(4, capacity)
  }
}

/// A member that keeps its owner at one address.
///
/// Swift 6.3.1 lends a large noncopyable value to a function that only reads it by copying its bytes to the stack: 1.8
/// KB for an engine. It lends a value with an atomic part by its address.
private struct Pin: ~Copyable, Sendable {
  private let unused = Atomic<UInt8>(0)
}

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
