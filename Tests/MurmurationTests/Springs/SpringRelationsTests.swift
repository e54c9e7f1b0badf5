// SPDX-License-Identifier: MIT
import Testing

@testable import Murmuration

/// Relations between motions that hold to the last bit, whatever the error of each, on every instruction set; and some
/// that hold within the bound.
struct SpringRelationsTests {
  private static let count = 200
  private static let times = [1e-6, 1.0 / 240, 0.1, 0.37, 1, 12.5, 86_400]

  /// Times at which every motion is still large enough to be scaled exactly.
  private static let shortTimes = Array(times.dropLast(2))

  /// The first place at which two columns differ, in words; nil if they are the same.
  private func difference(_ column: [Float], _ expected: [Float]) -> String? {
    guard column.count == expected.count else { return "\(column.count) numbers, not \(expected.count)" }
    return column.indices.first { column[$0] != expected[$0] }.map { "[\($0)]: \(column[$0]), not \(expected[$0])" }
  }

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

    /// Values and velocities of all tracks at each time, mixed ones first.
    func play(on set: KernelSet, at times: [Double]) throws -> (values: [Float], velocities: [Float]) {
      var batch = try AnimationBatch<Float>(kernels: set)
      // The end of a motion depends on more than its shape; these tests are about the shape.
      try batch.hardlyRests()
      try batch.add(values, velocities: velocities, to: targets, springs: springs)
      try batch.add(values, velocities: velocities, to: targets, shared)
      var result: (values: [Float], velocities: [Float]) = ([], [])
      for time in times {
        try batch.advance(to: time, velocities: true)
        result.values += try batch.values()
        result.velocities += try batch.velocities()
      }
      return result
    }
  }

  @Test(arguments: KernelSet.available) func theMirroredStartGivesTheMirroredMotion(_ set: KernelSet) throws {
    let motions = Motions(seed: 21)
    var mirrored = motions
    mirrored.values = motions.values.map { -$0 }
    mirrored.velocities = motions.velocities.map { -$0 }
    mirrored.targets = motions.targets.map { -$0 }
    let (one, other) = (try motions.play(on: set, at: Self.times), try mirrored.play(on: set, at: Self.times))
    #expect(difference(other.values, one.values.map { -$0 }) == nil)
    #expect(difference(other.velocities, one.velocities.map { -$0 }) == nil)
    #expect(one.values.contains { $0 != 0 })
  }

  @Test(arguments: KernelSet.available, [-12, 3])
  func aStartScaledByAPowerOfTwoGivesTheScaledMotion(_ set: KernelSet, _ exponent: Int) throws {
    let factor = Float(sign: .plus, exponent: exponent, significand: 1)
    let motions = Motions(seed: 22)
    var scaled = motions
    scaled.values = motions.values.map { $0 * factor }
    scaled.velocities = motions.velocities.map { $0 * factor }
    scaled.targets = motions.targets.map { $0 * factor }
    let (one, other) = (try motions.play(on: set, at: Self.shortTimes), try scaled.play(on: set, at: Self.shortTimes))
    #expect(difference(other.values, one.values.map { $0 * factor }) == nil)
    #expect(difference(other.velocities, one.velocities.map { $0 * factor }) == nil)
  }

  @Test(arguments: KernelSet.available) func aSpringHalfAsFastMovesTheSameInTwiceTheTime(_ set: KernelSet) throws {
    // Both are made from the parameters that the drawn springs read back, which may differ from the drawn ones by a
    // rounding.
    func stretched(_ spring: Spring, by factor: Double) -> Spring {
      Spring(duration: factor * spring.duration, bounce: min(spring.bounce, 1))
    }
    let motions = Motions(seed: 23)
    var (fast, slow) = (motions, motions)
    fast.springs = motions.springs.map { stretched($0, by: 1) }
    fast.shared = stretched(motions.shared, by: 1)
    slow.springs = motions.springs.map { stretched($0, by: 2) }
    slow.shared = stretched(motions.shared, by: 2)
    slow.velocities = motions.velocities.map { $0 / 2 }
    let (one, other) = (
      try fast.play(on: set, at: Self.shortTimes), try slow.play(on: set, at: Self.shortTimes.map { 2 * $0 })
    )
    #expect(difference(other.values, one.values) == nil)
    #expect(difference(other.velocities, one.velocities.map { $0 / 2 }) == nil)
  }

  /// The clock goes on and comes back, so that the kernels do evaluate an age of 0.
  @Test(arguments: KernelSet.available) func ageZeroIsTheStart(_ set: KernelSet) throws {
    var motions = Motions(seed: 24)
    // Whole numbers, so that value − target + target is the value.
    motions.values = motions.values.map { $0.rounded() }
    motions.targets = motions.targets.map { $0.rounded() }
    let start = try motions.play(on: set, at: [1, 0])
    #expect(difference(Array(start.values.suffix(2 * Self.count)), motions.values + motions.values) == nil)
    // The velocity is the difference of two parts, each of the size of the motion.
    for (index, velocity) in start.velocities.suffix(2 * Self.count).enumerated() {
      let track = index % Self.count
      let frequency = (index < Self.count ? motions.springs[track] : motions.shared).naturalFrequency
      let displacement = Double(motions.values[track]) - Double(motions.targets[track])
      let given = Double(motions.velocities[track])
      #expect(abs(Double(velocity) - given) <= 8 * 0x1p-24 * max(abs(displacement) * frequency, abs(given)))
    }
  }

  @Test(arguments: KernelSet.available) func withoutDampingTheEnergyStays(_ set: KernelSet) throws {
    var motions = Motions(seed: 25)
    motions.springs = motions.springs.map { Spring(duration: $0.duration, bounce: 1) }
    motions.shared = Spring(duration: motions.shared.duration, bounce: 1)
    motions.targets = motions.targets.map { _ in 0 }
    let springs = motions.springs + motions.springs.map { _ in motions.shared }
    // Each frame gives the size of the oscillation, which is S at the start. The bound of 16 · 2⁻²⁴ · S allows for two
    // errors of 8 · 2⁻²⁴ · S.
    let frames = try motions.play(on: set, at: Self.times)
    for (index, (value, velocity)) in zip(frames.values, frames.velocities).enumerated() {
      let track = index % Self.count
      let frequency = springs[index % springs.count].naturalFrequency
      func size(_ value: Float, _ velocity: Float) -> Double {
        let (x, y) = (Double(value), Double(velocity) / frequency)
        return (x * x + y * y).squareRoot()
      }
      let start = size(motions.values[track], motions.velocities[track])
      #expect(abs(size(value, velocity) - start) <= 16 * 0x1p-24 * start)
    }
  }

  @Test(arguments: KernelSet.available) func fromRestNoSpringWithoutBouncePassesItsTarget(_ set: KernelSet) throws {
    var motions = Motions(seed: 26)
    motions.springs = motions.springs.map { Spring(duration: $0.duration, bounce: min($0.bounce, 0)) }
    motions.shared = Spring(duration: 0.5, bounce: 0)
    motions.velocities = motions.velocities.map { _ in 0 }
    motions.targets = motions.targets.map { _ in 0 }
    let frames = try motions.play(on: set, at: Self.times)
    for (index, value) in frames.values.enumerated() {
      let start = motions.values[index % Self.count]
      let bound = 8 * 0x1p-24 * abs(start)
      #expect(value * (start < 0 ? -1 : 1) >= -bound && abs(value) <= abs(start) + bound)
    }
  }
}
