// SPDX-License-Identifier: MIT
import Foundation
import MurmurationReference

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

  init(value: Float, target: Float, velocity: Float = 0, spring: Spring = Spring(duration: 0.5, bounce: 0.2)) {
    (self.spring, self.value, self.target, self.velocity) = (spring, value, target, velocity)
  }

  /// The motion in Double, from a time on.
  func exact(from time: Double = 0) -> SpringMotion {
    SpringMotion(spring, values: [value], velocities: [velocity], targets: [target], at: time)
  }
}

extension SplitMix64 {
  /// The next number in a range of positive numbers. It is in each octave equally often.
  mutating func logarithmic(_ range: ClosedRange<Double>) -> Double {
    range.lowerBound * pow(range.upperBound / range.lowerBound, unit())
  }
}

/// The company of a track in a batch, which decides how it is evaluated.
enum Standing: String, CaseIterable, Sendable {
  case alone, few, many

  /// Adds a track with a motion to a batch, together with its company.
  func add(_ motion: Motion, to batch: inout AnimationBatch<Float>) throws -> TrackHandle {
    let count =
      switch self {
      case .alone: 5
      case .few: 4
      case .many: 37
      }
    let own = count / 2
    let values = (0..<count).map { $0 == own ? motion.value : motion.value * Float($0) / Float(count) }
    let targets = [Float](repeating: motion.target, count: count)
    let velocities = (0..<count).map { $0 == own ? motion.velocity : 0 }
    guard self == .alone else {
      return try batch.add(values, velocities: velocities, to: targets, motion.spring)[own]
    }
    let springs = [Spring](repeating: motion.spring, count: count)
    return try batch.add(values, velocities: velocities, to: targets, springs: springs)[own]
  }
}

extension SpringMotion {
  /// The motion that follows this one from a moment on, in one dimension.
  func followed(at moment: Double, by spring: Spring? = nil, to target: Float) -> SpringMotion {
    var next = self
    next.retarget(to: [Double(target)], spring, at: moment)
    return next
  }
}

extension AnimatedTracks<Float> where Self: ~Copyable {
  /// The distance of a track from a motion, in units of the bounds; infinite for a handle of no track.
  func excess(of track: TrackHandle, _ exact: any ReferenceMotion) -> Double {
    guard let value = self[track], let velocity = velocity(of: track) else { return .infinity }
    return Excess(value: value, velocity: velocity, of: exact.sample(0, at: engine.time)).largest
  }
}
