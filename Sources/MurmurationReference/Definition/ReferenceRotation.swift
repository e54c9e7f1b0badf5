// SPDX-License-Identifier: MIT
import Foundation
package import Murmuration

/// One track of a ``RotationBatch`` in Double, from the definition: the rotation is its goal times the exponential of an
/// offset, and a motion leads the offset to 0.
package struct ReferenceRotation {
  package enum Motion {
    case still
    case spring(Spring)
    case curve(UnitCurve, duration: Double)
    /// A spring that steps from frame to frame.
    case following(Spring)
    /// The quaternion and its rate of change at an age; a clip.
    case clip((Double) -> (SIMD4<Double>, SIMD4<Double>))
  }

  package private(set) var goal: Rotation
  package private(set) var motion = Motion.still
  private var offset = SIMD3<Double>.zero
  private var rate = SIMD3<Double>.zero
  private var start = 0.0
  /// The error bounds of a batch when the motion began: of the rotation in radians, and of the angular velocity.
  private var error = (angle: 0.0, spin: 0.0)

  /// What the steps of following have added.
  private var stepError = 0.0

  /// 2⁻²⁴.
  private static let u = 0x1p-24

  package init(_ rotation: Rotation) { goal = rotation }

  // MARK: - States

  /// The rotation and the angular velocity in the axes of the body.
  package func state(at time: Double) -> (rotation: Rotation, spin: SIMD3<Double>) {
    if case .clip(let content) = motion {
      let (q, rate) = content(time - start)
      let rotation = Rotation(quaternion: q)!
      let (v, r) = (SIMD3(q.x, q.y, q.z), SIMD3(rate.x, rate.y, rate.z))
      let cross = SIMD3(v.y * r.z - v.z * r.y, v.z * r.x - v.x * r.z, v.x * r.y - v.y * r.x)
      return (rotation, (r * q.w - v * rate.w - cross) * (2 / (q * q).sum()))
    }
    let (offset, rate) = tangent(at: time)
    return (goal * Rotation(vector: offset), Rotation.angularVelocity(at: offset, rate: rate))
  }

  /// The offset and its rate of change.
  private func tangent(at time: Double) -> (SIMD3<Double>, SIMD3<Double>) {
    let age = time - start
    switch motion {
    case .still, .clip: return (offset, rate)
    case .spring(let spring), .following(let spring):
      return (
        offset + spring.value(target: -offset, initialVelocity: rate, time: age),
        spring.velocity(target: -offset, initialVelocity: rate, time: age)
      )
    case .curve(let curve, let duration):
      guard age < duration else { return (.zero, .zero) }
      return (offset * (1 - curve.value(at: age / duration)), offset * (-curve.velocity(at: age / duration) / duration))
    }
  }

  /// The error bounds of a batch: of the rotation in radians, and of the angular velocity.
  ///
  /// A spring passes on at most the error of its start: a displacement of 1 stays within 1, and a velocity of ω₀ too. It adds
  /// 8u · (|φ| + |φ̇|/ω₀), as for other values. exp, product and rounding to Float add some units of 2⁻²⁴; the largest that was
  /// seen is 6.
  package func bound() -> (angle: Double, spin: Double) {
    let shown = 16 * Self.u
    switch motion {
    case .clip: return (0x1p-15, 0x1p-9)
    case .still: return (error.angle + shown, error.spin)
    case .curve(_, let duration):
      return (error.angle + shown + 0x1p-16 * length(offset), error.angle + 0x1p-8 * length(offset) / duration)
    case .spring(let spring):
      let ω = 2 * Double.pi / spring.duration
      let size = length(offset) + length(rate) / ω
      let angle = error.angle + error.spin / ω + 8 * Self.u * size
      return (angle + shown, ω * angle + 16 * Self.u * ω * size)
    case .following(let spring):
      let ω = 2 * Double.pi / spring.duration
      let angle = 4 * (error.angle + error.spin / ω) + stepError
      return (angle + shown, 2 * ω * angle)
    }
  }

  private func length(_ v: SIMD3<Double>) -> Double { (v * v).sum().squareRoot() }

  // MARK: - Changes

  /// Takes over the state at a time, with another goal.
  ///
  /// Turning an offset φ multiplies errors by |J⁻¹(φ)| = h/sin h with h = |φ|/2, at most π/2, and lets an error of the rotation
  /// tilt the rate.
  package mutating func begin(_ next: Motion, to goal: Rotation, at time: Double) {
    let now = state(at: time)
    if case .following = motion, case .following = next {
      // A goal of a follower: its error is one of those of the steps.
      motion = next
      guard goal != self.goal else { return }
      (self.goal, offset) = (goal, (goal.inverse * now.rotation).vector)
      rate = Rotation.rate(at: offset, angularVelocity: now.spin)
      return
    }
    let known = bound()
    let offset = (goal.inverse * now.rotation).vector
    let half = length(offset) / 2
    let growth = half < 1e-3 ? 1 : half / sin(half)
    error = (
      growth * (known.angle + 16 * Self.u),
      growth * known.spin + length(now.spin) * (2 * known.angle + 32 * Self.u)
    )
    (self.goal, self.offset, start, motion) = (goal, offset, time, next)
    stepError = 0
    rate = Rotation.rate(at: offset, angularVelocity: now.spin)
    switch next {
    case .spring, .following: break
    default: (rate, error.spin) = (.zero, 0)
    }
  }

  /// Takes over the state of a frame, as a follower does in each.
  package mutating func step(at time: Double) {
    guard case .following(let spring) = motion else { return }
    (offset, rate) = tangent(at: time)
    // Each step and each goal adds some units of the offset and of the rotation. What they add decays with the spring, in some
    // 2/(ωτ) steps of τ seconds.
    let ω = 2 * Double.pi / spring.duration
    stepError = max(stepError, 32 * Self.u * (1 + length(offset) + length(rate) / ω) * (1 + 4 / (ω * (time - start))))
    start = time
  }

  /// Puts the track at a rotation; a spring that goes on leads it to its goal from there.
  package mutating func put(_ rotation: Rotation, spin: SIMD3<Double>, goesOn: Bool, at time: Double) {
    var goesOn = goesOn
    switch motion {
    case .following: goesOn = true
    case .spring: break
    default: goesOn = false
    }
    error = (16 * Self.u, 16 * Self.u * length(spin))
    start = time
    guard goesOn else {
      (goal, offset, rate, motion) = (rotation, .zero, spin, .still)
      return
    }
    offset = (goal.inverse * rotation).vector
    rate = Rotation.rate(at: offset, angularVelocity: spin)
  }
}
