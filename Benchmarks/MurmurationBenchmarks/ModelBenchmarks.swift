// SPDX-License-Identifier: MIT
internal import Benchmark
internal import Murmuration

/// The scalar model, which is the reference of the batches and what they are faster than.
func registerModelBenchmarks() {
  Benchmark("model.spring.value", configuration: .frames) { benchmark in
    let spring = Spring(duration: 0.5, bounce: 0.2)
    var sum = 0.0
    benchmark.measureCounting { iteration in
      sum += spring.value(target: 1.0, initialVelocity: 0.0, time: Double(iteration) * 1e-3)
    }
    // Of a thousand values most are 1.
    if !(sum > 0.9 * Double(benchmark.scaledIterations.count)) {
      benchmark.error("the values of a spring to 1 sum to \(sum)")
    }
  }

  Benchmark("model.curve.value", configuration: .frames) { benchmark in
    let curve = UnitCurve.easeInOut
    var sum = 0.0
    benchmark.measureCounting { iteration in
      sum += curve.value(at: Double(iteration % 1_001) * 1e-3)
    }
    // The curve is symmetric about a half.
    let mean = sum / Double(benchmark.scaledIterations.count)
    if abs(mean - 0.5) > 1e-3 {
      benchmark.error("the mean of easeInOut is \(mean)")
    }
  }
}
