// SPDX-License-Identifier: MIT
// Names have dots and neither spaces nor tags: with those, the plugin does not find a benchmark's thresholds again.
import Benchmark

let benchmarks: @Sendable () -> Void = {
  registerAllocationBenchmarks()
  registerModelBenchmarks()
  registerAdvanceBenchmarks()
  registerChangeBenchmarks()
  registerLifeBenchmarks()
  registerPlayBenchmarks()
}
