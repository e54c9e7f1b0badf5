// SPDX-License-Identifier: MIT
import Testing

@testable import Murmuration
@testable import MurmurationEngine

/// The clock goes to any time from the latest start on, forwards or back.
struct SeekTests {
  private static func fill(_ batch: inout AnimationBatch<Float>) throws -> [TrackHandle] {
    var random = SplitMix64(seed: 71)
    var handles: [TrackHandle] = []
    for regime in Motion.Regime.allCases {
      for count in [1, 7, 33] {
        let motions = (0..<count).map { _ in Motion(regime, &random) }
        let (values, targets, velocities) = (motions.map(\.value), motions.map(\.target), motions.map(\.velocity))
        let springs = motions.map(\.spring)
        handles += try batch.add(values, velocities: velocities, to: targets, springs[0])
        handles += try batch.add(values, velocities: velocities, to: targets, springs: springs)
      }
    }
    return handles
  }

  @Test(arguments: KernelSet.available, [false, true])
  func anyWayToATimeGivesTheSameBits(_ set: KernelSet, _ velocities: Bool) throws {
    var random = SplitMix64(seed: 72)
    var wanderer = try AnimationBatch<Float>(kernels: set)
    _ = try Self.fill(&wanderer)
    for trial in 0..<25 {
      let time = trial % 10 == 0 ? 1_000 : random.logarithmic(1e-3...20)
      try wanderer.advance(to: time, velocities: velocities)
      var direct = try AnimationBatch<Float>(kernels: set)
      _ = try Self.fill(&direct)
      try direct.advance(to: time, velocities: true)
      let (bits, expected) = (try wanderer.bits(), try direct.bits())
      #expect(bits == expected, "at \(time)")
    }
  }

  @Test func compactingAndShrinkingOnTheWayDoNotShow() throws {
    var random = SplitMix64(seed: 73)
    var wanderer = try AnimationBatch<Float>()
    let handles = try Self.fill(&wanderer)
    let gone = handles.filter { _ in random.next() % 3 > 0 }
    for time in [0.2, 30, 0.1, 7, 0.4, 1_000, 2] {
      try wanderer.advance(to: time)
      if time == 30 {
        try wanderer.remove(gone)
      }
      try wanderer.compact()
      var direct = try AnimationBatch<Float>()
      let twins = try Self.fill(&direct)
      if time != 0.2 {
        let others = zip(handles, twins).filter { gone.contains($0.0) }.map(\.1)
        try direct.remove(others)
      }
      try direct.advance(to: time, velocities: true)
      let (bits, expected) = (wanderer.bits(of: handles), direct.bits(of: twins))
      #expect(bits == expected, "at \(time)")
    }
  }

  @Test func noTimeBeforeTheLatestStartIsAccepted() throws {
    var batch = try AnimationBatch<Float>()
    try batch.advance(to: -5)
    let first = try batch.add(0, to: 1, .bouncy)
    try batch.advance(to: 1)
    try batch.advance(to: -5)
    let shown = batch[first]
    #expect(shown == 0)
    try batch.advance(to: 2)
    try batch.add([Float](repeating: 0, count: 20), to: [Float](repeating: 1, count: 20), .smooth)
    try batch.advance(to: 3)
    try batch.displace([first], [0.5], velocities: [0])
    try batch.advance(to: 4)
    #expect(throws: BatchError.timeBeforeStart(time: 2.5, start: 3)) { try batch.advance(to: 2.5) }
    let clock = batch.time
    #expect(clock == 4)
    try batch.advance(to: 3)
  }

  @Test func theLatestStartIsThatOfTracksThatLive() throws {
    var batch = try AnimationBatch<Float>()
    let (zeros, tens) = ([Float](repeating: 0, count: 20), [Float](repeating: 10, count: 20))
    let early = try batch.add(zeros, to: tens, .bouncy)
    try batch.advance(to: 1)
    let alone = try batch.add(0, to: 1, .smooth)
    try batch.advance(to: 2)
    let large = try batch.add(zeros, to: tens, .smooth)
    try batch.advance(to: 3)
    let small = try batch.add([0, 0], to: [1, 1], .smooth)
    try batch.advance(to: 4)
    #expect(throws: BatchError.timeBeforeStart(time: 2.5, start: 3)) { try batch.advance(to: 2.5) }
    try batch.remove(small)
    try batch.advance(to: 2.5)
    #expect(throws: BatchError.timeBeforeStart(time: 1.5, start: 2)) { try batch.advance(to: 1.5) }
    try batch.remove(large)
    #expect(throws: BatchError.timeBeforeStart(time: 0.5, start: 1)) { try batch.advance(to: 0.5) }
    try batch.remove(alone)
    try batch.advance(to: 0)
    let shown = try batch.values()
    #expect(shown.prefix(20).allSatisfy { $0 == 0 })
    try batch.remove(early)
    try batch.advance(to: -1e10)
  }

  @Test func whatWasAtRestMovesAgainAndIsAtRestAgain() throws {
    var batch = try AnimationBatch<Float>()
    let handles = try Self.fill(&batch)
    try batch.advance(to: 1_000)
    try batch.advance(to: 0.05)
    let (moving, bytes) = (
      handles.allSatisfy { batch.isAtRest($0) == false }, batch.engine.bytesPerFrame(velocities: false)
    )
    #expect(moving && bytes > 12 * handles.count)
    try batch.advance(to: 1_000)
    try batch.advance(to: 1_001)
    let (rests, asleep) = (
      handles.allSatisfy { batch.isAtRest($0) == true }, batch.engine.bytesPerFrame(velocities: false)
    )
    #expect(rests && asleep == 0)
  }
}
