// SPDX-License-Identifier: MIT
package import Murmuration

/// A track of two dimensions that the model plays, and what the bounds of its batch follow from.
package struct CurveModel {
  package var value: AnimatedValue<SIMD2<Double>>
  /// From where a track that a kernel evaluates is on its way, to where, and how.
  private var origin: SIMD2<Double>
  package private(set) var target: SIMD2<Double>
  private var animation: Animation?
  /// Springs that took over since the track rested.
  private var takeovers = 0
  private var fastest = 0.0
  private var largest: Double
  private var speed = 0.0

  package init(_ value: SIMD2<Float>) {
    let value = SIMD2<Double>(value)
    self.value = AnimatedValue(value)
    (origin, target) = (value, value)
    largest = max(abs(value.x), abs(value.y))
  }

  package mutating func retarget(to target: SIMD2<Float>, with animation: Animation?, at time: Double) {
    let target = SIMD2<Double>(target)
    // A change at the end of a curve finds it finished, whatever the two moments are rounded to.
    let isAtEnd = abs(value.endTime - time) <= 8 * time.ulp
    if value.isFinished(at: time) || isAtEnd || animation == nil {
      origin = self.target
      takeovers = 0
    }
    value.retarget(to: target, with: animation, at: time)
    if let animation, case .spring(let spring) = animation.structure {
      takeovers += 1
      fastest = max(fastest, spring.naturalFrequency)
    }
    self.target = target
    self.animation = animation
    largest = max(largest, abs(target.x), abs(target.y))
  }

  /// How far a value and a velocity are from those of the model, in units of their bounds.
  ///
  /// - Parameters:
  ///   - isLane: Whether a kernel evaluated them.
  ///   - tolerance: What curves were fitted with.
  package mutating func excess(
    _ value: SIMD2<Float>, _ velocity: SIMD2<Float>, at time: Double, isLane: Bool, _ tolerance: Double
  ) -> (value: Double, velocity: Double) {
    let (exact, exactVelocity) = (self.value.value(at: time), self.value.velocity(at: time))
    var worst = (value: 0.0, velocity: 0.0)
    for dimension in 0..<2 {
      largest = max(largest, abs(exact[dimension]))
      speed = max(speed, abs(exactVelocity[dimension]))
      var bound = CurveBound(takeovers: takeovers, largest: largest, fastest: fastest, speed: speed)
      if isLane {
        guard let animation,
          let lane = CurveBound(
            animation, way: target[dimension] - origin[dimension], largest: largest, tolerance: tolerance)
        else { return (.infinity, .infinity) }
        bound = lane
      }
      worst.value = larger(worst.value, abs(Double(value[dimension]) - exact[dimension]) / bound.value)
      let distance = abs(Double(velocity[dimension]) - exactVelocity[dimension])
      // A bound may be infinite, and that of a velocity 0.
      worst.velocity = larger(worst.velocity, distance == 0 ? 0 : distance / bound.velocity)
    }
    return worst
  }

  /// The larger of two numbers; NaN, which nothing should be, if one is that.
  private func larger(_ a: Double, _ b: Double) -> Double { b > a || b.isNaN ? b : a }
}
