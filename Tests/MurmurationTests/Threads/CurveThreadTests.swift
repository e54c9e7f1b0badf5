// SPDX-License-Identifier: MIT
import Testing

@testable import Murmuration

/// The number of threads changes no bit of curves, nor of phases of curves.
@Suite(.serialized) struct CurveThreadTests {
  private static let (tracks, dimensions) = (4_000, 16)
  private static let curves: [Animation] = [
    .easeIn(duration: 0.5), .easeOut(duration: 0.3).repeatForever(), .linear(duration: 0.4).delay(0.05),
    .easeInOut(duration: 0.2).speed(0.5),
  ]

  /// The bits of all values and velocities after a few frames.
  private func play(threads: Int, velocities: Bool) throws -> Set<Int> {
    var batch = try CurveBatch(dimensions: Self.dimensions, reservingCapacity: Self.tracks)
    batch.computesVelocities = velocities
    batch.threadCount = threads
    let got = batch.threadCount
    #expect(got == min(max(1, threads), 64))
    let values = (0..<Self.tracks * Self.dimensions).map { Float($0 % 1_001) }
    let targets = (0..<Self.tracks * Self.dimensions).map { Float($0 % 997) - 500 }
    let animations = (0..<Self.tracks).map { Optional(Self.curves[$0 / 3 % 4]) }
    let handles = try batch.add(values: values.span)
    try batch.retarget(handles.span, to: targets.span, animations: animations.span)
    var hashes: Set<Int> = []
    for frame in 1...4 {
      try batch.advance(to: Double(frame) * 0.07)
      let tiles = batch.ends.last ?? 0
      #expect(tiles * Self.dimensions >= ClipFrame.parallelTiles, "the crowd is too small for this test")
      var hasher = Hasher()
      for dimension in 0..<Self.dimensions {
        var output = [Float](repeating: 0, count: Self.tracks)
        var span = output.mutableSpan
        try batch.copyValues(dimension: dimension, into: &span)
        for value in output { hasher.combine(value.bitPattern) }
        var speeds = output.mutableSpan
        try batch.copyVelocities(dimension: dimension, into: &speeds)
        for value in output { hasher.combine(value.bitPattern) }
      }
      hashes.insert(hasher.finalize())
    }
    return hashes
  }

  @Test("Any number of threads gives the same bits", arguments: [true, false])
  func anyNumberGivesTheSameBits(velocities: Bool) throws {
    let alone = try play(threads: 1, velocities: velocities)
    #expect(alone.count == 4)
    for threads in [2, 3, 64, 0, .max] {
      let shared = try play(threads: threads, velocities: velocities)
      #expect(shared == alone, "\(threads) threads")
    }
  }

  @Test(arguments: [Animation.smooth, .easeIn]) func phasesTakeTheNumber(animation: Animation) throws {
    let sequence = try PhaseSequence([0, 1] as [Float], target: { $0 }, animation: { _ in animation })
    var batch = try PhaseBatch(sequence)
    let before = batch.threadCount
    batch.threadCount = 3
    let (after, springs, curves) = (batch.threadCount, batch.springs.threadCount, batch.curves.threadCount)
    #expect(before == 1)
    #expect(after == 3)
    let hasSprings = batch.hasSpringsOnly
    #expect((springs == 3) == hasSprings)
    #expect((curves == 3) != hasSprings)
  }
}
