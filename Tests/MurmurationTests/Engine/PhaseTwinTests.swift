// SPDX-License-Identifier: MIT
import TestSupport
import Testing

@testable import Murmuration

struct PhaseTwinTests {
  @Test(
    "The engine plays phases with the bits of a batch of phases where springs play, and reports what it reports",
    arguments: PhaseTwins.Content.allCases, [PhasePlayback.loops, .triggered])
  func programs(_ content: PhaseTwins.Content, _ playback: PhasePlayback) throws {
    var checks = 0
    for seed in 0..<UInt64(Effort.draws(quick: 6, soak: 2000)) {
      // A batch of phases takes the rest of a motion that does not end with its step from another bound.
      let tolerance: Float = playback == .loops && seed % 2 == 0 ? 0.001 : 1e-30
      var twins = try PhaseTwins(seed: seed, content, playback, tolerance: tolerance)
      do {
        for _ in 0..<50 {
          try twins.call()
          try twins.compare()
        }
        checks += twins.checks
      } catch {
        Issue.record("seed \(seed): \(error)\n\(twins.log.joined(separator: "\n"))")
        return
      }
    }
    #expect(checks > 2_000)
  }
}
