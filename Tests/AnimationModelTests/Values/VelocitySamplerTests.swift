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

  @Test func weightsAreSwiftUIs() throws {
    #expect(velocity([]) == 0 && velocity([(5, 1)]) == 0)
    #expect(isClose(velocity([(1, 1), (2, 1.1)]), 10, absolute: 1e-6))
    #expect(isClose(velocity([(1, 1), (2, 2), (4, 3)]), 1.25, absolute: 1e-12), "a quarter of 2, three quarters of 1")
    #expect(isClose(velocity([(9, 0), (1, 1), (2, 2), (4, 3)]), 1.25, absolute: 1e-12), "the last three count")
    // A sample at the same time replaces the last.
    #expect(velocity([(1, 1), (9, 2), (2, 2)]) == 1 && velocity([(9, 1), (1, 1), (2, 2)]) == 1)
    #expect(isClose(velocity([(0, 0), (1, 0.5), (2, 2)]), 0.25 / 1.5 + 0.75 * 2, absolute: 1e-12), "uneven times")
    for vector in try RecordedVectors.load(kind: "velocity-sampler", atLeast: 3) {
      let samples = (vector.json.samples_value_time?.elements ?? []).map { ($0.numbers[0], $0.numbers[1]) }
      let expected = try #require(vector.json.velocity?.number)
      #expect(isClose(velocity(samples), expected, absolute: try #require(vector.tolerance)), "\(vector)")
    }
  }

  /// One over the span of the next two would be infinite, and of no distance not a number.
  @Test func samplesOfAlmostOneTimeHaveAFiniteVelocity() {
    let least = Double.leastNonzeroMagnitude
    #expect(velocity([(5, 0), (5, least)]) == 0 && velocity([(5, 0), (5, least), (6, 1)]) == 0.25)
    #expect(velocity([(1, 0), (2, least), (1, 2 * least)]) == 0.5e22 && velocity([(0, 0), (1, 1e-22)]) == 1e22)
  }

  @Test func earlierSamplesAreRejected() {
    var sampler = VelocitySampler<SIMD2<Double>>()
    #expect(!sampler.addSample(.one, time: .nan) && sampler.lastTime == nil)
    #expect(sampler.addSample(.zero, time: 1) && sampler.addSample(SIMD2(2, 4), time: 2))
    #expect(!sampler.addSample(SIMD2(9, 9), time: 1.5) && !sampler.addSample(.one, time: .nan))
    #expect(sampler.velocity == SIMD2(2, 4) && sampler.lastTime == 2)
    sampler.reset()
    #expect(sampler.velocity == .zero && sampler.lastTime == nil)
    #expect(sampler.lastValue == nil && sampler.predictedEnd(at: 3) == nil)
  }

  @Test func velocityFadesFromTheNewestSampleOnAndEndsAfterTwoSeconds() {
    var sampler = VelocitySampler<SIMD2<Double>>()
    #expect(sampler.velocity(at: 0) == .zero && sampler.velocity(at: .nan) == .zero)
    sampler.addSample(.zero, time: 1)
    #expect(sampler.velocity(at: 1) == .zero)
    sampler.addSample(SIMD2(1, 3), time: 1.5)
    #expect(sampler.velocity(at: 1.5) == SIMD2(2, 6), "at its time")
    #expect(sampler.velocity(at: 1.2) == SIMD2(2, 6) && sampler.velocity(at: -.infinity) == SIMD2(2, 6), "before it")
    // 0.998 to the powers of 1, 100 and 2000, from mpmath.
    for (elapsed, left) in [(0.001, 0.998), (0.1, 0.8185668046884277), (2, 0.018242425223750636)] {
      let velocity = sampler.velocity(at: 1.5 + elapsed)
      #expect(isClose(velocity.x, 2 * left, relative: 1e-12) && isClose(velocity.y, 6 * left, relative: 1e-12))
    }
    #expect(sampler.velocity(at: (3.5).nextUp) == .zero && sampler.velocity(at: .infinity) == .zero)
    #expect(sampler.velocity(at: .nan) == .zero)
    sampler.addSample(SIMD2(2, 6), time: 4.5)
    #expect(sampler.velocity(at: 4.5) == sampler.velocity, "a sample counts at once")
  }
}
