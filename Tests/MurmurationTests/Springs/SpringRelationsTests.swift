// SPDX-License-Identifier: MIT
import Testing

@testable import Murmuration

/// Relations between motions that hold to the last bit, whatever the error of each, on every instruction set.
struct SpringRelationsTests {
  private static let count = 200

  /// Times at which every motion is still large enough to be scaled exactly.
  private static let times = [1e-6, 1.0 / 240, 0.1, 0.37, 1]

  /// Tracks of every regime, half of them by one call.
  private struct Motions {
    var springs: [Spring] = []
    var shared: Spring
    var values: [Float] = []
    var velocities: [Float] = []
    var targets: [Float] = []

    init(seed: UInt64) {
      var random = SplitMix64(seed: seed)
      shared = Spring(duration: random.uniform(0.1...2), bounce: random.uniform(-0.9...1))
      for _ in 0..<SpringRelationsTests.count {
        springs.append(Spring(duration: random.uniform(0.05...3), bounce: random.uniform(-0.99...1)))
        values.append(Float(random.uniform(-100...100)))
        velocities.append(Float(random.uniform(-1000...1000)))
        targets.append(Float(random.uniform(-100...100)))
      }
    }

    /// The motions of springs that take `factor` times as long. They are made from the parameters that the drawn springs read
    /// back, which may differ from the drawn ones by a rounding.
    func stretched(by factor: Double) -> Motions {
      func stretched(_ spring: Spring) -> Spring {
        Spring(duration: factor * spring.duration, bounce: min(spring.bounce, 1))
      }
      var slow = self
      (slow.springs, slow.shared) = (springs.map(stretched), stretched(shared))
      slow.velocities = velocities.map { $0 / Float(factor) }
      return slow
    }

    func scaled(by factor: Float) -> Motions {
      var scaled = self
      for path in [\Motions.values, \.velocities, \.targets] {
        scaled[keyPath: path] = self[keyPath: path].map { $0 * factor }
      }
      return scaled
    }

    /// Values and velocities of all tracks at each time, mixed ones first, in units of `value` and `velocity`.
    func play(on set: KernelSet, at times: [Double], value: Float = 1, velocity: Float = 1) throws -> [[Float]] {
      var batch = try AnimationBatch<Float>(kernels: set)
      // The end of a motion depends on more than its shape; these tests are about the shape.
      try batch.hardlyRests()
      try batch.add(values, velocities: velocities, to: targets, springs: springs)
      try batch.add(values, velocities: velocities, to: targets, shared)
      return try times.flatMap { time in
        try batch.advance(to: time, velocities: true)
        return [try batch.values().map { $0 / value }, try batch.velocities().map { $0 / velocity }]
      }
    }
  }

  @Test(arguments: KernelSet.available, [-1, 0x1p-12, 8])
  func aStartScaledByAPowerOfTwoGivesTheScaledMotion(_ set: KernelSet, _ factor: Float) throws {
    let motions = Motions(seed: 22)
    // What is mirrored may be as small as it likes.
    let times = Self.times + (factor == -1 ? [12.5, 86_400] : [])
    let scaled = try motions.scaled(by: factor).play(on: set, at: times, value: factor, velocity: factor)
    #expect(try motions.play(on: set, at: times) == scaled)
  }

  @Test(arguments: KernelSet.available) func aSpringHalfAsFastMovesTheSameInTwiceTheTime(_ set: KernelSet) throws {
    let motions = Motions(seed: 23)
    let slow = try motions.stretched(by: 2).play(on: set, at: Self.times.map { 2 * $0 }, velocity: 0.5)
    #expect(try motions.stretched(by: 1).play(on: set, at: Self.times) == slow)
  }

  /// The clock goes on and comes back, so that the kernels do evaluate an age of 0.
  @Test(arguments: KernelSet.available) func ageZeroIsTheStart(_ set: KernelSet) throws {
    var motions = Motions(seed: 24)
    // Whole numbers, so that value − target + target is the value.
    motions.values = motions.values.map { $0.rounded() }
    motions.targets = motions.targets.map { $0.rounded() }
    let start = try motions.play(on: set, at: [1, 0]).suffix(2)
    #expect(start.first == motions.values + motions.values)
    // The velocity is the difference of two parts, each of the size of the motion.
    for (index, velocity) in start[start.endIndex - 1].enumerated() {
      let track = index % Self.count
      let frequency = (index < Self.count ? motions.springs[track] : motions.shared).naturalFrequency
      let displacement = Double(motions.values[track]) - Double(motions.targets[track])
      let given = Double(motions.velocities[track])
      #expect(abs(Double(velocity) - given) <= 8 * 0x1p-24 * max(abs(displacement) * frequency, abs(given)))
    }
  }
}
