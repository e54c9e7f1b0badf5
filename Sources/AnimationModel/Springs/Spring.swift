// SPDX-License-Identifier: MIT

/// A damped spring, which pulls a value to its target: m·x″ + c·x′ + k·(x − target) = 0.
///
/// The names, labels and numbers are SwiftUI's. Nothing here throws or traps: a spring of impossible parameters answers
/// with infinities and NaN, as SwiftUI's does.
///
/// The motion is evaluated in closed form, at any time and in any order. Its error is at most (64 + 8·ω₀·t)·2⁻⁵³·S in value
/// and ω₀ times that in velocity, where ω₀ is 2π divided by the duration and S = max(|start − target|, |initial velocity|/ω₀).
///
/// Limits: a spring of duration 0 is at its target as soon as t > 0; a spring of bounce −1 stands still from then on.
public struct Spring: Hashable, Sendable, BitwiseCopyable {
  /// ω₀ = √(k/m) in radians per second: the angular frequency that the spring would have without its damping.
  ///
  /// It is stored beside the two numbers that follow, since d² − w² is nothing but rounding when ζ is large.
  @usableFromInline
  package let naturalFrequency: Double

  /// d = c/2m in 1/s: the rate at which the envelope of an underdamped motion decays.
  @usableFromInline
  package let decayConstant: Double

  /// The signed angular frequency w in radians per second.
  ///
  /// Its sign carries the regime: √(ω₀² − d²) when underdamped, 0 when critical, −√(d² − ω₀²) when overdamped.
  @usableFromInline
  package let angularFrequency: Double

  /// The mass of the object at the end of the spring; 1 unless given.
  public let mass: Double

  /// A spring from its stored numbers, which the caller keeps consistent.
  package init(naturalFrequency: Double, decayConstant: Double, angularFrequency: Double, mass: Double) {
    self.naturalFrequency = naturalFrequency
    self.decayConstant = decayConstant
    self.angularFrequency = angularFrequency
    self.mass = mass
  }
}
