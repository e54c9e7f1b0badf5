// SPDX-License-Identifier: MIT
import Murmuration
import Testing

@testable import MurmurationReference

/// How far a batch may be from a spring of the model.
struct SpringMotionTests {
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
    var worst = Excess()
    for frame in 0...200 {
      let time = Double(frame) / 100
      let state = rested.sample(0, at: time)
      worst.merge(motion.excess(values: [Float(state.value)], velocities: [Float(state.velocity)], at: time))
    }
    #expect((0.98...1).contains(worst.value) && (0.98...1).contains(worst.velocity), "\(worst)")
  }
}
