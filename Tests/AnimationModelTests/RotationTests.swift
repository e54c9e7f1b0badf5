// SPDX-License-Identifier: MIT
import AnimationModel
import Testing

/// Rotations of the model against their definitions: products of quaternions, and differences of them.
struct RotationTests {
  private static let vectors = [
    SIMD3(0.0, 0, 0), SIMD3(1e-9, -2e-9, 0), SIMD3(0.3, -0.2, 0.5), SIMD3(1, 2, -1.5), SIMD3(-3, 0.1, 0.2),
    SIMD3(0, 0, 3.14159), SIMD3(1e-3, 2e-3, 0),
  ]

  private static func length(_ v: SIMD3<Double>) -> Double { (v * v).sum().squareRoot() }

  @Test func theLogarithmUndoesTheExponential() {
    for v in Self.vectors {
      let rotation = Rotation(vector: v)
      #expect(Self.length(rotation.vector - v) < 1e-12)
      #expect(abs((rotation.quaternion * rotation.quaternion).sum() - 1) < 1e-14)
      #expect(Self.length((rotation * rotation.inverse).vector) < 1e-14)
      #expect(Self.length(Rotation(quaternion: -5 * rotation.quaternion)!.vector - v) < 1e-12)
    }
  }

  @Test func theLongestVectorsAreTurnsToo() {
    for length in [1e160, 0x1p1000, Double.greatestFiniteMagnitude] {
      let rotation = Rotation(vector: SIMD3(0, -length, 0))
      let turn = Rotation(axis: SIMD3(0, -1, 0), angle: .radians(length))!
      #expect(Self.length(rotation.vector - turn.vector) < 1e-12, "\(length)")
      let slanted = Rotation(vector: SIMD3(length, length, -length)).quaternion
      #expect(abs((slanted * slanted).sum() - 1) < 1e-14 && slanted.x == -slanted.z, "\(length)")
    }
  }

  @Test func aQuarterTurnTurnsAxes() {
    let quarter = Rotation(axis: SIMD3(0, 0, 7), angle: .degrees(90))!
    #expect(Self.length(quarter.applied(to: SIMD3(1, 0, 0)) - SIMD3(0, 1, 0)) < 1e-15)
    let other = Rotation(axis: SIMD3(1, 0, 0), angle: .degrees(90))!
    #expect(Self.length((other * quarter).applied(to: SIMD3(1, 0, 0)) - SIMD3(0, 0, 1)) < 1e-15)
    #expect(abs(quarter.angle(to: quarter * quarter).degrees - 90) < 1e-12)
    #expect(quarter.interpolated(towards: .identity, amount: 0.5).angle(to: quarter).degrees - 45 < 1e-12)
  }

  /// The angular velocity of exp(φ) is the limit of log(exp(φ)⁻¹ exp(φ + φ̇τ))/τ.
  @Test func angularVelocitiesAreDerivatives() {
    let rate = SIMD3(0.7, -1.1, 0.4)
    for v in Self.vectors where Self.length(v) > 0.1 || Self.length(v) < 1e-2 {
      let τ = 1e-5
      let (before, after) = (Rotation(vector: v - rate * τ), Rotation(vector: v + rate * τ))
      let difference = (before.inverse * after).vector / (2 * τ)
      let spin = Rotation.angularVelocity(at: v, rate: rate)
      #expect(Self.length(spin - difference) < 1e-7, "\(v)")
      #expect(Self.length(Rotation.rate(at: v, angularVelocity: spin) - rate) < 1e-9, "\(v)")
    }
  }
}
