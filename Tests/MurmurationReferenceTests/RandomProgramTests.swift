// SPDX-License-Identifier: MIT
import Murmuration
import TestSupport
import Testing

@testable import MurmurationReference

/// Random programs of calls, played on batches and on the reference.
struct RandomProgramTests {
  @Test(arguments: KernelSet.available)
  func batchesDoAsTheReferenceSays(_ set: KernelSet) throws {
    for seed in 0..<UInt64(Effort.draws(quick: 150, soak: 20_000)) {
      let report = try check(RandomProgram.draw(seed: seed), kernels: set, threads: seed % 4 == 0 ? 3 : 1)
      #expect(report.passed, "seed \(seed): \(report)")
    }
  }
}
