// SPDX-License-Identifier: MIT
import Benchmark
import Foundation

extension Benchmark.Configuration {
  /// Whether to count only allocations, in a few samples, as `Scripts/check-allocations` asks.
  ///
  /// The plugin compares every metric of a run with the thresholds, and takes a metric without one for exceeded at 0.
  /// So a run that is checked must not measure time.
  private static let countsOnly = ProcessInfo.processInfo.environment["BENCHMARK_ALLOCATIONS_ONLY"] != nil

  /// For bodies of microseconds: a thousand of them in a sample.
  static var frames: Benchmark.Configuration { measured(.kilo) }

  /// For bodies that take longer, or that are to be counted one by one.
  static var bulk: Benchmark.Configuration { measured(.one) }

  /// Counts allocations of single iterations.
  static var counts: Benchmark.Configuration {
    Benchmark.Configuration(metrics: [allocationsMetric], maxIterations: 10)
  }

  /// For bodies that allocate on purpose: the number depends on the C library too, so they have no thresholds.
  static var untested: Benchmark.Configuration {
    var configuration = bulk
    configuration.skip = countsOnly
    return configuration
  }

  private static func measured(_ factor: BenchmarkScalingFactor) -> Benchmark.Configuration {
    if countsOnly {
      return Benchmark.Configuration(
        metrics: [allocationsMetric], scalingFactor: factor, maxDuration: .seconds(10), maxIterations: 10)
    }
    return Benchmark.Configuration(
      metrics: [.wallClock, .throughput, allocationsMetric], scalingFactor: factor, maxDuration: .seconds(1))
  }
}
