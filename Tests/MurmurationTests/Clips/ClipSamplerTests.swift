// SPDX-License-Identifier: MIT
import TestSupport
import Testing

@testable import Murmuration
@testable import MurmurationEngine

/// Clips on one clock.
@Suite("Clip sampler")
struct ClipSamplerTests {
  /// A clip whose dimensions have one of three sets of times, or no track.
  static func clip(dimensions: Int, seed: UInt64) throws -> Clip {
    var random = SplitMix64(seed: seed)
    let sets = (0..<3).map { set in
      (0..<10 + set).reduce(into: [0.0]) { times, _ in times.append(times[times.count - 1] + random.uniform(0.1...0.5))
      }
    }
    var tracks: [PieceTrack] = []
    for dimension in 0..<dimensions where dimension % 4 != 3 {
      let times = sets[dimension % 4]
      let pieces = (1..<times.count).map { _ in
        SIMD4(random.uniform(-1...1), random.uniform(-1...1), random.uniform(-1...1), random.uniform(-1...1))
      }
      tracks.append(PieceTrack(components: [dimension], times: times, pieces: [pieces]))
    }
    return try Clip(dimensions: dimensions, initialValues: (0..<dimensions).map(Double.init), tracks: tracks)
  }

  static func sample(_ sampler: borrowing ClipSampler, velocities: Bool) throws -> [Float] {
    var output = [Float](repeating: .nan, count: sampler.dimensions)
    var span = output.mutableSpan
    if velocities { try sampler.copyVelocities(into: &span) } else { try sampler.copyValues(into: &span) }
    return output
  }

  @Test(
    "A sampler shows the bits that instances show", arguments: [1, 4, 70, Effort.draws(quick: 700, soak: 5_000)],
    KernelSet.available)
  func sameBitsAsInstances(dimensions: Int, set: KernelSet) throws {
    let clip = try Self.clip(dimensions: dimensions, seed: 3)
    var sampler = try ClipSampler(clip, kernels: set)
    for time in [0.3, -1, 0, 1.234, clip.duration, clip.duration + 1, 0.7] {
      try sampler.sample(at: time)
      let played = ClipTablesTests.play(clip, at: [time], on: set)
      #expect(try Self.sample(sampler, velocities: false) == played.values.map { $0[0] }, "values at \(time)")
      #expect(try Self.sample(sampler, velocities: true) == played.velocities.map { $0[0] }, "velocities at \(time)")
    }
  }

  @Test("Values are lent in the order that is stated")
  func order() throws {
    let clip = try Self.clip(dimensions: 9, seed: 4)
    var sampler = try ClipSampler(clip)
    #expect(sampler.order == [0, 4, 8, 1, 5, 2, 6, 3, 7])
    try sampler.sample(at: 0.5)
    let byDimension = try Self.sample(sampler, velocities: false)
    let lent = sampler.withValues { values in values.indices.map { values[$0] } }
    #expect(lent == sampler.order.map { byDimension[$0] })
  }

  @Test("Bad calls change nothing")
  func badCalls() throws {
    var sampler = try ClipSampler(try Self.clip(dimensions: 5, seed: 5))
    try sampler.sample(at: 0.4)
    let before = try Self.sample(sampler, velocities: false)
    for time in [Double.nan, .infinity, -1e11] {
      #expect(throws: BatchError.self) { try sampler.sample(at: time) }
    }
    #expect(sampler.time == 0.4)
    #expect(try Self.sample(sampler, velocities: false) == before)
    var short = [Float](repeating: 7, count: 4)
    #expect(throws: BatchError.wrongCount(of: "output", expected: 5, got: 4)) {
      var span = short.mutableSpan
      try sampler.copyValues(into: &span)
    }
    #expect(short == [7, 7, 7, 7])
  }

  @Test("Rows for which there is no room are refused")
  func noRoom() throws {
    let clip = try Self.clip(dimensions: 70, seed: 7)
    // 3 groups of 10 to 12 pieces and one without, a row of 32 floats for each power and piece, and values.
    #expect(throws: BatchError.capacityExceeded(70)) { _ = try RowStorage(clip, limit: 4 * 32 * 4 * 33) }
    _ = try RowStorage(clip, limit: 1 << 16)
  }

  @Test("A sample without velocities keeps the velocities of an earlier one")
  func velocitiesOnRequest() throws {
    var sampler = try ClipSampler(try Self.clip(dimensions: 5, seed: 6))
    try sampler.sample(at: 0.2)
    let velocities = try Self.sample(sampler, velocities: true)
    try sampler.sample(at: 0.6, velocities: false)
    #expect(try Self.sample(sampler, velocities: true) == velocities)
    try sampler.sample(at: 0.6)
    #expect(try Self.sample(sampler, velocities: true) != velocities)
  }
}
