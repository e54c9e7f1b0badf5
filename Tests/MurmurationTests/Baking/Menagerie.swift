// SPDX-License-Identifier: MIT
@testable import Murmuration

/// A batch of every kind of track: cohorts large and small, mixed ones of both regimes, decelerations, jumps, holes, and
/// rows that are not in the order of indices; with what each motion started from. The first tracks are a whole cohort, of
/// more tracks than the kernel for baked cohorts takes at least.
struct Menagerie: ~Copyable {
  var batch: SpringBatch
  /// Of each index: the scale of its motion and its ω₀.
  var scales: [(value: Double, frequency: Double)]

  /// Tracks of the first cohort.
  private static let wholeCohort = 200

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
      let kind = scales.isEmpty ? 0 : random.next() % 6
      let each = [Self.wholeCohort, 1, 1, 40, 7, 1][Int(kind)]
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
    for index in stride(from: Self.wholeCohort + 5, to: batch.indexCount, by: 37) {
      try batch.remove(batch.handle(atIndex: index)!)
      scales[index] = (0, 0)
    }
    self.batch = batch
    self.scales = scales
  }
}
