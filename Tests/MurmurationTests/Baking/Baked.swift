// SPDX-License-Identifier: MIT
@testable import Murmuration

/// Baked values and velocities as arrays.
struct Baked {
  var values: [Float]
  var velocities: [Float]

  /// Arrays of `count` NaN each, which a bake overwrites.
  init(
    count: Int, _ bake: (inout MutableSpan<Float>, inout MutableSpan<Float>) throws(BatchError) -> Void
  ) throws(BatchError) {
    var (values, velocities) = ([Float](repeating: .nan, count: count), [Float](repeating: .nan, count: count))
    var valueSpan = values.mutableSpan
    var velocitySpan = velocities.mutableSpan
    try bake(&valueSpan, &velocitySpan)
    self.init(values: values, velocities: velocities)
  }

  init(values: [Float], velocities: [Float]) { (self.values, self.velocities) = (values, velocities) }

  var bits: [UInt32] { values.map(\.bitPattern) + velocities.map(\.bitPattern) }

  /// The numbers of some rows, and of some of the columns that a row has.
  func part(rows: Range<Int>, columns: Range<Int>, of columnCount: Int) -> Baked {
    func part(_ all: [Float]) -> [Float] {
      rows.flatMap { all[$0 * columnCount + columns.lowerBound..<$0 * columnCount + columns.upperBound] }
    }
    return Baked(values: part(values), velocities: part(velocities))
  }

  /// The same with rows and columns exchanged; `columns` is the number of columns before.
  func turned(columns: Int) -> Baked {
    func turn(_ row: [Float]) -> [Float] {
      let rows = row.count / max(1, columns)
      return (0..<row.count).map { row[$0 % rows * columns + $0 / rows] }
    }
    return Baked(values: turn(values), velocities: turn(velocities))
  }
}
