// SPDX-License-Identifier: MIT
import Kernels

/// When motions of one spring come to rest, from the bounds of `RestKernel`, in Double and for one magnitude of
/// displacement and amplitude.
struct RestBound {
  private let coefficients: SpringCoefficients
  private let displacement: Double
  private let amplitude: Double

  init(_ coefficients: SpringCoefficients, displacement: Double, amplitude: Double) {
    self.coefficients = coefficients
    self.displacement = displacement
    self.amplitude = amplitude
  }

  /// log₂x for x ≥ 0, at most 0.0002 off; −1 100 for 0 and subnormal numbers. It is as rough as the kernel's logarithm,
  /// and has the same bits on every machine.
  static func roughLog2(_ x: Double) -> Double {
    guard x.isNormal else {
      return x < 1 ? -1100 : 1100
    }
    let m = x.significand
    var p = -0.08001087605953217
    p = p * m + 0.6355111002922058
    p = p * m - 2.0994021892547607
    p = p * m + 4.049616813659668
    p = p * m - 2.505614757537842
    return Double(x.exponent) + p
  }

  /// Seconds from the start until the motions are at rest, never too few.
  func age(_ tolerance: RestTolerance) -> Double {
    let (y, a) = (displacement, amplitude)
    let (α, κ) = (coefficients.α, coefficients.κ)
    guard y > 0 || a > 0, κ > 0 else {
      return 0
    }
    let slack = 0.001
    let log2 = Self.roughLog2
    let frequency = coefficients.naturalFrequency
    let perValue = Double(tolerance.perValue)
    let perVelocity = Double(tolerance.perVelocity) / (tolerance.isRelative ? frequency : 1)
    if α == 0, coefficients.isOverdamped {
      return max(0, log2(max(y * perValue, κ * a * perVelocity)) + slack) / coefficients.rate * 1.00001
    }
    let close = log2((y + a) * max(perValue, (κ + α) * perVelocity)) + slack
    if α == 0 {
      return close > 0 ? .infinity : 0
    }
    let decay = Double(coefficients.decay)
    let steady = max(y * perValue, (κ * a + α * y) * perVelocity)
    let growing = max(κ * a * perValue, κ * (κ + α) * (y + a) * perVelocity) / decay
    var z = 2 * (max(log2(max(steady, growing)), -1) + 2 + slack)
    for _ in 0..<3 {
      z = max(0, log2(steady + growing * z) + slack)
    }
    return max(0, min(z, close)) / decay * 1.00001
  }
}
