// SPDX-License-Identifier: MIT

/// What one check found: the largest error, in a stated unit, and what it may be.
public struct CheckResult: Codable, Equatable, Sendable {
  /// What was checked: kernel, regime and output, for example `mixed.oscillating.value`.
  public var name: String
  /// The instruction set whose kernels ran.
  public var isa: String
  /// Samples compared.
  public var samples: Int
  /// The largest error; infinite where an output was not finite.
  public var maxError: Double
  /// The largest error allowed.
  public var bound: Double
  /// The unit of both.
  public var unit: String
  /// Whether the error is within the bound.
  public var passed: Bool
  /// The sample with the largest error, for the reader to repeat.
  public var worst: String

  public init(name: String, isa: String, unit: String, bound: Double) {
    self.name = name
    self.isa = isa
    self.unit = unit
    self.bound = bound
    samples = 0
    maxError = 0
    passed = true
    worst = ""
  }

  /// Takes one more error into account. NaN counts as infinite.
  package mutating func record(_ error: Double, _ sample: @autoclosure () -> String) {
    samples += 1
    let error = error.isNaN ? .infinity : error
    if error > maxError {
      maxError = error
      worst = sample()
    }
    passed = maxError <= bound
  }
}
