// SPDX-License-Identifier: MIT
import Murmuration

/// One column a component for the values or the velocities of a group's tracks, kept from frame to frame.
///
/// A batch has its tracks in rows of its own choice; here they stand in the order of the group. A column is copied when
/// somebody first reads it after a change.
struct GroupColumns {
  private var columns: [[Float]]
  private var isCurrent: [Bool]

  /// Columns of `count` tracks.
  init(count: Int, dimensions: Int) {
    columns = Array(repeating: [Float](repeating: 0, count: count), count: dimensions)
    isCurrent = Array(repeating: false, count: dimensions)
  }

  /// Notes that what the columns hold is of the past.
  mutating func expire() {
    for component in isCurrent.indices { isCurrent[component] = false }
  }

  /// Lends the values of a batch whose indices are the tracks of the group.
  mutating func withValues<Batch: TrackBatch & ~Copyable, R>(
    _ component: Int, of batch: borrowing Batch, _ body: (Span<Float>) throws -> R
  ) throws -> R {
    try withColumn(component, copy: { try batch.copyValues(dimension: component, into: &$0) }, body)
  }

  /// Lends the velocities of such a batch.
  mutating func withVelocities<Batch: TrackBatch & ~Copyable, R>(
    _ component: Int, of batch: inout Batch, _ body: (Span<Float>) throws -> R
  ) throws -> R {
    try withColumn(component, copy: { try batch.copyVelocities(dimension: component, into: &$0) }, body)
  }

  /// Lends a column, which `copy` fills first when it is of the past.
  mutating func withColumn<R>(
    _ component: Int, copy: (inout MutableSpan<Float>) throws -> Void, _ body: (Span<Float>) throws -> R
  ) throws -> R {
    if !isCurrent[component] {
      var span = columns[component].mutableSpan
      try copy(&span)
      isCurrent[component] = true
    }
    let column = columns[component]
    return try body(column.span)
  }
}
