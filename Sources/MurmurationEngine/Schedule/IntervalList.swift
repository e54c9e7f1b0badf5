// SPDX-License-Identifier: MIT
import Kernels

/// Intervals of the clock, ends included, and a list of the intervals that a time is outside of.
///
/// The memory is padded for kernels, with intervals that always hold. The list is kept, so that frames need not allocate.
struct IntervalList: ~Copyable {
  private static let shape = ColumnShape(wide: 2, narrow: 2)

  private var memory: ColumnMemory?
  /// The number of intervals, a multiple of ``laneCountOfTile``.
  private(set) var count = 0
  /// The intervals.
  private(set) var columns = IntervalColumns(from: .empty, until: .empty)
  private var indices: Column<Int32> = .empty
  private(set) var listedCount = 0
  /// Memory for two numbers of lanes for each listed interval: ``count`` numbers, and ``count`` others.
  private(set) var lanes: Column<UInt16> = .empty

  /// Bytes for a number of intervals; nil if they cannot be counted.
  static func bytes(_ count: Int) -> Int? { ColumnMemory.bytes(shape, count: count) }

  /// Makes room for more intervals; there must be memory.
  mutating func grow(to needed: Int) {
    let newCount = (needed + laneCountOfTile - 1) / laneCountOfTile * laneCountOfTile
    guard newCount > count else { return }
    let larger = ColumnMemory(Self.shape, count: newCount, isZeroed: false)
    let new = IntervalColumns(from: larger.wide(0), until: larger.wide(1))
    new.from.update(from: columns.from, count: count)
    new.until.update(from: columns.until, count: count)
    (new.from + count).update(repeating: -.infinity, count: newCount - count)
    (new.until + count).update(repeating: .infinity, count: newCount - count)
    indices = larger.narrow(0, as: Int32.self)
    lanes = larger.narrow(1, as: UInt32.self).rebound(to: UInt16.self)
    memory = consume larger
    (columns, count, listedCount) = (new, newCount, 0)
  }

  mutating func code(_ coder: inout StateCoder) {
    let count = coder.codedCount(count, width: 2 * MemoryLayout<Double>.stride)
    if count != self.count {
      memory = nil
      (columns, self.count) = (IntervalColumns(from: .empty, until: .empty), 0)
      grow(to: count)
    }
    coder.code(columns.from, count: count)
    coder.code(columns.until, count: count)
  }

  /// Makes an interval hold always.
  func widen(_ index: Int) { (columns.from[index], columns.until[index]) = (-.infinity, .infinity) }

  /// Narrows an interval to its intersection with another one, which may be empty.
  func narrow(_ index: Int, from start: Double, until end: Double) {
    columns.from[index] = max(columns.from[index], start)
    columns.until[index] = min(columns.until[index], end)
  }

  /// Lists the intervals before an end that a time is outside of.
  mutating func listOutside(before end: Int, at time: Double, _ kernels: IntervalKernels) {
    listedCount = end > 0 ? kernels.list(columns, end, time, indices) : 0
  }

  /// Lists the intervals that a time is outside of, among those of the listed blocks of sixteen.
  mutating func listOutside(within blocks: borrowing IntervalList, at time: Double, _ kernels: IntervalKernels) {
    listedCount = kernels.listIndices(columns, blocks.listed, time, indices)
  }

  /// An interval of the list.
  func listed(_ position: Int) -> Int { Int(indices[position]) }

  /// The list, and a part of it, as kernels take them.
  var listed: TileList { listed(0..<listedCount) }
  func listed(_ range: Range<Int>) -> TileList {
    TileList(tiles: (indices + range.lowerBound).constant, count: range.count)
  }
}
