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
  func evaluateBases(_ table: KernelTable, at time: Double, into bases: UnsafeMutablePointer<CohortBasis>) {
    unsafe starts.withUnsafeBufferPointer { starts in
      unsafe rates.withUnsafeBufferPointer { rates in
        unsafe αs.withUnsafeBufferPointer { αs in
          unsafe κs.withUnsafeBufferPointer { κs in
            guard let start = starts.baseAddress, let rate = rates.baseAddress, let α = αs.baseAddress,
              let κ = κs.baseAddress
            else {
              return
            }
            unsafe table.evaluateBases(BasisColumns(start: start, rate: rate, α: α, κ: κ), count, time, bases)
          }
        }
      }
    }
  }
}
