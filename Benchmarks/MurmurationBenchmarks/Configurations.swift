// SPDX-License-Identifier: MIT
internal import Benchmark

extension Benchmark.Configuration {
  /// For bodies of microseconds: a thousand of them a sample.
  static var frames: Benchmark.Configuration {
    Benchmark.Configuration(
      metrics: [.wallClock, .throughput, allocationsMetric], scalingFactor: .kilo, maxDuration: .seconds(1))
  }

  /// For bodies of milliseconds.
  static var bulk: Benchmark.Configuration {
    Benchmark.Configuration(
      metrics: [.wallClock, .throughput, allocationsMetric], scalingFactor: .one, maxDuration: .seconds(1))
  }
}
