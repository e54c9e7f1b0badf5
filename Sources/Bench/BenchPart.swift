// SPDX-License-Identifier: MIT

/// A part of `murmuration bench`.
package enum BenchPart: String, CaseIterable, Sendable {
  case kernels, retargets, churn, rest, motions, frames, cohorts, threads, keyframes, rigs, phases, baking, matrices,
    nodes, modal, rotations

  /// The names of the parts.
  package static let names = allCases.map(\.rawValue)

  /// Whether it runs at each number of tracks; the other parts need many tracks.
  var runsAtEachSize: Bool { self == .retargets || self == .motions || self == .cohorts || self == .threads }
}

extension BatchBench {
  /// Measures a part about the work of batches around their kernels. Other parts have their own benchmarks.
  func measure(_ part: BenchPart) throws -> [OperationResult] {
    switch part {
    case .kernels, .keyframes, .rigs, .phases, .baking, .matrices, .nodes, .modal, .rotations: []
    case .retargets: try retargetsOfAll() + retargetsByHandle()
    case .churn: try churn()
    case .rest: try rest()
    case .motions:
      try mixedFrames()
        + (tracks > 100_000 ? [] : departuresFromRest() + firstChanges() + sums() + tweensOnTheWay() + copies())
    case .frames: try framesOfCohorts()
    case .cohorts: try smallCohorts()
    case .threads: try threads()
    }
  }
}
