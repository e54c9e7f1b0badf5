// SPDX-License-Identifier: MIT
import Kernels
public import Murmuration

/// Why a call about columns was refused; nothing has changed when one is thrown.
public enum ColumnError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The processor, or this build, lacks the instruction set.
  case unsupportedKernels(KernelSelectionError)
  /// Batches refuse the spring: see ``/Murmuration/BatchLimits``.
  case invalidSpring(index: Int, reason: String)
  /// The curve has numbers that are not finite, takes too many cubics, or is too steep at an end for them: so are the
  /// inverses of the eases of the fourth and the fifth power, which batches compute track by track.
  case invalidCurve(reason: String)
  /// The tolerance of a curve is not in 2⁻⁴⁰…2⁻².
  case invalidTolerance(Double)
  /// The argument that `of` names has neither one element nor one for each result.
  case wrongCount(of: String, expected: Int, got: Int)
  /// An age is NaN or outside 0…10¹⁰ s.
  case invalidAge(index: Int, seconds: Double)
  /// The seconds of a step are NaN or outside 0…10¹⁰.
  case invalidStep(seconds: Double)
  /// The springs need more memory than there is.
  case outOfMemory(springs: Int)

  /// The reason in words, with the offending value.
  public var description: String {
    switch self {
    case .unsupportedKernels(let error): "\(error)"
    case .invalidSpring(let index, let reason): "spring \(index): \(reason)"
    case .invalidCurve(let reason): "the curve \(reason)"
    case .invalidTolerance(let tolerance): "the tolerance of a curve must be in 2⁻⁴⁰…2⁻², is \(tolerance)"
    case .wrongCount(let what, let expected, let got):
      "\(what): one element or \(expected) elements are needed, \(got) were given"
    case .invalidAge(let index, let seconds): "age \(index) must be in 0…1e10 s, is \(seconds)"
    case .invalidStep(let seconds): "a step must be 0…1e10 s long, is \(seconds)"
    case .outOfMemory(let springs): "there is no memory for \(springs) springs"
    }
  }
}

extension KernelTable {
  /// The kernels of a set; for nil, those of the set in force.
  static func checked(_ kernels: KernelSet?) throws(ColumnError) -> KernelTable {
    do throws(KernelSelectionError) { return try KernelSet.supported(kernels).table } catch {
      throw .unsupportedKernels(error)
    }
  }
}
