// SPDX-License-Identifier: MIT
import Murmuration

/// The result of one check: the largest error in a stated unit, and its bound.
package struct CheckResult: Codable, Equatable, Sendable {
  /// The kernel, regime and output that were checked, for example `mixed.oscillating.value`.
  package var name: String
  /// The instruction set whose kernels ran.
  package var isa: String
  /// The number of compared samples.
  package var samples = 0
  /// The largest error; infinite if an output was not finite.
  package var maxError = 0.0
  /// The largest error allowed.
  package var bound: Double
  /// The unit of both.
  package var unit: String
  /// Whether the error is within the bound.
  package var passed = true
  /// The sample with the largest error, for the reader to repeat.
  package var worst = ""

  /// The result of a check that has compared nothing yet.
  package init(name: String, isa: String, unit: String = "of the bound", bound: Double = 1) {
    (self.name, self.isa, self.unit, self.bound) = (name, isa, unit, bound)
  }

  /// Takes one more error into account, or the largest of several. NaN counts as infinite.
  package mutating func record(_ error: Double, samples count: Int = 1, _ sample: @autoclosure () -> String) {
    samples += count
    let error = error.isNaN ? .infinity : error
    if error > maxError { (maxError, worst) = (error, sample()) }
    passed = maxError <= bound
  }
}

extension SIMD2<Float> {
  /// The bits of a value and a velocity.
  var bits: SIMD2<UInt32> { SIMD2<UInt32>(x.bitPattern, y.bitPattern) }
}

/// The results of a check of values, of velocities, and of a rule that holds or does not.
struct MotionResults {
  var value: CheckResult
  var velocity: CheckResult
  /// The number of times that it did not hold.
  private(set) var rule: CheckResult

  /// Results of the check `name`: two with their units and a common bound, and a third that has the name of the rule and
  /// counts in units of `unit`.
  init(
    _ name: String, on set: KernelSet, units: (String, String) = ("of the bound", "of the bound"), bound: Double = 1,
    rule: String = "state", unit: String = "mismatches"
  ) {
    value = CheckResult(name: "\(name).value", isa: set.rawValue, unit: units.0, bound: bound)
    velocity = CheckResult(name: "\(name).velocity", isa: set.rawValue, unit: units.1, bound: bound)
    self.rule = CheckResult(name: "\(name).\(rule)", isa: set.rawValue, unit: unit, bound: 0)
  }

  var all: [CheckResult] { [value, velocity, rule] }
  var passed: Bool { all.allSatisfy(\.passed) }

  /// Takes the errors of one more value and velocity into account.
  mutating func record(_ excess: Excess, _ sample: @autoclosure () -> String) {
    value.record(excess.value, sample())
    velocity.record(excess.velocity, sample())
  }

  /// Takes into account whether something held.
  mutating func expect(_ holds: Bool, samples: Int = 1, _ sample: @autoclosure () -> String) {
    rule.record(rule.maxError + (holds ? 0 : 1), samples: samples, sample())
  }
}
