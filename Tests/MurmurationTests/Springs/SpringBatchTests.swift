// SPDX-License-Identifier: MIT
import Testing

@testable import Murmuration

struct SpringBatchTests {
  /// What a batch promises, in units of value: see the accuracy of `SpringBatch`.
  static func bound(displacement: Float, velocity: Float, spring: Spring, target: Float) -> Double {
    let scale = max(abs(Double(displacement)), abs(Double(velocity)) / spring.naturalFrequency)
    return 8 * 0x1p-24 * scale + Double((abs(target) + abs(displacement)).ulp) / 2
  }

  private static let counts = [1, 7, 8, 9, 15, 16, 17, 31, 33, 1_000, 4_097]

  @Test(arguments: counts) func everyTrackOfACohortFollowsTheModel(_ count: Int) throws {
    var batch = try SpringBatch()
    let values = (0..<count).map { Float($0 % 97) - 40 }
    let targets = (0..<count).map { Float($0 % 31) }
    let velocities = (0..<count).map { Float($0 % 13) * 50 - 300 }
    let spring = Spring(duration: 0.6, bounce: 0.25)
    try batch.add(spring, values: values.span, targets: targets.span, velocities: velocities.span)
    try batch.advance(to: 0.37)
    let got = try batch.values()
    #expect(got.count == count)
    for index in 0..<count {
      let exact = spring.value(
        fromValue: Double(values[index]), toValue: Double(targets[index]), initialVelocity: Double(velocities[index]),
        time: 0.37)
      let bound = Self.bound(
        displacement: values[index] - targets[index], velocity: velocities[index], spring: spring,
        target: targets[index])
      #expect(abs(Double(got[index]) - exact) <= bound)
    }
  }

  @Test(arguments: counts, KernelSet.available)
  func aTrackHasTheSameBitsInAnyCompany(_ count: Int, _ set: KernelSet) throws {
    // Mixed tracks among `count` others of both regimes, against each of them alone in a batch of its own.
    var random = SplitMix64(seed: UInt64(count))
    let springs = (0..<count).map { _ in
      Spring(duration: random.uniform(0.1...2), bounce: random.uniform(-0.9...1))
    }
    let values = (0..<count).map { _ in Float(random.uniform(-100...100)) }
    let zeros = [Float](repeating: 0, count: count)
    var together = try SpringBatch(kernels: set)
    try together.add(springs.span, values: values.span, targets: zeros.span)
    try together.advance(to: 1.0 / 3)
    let got = try together.values().map(\.bitPattern)
    for index in stride(from: 0, to: count, by: max(1, count / 50)) {
      var alone = try SpringBatch(kernels: .portable)
      let handle = try alone.add(springs[index], value: values[index], target: 0)
      try alone.advance(to: 1.0 / 3)
      let expected: Float = try alone.value(of: handle)
      #expect(got[index] == expected.bitPattern, "\(springs[index])")
    }
  }

  @Test func addingShowsTheStartUntilTimePasses() throws {
    var batch = try SpringBatch(dimensions: 3)
    let start = SIMD3<Float>(1, 2, 3)
    let handle = try batch.add(.bouncy, value: start, target: SIMD3(4, 5, 6), velocity: SIMD3(7, 8, 9))
    let value: SIMD3<Float> = try batch.value(of: handle)
    let velocity: SIMD3<Float> = try batch.velocity(of: handle)
    let target: SIMD3<Float> = try batch.target(of: handle)
    #expect(value == start && velocity == SIMD3(7, 8, 9) && target == SIMD3(4, 5, 6))
    try batch.advance(to: 0)
    let unchanged: SIMD3<Float> = try batch.value(of: handle)
    #expect(unchanged == start)
  }

  @Test func retargetingKeepsValueAndVelocity() throws {
    var batch = try SpringBatch(dimensions: 2)
    let handle = try batch.add(.bouncy, value: SIMD2<Float>(0, 10), target: SIMD2(100, -50))
    try batch.advance(to: 0.2)
    let value: SIMD2<Float> = try batch.value(of: handle)
    let velocity: SIMD2<Float> = try batch.velocity(of: handle)
    #expect(velocity != .zero)
    try batch.retarget(handle, to: SIMD2<Float>(-20, 0), spring: .smooth)
    #expect(try batch.value(of: handle) == value)
    let kept: SIMD2<Float> = try batch.velocity(of: handle)
    #expect(kept == velocity)
    // Just after, it has moved by velocity · time and no more.
    try batch.advance(by: 1e-5)
    let next: SIMD2<Float> = try batch.value(of: handle)
    let step = next - value - velocity * 1e-5
    #expect(abs(step.x) < 1e-4 && abs(step.y) < 1e-4)
  }

