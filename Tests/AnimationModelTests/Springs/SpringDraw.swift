// SPDX-License-Identifier: MIT
import Murmuration
import AnimationModel

/// A spring and a motion drawn at random, over all regimes.
struct SpringDraw: CustomStringConvertible {
  var duration, bounce, start, velocity: Double

  init(using generator: inout SplitMix64) {
    func exp2(_ x: Double) -> Double {
      // Linear between powers of two, which is even enough for drawing numbers.
      let whole = x.rounded(.down)
      return Double(sign: .plus, exponent: Int(whole), significand: 1 + (x - whole))
    }
    duration = exp2(Double.random(in: -4...3, using: &generator))
    let size = exp2(-Double.random(in: 0...30, using: &generator))
    // Near critical, near undamped, near infinitely damped, and anything between.
    bounce =
      switch Int.random(in: 0..<5, using: &generator) {
      case 0: size
      case 1: -size * 0.999
      case 2: 1 - size * 0.5
      case 3: -1 + size * 0.5
      default: Double.random(in: -0.99...0.99, using: &generator)
      }
    start = Double.random(in: -100...100, using: &generator)
    velocity = Double.random(in: -1...1, using: &generator) * 1000 / duration
  }

  var spring: Spring { Spring(duration: duration, bounce: bounce) }
  var naturalFrequency: Double { 2 * .pi / duration }

  /// S, the natural scale of positions.
  var scale: Double { max(start.magnitude, velocity.magnitude / naturalFrequency) }

  var description: String { "duration \(duration), bounce \(bounce), from \(start) with velocity \(velocity)" }

  /// The displacement from a target at 0 and the velocity.
  func state(at time: Double) -> (value: Double, velocity: Double) {
    var state = (value: start, velocity: velocity)
    spring.update(value: &state.value, velocity: &state.velocity, target: 0, deltaTime: time)
    return state
  }

  static func draws(_ count: Int, seed: UInt64) -> [SpringDraw] {
    var generator = SplitMix64(seed: seed)
    return (0..<count).map { _ in SpringDraw(using: &generator) }
  }
}
