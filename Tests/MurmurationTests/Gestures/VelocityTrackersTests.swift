// SPDX-License-Identifier: MIT
import TestSupport
import Testing

@testable import Murmuration

/// Velocities in bulk equal the estimates of a sampler for each value.
struct VelocityTrackersTests {
  private static let counts = [0, 1, 7, 8, 9, 15, 16, 17, 31, 33, 1_000, 4_097]

  /// A sampler for each value, and the sizes of the two parts of its estimate.
  private struct Model {
    let count: Int
    var samplers: [VelocitySampler<Double>]
    private var histories: [[(value: Double, time: Double)]]

    init(count: Int, dimensions: Int) {
      self.count = count
      samplers = Array(repeating: VelocitySampler(), count: count * dimensions)
      histories = Array(repeating: [], count: count * dimensions)
    }

    mutating func record(_ values: [Float], at time: Double) {
      for (index, value) in values.enumerated() {
        samplers[index].addSample(Double(value), time: time)
        if histories[index].last?.time == time { histories[index].removeLast() }
        histories[index] = histories[index].suffix(2) + [(Double(value), time)]
      }
    }

    mutating func reset(track: Int? = nil) {
      for index in samplers.indices where track == nil || index % count == track {
        samplers[index].reset()
        histories[index] = []
      }
    }

    /// The bound that the trackers promise: 4·2⁻²⁴ of the parts, and subnormal numbers.
    ///
    /// - Parameter left: The share of a velocity that is left after the time since the newest sample.
    func bound(_ index: Int, left: Double) -> Double {
      let history = histories[index]
      func slope(_ first: Int) -> Double {
        let (from, to) = (history[first], history[first + 1])
        return abs(to.value - from.value) / (to.time - from.time)
      }
      let size = history.count < 2 ? 0 : history.count < 3 ? slope(0) : 0.25 * slope(1) + 0.75 * slope(0)
      return 4 * 0x1p-24 * (1 + 1e-6) * size * left + 0x1p-147
    }
  }

  /// The largest error as a fraction of the bound; every lane is compared.
  private func expectModel(_ trackers: borrowing VelocityTrackers, _ model: Model, at time: Double) throws -> Double {
    let velocities = try trackers.velocities(at: time)
    let left = Deceleration.normal.velocity(initialVelocity: 1.0, time: time - (trackers.lastTime ?? time))
    var worst = 0.0
    for index in 0..<model.samplers.count {
      let expected = model.samplers[index].velocity(at: time)
      let bound = model.bound(index, left: left)
      let fraction = abs(Double(velocities[index]) - expected) / bound
      guard fraction <= 1 else {
        Issue.record("value \(index) of \(model.samplers.count) at \(time): \(velocities[index]), not \(expected)")
        return .infinity
      }
      worst = max(worst, fraction)
    }
    return worst
  }

  @Test(arguments: counts, [1, 2, 3, 9])
  func everyEstimateIsWithinFourRoundingsOfASamplers(_ count: Int, _ dimensions: Int) throws {
    let seed = UInt64(count * 100 + dimensions)
    var random = SplitMix64(seed: seed)
    var trackers = try VelocityTrackers(count: count, dimensions: dimensions)
    var model = Model(count: count, dimensions: dimensions)
    var time = random.uniform(-1e3...1e3)
    var worst = 0.0
    for _ in 0..<(count > 100 ? 8 : Effort.draws(quick: 30, soak: 60)) {
      switch random.next() % 8 {
      case 0 where random.next() % 4 == 0:
        trackers.reset()
        model.reset()
        time = random.uniform(-1e3...1e3)
      case 0, 1:
        for _ in 0..<min(count, 3) {
          let track = Int(random.next() % UInt64(count))
          try trackers.reset(track)
          model.reset(track: track)
        }
      default:
        // One time in eight, once more at the same time.
        if random.next() % 8 > 0 { time += random.uniform(1e-4...0.1) }
        let scale = [1e-3, 1, 1e4, 1e15][Int(random.next() % 4)]
        let values = model.samplers.map { _ in Float(random.uniform(-scale...scale)) }
        try trackers.record(values.span, at: time)
        model.record(values, at: time)
        #expect(trackers.lastTime == time)
      }
      let start = trackers.lastTime ?? time
      for elapsed in [0, random.uniform(0...2.2)] {
        worst = max(worst, try expectModel(trackers, model, at: start + elapsed))
      }
    }
    #expect(worst <= 1, "seed \(seed)")
  }

