// SPDX-License-Identifier: MIT
import Murmuration
import TestSupport
import Testing

@testable import MurmurationReference

/// Random programs of calls, played on batches and on the reference.
struct RandomProgramTests {
  @Test(arguments: KernelSet.available)
  func batchesDoAsTheReferenceSays(_ set: KernelSet) throws {
    for seed in 0..<UInt64(Effort.draws(quick: 20, soak: 20_000)) {
      let program = RandomProgram.draw(seed: seed, size: seed % 20 == 19 ? .big : .small)
      let report = try check(program, kernels: set, threads: seed % 4 == 0 ? 3 : 1)
      #expect(report.passed, "seed \(seed): \(report)")
    }
  }
}
