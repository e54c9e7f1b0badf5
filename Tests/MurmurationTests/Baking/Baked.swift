// SPDX-License-Identifier: MIT
@testable import Murmuration

/// What tests bake, as arrays.
struct Baked {
  var values: [Float]
  var velocities: [Float]

  /// So many of each, as a bake writes them.
  init(
    count: Int, _ bake: (inout MutableSpan<Float>, inout MutableSpan<Float>) throws(BatchError) -> Void
  ) throws(BatchError) {
    var (values, velocities) = ([Float](repeating: .nan, count: count), [Float](repeating: .nan, count: count))
    var valueSpan = values.mutableSpan
    var velocitySpan = velocities.mutableSpan
    try bake(&valueSpan, &velocitySpan)
    self.init(values: values, velocities: velocities)
  }

  /// What a frame shows of one dimension, by index.
  init(shown batch: inout some TrackBatch & ~Copyable, _ dimension: Int = 0) throws(BatchError) {
    self.init(values: try batch.values(dimension), velocities: try batch.velocities(dimension))
  }

  private init(values: [Float], velocities: [Float]) { (self.values, self.velocities) = (values, velocities) }

  var bits: [UInt32] { values.map(\.bitPattern) + velocities.map(\.bitPattern) }

  /// The same with rows and columns exchanged, of which there are `columns` now.
  func turned(columns: Int) -> Baked {
    func turn(_ row: [Float]) -> [Float] {
      let rows = row.count / max(1, columns)
      return (0..<row.count).map { row[$0 % rows * columns + $0 / rows] }
    }
    return Baked(values: turn(values), velocities: turn(velocities))
  }
}

// MARK: - Batches

/// A batch that tests bake.
protocol Baker: TrackBatch, ~Copyable {
  mutating func bake(
    _ frames: BakeFrames, indices: Range<Int>, dimension: Int, order: BakeOrder,
    values: inout MutableSpan<Float>, velocities: inout MutableSpan<Float>
  ) throws(BatchError)

  mutating func bake(
    at times: Span<Double>, indices: Range<Int>, dimension: Int, order: BakeOrder,
    values: inout MutableSpan<Float>, velocities: inout MutableSpan<Float>
  ) throws(BatchError)
}

extension SpringBatch: Baker {}
extension KeyframeBatch: Baker {}
extension PhaseBatch: Baker {}

extension Baked {
  /// Values and velocities of frames.
  init(
    _ batch: inout some Baker & ~Copyable, _ frames: BakeFrames, _ indices: Range<Int>, dimension: Int = 0,
    order: BakeOrder = .timeMajor
  ) throws(BatchError) {
    try self.init(count: indices.count * frames.range.count) { values, velocities throws(BatchError) in
      try batch.bake(
        frames, indices: indices, dimension: dimension, order: order, values: &values, velocities: &velocities)
    }
  }

  /// Values and velocities at times.
  init(
    _ batch: inout some Baker & ~Copyable, at times: [Double], _ indices: Range<Int>, dimension: Int = 0
  ) throws(BatchError) {
    try self.init(count: indices.count * times.count) { values, velocities throws(BatchError) in
      try batch.bake(
        at: times.span, indices: indices, dimension: dimension, order: .timeMajor, values: &values,
        velocities: &velocities)
    }
  }
}