  @Test func theRecordedEstimateOfSwiftUI() throws {
    var trackers = try VelocityTrackers(count: 1)
    for (value, time) in [(1, 1), (2, 2), (4, 3)] as [(Float, Double)] { try trackers.record([value].span, at: time) }
    #expect(try trackers.velocities(at: 3) == [1.25])
  }

  @Test func bitsDoNotDependOnTheLane() throws {
    var random = SplitMix64(seed: 3)
    var alone = try VelocityTrackers(count: 1)
    var among = try VelocityTrackers(count: 33, dimensions: 2)
    for step in 0..<3 {
      let (value, time) = (Float(random.uniform(-1...1)), Double(step) * 0.013)
      try alone.record([value].span, at: time)
      let values = [Float](repeating: value, count: 66)
      try among.record(values.span, at: time)
      let expected = try alone.velocities(at: time + 0.1)[0]
      #expect(try among.velocities(at: time + 0.1).allSatisfy { $0.bitPattern == expected.bitPattern })
    }
  }

  @Test func velocitiesFadeAndEndAfterTwoSeconds() throws {
    var trackers = try VelocityTrackers(count: 1)
    try trackers.record([0].span, at: 0)
    try trackers.record([1000].span, at: 1)
    #expect(try trackers.velocities(at: 1.001) == [998])
    let last = try trackers.velocities(at: 3)[0]
    #expect(last > 18.24 && last < 18.25)
    #expect(try trackers.velocities(at: (3.0).nextUp) == [0])
    for step in 0...2000 {
      let expected = Deceleration.normal.velocity(initialVelocity: 1.0, time: Double(step) / 1000)
      let weights = VelocityWeights(newerSpan: 1, olderSpan: 1, elapsed: Double(step) / 1000)
      #expect(abs(Double(weights.alone) - expected) <= 0x1p-24 * 1.000001 * expected)
    }
  }

  @Test("Tracks go on with the velocities of a drag")
  func velocitiesAreHandedOver() throws {
    var trackers = try VelocityTrackers(count: 20, dimensions: 2)
    var batch = try AnimationBatch<SIMD2<Float>>()
    let tracks = try batch.add([SIMD2<Float>](repeating: .zero, count: 20))
    func positions(_ frame: Int) -> [Float] { (0..<40).map { Float(frame * ($0 - 10)) } }
    for frame in 1...5 { try trackers.record(positions(frame).span, at: Double(frame) / 64) }
    try batch.advance(to: 5.0 / 64)
    let drag = try trackers.velocities(at: batch.time)
    #expect(drag == (0..<40).map { place in Float(64 * (place - 10)) } as [Float])
    try batch.set(tracks, planar: positions(5), velocities: drag)
    try batch.decelerate(tracks, planarVelocities: drag)
    let end = try batch.projectedEnd(of: tracks[19])
    #expect(batch[tracks[19]] == [45, 145] && batch.velocity(of: tracks[19]) == SIMD2(drag[19], drag[39]))
    #expect(batch.target(of: tracks[19]) == end && (end ?? .zero).y > 145 + drag[39] / 3)
  }
}

extension VelocityTrackers {
  func velocities(at time: Double) throws -> [Float] {
    var velocities = [Float](repeating: .nan, count: count * dimensions)
    var span = velocities.mutableSpan
    try self.velocities(at: time, into: &span)
    return velocities
  }
}
