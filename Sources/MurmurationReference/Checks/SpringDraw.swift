// SPDX-License-Identifier: MIT
import Murmuration

/// One random spring in motion: the inputs of a lane, and the age at which it is evaluated.
struct SpringDraw {
  var spring: Spring
  var bounce: Double
  var displacement: Float
  var velocity: Float
  var target: Float
  var age: Double

  static let week = 604_800.0

  /// Durations 0.05 … 10 s and displacements 1e-3 … 1e4 over orders of magnitude, velocities 0 or up to 1e5, targets 0
  /// or up to ±1e4, ages from 0 to a week with most of them within the motion.
  init(_ regime: SpringRegime, _ random: inout SplitMix64) {
    let duration = random.logarithmic(0.05...10)
    bounce = regime.bounce(&random)
    spring = Spring(duration: duration, bounce: bounce)
    displacement = Float(random.signed(random.logarithmic(1e-3...1e4)))
    velocity = random.next() & 3 == 0 ? 0 : Float(random.signed(random.uniform(0...1e5)))
    target = random.next() & 1 == 0 ? 0 : Float(random.uniform(-1e4...1e4))
    age =
      switch random.next() & 7 {
      case 0: random.uniform(0...60)
      case 1: random.logarithmic(1e-4...60)
      case 2: random.logarithmic(60...Self.week)
      case 3: random.uniform(0...Self.week)
      default: random.uniform(0...4 * duration)
      }
  }

  /// S, the natural scale of the motion in units of value; the scale of the velocity is ω₀ · S.
  var scale: Double {
    max(abs(Double(displacement)), abs(Double(velocity)) / spring.naturalFrequency)
  }

  /// The model's value and velocity of the lane.
  func reference(age: Double) -> (value: Double, velocity: Double) {
    var value = Double(displacement)
    var velocity = Double(velocity)
    spring.update(value: &value, velocity: &velocity, target: 0, deltaTime: age)
    return (value + Double(target), velocity)
  }

  /// The error of a lane, in units of 2⁻²⁴ · S, and of 2⁻²⁴ · S · ω₀ for the velocity.
  ///
  /// Half a unit in the last place of the exact value is not counted: any Float may be off by it once a target is
  /// added.
  func error(
    value: Float, velocity: Float, against reference: (value: Double, velocity: Double)
  ) -> (value: Double, velocity: Double) {
    let u = 0x1p-24
    let rounding = target == 0 ? 0 : Double(Float(abs(reference.value)).ulp) / 2
    let distance = abs(Double(value) - reference.value)
    return (
      // Not `max(0, …)`, which turns the NaN of an unwritten lane into 0.
      distance <= rounding ? 0 : (distance - rounding) / (u * scale),
      abs(Double(velocity) - reference.velocity) / (u * scale * spring.naturalFrequency)
    )
  }

  var description: String {
    """
    duration \(spring.duration) bounce \(bounce) displacement \(displacement) velocity \(velocity) \
    target \(target) age \(age)
    """
  }
}
