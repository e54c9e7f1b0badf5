// SPDX-License-Identifier: MIT
import Foundation

@testable import Murmuration
@testable import MurmurationEngine

/// A random motion of one dimension and of a stated regime. Its numbers fit Float exactly, so that the model gets the
/// same ones.
struct Motion {
  enum Regime: String, CaseIterable, Sendable {
    case bouncy, nearlyCritical, critical, justOverdamped, overdamped
  }

  var spring: Spring
  var value: Float
  var target: Float
  var velocity: Float

  init(_ regime: Regime, _ random: inout SplitMix64) {
    let bounce =
      switch regime {
      case .bouncy: random.uniform(0.05...0.8)
      case .nearlyCritical: random.logarithmic(1e-9...0.05)
      case .critical: 0.0
      case .justOverdamped: -random.logarithmic(1e-9...0.05)
      case .overdamped: -random.uniform(0.05...0.9)
      }
    spring = Spring(duration: random.logarithmic(0.1...5), bounce: bounce)
    value = Float(random.uniform(-300...300))
    target = Float(random.uniform(-300...300))
    let fastest = 300 * spring.naturalFrequency
    velocity = random.next() & 1 == 0 ? 0 : Float(random.uniform(-fastest...fastest))
  }

  /// When the model says that it is at rest.
  func restTime(_ tolerances: RestTolerances = RestTolerances()) -> Double {
    spring.restTime(
      fromValue: Double(value), toValue: Double(target), initialVelocity: Double(velocity),
      tolerance: Double(tolerances.value), velocityTolerance: tolerances.velocity.map { Double($0) })
  }

  /// Adds it to a batch, by a call for one track or for many.
  func add(to batch: inout AnimationBatch<Float>, inBulk: Bool) throws -> TrackHandle {
    inBulk
      ? try batch.add([value], velocities: [velocity], to: [target], spring)[0]
      : try batch.add(value, velocity: velocity, to: target, spring)
  }
}

extension Motion {
  init(value: Float, target: Float, velocity: Float = 0, spring: Spring = Spring(duration: 0.5, bounce: 0.2)) {
    (self.spring, self.value, self.target, self.velocity) = (spring, value, target, velocity)
  }
}

extension SplitMix64 {
  /// The next number in a range of positive numbers. It is in each octave equally often.
  mutating func logarithmic(_ range: ClosedRange<Double>) -> Double {
    range.lowerBound * pow(range.upperBound / range.lowerBound, unit())
  }
}
