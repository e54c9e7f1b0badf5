// SPDX-License-Identifier: MIT
#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

extension Spring {
  /// A spring of mass 1 by the time it takes to come to rest, as UIKit's `usingSpringWithDamping` has it.
  ///
  /// The frequency is found by the iteration that SwiftUI uses. It stops while the last digits are still moving, so
  /// results differ from the root of the equation by about 10⁻⁵ of their size, in the same way as SwiftUI's do.
  ///
  /// - Parameters:
  ///   - settlingDuration: The time in seconds, clamped to 0.01…10.
  ///   - dampingRatio: ζ, clamped to 2⁻⁵²…1.
  ///   - epsilon: The fraction of the way that is left when the spring counts as at rest.
  public init(settlingDuration: Double, dampingRatio: Double, epsilon: Double = 0.001) {
    guard !settlingDuration.isNaN, !dampingRatio.isNaN else {
      self.init(naturalFrequency: .nan, decayConstant: .nan, angularFrequency: .nan, mass: 1)
      return
    }
    let duration = min(max(settlingDuration, 0.01), 10)
    let ratio = min(max(dampingRatio, .ulpOfOne), 1)
    let search = SettlingSearch(duration: duration, dampingRatio: ratio, epsilon: epsilon)
    let frequency = search.root(from: 5 / duration, evaluations: 12) ?? search.lastResort(from: 1 / duration)
    self.init(
      naturalFrequency: frequency.magnitude, decayConstant: ratio * frequency,
      angularFrequency: ratio < 1 ? frequency.magnitude * ((1 - ratio) * (1 + ratio)).squareRoot() : 0, mass: 1)
  }
}

/// Newton's iteration for the undamped frequency Ω at which the envelope has shrunk to ε after a given time.
private struct SettlingSearch {
  let duration: Double
  let dampingRatio: Double
  let epsilon: Double

  /// The next step ΔΩ, to subtract from `frequency`.
  ///
  /// Underdamped: ε = |ζ/√(1 − ζ²)·e^(−ζTΩ)|. Critical: ε = (1 + TΩ)·e^(−TΩ), with the sign of ε following that of Ω.
  private func step(at frequency: Double) -> Double {
    let phase = duration * frequency
    if dampingRatio < 1 {
      let width = ((1 - dampingRatio) * (1 + dampingRatio)).squareRoot()
      let excess = epsilon - (dampingRatio / width * exp(-dampingRatio * phase)).magnitude
      let slope = dampingRatio * dampingRatio * duration / (exp(dampingRatio * phase) * width)
      return excess / slope
    }
    let excess = (1 + phase) * exp(-phase) - (frequency < 0 ? -epsilon : epsilon)
    let slope = -duration * phase * exp(-phase)
    return excess / slope
  }

  /// The root; nil if `evaluations` steps did not become small, or became small by too wild a jump.
  func root(from start: Double, evaluations: Int) -> Double? {
    var frequency = start
    var previous = 0.0
    for evaluation in 0..<evaluations {
      let step = step(at: frequency)
      frequency -= step
      guard frequency.isFinite else { return nil }
      if evaluation >= 2 && step.magnitude <= epsilon { return previous > epsilon * 1e5 ? nil : frequency }
      previous = step
    }
    return nil
  }

  /// The result of up to twenty steps from `start`, whether it is a root or not.
  func lastResort(from start: Double) -> Double {
    var frequency = start
    for evaluation in 0..<20 {
      let step = step(at: frequency)
      frequency -= step
      if evaluation >= 2 && step.magnitude <= epsilon { break }
    }
    return frequency.isFinite ? frequency : .nan
  }
}
