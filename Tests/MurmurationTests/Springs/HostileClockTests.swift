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

  @Test func noTimeChangesNothing() throws {
    var batch = try Self.filled()
    try batch.advance(to: 0)
    let start = try batch.bits()
    for time in [0.0, 0.3, 5, 1_000] {
      try batch.advance(to: time)
      let before = try batch.bits()
      for _ in 0..<3 {
        try batch.advance(to: time)
        try batch.advance(by: 0)
        try batch.advance(by: -0.0)
        let after = try batch.bits()
        #expect(after == before && batch.time == time && batch.events.isEmpty)
      }
      #expect((before == start) == (time == 0))
    }
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

  @Test func nothingIsReadAndAdvancedWithoutTracks() throws {
    var batch = try AnimationBatch<SIMD3<Float>>()
    try batch.advance(to: 1, velocities: true)
    try batch.advance(to: -1e10)
    try batch.compact()
    batch.removeAll()
    let (values, velocities) = (try batch.values(2), try batch.velocities(2))
    #expect(values.isEmpty && velocities.isEmpty)
    try batch.animate(0..<0, to: .one, .smooth)
    try batch.animate([], to: [], .smooth, delays: [])
    try batch.animate([], to: [], springs: [])
    try batch.set([], [], velocities: [])
    try batch.displace([], [], velocities: [])
    try batch.decelerate([], velocities: [])
    try batch.remove([])
    let isEmpty = try batch.withValues(component: 0) { $0.isEmpty }
    #expect(isEmpty && batch.events.isEmpty)
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

  @Test(arguments: [1, 2, 3]) func buffersMayBeginAnywhere(_ offset: Int) throws {
    var batch = try Batch()
    var odd = try Batch()
    let numbers = (0..<40).map { Float($0) - 20 }
    let goals = numbers.map { $0 + 1 }
    let padded = [Float](repeating: .nan, count: offset) + numbers
    let part = padded.span.extracting(droppingFirst: offset)
    try batch.add(planar: numbers.span, velocities: numbers.span, toPlanar: goals.span, .bouncy)
    try odd.add(planar: part, velocities: part, toPlanar: goals.span, .bouncy)
    try batch.advance(to: 0.1)
    try odd.advance(to: 0.1)
    try batch.retarget(.all, toPlanar: numbers.span)
    try odd.retarget(.all, toPlanar: part)
    try batch.advance(to: 0.2)
    try odd.advance(to: 0.2)
    var output = [Float](repeating: .nan, count: 40 + offset)
    try output.withUnsafeMutableBufferPointer { buffer in
      var rest = MutableSpan(_unsafeElements: UnsafeMutableBufferPointer(rebasing: buffer[offset...]))
      try odd.copyValues(component: 0, planar: &rest)
    }
    let expected = try batch.values()
    #expect(Array(output.dropFirst(offset)) == expected && output.prefix(offset).allSatisfy(\.isNaN))
  }

  @Test(arguments: [0, 19, 20, 23], [false, true])
  func aShortBufferIsLeftAloneAndTheRestOfALongOneIsKept(_ count: Int, _ velocities: Bool) throws {
    var batch = try AnimationBatch<SIMD2<Float>>()
    let ones = [SIMD2<Float>](repeating: .one, count: 20)
    try batch.add(ones, velocities: ones, to: ones, .bouncy)
    try batch.advance(to: 0.1, velocities: true)
    var output = [Float](repeating: -7, count: count)
    var span = output.mutableSpan
    var error: BatchError?
    do throws(BatchError) {
      if velocities {
        try batch.copyVelocities(component: 1, planar: &span)
      } else {
        try batch.copyValues(component: 1, planar: &span)
      }
    } catch let thrown {
      error = thrown
    }
    #expect(error == (count < 20 ? .wrongCount(of: "output", expected: 20, got: count) : nil))
    #expect(output.indices.allSatisfy { (output[$0] != -7) == (count >= 20 && $0 < 20) })
  }
}
