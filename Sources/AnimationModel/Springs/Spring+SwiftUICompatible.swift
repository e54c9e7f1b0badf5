// SPDX-License-Identifier: MIT

// SwiftUI's answers where they differ from what an overdamped spring does, for code that has to reproduce SwiftUI's
// numbers.

extension Spring {
  /// The stiffness SwiftUI reports: m·(w² + d²), which is not the stiffness of an overdamped spring.
  ///
  /// Mass 0.6, stiffness 0.1 and damping 10 are reported as a stiffness of 83.23.
  public var swiftUICompatibleStiffness: Double {
    angularFrequency < 0
      ? mass * (angularFrequency * angularFrequency + decayConstant * decayConstant) : stiffness
  }

  /// The force SwiftUI reports, with ``swiftUICompatibleStiffness`` and the damping.
  public func swiftUICompatibleForce<V: VectorArithmetic>(target: V, position: V, velocity: V) -> V {
    (target - position).scaled(by: swiftUICompatibleStiffness) - velocity.scaled(by: damping)
  }

  /// The velocity SwiftUI reports: too large by `target` when the spring is overdamped.
  public func swiftUICompatibleVelocity<V: VectorArithmetic>(
    target: V, initialVelocity: V = .zero, time: Double
  ) -> V {
    let velocity = velocity(target: target, initialVelocity: initialVelocity, time: time)
    return angularFrequency < 0 ? velocity + target : velocity
  }

  /// Moves a value and its velocity on as SwiftUI does. With an overdamped spring SwiftUI's velocity is not the derivative
  /// of its position, so repeated updates drift.
  public func swiftUICompatibleUpdate<V: VectorArithmetic>(
    value: inout V, velocity: inout V, target: V, deltaTime: Double
  ) {
    let (distance, start) = (target - value, velocity)
    value += self.value(target: distance, initialVelocity: start, time: deltaTime)
    velocity = swiftUICompatibleVelocity(target: distance, initialVelocity: start, time: deltaTime)
  }
}
