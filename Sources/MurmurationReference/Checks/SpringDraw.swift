// SPDX-License-Identifier: MIT
import Kernels
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

/// One random spring in motion: the inputs of a lane, and the age at which it is evaluated.
struct SpringDraw {
  var spring: Spring
  let displacement, velocity, target: Float
  var age: Double

  /// Durations 0.05 … 10 s and displacements 1e-3 … 1e4 over orders of magnitude, velocities 0 or up to 1e5, targets 0
  /// or up to ±1e4, ages from 0 to a week with most of them within the motion.
  init(_ regime: SpringRegime, _ random: inout SplitMix64) {
    let (week, duration) = (604_800.0, random.logarithmic(0.05...10))
    spring = Spring(duration: duration, bounce: regime.bounce(&random))
    displacement = Float(random.signed(random.logarithmic(1e-3...1e4)))
    velocity = random.next() & 3 == 0 ? 0 : Float(random.signed(random.uniform(0...1e5)))
    target = random.next() & 1 == 0 ? 0 : Float(random.uniform(-1e4...1e4))
    age =
      switch random.next() & 7 {
      case 0: random.uniform(0...60)
      case 1: random.logarithmic(1e-4...60)
      case 2: random.logarithmic(60...week)
      case 3: random.uniform(0...week)
      default: random.uniform(0...4 * duration)
      }
  }

  var coefficients: SpringCoefficients { SpringCoefficients(accepted: spring) }

  var amplitude: Float { AmplitudeRule(coefficients).amplitude(displacement: displacement, velocity: velocity) }

  /// The error of a lane, in units of 2⁻²⁴ · S, and of 2⁻²⁴ · S · ω₀ for the velocity, where S is the scale of the motion:
  /// max(|displacement|, |velocity|/ω₀).
  ///
  /// Half a unit in the last place of the exact value is not counted: any Float may be off by it once a target is
  /// added.
  func error(value: Float, velocity speed: Float) -> Excess {
    var exact = MotionSample(displacement, velocity: velocity)
    let unit = ErrorBound.unit * max(abs(exact.value), abs(exact.velocity) / spring.naturalFrequency)
    exact.bound = ErrorBound(value: unit, velocity: unit * spring.naturalFrequency)
    spring.update(value: &exact.value, velocity: &exact.velocity, target: 0, deltaTime: age)
    exact.value += Double(target)
    var error = Excess(value: value, velocity: speed, of: exact)
    if target != 0 { error.value = max(0, error.value - ErrorBound.rounding(of: exact.value) / unit) }
    return error
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
