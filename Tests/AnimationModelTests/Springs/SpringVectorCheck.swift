// SPDX-License-Identifier: MIT
import AnimationModel
import Testing
import TestSupport

/// The worst error of the scalar spring on some rows, as a fraction of its promise (64 + 8·ω₀·t)·2⁻⁵³·S.
struct SpringVectorCheck {
  private(set) var worst = 0.0
  private(set) var worstRow = "no row"

  mutating func add(_ row: GoldenSprings.Row) {
    let spring = Spring(duration: row.duration, bounce: row.bounce)
    var (value, velocity) = (row.start, row.velocity)
    spring.update(value: &value, velocity: &velocity, target: 0, deltaTime: row.time)
    let bar = (64 + 8 * row.naturalFrequency * row.time) * 0x1p-53 * row.scale
    add((value - row.expectedValue).magnitude / bar, "value, \(row)")
    add((velocity - row.expectedVelocity).magnitude / (bar * row.naturalFrequency), "velocity, \(row)")
    // The form that starts at zero, seen from its target.
    let fromZero = spring.value(target: -row.start, initialVelocity: row.velocity, time: row.time) + row.start
    add((fromZero - row.expectedValue).magnitude / bar, "value from zero, \(row)")
    let speed = spring.velocity(target: -row.start, initialVelocity: row.velocity, time: row.time)
    add((speed - row.expectedVelocity).magnitude / (bar * row.naturalFrequency), "velocity from zero, \(row)")
  }

  private mutating func add(_ fraction: Double, _ row: @autoclosure () -> String) {
    if fraction.isNaN || fraction > worst {
      worst = fraction.isNaN ? .infinity : fraction
      worstRow = row()
    }
  }
}
