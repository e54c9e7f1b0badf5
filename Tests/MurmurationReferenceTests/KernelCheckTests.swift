// SPDX-License-Identifier: MIT
import Murmuration
import MurmurationReference
import TestSupport
import Testing

/// Every kernel on every instruction set, value and velocity within 8 · 2⁻²⁴ of the scale, the same bits on all.
struct KernelCheckTests {
  private let kernels = KernelCheck(sets: KernelSet.available)

  @Test(arguments: SpringRegime.allCases) func mixedSpringsAreWithin8u(_ regime: SpringRegime) {
    CheckResult.expectPassed(kernels.mixed([regime], samples: 20_000, seed: 11), atLeast: 20_000)
  }

  @Test(arguments: SpringRegime.allCases) func uniformRunsAreWithin8u(_ regime: SpringRegime) {
    CheckResult.expectPassed(kernels.uniform(regime, samples: 20_000, seed: 12))
  }

  @Test(arguments: SpringRegime.allCases) func bakedSpringsAreWithin8u(_ regime: SpringRegime) {
    CheckResult.expectPassed(kernels.baked(regime, samples: Effort.draws(quick: 2_000, soak: 5_000), seed: 13))
  }
}
