// SPDX-License-Identifier: MIT
import Benchmark
import Murmuration

/// The scalar model: the reference of the batches, and slower than they are.
func registerModelBenchmarks() {
  Benchmark("model.spring.value", configuration: .frames) { benchmark in
    let spring = Spring(duration: 0.5, bounce: 0.2)
    var sum = 0.0
    benchmark.measureCounting { iteration in
      sum += spring.value(target: 1.0, initialVelocity: 0.0, time: Double(iteration) * 1e-3)
    }
    // The distance from 0 to 1 is covered in an eighth of the second.
    let mean = sum / Double(benchmark.scaledIterations.count)
    benchmark.check(0.8...0.95 ~= mean, "the mean of a spring's first second is \(mean)")
  }

  Benchmark("model.curve.value", configuration: .frames) { benchmark in
    let curve = UnitCurve.easeInOut
    var sum = 0.0
    benchmark.measureCounting { iteration in
      sum += curve.value(at: Double(iteration % 1_001) * 1e-3)
    }
    // The curve is symmetric about a half.
    let mean = sum / Double(benchmark.scaledIterations.count)
    benchmark.check(abs(mean - 0.5) < 1e-3, "the mean of easeInOut is \(mean)")
  }
}
