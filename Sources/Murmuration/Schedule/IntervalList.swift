// SPDX-License-Identifier: MIT
import Kernels

/// Intervals of the clock, ends included, and a list of the intervals that a time is outside of.
///
/// The memory is padded for kernels, with intervals that always hold. The list is kept, so that frames need not allocate.
struct IntervalList {
  private var from: [Double] = []
  private var until: [Double] = []
  private var indices: [Int32] = []
  private(set) var listedCount = 0

  /// The number of intervals, a multiple of ``laneCountOfTile``.
  var count: Int { from.count }

  /// Makes room for more intervals.
  mutating func grow(to count: Int) {
    let padded = (count + laneCountOfTile - 1) / laneCountOfTile * laneCountOfTile
    from.grow(to: padded, with: -.infinity)
    until.grow(to: padded, with: .infinity)
    indices.grow(to: padded, with: 0)
  }

  /// Makes an interval hold always.
  mutating func widen(_ index: Int) { (from[index], until[index]) = (-.infinity, .infinity) }

  /// Narrows an interval to its intersection with another one, which may be empty.
  mutating func narrow(_ index: Int, from start: Double, until end: Double) {
    (from[index], until[index]) = (max(from[index], start), min(until[index], end))
  }

  /// Lists the intervals before an end that a time is outside of.
  mutating func listOutside(before end: Int, at time: Double, _ kernels: IntervalKernels) {
    listedCount = 0
    guard end > 0 else { return }
    listedCount = withColumns { columns, indices in kernels.list(columns, end, time, indices) }
  }

  /// Empties the list, and appends an interval to it.
  mutating func clearList() { listedCount = 0 }
  mutating func list(_ index: Int) {
    indices[listedCount] = Int32(truncatingIfNeeded: index)
    listedCount += 1
  }

  /// An interval of the list.
  func listed(_ place: Int) -> Int { Int(indices[place]) }

  /// Sets each listed interval to the intersection of sixteen intervals of another list.
  mutating func intersectListed(_ parts: IntervalList) {
    for place in 0..<listedCount {
      let index = listed(place)
      var (start, end) = (-Double.infinity, Double.infinity)
      for part in index * laneCountOfTile..<(index + 1) * laneCountOfTile {
        (start, end) = (max(start, parts.from[part]), min(end, parts.until[part]))
      }
      (from[index], until[index]) = (start, end)
    }
  }

  /// Sets each of some listed intervals to the intersection of the intervals of sixteen rows.
  mutating func intersectListed(_ range: Range<Int>, _ rows: IntervalColumns, _ kernels: IntervalKernels) {
    withColumns { columns, indices in
      kernels.intersect(rows, TileList(tiles: (indices + range.lowerBound).constant, count: range.count), columns)
    }
  }

  /// Lends the intervals, and the list.
  mutating func withColumns<Result>(_ body: (IntervalColumns, Column<Int32>) -> Result) -> Result {
    from.withColumn { from in
      until.withColumn { until in
        indices.withColumn { indices in
          body(
            IntervalColumns(from: from, until: until),
            indices)
        }
      }
    }
  }

  /// Lends a part of the list.
  func withListed<Result>(_ range: Range<Int>, _ body: (TileList) -> Result) -> Result {
    indices.withConstantColumn { indices in
      body(TileList(tiles: indices + range.lowerBound, count: range.count))
    }
  }
}
