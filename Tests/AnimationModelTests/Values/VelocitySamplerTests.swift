// SPDX-License-Identifier: MIT
import AnimationModel
import Testing
import TestSupport

/// The estimate of velocity from samples.
struct VelocitySamplerTests {
  private func velocity(_ samples: [(Double, Double)]) -> Double {
    var sampler = VelocitySampler<Double>()
    for (value, time) in samples { sampler.addSample(value, time: time) }
    return sampler.velocity
  }

  @Test func weightsAreSwiftUIs() {
    #expect(velocity([]) == 0 && velocity([(5, 1)]) == 0)
    #expect(isClose(velocity([(1, 1), (2, 1.1)]), 10, absolute: 1e-6))
    #expect(isClose(velocity([(1, 1), (2, 2), (4, 3)]), 1.25, absolute: 1e-12), "a quarter of 2, three quarters of 1")
    #expect(isClose(velocity([(9, 0), (1, 1), (2, 2), (4, 3)]), 1.25, absolute: 1e-12), "the last three count")
    #expect(isClose(velocity([(0, 0), (1, 0.5), (2, 2)]), 0.25 / 1.5 + 0.75 * 2, absolute: 1e-12), "uneven times")
  }

  @Test func aSampleAtTheSameTimeReplacesTheLast() {
    #expect(velocity([(1, 1), (9, 2), (2, 2)]) == 1)
    #expect(velocity([(9, 1), (1, 1), (2, 2)]) == 1)
  }

  @Test func earlierSamplesAreRejected() {
    var sampler = VelocitySampler<SIMD2<Double>>()
    #expect(!sampler.addSample(.one, time: .nan) && sampler.lastTime == nil)
    #expect(sampler.addSample(.zero, time: 1) && sampler.addSample(SIMD2(2, 4), time: 2))
    #expect(!sampler.addSample(SIMD2(9, 9), time: 1.5) && !sampler.addSample(.one, time: .nan))
    #expect(sampler.velocity == SIMD2(2, 4) && sampler.lastTime == 2)
    sampler.reset()
    #expect(sampler.velocity == .zero && sampler.lastTime == nil)
  }
}
