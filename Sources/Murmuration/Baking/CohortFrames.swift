// SPDX-License-Identifier: MIT
import Kernels

/// The bases of a cohort in every frame, kept for the next lanes of the same cohort.
struct CohortFrames {
  let table: KernelTable
  let times: BakeTimes
  private var place = -1
  private var bases: [CohortBasis] = []

  init(table: KernelTable, times: BakeTimes) { (self.table, self.times) = (table, times) }

  /// Lends the bases of a cohort, given its index. Its rest must be known.
  mutating func withBases(of place: Int, _ cohort: Cohort, _ body: (ConstantColumn<CohortBasis>) -> Void) {
    if place != self.place {
      compute(cohort)
      self.place = place
    }
    bases.withConstantColumn { body($0) }
  }

  /// To the kernel, each frame is a cohort of the age at that frame, so the bits are those of the cohort's basis at that
  /// time.
  private mutating func compute(_ cohort: Cohort) {
    var columns = CohortColumns()
    for frame in 0..<times.count {
      columns.append(cohort.coefficients, start: cohort.start - times(frame))
    }
    let padded = (times.count + laneCountOfTile - 1) / laneCountOfTile * laneCountOfTile
    bases = Array(repeating: .rest, count: padded)
    bases.withColumn { bases in
      columns.evaluateBases(table, at: 0, into: bases)
    }
    if let restTime = cohort.restTime {
      for frame in 0..<times.count where times(frame) >= restTime {
        bases[frame] = .rest
      }
    }
  }
}
