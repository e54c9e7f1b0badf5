// SPDX-License-Identifier: MIT
import Murmuration

/// The aspect of a batch that is compared with the model.
enum Aspect: Int, CaseIterable, Sendable {
  /// Values, in units of their bounds.
  case value
  /// Velocities, in units of their bounds.
  case velocity
  /// The share of the tolerances that the exact motion of a track at rest uses; and whether rest comes when it was
  /// announced.
  case rest
  /// Reports that are missing, early, late, or repeated.
  case completion
  /// Everything else: counts, handles, rows, indices, refused calls.
  case state

  /// The result's name, after the name of the batch.
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

/// A difference between a batch and the model.
struct Difference: Error {
  let aspect: Aspect
  let text: String
}

/// The largest difference of each aspect, over many programs.
struct Findings {
  private(set) var results: [CheckResult]

  /// - Parameter name: Returns the name of an aspect's results.
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

  /// Whether any aspect has fewer than a number of comparisons since earlier findings. Rest counts only if the batch
  /// tells it.
  func hasFewer(than count: Int, since before: Findings, withRest: Bool) -> Bool {
    Aspect.allCases.contains {
      results[$0.rawValue].samples - before.results[$0.rawValue].samples < count && (withRest || $0 != .rest)
    }
  }

  /// Whether an error is larger than all earlier ones of its aspect, or NaN.
  func isWorst(_ aspect: Aspect, _ error: Double) -> Bool { !(error <= results[aspect.rawValue].maxError) }

  /// Makes an aspect fail, unless it has failed already, and says why.
  mutating func fail(_ aspect: Aspect, _ text: String) {
    if results[aspect.rawValue].passed {
      results[aspect.rawValue].record(.infinity, text)
    }
    results[aspect.rawValue].worst = text
  }
}
