// SPDX-License-Identifier: MIT
import Testing

import MurmurationReference
import Murmuration
import TestSupport

/// Every kernel on every instruction set, value and velocity within 8 · 2⁻²⁴ of the scale, the same bits on all.
struct KernelCheckTests {
  private let kernels = KernelCheck(sets: KernelSet.available)

  @Test(arguments: SpringRegime.allCases) func mixedSpringsAreWithin8u(_ regime: SpringRegime) {
    for result in kernels.mixed([regime], samples: 20_000, seed: 11) {
      #expect(result.passed, "\(result)")
      #expect(result.samples >= 20_000)
    }
  }

  @Test(arguments: SpringRegime.allCases) func uniformRunsAreWithin8u(_ regime: SpringRegime) {
    for result in kernels.uniform(regime, samples: 20_000, seed: 12) {
      #expect(result.passed, "\(result)")
    }
  }

  @Test(arguments: SpringRegime.allCases) func bakedSpringsAreWithin8u(_ regime: SpringRegime) {
    for result in kernels.baked(regime, samples: Effort.draws(quick: 2_000, soak: 5_000), seed: 13) {
      #expect(result.passed, "\(result)")
    }
  }
}
