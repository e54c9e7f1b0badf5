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
    let errors = (0...200).map { frame in
      let state = rested.sample(0, at: Double(frame) / 100)
      let exact = motion.sample(0, at: Double(frame) / 100)
      return Excess(value: Float(state.value), velocity: Float(state.velocity), of: exact)
    }
    let (value, velocity) = (errors.map(\.value).max() ?? 0, errors.map(\.velocity).max() ?? 0)
    #expect((0.98...1).contains(value) && (0.98...1).contains(velocity), "\(value), \(velocity)")
  }
}
