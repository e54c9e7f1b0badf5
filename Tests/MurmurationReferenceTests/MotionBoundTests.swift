// SPDX-License-Identifier: MIT
import Murmuration
import Testing

@testable import MurmurationReference

/// The errors that a batch is allowed against the motions of the model.
struct MotionBoundTests {
  /// Errors in value and in velocity count as shares of their bounds.
  @Test func anErrorCounts() {
    var motion = SumMotion(at: MotionSample.exact([0, 0]), curveTolerance: 0x1p-16)
    motion.animate(to: [8, -2], with: .linear(duration: 1), at: 0)
    func excess(_ x: Float, _ speed: Float) -> Excess {
      Excess(value: x, velocity: speed, of: motion.sample(0, at: 0.5))
    }
    #expect(excess(4, 8) == Excess())
    #expect(excess(4.001, 8).value > 1 && excess(4.001, 8).velocity == 0)
    #expect(excess(4, 8.01).velocity > 1)
    #expect(!(excess(.nan, 8).value <= 1))
    // A bound that is a rounding short of the error is not exceeded; one that is a billionth short is.
    for (short, isExceeded) in [(0x1p-52, false), (1e-9, true)] {
      let sample = MotionSample(value: 0, velocity: 242, bound: ErrorBound(velocity: 242 * (1 - short)))
      #expect((Excess(value: 0, velocity: 0, of: sample).velocity > 1) == isExceeded)
    }
  }

  /// Near a vertical curve the error bound of a velocity is infinite. Later effects pass a share of it on. When one of
  /// them is over, that share is zero, and nothing is passed on.
  @Test func anErrorWithoutABoundIsNotPassedOnByZero() {
    var motion = SumMotion(at: MotionSample.exact([0]), curveTolerance: 0x1p-16)
    motion.animate(to: [8], with: .timingCurve(.circularEaseOut, duration: 2), at: 0)
    motion.animate(to: [3], with: .linear(duration: 0.5), at: 0.25)
    for time in [0.5, 0.75] { #expect(motion.sample(0, at: time).bound.velocity == .infinity) }
    let over = motion.sample(0, at: 0.875)
    #expect(over.value == 3 && over.bound.velocity == 0 && over.bound.value <= 0x1p-20)
    // A spring takes over: the error has no bound from there on, whatever is added.
    let spring = SpringMotion(.bouncy, from: motion.samples(at: 0.5), to: [3], at: 0.5)
    var sum = SumMotion(continuing: spring, mayEndAt: .infinity, at: 0.625, curveTolerance: 0x1p-16)
    sum.animate(to: [-1], with: .timingCurve(.steps(5), duration: 1), at: 0.625)
    #expect(sum.sample(0, at: 0.625).bound == ErrorBound(value: .infinity, velocity: .infinity))
  }

  /// A spring that takes over from its like has a velocity of its own, which no batch tells to less than a rounding.
  @Test func aSpringThatTookOverMayBeRounded() {
    let spring = Animation.spring(Spring(duration: 0.14, bounce: 0)).delay(-0.25)
    var motion = SumMotion(at: MotionSample.exact([-0.5]), curveTolerance: 0x1p-16)
    motion.animate(to: [0], with: spring, at: 0.25)
    motion.animate(to: [-0.3], with: spring, at: 0.2539)
    for step in 0..<64 {
      let sample = motion.sample(0, at: 0.2539 + Double(step) / 2048)
      let excess = Excess(value: Float(sample.value), velocity: Float(sample.velocity), of: sample)
      #expect(excess.velocity <= 1, "step \(step): \(sample)")
    }
  }

  /// An undamped spring turns an error in velocity into one in value, which then adds to the error in value.
  @Test func aBatchThatRestedIsWithinTheBoundOfAMotionThatDidNot() throws {
    let spring = Spring(response: 1, dampingRatio: 1e-6)
    let tolerance = try RestTolerances(value: 0.1)
    var motion = SpringMotion(
      spring, values: [0.07], velocities: [0.07 * Float(spring.naturalFrequency)], targets: [0], at: 0)
    #expect(motion.mayRest(at: 0, tolerance))
    // A batch that has it at rest shows the target, and no velocity.
    let shown = motion.samples(at: 0, tolerance)[0].bound
    #expect((0.07...0.0701).contains(shown.value) && (0.4398...0.44).contains(shown.velocity))
    motion = SpringMotion(spring, from: motion.samples(at: 0, tolerance), to: [100], at: 0)
    let rested = SpringMotion(spring, values: [0], targets: [100], at: 0)
    let errors = (0...200).map { frame in
      let time = Double(frame) / 100
      let state = rested.sample(0, at: time)
      return Excess(value: Float(state.value), velocity: Float(state.velocity), of: motion.sample(0, at: time))
    }
    let (value, velocity) = (errors.map(\.value).max() ?? 0, errors.map(\.velocity).max() ?? 0)
    #expect((0.98...1).contains(value) && (0.98...1).contains(velocity), "\(value), \(velocity)")
  }
}
