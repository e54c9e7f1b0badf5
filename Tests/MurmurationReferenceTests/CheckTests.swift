// SPDX-License-Identifier: MIT
import Murmuration
import MurmurationReference
import TestSupport
import Testing

/// The checks of `verify`, with few draws.
struct CheckTests {
  @Test(arguments: KernelSet.available) func bakesAreWithinTheBound(_ set: KernelSet) throws {
    for result in try BakeCheck.bakes(on: set, samples: Effort.draws(quick: 1_500, soak: 100_000), seed: 3) {
      #expect(result.passed, "\(result.name): \(result.maxError), \(result.worst)")
      #expect(result.samples >= 1_500)
    }
  }

  @Test(arguments: KernelSet.available) func particlesAreWithinTheBound(_ set: KernelSet) throws {
    for result in try ParticleCheck.particles(on: set, samples: Effort.draws(quick: 20_000, soak: 60_000), seed: 4) {
      #expect(result.passed, "\(result.name): \(result.maxError), \(result.worst)")
      #expect(result.samples >= 20_000)
    }
  }

  @Test(arguments: KernelSet.available) func mixersAndNetworksAreWithinTheBound(_ set: KernelSet) throws {
    let samples = Effort.draws(quick: 1_500, soak: 4_000)
    let mixers = try MatrixCheck.mixers(on: set, samples: samples, seed: 5)
    for result in try mixers + MatrixCheck.networks(on: set, samples: 300, seed: 6) {
      #expect(result.passed, "\(result.name): \(result.maxError), \(result.worst)")
      #expect(result.maxError > 1e-3)
    }
  }
}
