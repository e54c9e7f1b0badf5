// SPDX-License-Identifier: MIT
import Kernels

/// The coefficients and starts of cohorts, in columns that are padded to whole tiles.
struct CohortColumns {
  private(set) var count = 0
  private var starts: [Double] = []
  private var rates: [Double] = []
  private var αs: [Double] = []
  private var κs: [Double] = []

  mutating func append(_ coefficients: SpringCoefficients, start: Double) {
    if count == starts.count {
      for _ in 0..<laneCountOfTile {
        starts.append(0)
        rates.append(0)
        αs.append(0)
        κs.append(0)
      }
    }
    count += 1
    set(count - 1, coefficients, start: start)
  }

  mutating func set(_ place: Int, _ coefficients: SpringCoefficients, start: Double) {
    starts[place] = start
    rates[place] = coefficients.rate
    αs[place] = coefficients.α
    κs[place] = coefficients.κ
  }

  mutating func removeAll() {
    count = 0
    starts.removeAll(keepingCapacity: true)
    rates.removeAll(keepingCapacity: true)
    αs.removeAll(keepingCapacity: true)
    κs.removeAll(keepingCapacity: true)
  }

  /// Computes all bases at a time; `bases` has room for whole tiles.
  func evaluateBases(_ table: KernelTable, at time: Double, into bases: Column<CohortBasis>) {
    starts.withConstantColumn { starts in
      rates.withConstantColumn { rates in
        αs.withConstantColumn { αs in
          κs.withConstantColumn { κs in
            table.evaluateBases(BasisColumns(start: starts, rate: rates, α: αs, κ: κs), count, time, bases)
          }
        }
      }
    }
  }
}
