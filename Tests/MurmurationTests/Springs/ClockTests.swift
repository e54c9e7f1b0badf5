// SPDX-License-Identifier: MIT
import Murmuration
import Testing

/// The clock sums with compensation.
struct ClockTests {
  /// The next sum makes up for the rounding of the last one, but never goes back: the latest start may be now.
  @Test func anAdvanceByNothingLeavesTheClockWhereItIs() throws {
    var random = SplitMix64(seed: 81)
    for _ in 0..<500 {
      var batch = try AnimationBatch<Float>()
      for _ in 0..<4 {
        // Also steps that are longer than the time so far.
        try batch.advance(by: random.uniform(0...1) * (random.next() & 1 == 0 ? 1e-3 : 10))
      }
      let time = batch.time
      try batch.add(0, to: 1, .smooth)
      try batch.advance(by: 0)
      let same = batch.time
      #expect(same == time)
    }
  }
}
