// SPDX-License-Identifier: MIT
import TestSupport
import Testing

@testable import Murmuration
@testable import MurmurationEngine

/// Clocks that stand or jump, times that are not finite, and buffers of the wrong size.
struct HostileClockTests {
  private typealias Batch = AnimationBatch<Float>

  private static func filled(_ count: Int = 40) throws -> Batch {
    var batch = try Batch()
    try fill(&batch, count)
    return batch
  }

  private static func fill(_ batch: inout Batch, _ count: Int) throws {
    var random = SplitMix64(seed: 111)
    let motions = (0..<count).map { index in
      Motion(Motion.Regime.allCases[index % Motion.Regime.allCases.count], &random)
    }
    let (values, targets) = (motions.map(\.value), motions.map(\.target))
    try batch.add(values, to: targets, springs: motions.map(\.spring))
    try batch.add(values, to: targets, .bouncy)
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
        let (after, clock, isQuiet) = (try batch.bits(), batch.time, batch.events.isEmpty)
        #expect(after == before && clock == time && isQuiet)
      }
      #expect((before == start) == (time == 0))
    }
  }

  @Test func theClockEndsWhereItSays() throws {
    var batch = try Batch()
    try batch.advance(to: 9.999_999_999e9)
    try Self.fill(&batch, 40)
    try batch.advance(by: 1)
    #expect(throws: BatchError.self) { try batch.advance(by: 1e-5) }
    let clock = batch.time
    #expect(clock == 1e10)
  }

  @Test func afterAVeryLongStepEverythingIsAtItsTarget() throws {
    var batch = try Self.filled()
    let targets = batch.live.map { batch.target(of: $0) }
    try batch.advance(by: 1e9)
    let (values, velocities) = (try batch.values(), try batch.velocities())
    #expect(values == targets && velocities.allSatisfy { $0.bitPattern == 0 })
    let (complete, settled, live) = (batch.logicallyComplete, batch.settled, batch.live)
    #expect(complete == live && settled == live)
  }

  @Test func aMillionTinyStepsAreOne() throws {
    var steps = try Self.filled(3)
    var leap = try Self.filled(3)
    let count = Effort.draws(quick: 50_000, soak: 1_000_000)
    for _ in 0..<count { try steps.advance(by: 0.1 / Double(count)) }
    try leap.advance(to: 0.1)
    let clock = steps.time
    #expect(abs(clock - 0.1) <= 0x1p-54)
    let (values, expected) = (try steps.values(), try leap.values())
    #expect(zip(values, expected).allSatisfy { abs($0 - $1) <= 8 * 0x1p-24 * 600 })
  }

  /// Frames of a month at 240 a second, sought at random.
  @Test(arguments: [false, true]) func aMonthLaterThePhaseIsRight(_ inBulk: Bool) throws {
    var random = SplitMix64(seed: 112)
    var batch = try Batch()
    let spring = Spring(duration: 0.05, bounce: 1)
    let handle = try Motion(value: 1, target: 0, velocity: 30, spring: spring).add(to: &batch, inBulk: inBulk)
    let scale = max(1, 30 / spring.naturalFrequency)
    for trial in 0..<200 {
      let frame = trial == 0 ? 30 * 86_400 * 240 : Int(random.next() % (30 * 86_400 * 240)) + 1
      let time = Double(frame) / 240
      try batch.advance(to: time)
      var (value, velocity) = (1.0, 30.0)
      spring.update(value: &value, velocity: &velocity, target: 0, deltaTime: time)
      let (x, v) = (Double(batch[handle] ?? .nan), Double(batch.velocity(of: handle) ?? .nan))
      #expect(abs(x - value) <= 8 * 0x1p-24 * scale, "frame \(frame)")
      #expect(abs(v - velocity) <= 8 * 0x1p-24 * scale * spring.naturalFrequency, "frame \(frame)")
    }
  }

  @Test func nothingIsReadAndAdvancedWithoutTracks() throws {
    var batch = try AnimationBatch<SIMD3<Float>>()
    try batch.advance(to: 1, velocities: true)
    try batch.advance(to: -1e10)
    try batch.compact()
    batch.removeAll()
    let (values, velocities) = (try batch.values(2), try batch.velocities(2))
    #expect(values.isEmpty && velocities.isEmpty)
    let none: [SIMD3<Float>] = []
    try batch.animate(0..<0, to: none.span, .smooth)
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
    var random = SplitMix64(seed: 113)
    let motions = (0..<65).map { index in
      Motion(Motion.Regime.allCases[index % Motion.Regime.allCases.count], &random)
    }
    let shared = motions[0].spring
    var expected: [(alone: [UInt32], bulk: [UInt32])] = []
    for motion in motions {
      var batch = try Batch(kernels: .portable)
      let alone = try motion.add(to: &batch, inBulk: false)
      var other = motion
      other.spring = shared
      let bulk = try other.add(to: &batch, inBulk: true)
      try batch.advance(to: 0.4)
      expected.append((batch.bits(of: alone), batch.bits(of: bulk)))
    }
    for count in [1, 2, 7, 8, 9, 15, 16, 17, 31, 32, 33, 48, 64, 65] {
      let part = motions.prefix(count)
      let (values, targets, velocities) = (part.map(\.value), part.map(\.target), part.map(\.velocity))
      var batch = try Batch(kernels: set)
      let alone = try batch.add(values, velocities: velocities, to: targets, springs: part.map(\.spring))
      let bulk = try batch.add(values, velocities: velocities, to: targets, shared)
      try batch.advance(to: 0.4)
      for index in 0..<count {
        let bits = (batch.bits(of: alone[index]), batch.bits(of: bulk[index]))
        #expect(bits.0 == expected[index].alone && bits.1 == expected[index].bulk, "\(index) of \(count)")
      }
    }
  }

  // MARK: - Buffers

  @Test(arguments: [1, 2, 3]) func buffersMayBeginAnywhere(_ offset: Int) throws {
    var batch = try Batch()
    var odd = try Batch()
    let numbers = (0..<40).map { Float($0) - 20 }
    let padded = [Float](repeating: .nan, count: offset) + numbers
    let goals = numbers.map { $0 + 1 }
    try batch.add(planar: numbers.span, velocities: numbers.span, toPlanar: goals.span, .bouncy)
    let part = padded.span.extracting(droppingFirst: offset)
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

  @Test func aShortBufferIsLeftAloneAndTheRestOfALongOneIsKept() throws {
    var batch = try AnimationBatch<SIMD2<Float>>()
    let ones = [SIMD2<Float>](repeating: .one, count: 20)
    try batch.add(ones, velocities: ones, to: ones, .bouncy)
    try batch.advance(to: 0.1, velocities: true)
    for count in [0, 19, 20, 23] {
      for velocities in [false, true] {
        var output = [Float](repeating: -7, count: count)
        var span = output.mutableSpan
        let read = { (batch: borrowing AnimationBatch<SIMD2<Float>>, span: inout MutableSpan<Float>) throws in
          try velocities
            ? batch.copyVelocities(component: 1, planar: &span) : batch.copyValues(component: 1, planar: &span)
        }
        if count >= 20 {
          try read(batch, &span)
        } else {
          #expect(throws: BatchError.wrongCount(of: "output", expected: 20, got: count)) { try read(batch, &span) }
        }
        #expect(output.dropFirst(count >= 20 ? 20 : 0).allSatisfy { $0 == -7 })
        #expect(count < 20 || output.prefix(20).allSatisfy { $0 != -7 })
      }
    }
  }
}
