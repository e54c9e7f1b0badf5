// SPDX-License-Identifier: MIT
import Testing

@testable import Murmuration

/// The clock goes to any time from the latest start on, forwards or back.
struct SeekTests {
  private static func fill(_ batch: inout SpringBatch) throws -> [TrackHandle] {
    var random = SplitMix64(seed: 71)
    var handles: [TrackHandle] = []
    for regime in Motion.Regime.allCases {
      for count in [1, 7, 33] {
        let motions = (0..<count).map { _ in Motion(regime, &random) }
        let (values, targets, velocities) = (motions.map(\.value), motions.map(\.target), motions.map(\.velocity))
        let springs = motions.map(\.spring)
        handles += try batch.add(
          springs[0], values: values.span, targets: targets.span, velocities: velocities.span)
        handles += try batch.add(
          springs.span, values: values.span, targets: targets.span, velocities: velocities.span)
      }
    }
    return handles
  }

  @Test(arguments: KernelSet.available, [false, true])
  func anyWayToATimeGivesTheSameBits(_ set: KernelSet, _ computesVelocities: Bool) throws {
    var random = SplitMix64(seed: 72)
    var wanderer = try SpringBatch(kernels: set)
    wanderer.computesVelocities = computesVelocities
    _ = try Self.fill(&wanderer)
    for trial in 0..<60 {
      let time = trial % 10 == 0 ? 1_000 : random.logarithmic(1e-3...20)
      try wanderer.advance(to: time)
      var direct = try SpringBatch(kernels: set)
      _ = try Self.fill(&direct)
      try direct.advance(to: time)
      let (bits, expected) = (try wanderer.bits(), try direct.bits())
      #expect(bits == expected, "at \(time)")
    }
  }

  @Test func compactingAndShrinkingOnTheWayDoNotShow() throws {
    var random = SplitMix64(seed: 73)
    var wanderer = try SpringBatch()
    let handles = try Self.fill(&wanderer)
    let gone = handles.filter { _ in random.next() % 3 > 0 }
    for time in [0.2, 30, 0.1, 7, 0.4, 1_000, 2] {
      try wanderer.advance(to: time)
      if time == 30 {
        try wanderer.remove(gone.span)
      }
      try wanderer.compact()
      var direct = try SpringBatch()
      let twins = try Self.fill(&direct)
      if time != 0.2 {
        let others = zip(handles, twins).filter { gone.contains($0.0) }.map(\.1)
        try direct.remove(others.span)
      }
      try direct.advance(to: time)
      let (bits, expected) = (try wanderer.bits(), try direct.bits())
      #expect(bits == expected, "at \(time)")
    }
  }

  @Test func noTimeBeforeTheLatestStartIsAccepted() throws {
    var batch = try SpringBatch()
    try batch.advance(to: -5)
    let first = try batch.add(.bouncy, value: Float(0), target: 1)
    try batch.advance(to: 1)
    try batch.advance(to: -5)
    let shown: Float = try batch.value(of: first)
    #expect(shown == 0)
    try batch.advance(to: 2)
    let zeros = [Float](repeating: 0, count: 20)
    _ = try batch.add(.smooth, values: zeros.span, targets: zeros.span)
    try batch.advance(to: 3)
    try batch.set(first, value: Float(0.5), velocity: 0)
    try batch.advance(to: 4)
    #expect(throws: BatchError.timeBeforeStart(time: 2.5, start: 3)) { try batch.advance(to: 2.5) }
    let clock = batch.time
    #expect(clock == 4)
    try batch.advance(to: 3)
  }

  @Test func theLatestStartIsThatOfTracksThatLive() throws {
    var batch = try SpringBatch()
    let zeros = [Float](repeating: 0, count: 20)
    let tens = [Float](repeating: 10, count: 20)
    let early = try batch.add(.bouncy, values: zeros.span, targets: tens.span)
    try batch.advance(to: 1)
    let alone = try batch.add(.smooth, value: Float(0), target: 1)
    try batch.advance(to: 2)
    let large = try batch.add(.smooth, values: zeros.span, targets: tens.span)
    try batch.advance(to: 3)
    let two = [Float](repeating: 0, count: 2)
    let small = try batch.add(.smooth, values: two.span, targets: two.span)
    try batch.advance(to: 4)
    #expect(throws: BatchError.timeBeforeStart(time: 2.5, start: 3)) { try batch.advance(to: 2.5) }
    try batch.remove(small.span)
    try batch.advance(to: 2.5)
    #expect(throws: BatchError.timeBeforeStart(time: 1.5, start: 2)) { try batch.advance(to: 1.5) }
    try batch.remove(large.span)
    #expect(throws: BatchError.timeBeforeStart(time: 0.5, start: 1)) { try batch.advance(to: 0.5) }
    try batch.remove(alone)
    try batch.advance(to: 0)
    let shown = try batch.values()
    #expect(shown.prefix(20).allSatisfy { $0 == 0 })
    try batch.remove(early.span)
    try batch.advance(to: -1e10)
  }

  @Test func whatWasAtRestMovesAgainAndIsAtRestAgain() throws {
    var batch = try SpringBatch()
    let handles = try Self.fill(&batch)
    try batch.advance(to: 1_000)
    try batch.advance(to: 0.05)
    let moving = try handles.allSatisfy { handle in try !batch.isAtRest(handle) }
    let bytes = batch.bytesPerFrame
    #expect(moving && bytes > 16 * handles.count)
    try batch.advance(to: 1_000)
    try batch.advance(to: 1_001)
    let (rests, asleep) = (try handles.allSatisfy { handle in try batch.isAtRest(handle) }, batch.bytesPerFrame)
    #expect(rests && asleep == 0)
  }
}
