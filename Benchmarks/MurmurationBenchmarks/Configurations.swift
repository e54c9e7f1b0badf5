// SPDX-License-Identifier: MIT
import Benchmark
import Foundation

extension Benchmark.Configuration {
  /// Whether to count allocations and nothing else, in a few samples: what `Scripts/check-allocations` asks for.
  ///
  /// The plugin holds every metric of a run against the thresholds and takes one without for exceeded at 0, so a run
  /// that is checked must not measure time.
  private static let countsOnly = ProcessInfo.processInfo.environment["BENCHMARK_ALLOCATIONS_ONLY"] != nil

  /// For bodies of microseconds: a thousand of them a sample.
  static var frames: Benchmark.Configuration { measured(.kilo) }

  /// For bodies that take longer, or that are to be counted one by one.
  static var bulk: Benchmark.Configuration { measured(.one) }

  /// Counts allocations of single iterations.
  static var counts: Benchmark.Configuration {
    Benchmark.Configuration(metrics: [allocationsMetric], maxIterations: 10)
  }

  /// For bodies that allocate on purpose, how often depending on the C library too: no thresholds for them.
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
