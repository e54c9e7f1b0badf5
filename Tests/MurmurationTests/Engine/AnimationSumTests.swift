// SPDX-License-Identifier: MIT
import TestSupport
import Testing

@testable import Murmuration

/// A sum of effects shows what the model shows for the same calls.
struct AnimationSumTests {
  private static func animation(_ random: inout SplitMix64) -> Animation {
    var animation: Animation =
      switch Int(random.next() % 5) {
      case 0: .easeInOut(duration: random.uniform(0.1...1))
      case 1: .linear(duration: 0.25)
      case 2: .timingCurve(.steps(3, position: .jumpEnd), duration: 0.5)
      case 3: .interpolatingSpring(Spring(duration: 0.4, bounce: 0.3), initialVelocity: random.uniform(-5...5))
      default: .interpolatingSpring(Spring(duration: 0.3, bounce: -0.4), initialVelocity: 0)
      }
    if random.next() % 3 == 0 { animation = animation.logicallyComplete(after: 0.3) }
    if random.next() % 3 == 0 { animation = animation.repeatCount(2, autoreverses: random.next() % 2 == 0) }
    if random.next() % 4 == 0 { animation = animation.speed(1.5) }
    if random.next() % 4 == 0 { animation = animation.delay(0.1) }
    return animation
  }

  @Test("A sum shows the values and velocities of the model")
  func sumsAreTheModels() throws {
    var compared = 0
    for seed in 0..<UInt64(Effort.draws(quick: 150, soak: 10_000)) {
      var random = SplitMix64(seed: seed)
      let origin = [random.uniform(-50...50), random.uniform(-50...50)]
      // Targets are kept as columns have them.
      var target = [Double(Float(random.uniform(-50...50))), Double(Float(random.uniform(-50...50)))]
      var sum = AnimationSum(at: origin)
      var model = AnimatedValue(Components(origin))
      var tolerance = 1e-9
      if random.next() % 2 == 0 {
        // The model counts the first spring as at rest within 10⁻⁴ of its way; in the sum it goes on.
        tolerance = 0.02
        let velocities = [random.uniform(-100...100), random.uniform(-100...100)]
        let spring = Spring(duration: 0.5, bounce: random.uniform(-0.5...0.7))
        sum = AnimationSum(from: origin, velocities, to: target, spring, at: 0)
        model = sum.model
      }
      var time = 0.0
      for _ in 0..<4 {
        time += random.uniform(0...0.3)
        target = target.map { _ in Double(Float(random.uniform(-50...50))) }
        let animation = Self.animation(&random)
        let progress = try #require(Progress(animation))
        sum.add(progress, to: target, at: time)
        model.retarget(to: Components(target), with: animation, at: time)
        for _ in 0..<5 {
          let moment = time + random.uniform(0...0.5)
          var (shared, values, velocities) = (SharedProgress(), [0.0, 0.0], [0.0, 0.0])
          sum.state(at: moment, &shared, &values, &velocities)
          let (value, velocity) = (model.value(at: moment), model.velocity(at: moment))
          let note = "seed \(seed) at \(moment): \(animation)"
          for dimension in 0..<2 {
            #expect(abs(values[dimension] - value[dimension]) <= tolerance, "\(note)")
            #expect(abs(velocities[dimension] - velocity[dimension]) <= 100 * tolerance, "\(note)")
            compared += 1
          }
        }
      }
    }
    #expect(compared > 5_000)
  }
}
