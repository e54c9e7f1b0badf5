// SPDX-License-Identifier: MIT
import Murmuration

/// One column a component for the values or the velocities of a group's tracks, kept from frame to frame.
///
/// A batch orders the rows of its tracks itself; here tracks stand in the order of the group. A column is copied when
/// it is first read after a change.
struct GroupColumns {
  private let count: Int
  private var columns: [[Float]]
  private var isCurrent: [Bool]

  /// Columns of `count` tracks, which take memory when they are first read.
  init(count: Int, dimensions: Int) {
    self.count = count
    columns = Array(repeating: [], count: dimensions)
    isCurrent = Array(repeating: false, count: dimensions)
  }

  /// Notes that the columns are out of date.
  mutating func expire() {
    for component in isCurrent.indices { isCurrent[component] = false }
  }

  /// Lends a column, which `copy` fills first if it is out of date.
  mutating func withColumn<R>(
    _ component: Int, copy: (inout MutableSpan<Float>) throws -> Void, _ body: (Span<Float>) throws -> R
  ) throws -> R {
    if !isCurrent[component] {
      if columns[component].isEmpty { columns[component] = Array(repeating: 0, count: count) }
      var span = columns[component].mutableSpan
      try copy(&span)
      isCurrent[component] = true
    }
    let column = columns[component]
    return try body(column.span)
  }
}
