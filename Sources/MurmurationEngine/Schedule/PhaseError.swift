// SPDX-License-Identifier: MIT

/// Why a sequence of phases was refused.
public enum PhaseError: Error, Equatable, Sendable, CustomStringConvertible {
  /// A sequence has at least one phase.
  case noPhases
  /// More phases than ``PhaseSequence/maximumPhaseCount``.
  case tooManyPhases(Int)
  /// A sequence has at least one dimension and at most ``BatchLimits/maximumDimensions``.
  case invalidDimensions(Int)
  /// The targets of a phase have another number of components than the sequence has dimensions.
  case wrongDimensions(phase: Int, expected: Int, got: Int)
  /// The number of animations is not the number of phases.
  case wrongCount(expected: Int, got: Int)
  /// A target is NaN, infinite or beyond ±10¹⁵.
  case invalidValue(phase: Int, dimension: Int, value: Float)
  /// Batches do not accept the animation to a phase.
  case invalidAnimation(phase: Int, reason: String)

  /// The reason in words, with the offending value.
  public var description: String {
    switch self {
    case .noPhases: "a sequence needs at least one phase, none was given"
    case .tooManyPhases(let count):
      "a sequence has at most \(PhaseSequence.maximumPhaseCount) phases, not \(count)"
    case .invalidDimensions(let count):
      "a sequence has 1 to \(BatchLimits.maximumDimensions) dimensions, not \(count)"
    case .wrongDimensions(let phase, let expected, let got):
      "phase \(phase) must have \(expected) values, one for each dimension, it has \(got)"
    case .wrongCount(let expected, let got):
      "animations: \(expected) are needed, one for each phase, \(got) were given"
    case .invalidValue(let phase, let dimension, let value):
      "value \(dimension) of phase \(phase) must be finite and within ±1e15, is \(value)"
    case .invalidAnimation(let phase, let reason): "the animation to phase \(phase): \(reason)"
    }
  }
}
