// SPDX-License-Identifier: MIT
import Murmuration
import MurmurationReference
import TestSupport
import Testing

extension CheckResult {
  static func expectPassed(_ results: [CheckResult], atLeast samples: Int = 0, errors: Double = 0) {
    for result in results {
      #expect(result.passed && result.samples >= samples && result.maxError >= errors, "\(result)")
    }
  }
}

/// The checks of `verify`, with few draws.
struct CheckTests {
  @Test(arguments: KernelSet.available) func bakesAreWithinTheBound(_ set: KernelSet) throws {
    let samples = Effort.draws(quick: 1_500, soak: 100_000)
    CheckResult.expectPassed(try BakeCheck.bakes(on: set, samples: samples, seed: 3), atLeast: 1_500)
  }

  @Test(arguments: KernelSet.available) func particlesAreWithinTheBound(_ set: KernelSet) throws {
    let samples = Effort.draws(quick: 20_000, soak: 60_000)
    CheckResult.expectPassed(try ParticleCheck.particles(on: set, samples: samples, seed: 4), atLeast: 20_000)
  }

  @Test(arguments: KernelSet.available) func mixersAndNetworksAreWithinTheBound(_ set: KernelSet) throws {
    // About forty stacks of layers.
    let samples = Effort.draws(quick: 30_000, soak: 60_000)
    CheckResult.expectPassed(try MatrixCheck.mixers(on: set, samples: samples, seed: 5), errors: 1e-3)
    CheckResult.expectPassed(try MatrixCheck.networks(on: set, samples: 300, seed: 6), errors: 1e-3)
  }
}
