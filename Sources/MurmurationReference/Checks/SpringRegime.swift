// SPDX-License-Identifier: MIT
import Murmuration

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A range of bounces from which springs are drawn. Together the ranges go from −1 + 10⁻⁶ to 1, and include the bounces
/// where formulas fail.
package enum SpringRegime: String, CaseIterable, Sendable {
  case bouncy
  case almostCritical = "almost-critical"
  case almostUndamped = "almost-undamped"
  case undamped
  case critical
  case justOverdamped = "just-overdamped"
  case overdamped
  case heavilyOverdamped = "heavily-overdamped"

  /// The bounces of the regime, in words.
  package var range: String {
    switch self {
    case .bouncy: "0.001 … 0.999"
    case .almostCritical: "1e-12 … 1e-3"
    case .almostUndamped: "1 − 1e-2 … 1 − 2⁻²⁴"
    case .undamped: "1"
    case .critical: "0"
    case .justOverdamped: "−1e-3 … −1e-12"
    case .overdamped: "−0.99 … −0.001"
    case .heavilyOverdamped: "−1 + 1e-6 … −0.99"
    }
  }

  /// Whether lanes of this regime run through the overdamped kernel.
  package var isOverdamped: Bool {
    switch self {
    case .justOverdamped, .overdamped, .heavilyOverdamped: true
    default: false
    }
  }

  /// A random bounce of the regime: evenly spread if the range is wide, over orders of magnitude at its ends.
  func bounce(_ random: inout SplitMix64) -> Double {
    switch self {
    case .bouncy: random.uniform(0.001...0.999)
    case .almostCritical: random.logarithmic(1e-12...1e-3)
    case .almostUndamped: 1 - random.logarithmic(0x1p-24...1e-2)
    case .undamped: 1
    case .critical: 0
    case .justOverdamped: -random.logarithmic(1e-12...1e-3)
    case .overdamped: -random.uniform(0.001...0.99)
    case .heavilyOverdamped: random.logarithmic(1e-6...1e-2) - 1
    }
  }
}

extension SplitMix64 {
  /// The next number in a range of positive numbers, evenly spread over orders of magnitude.
  mutating func logarithmic(_ range: ClosedRange<Double>) -> Double {
    let exponent = uniform(log(range.lowerBound)...log(range.upperBound))
    return min(max(exp(exponent), range.lowerBound), range.upperBound)
  }

  mutating func signed(_ magnitude: Double) -> Double { next() & 1 == 0 ? magnitude : -magnitude }
}
