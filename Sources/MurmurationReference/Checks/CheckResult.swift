// SPDX-License-Identifier: MIT

/// The result of one check: the largest error in a stated unit, and its bound.
package struct CheckResult: Codable, Equatable, Sendable {
  /// The kernel, regime and output that were checked, for example `mixed.oscillating.value`.
  package var name: String
  /// The instruction set whose kernels ran.
  package var isa: String
  /// The number of compared samples.
  package var samples: Int
  /// The largest error; infinite if an output was not finite.
  package var maxError: Double
  /// The largest error allowed.
  package var bound: Double
  /// The unit of both.
  package var unit: String
  /// Whether the error is within the bound.
  package var passed: Bool
  /// The sample with the largest error, for the reader to repeat.
  package var worst: String

  /// The result of a check that has compared nothing yet.
  package init(name: String, isa: String, unit: String, bound: Double) {
    self.name = name
    self.isa = isa
    self.unit = unit
    self.bound = bound
    samples = 0
    maxError = 0
    passed = true
    worst = ""
  }

  /// Takes one more error into account, or the largest of several. NaN counts as infinite.
  package mutating func record(_ error: Double, samples count: Int = 1, _ sample: @autoclosure () -> String) {
    samples += count
    let error = error.isNaN ? .infinity : error
    if error > maxError {
      maxError = error
      worst = sample()
    }
    passed = maxError <= bound
  }
}
