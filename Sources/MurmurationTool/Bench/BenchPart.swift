// SPDX-License-Identifier: MIT
import ArgumentParser

/// A part of `murmuration bench`.
enum BenchPart: String, CaseIterable, ExpressibleByArgument {
  case kernels, retargets, churn, rest, frames, cohorts, threads, keyframes, rigs, phases, baking, matrices, modal

  /// Whether it says something at each number of tracks; the others are about many.
  var runsAtEachSize: Bool { self == .retargets || self == .cohorts || self == .threads }
}

extension BatchBench {
  /// Measures a part of what batches do around their kernels; other parts have benchmarks of their own.
  func measure(_ part: BenchPart) throws -> [OperationResult] {
    switch part {
    case .kernels, .keyframes, .rigs, .phases, .baking, .matrices, .modal: []
    case .retargets: try retargetsOfAll() + retargetsByHandle()
    case .churn: try churn()
    case .rest: try rest()
    case .frames: try framesOfCohorts()
    case .cohorts: try smallCohorts()
    case .threads: try threads()
    }
  }
}
