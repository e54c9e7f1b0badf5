// SPDX-License-Identifier: MIT
import Murmuration

/// What of a batch is compared with the model.
enum Aspect: Int, CaseIterable, Sendable {
  /// Values, in units of their bounds.
  case value
  /// Velocities, in units of their bounds.
  case velocity
  /// What the exact motion of a track at rest takes up of the tolerances; and that rest comes when it was announced.
  case rest
  /// Reports that are missing, early, late, or come twice.
  case completion
  /// Everything else: counts, handles, rows, indices, refused calls.
  case state

  /// The result's name, after that of the batch.
  var name: String {
    switch self {
    case .value: "value"
    case .velocity: "velocity"
    case .rest: "rest"
    case .completion: "completion"
    case .state: "state"
    }
  }

  fileprivate var unit: String {
    switch self {
    case .value, .velocity: "of the bound"
    case .rest: "of the tolerance"
    case .completion, .state: "mismatches"
    }
  }

  fileprivate var bound: Double {
    switch self {
    case .value, .velocity, .rest: 1
    case .completion, .state: 0
    }
  }
}

/// Where a batch did not do as the model says.
struct Difference: Error {
  let aspect: Aspect
  let text: String
}

/// The largest difference of each aspect, over many programs.
struct Findings {
  private(set) var results: [CheckResult]

  /// - Parameter name: What the results of an aspect are called.
  init(set: KernelSet, _ name: (Aspect) -> String) {
    results = Aspect.allCases.map {
      CheckResult(name: name($0), isa: set.rawValue, unit: $0.unit, bound: $0.bound)
    }
  }

  /// Takes one comparison into account.
  ///
  /// - Throws: ``Difference`` if the error is beyond the bound.
  mutating func record(_ aspect: Aspect, _ error: Double, _ text: @autoclosure () -> String) throws {
    // Not `error > bound`, which is false for NaN.
    let isWithin = error <= aspect.bound
    results[aspect.rawValue].record(error, text())
    if !isWithin {
      throw Difference(aspect: aspect, text: text())
    }
  }

  /// Takes one comparison into account that either holds or does not.
  mutating func expect(_ aspect: Aspect, _ holds: Bool, _ text: @autoclosure () -> String) throws {
    try record(aspect, holds ? 0 : .infinity, text())
  }

  /// Whether there are fewer comparisons of an aspect than a number since earlier findings; of rest they count if the batch
  /// tells it.
  func hasFewer(than count: Int, since before: Findings, withRest: Bool) -> Bool {
    Aspect.allCases.contains {
      results[$0.rawValue].samples - before.results[$0.rawValue].samples < count && (withRest || $0 != .rest)
    }
  }

  /// Whether an error is larger than all of its aspect before, or no number.
  func isWorst(_ aspect: Aspect, _ error: Double) -> Bool { !(error <= results[aspect.rawValue].maxError) }

  /// Has an aspect fail, if it did not yet, and says why.
  mutating func fail(_ aspect: Aspect, _ text: String) {
    if results[aspect.rawValue].passed {
      results[aspect.rawValue].record(.infinity, text)
    }
    results[aspect.rawValue].worst = text
  }
}
