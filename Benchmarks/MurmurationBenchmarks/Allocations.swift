// SPDX-License-Identifier: MIT
import Benchmark
import CAllocations

/// Allocations of a sample. If a sample is a thousand iterations this is their sum, so that one in a thousand shows.
///
/// The only metric with thresholds, since it depends on the code and not on the machine.
let allocationsMetric = BenchmarkMetric.custom("allocations", polarity: .prefersSmaller, useScalingFactor: false)

/// The number of allocations of all threads while `body` runs.
@inline(never)
func allocations(during body: () throws -> Void) rethrows -> Int {
  let before = allocations_so_far()
  try body()
  return Int(allocations_so_far() - before)
}

extension Benchmark {
  /// Measures `body`, once for each scaled iteration, and counts its allocations.
  func measureCounting(_ body: (_ iteration: Int) throws -> Void) rethrows {
    startMeasurement()
    let count = try allocations {
      for iteration in scaledIterations {
        try body(iteration)
      }
    }
    stopMeasurement()
    measurement(allocationsMetric, count)
  }
}

/// The counter itself: a count of 0 means something only if one allocation is counted as one.
func registerAllocationBenchmarks() {
  guard allocations_are_counted() else {
    return
  }
  Benchmark("allocations.none", configuration: .counts) { benchmark in
    benchmark.measureCounting { blackHole($0) }
  }
  Benchmark("allocations.planted", configuration: .counts) { benchmark in
    let ways = [
      allocation_malloc, allocation_calloc, allocation_realloc, allocation_aligned, allocation_posix,
    ]
    for way in ways {
      let count = allocations { allocations_plant(way) }
      benchmark.check(count == 1, "one planted allocation of kind \(way.rawValue) was counted as \(count)")
    }
    let swift = allocations {
      let memory = UnsafeMutableRawPointer.allocate(byteCount: 4096, alignment: 4096)
      blackHole(memory)
      memory.deallocate()
    }
    benchmark.check(swift == 1, "one allocation of the Swift runtime was counted as \(swift)")
    benchmark.measureCounting { _ in allocations_plant(allocation_malloc) }
  }
}
