// SPDX-License-Identifier: MIT
@testable import Murmuration

/// What tests bake, as arrays.
struct Baked {
  var values: [Float]
  var velocities: [Float]

  /// Room for so many of each.
  init(count: Int) {
    self.init(values: Array(repeating: .nan, count: count), velocities: Array(repeating: .nan, count: count))
  }

  /// Values and velocities of frames.
  init(
    _ batch: inout SpringBatch, _ frames: BakeFrames, _ indices: Range<Int>, dimension: Int = 0,
    order: BakeOrder = .timeMajor
  ) throws(BatchError) {
    self.init(count: indices.count * frames.range.count)
    var (values, velocities) = (self.values, self.velocities)
    var valueSpan = values.mutableSpan
    var velocitySpan = velocities.mutableSpan
    try batch.bake(
      frames, indices: indices, dimension: dimension, order: order, values: &valueSpan, velocities: &velocitySpan)
    (self.values, self.velocities) = (values, velocities)
  }

  /// Values and velocities at times.
  init(
    _ batch: inout SpringBatch, at times: [Double], _ indices: Range<Int>, dimension: Int = 0,
    order: BakeOrder = .timeMajor
  ) throws(BatchError) {
    self.init(count: indices.count * times.count)
    var (values, velocities) = (self.values, self.velocities)
    var valueSpan = values.mutableSpan
    var velocitySpan = velocities.mutableSpan
    try batch.bake(
      at: times.span, indices: indices, dimension: dimension, order: order, values: &valueSpan,
      velocities: &velocitySpan)
    (self.values, self.velocities) = (values, velocities)
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

/// A batch of every kind of track: cohorts large and small, mixed ones of both regimes, decelerations, jumps, holes, and
/// rows that are not in the order of indices; with what each motion started from.
struct Menagerie: ~Copyable {
  var batch: SpringBatch
  /// Of each index: the scale of its motion and its ω₀.
  var scales: [(value: Double, frequency: Double)]

  init(count: Int, seed: UInt64 = 3, kernels: KernelSet? = nil, dimensions: Int = 1) throws {
    var random = SplitMix64(seed: seed)
    var batch = try SpringBatch(dimensions: dimensions, kernels: kernels)
    var scales: [(value: Double, frequency: Double)] = []
    func numbers(_ count: Int) -> [Float] {
      (0..<count * dimensions).map { _ in Float(random.uniform(-100...100)) }
    }
    func note(_ spring: Spring, _ values: [Float], _ targets: [Float], _ velocities: [Float], _ each: Int) {
      for track in 0..<each {
        var scale = 0.0
        for component in stride(from: track, to: values.count, by: each) {
          scale = max(
            scale, abs(Double(values[component] - targets[component])),
            spring.duration > 0 ? abs(Double(velocities[component])) / spring.naturalFrequency : 0)
        }
        scales.append((scale, spring.duration > 0 ? spring.naturalFrequency : 0))
      }
    }
    while scales.count < count {
      let kind = random.next() % 6
      let each = [200, 1, 1, 40, 7, 1][Int(kind)]
      let (values, targets, velocities) = (numbers(each), numbers(each), numbers(each))
      let bounce = random.next() & 1 == 0 ? random.uniform(0...0.6) : random.uniform(-0.8...0)
      let spring = Spring(duration: random.next() % 9 == 0 ? 0 : random.uniform(0.2...3), bounce: bounce)
      if kind == 1 || kind == 2 || kind == 5 {
        let springs = [spring]
        try batch.add(springs.span, values: values.span, targets: targets.span, velocities: velocities.span)
      } else {
        try batch.add(spring, values: values.span, targets: targets.span, velocities: velocities.span)
      }
      note(spring, values, targets, velocities, each)
      if random.next() % 8 == 0 {
        try batch.advance(by: random.uniform(0...0.05))
      }
    }
    // Holes, tracks that came later at an old index, and tracks that left their cohort.
    for index in stride(from: 5, to: batch.indexCount, by: 37) {
      try batch.remove(batch.handle(atIndex: index)!)
      scales[index] = (0, 0)
    }
    self.batch = batch
    self.scales = scales
  }
}
