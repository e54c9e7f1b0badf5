// SPDX-License-Identifier: MIT
import TestSupport
import Testing

@testable import Murmuration
@testable import MurmurationEngine

/// Clocks that stand or jump, times that are not finite, and buffers of the wrong size.
struct HostileClockTests {
  private typealias Batch = AnimationBatch<Float>

  private static func motions(_ count: Int, seed: UInt64) -> [Motion] {
    var random = SplitMix64(seed: seed)
    return (0..<count).map { Motion(Motion.Regime.allCases[$0 % Motion.Regime.allCases.count], &random) }
  }

  private static func filled(_ count: Int = 40, at time: Double = 0) throws -> Batch {
    var batch = try Batch()
    try batch.advance(to: time)
    let motions = motions(count, seed: 111)
    let (values, targets) = (motions.map(\.value), motions.map(\.target))
    try batch.add(values, to: targets, springs: motions.map(\.spring))
    try batch.add(values, to: targets, .bouncy)
    return batch
  }

  /// The clock sums with compensation. The next sum makes up for the rounding of the last one, but never goes back: the latest
  /// start may be now.
  @Test func anAdvanceByNothingLeavesTheClockWhereItIs() throws {
    var random = SplitMix64(seed: 81)
    for _ in 0..<500 {
      var batch = try Batch()
      // Also steps that are longer than the time so far.
      for _ in 0..<4 { try batch.advance(by: random.unit() * (random.next() & 1 == 0 ? 1e-3 : 10)) }
      let time = batch.time
      try batch.add(0, to: 1, .smooth)
      try batch.advance(by: 0)
      #expect(batch.time == time)
    }
  }

  @Test func theClockEndsWhereItSays() throws {
    var batch = try Self.filled(at: 9.999_999_999e9)
    try batch.advance(by: 1)
    #expect(throws: BatchError.self) { try batch.advance(by: 1e-5) }
    #expect(batch.time == 1e10)
  }

  @Test func afterAVeryLongStepEverythingIsAtItsTarget() throws {
    var batch = try Self.filled()
    let live = batch.live
    try batch.advance(by: 1e9)
    let velocities = try batch.velocities()
    #expect(live.allSatisfy { batch[$0] == batch.target(of: $0) } && velocities.allSatisfy { $0.bitPattern == 0 })
    // A call that throws leaves the events as they are.
    #expect(throws: BatchError.self) { try batch.advance(to: .nan) }
    #expect(throws: BatchError.self) { try batch.advance(to: -1) }
    #expect(batch.logicallyComplete == live && batch.settled == live)
  }

  @Test func aMillionTinyStepsAreOne() throws {
    var steps = try Self.filled(3)
    var leap = try Self.filled(3)
    let count = Effort.draws(quick: 50_000, soak: 1_000_000)
    for _ in 0..<count { try steps.advance(by: 0.1 / Double(count)) }
    try leap.advance(to: 0.1)
    #expect(abs(steps.time - 0.1) <= 0x1p-54)
    let (values, expected) = (try steps.values(), try leap.values())
    #expect(zip(values, expected).allSatisfy { abs($0 - $1) <= 8 * 0x1p-24 * 600 })
  }

  /// Every number of tracks around the widths of vectors and tiles, and every lane.
  @Test(arguments: KernelSet.available) func anyNumberOfTracksGivesTheBitsOfOne(_ set: KernelSet) throws {
    let motions = Self.motions(65, seed: 113)
    let shared = motions[0].spring
    func show(_ part: ArraySlice<Motion>, _ set: KernelSet) throws -> [[UInt32]] {
      let (values, targets, velocities) = (part.map(\.value), part.map(\.target), part.map(\.velocity))
      var batch = try Batch(kernels: set)
      let alone = try batch.add(values, velocities: velocities, to: targets, springs: part.map(\.spring))
      let bulk = try batch.add(values, velocities: velocities, to: targets, shared)
      try batch.advance(to: 0.4)
      return zip(alone, bulk).map { batch.bits(of: $0) + batch.bits(of: $1) }
    }
    var expected: [[UInt32]] = []
    for index in motions.indices { expected += try show(motions[index...index], .portable) }
    for count in [1, 2, 7, 8, 9, 15, 16, 17, 31, 32, 33, 48, 64, 65] {
      #expect(try show(motions[..<count], set) == Array(expected[..<count]), "\(count)")
    }
  }

  // MARK: - Buffers
}