  @Test func springsOfDurationZeroJump() throws {
    var batch = try SpringBatch()
    let handle = try batch.add(Spring(duration: 0, bounce: 0), value: Float(3), target: 8, velocity: 100)
    #expect(try batch.value(of: handle) == Float(3))
    try batch.advance(to: 1e-9)
    #expect(try batch.value(of: handle) == Float(8))
    // It goes on jumping when its spring is kept.
    try batch.retarget(handle, to: Float(-1))
    try batch.advance(by: 1e-9)
    #expect(try batch.value(of: handle) == Float(-1))
  }

  @Test func velocitiesAreTheSameWhetherComputedEagerlyOrWhenAsked() throws {
    var eager = try SpringBatch()
    var lazy = try SpringBatch()
    lazy.computesVelocities = false
    let first = try eager.add(.bouncy, value: Float(0), target: 10)
    let second = try lazy.add(.bouncy, value: Float(0), target: 10)
    for time in [0.1, 0.2, 0.35] {
      try eager.advance(to: time)
      try lazy.advance(to: time)
      let expected: Float = try eager.velocity(of: first)
      let got: Float = try lazy.velocity(of: second)
      #expect(expected == got && expected != 0)
      try eager.retarget(first, to: Float(time))
      try lazy.retarget(second, to: Float(time))
      #expect(try eager.value(of: first, as: Float.self) == lazy.value(of: second))
    }
  }

  @Test func tracksAddedWhileVelocitiesWaitShowTheirStartWhenThoseAreRead() throws {
    var batch = try SpringBatch()
    batch.computesVelocities = false
    let moving = try batch.add(.bouncy, value: Float(0), target: 10)
    try batch.advance(to: 0.1)
    let jump = Spring(duration: 0, bounce: 0)
    let alone = try batch.add(jump, value: Float(3), target: 8, velocity: 100)
    try batch.advance(to: 0.2)
    let (values, targets): ([Float], [Float]) = ([5], [6])
    let many = try batch.add(jump, values: values.span, targets: targets.span, velocities: values.span)
    let velocity: Float = try batch.velocity(of: moving)
    #expect(velocity != 0)
    #expect(try batch.value(of: alone) == Float(8))
    #expect(try batch.value(of: many[0]) == Float(5))
    let kept: Float = try batch.velocity(of: many[0])
    #expect(kept == 5)
    let late = try batch.add(jump, value: Float(3), target: 8, velocity: 100)
    let speed: Float = try batch.velocity(of: late)
    #expect(try batch.value(of: late) == Float(3))
    #expect(speed == 100)
  }

  @Test func manySmallStepsAreOneLargeOne() throws {
    var steps = try SpringBatch()
    var leap = try SpringBatch()
    let first = try steps.add(.snappy, value: Float(1), target: 0)
    let second = try leap.add(.snappy, value: Float(1), target: 0)
    for _ in 0..<100_000 {
      try steps.advance(by: 1e-6)
    }
    try leap.advance(to: 0.1)
    let clock = steps.time
    #expect(abs(clock - 0.1) <= 0x1p-54)
    let a: Float = try steps.value(of: first)
    let b: Float = try leap.value(of: second)
    #expect(abs(a - b) <= 8 * 0x1p-24)
  }

  @Test func theClockCanBeSetBackToTheLatestStart() throws {
    var batch = try SpringBatch()
    let handle = try batch.add(.bouncy, value: Float(0), target: 1)
    try batch.advance(to: 0.3)
    let before: Float = try batch.value(of: handle)
    try batch.advance(to: 5)
    try batch.advance(to: 0.3)
    #expect(try batch.value(of: handle) == before)
    try batch.retarget(handle, to: Float(2))
    #expect(throws: BatchError.timeBeforeStart(time: 0.2, start: 0.3)) { try batch.advance(to: 0.2) }
  }
}
