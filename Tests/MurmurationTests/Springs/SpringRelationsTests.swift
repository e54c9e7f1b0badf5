// SPDX-License-Identifier: MIT
import Testing

@testable import Murmuration

struct SpringRelationsTests {
  /// The clock goes on and comes back, so that the kernels do evaluate an age of 0.
  @Test(arguments: KernelSet.available) func ageZeroIsTheStart(_ set: KernelSet) throws {
    var random = SplitMix64(seed: 24)
    let springs = (0..<200).map { _ in Spring(duration: random.uniform(0.05...3), bounce: random.uniform(-0.99...1)) }
    let velocities = springs.map { _ in Float(random.uniform(-1000...1000)) }
    // Whole numbers, so that value − target + target is the value.
    let (values, targets) = (
      springs.map { _ in Float(random.uniform(-100...100)).rounded() },
      springs.map { _ in Float(random.uniform(-100...100)).rounded() }
    )
    var batch = try AnimationBatch<Float>(kernels: set)
    try batch.hardlyRests()
    try batch.add(values, velocities: velocities, to: targets, springs: springs)
    try batch.add(values, velocities: velocities, to: targets, springs[0])
    for time in [1.0, 0] { try batch.advance(to: time, velocities: true) }
    #expect(try batch.values() == values + values)
    // The velocity is the difference of two parts, each of the size of the motion.
    for (index, velocity) in try batch.velocities().enumerated() {
      let track = index % 200
      let frequency = springs[index < 200 ? track : 0].naturalFrequency
      let displacement = Double(values[track]) - Double(targets[track])
      let given = Double(velocities[track])
      #expect(abs(Double(velocity) - given) <= 8 * 0x1p-24 * max(abs(displacement) * frequency, abs(given)))
    }
  }
}
