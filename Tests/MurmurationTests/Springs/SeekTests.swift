// SPDX-License-Identifier: MIT
import Testing

@testable import Murmuration
@testable import MurmurationEngine

/// The clock goes to any time from the latest start on, forwards or back.
struct SeekTests {
  private static func fill(_ batch: inout AnimationBatch<Float>) throws {
    var random = SplitMix64(seed: 71)
    for regime in Motion.Regime.allCases {
      for count in [1, 7, 33] {
        let motions = (0..<count).map { _ in Motion(regime, &random) }
        let (values, targets, velocities) = (motions.map(\.value), motions.map(\.target), motions.map(\.velocity))
        try batch.add(values, velocities: velocities, to: targets, motions[0].spring)
        try batch.add(values, velocities: velocities, to: targets, springs: motions.map(\.spring))
      }
    }
  }

  @Test(arguments: KernelSet.available, [false, true])
  func anyWayToATimeGivesTheSameBits(_ set: KernelSet, _ velocities: Bool) throws {
    var random = SplitMix64(seed: 72)
    var wanderer = try AnimationBatch<Float>(kernels: set)
    try Self.fill(&wanderer)
    for trial in 0..<25 {
      let time = trial % 10 == 0 ? 1_000 : random.logarithmic(1e-3...20)
      try wanderer.advance(to: time, velocities: velocities)
      var direct = try AnimationBatch<Float>(kernels: set)
      try Self.fill(&direct)
      try direct.advance(to: time, velocities: true)
      let (bits, expected) = (try wanderer.bits(), try direct.bits())
      #expect(bits == expected, "at \(time)")
    }
  }

  @Test func theLatestStartIsThatOfTracksThatLive() throws {
    var batch = try AnimationBatch<Float>()
    let (zeros, tens) = ([Float](repeating: 0, count: 20), [Float](repeating: 10, count: 20))
    let early = try batch.add(zeros, to: tens, .bouncy)
    try batch.advance(to: 1)
    let alone = try batch.add(0, to: 1, .smooth)
    try batch.advance(to: 2)
    let large = try batch.add(zeros, to: tens, .smooth)
    let put = try batch.add(0, to: 1, .bouncy)
    try batch.advance(to: 2.75)
    try batch.displace([put], [0.5], velocities: [0])
    try batch.advance(to: 3)
    let small = try batch.add([0, 0], to: [1, 1], .smooth)
    try batch.advance(to: 4)
    for (start, tracks) in [(3, small), (2.75, [put]), (2, large), (1, [alone])] {
      #expect(throws: BatchError.timeBeforeStart(time: start - 0.25, start: start)) {
        try batch.advance(to: start - 0.25)
      }
      try batch.advance(to: start)
      try batch.remove(tracks)
    }
    try batch.advance(to: 0)
    #expect(early.allSatisfy { batch[$0] == 0 })
    try batch.remove(early)
    try batch.advance(to: -1e10)
  }
}
