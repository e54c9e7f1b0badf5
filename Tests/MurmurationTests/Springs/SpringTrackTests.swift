// SPDX-License-Identifier: MIT
import Testing

@testable import Murmuration

/// Tracks on springs, alone and in bulk, against the model.
struct SpringTrackTests {
  /// The error bound of a batch in units of value: see the accuracy of `AnimationBatch`.
  static func bound(displacement: Float, velocity: Float, spring: Spring, target: Float) -> Double {
    let scale = max(abs(Double(displacement)), abs(Double(velocity)) / spring.naturalFrequency)
    return 8 * 0x1p-24 * scale + Double((abs(target) + abs(displacement)).ulp) / 2
  }

  private static let counts = [1, 7, 8, 9, 15, 16, 17, 31, 33, 1_000]

  @Test(arguments: counts + [4_097]) func everyTrackOfACallFollowsTheModel(_ count: Int) throws {
    var batch = try AnimationBatch<Float>()
    let values = (0..<count).map { Float($0 % 97) - 40 }
    let targets = (0..<count).map { Float($0 % 31) }
    let velocities = (0..<count).map { Float($0 % 13) * 50 - 300 }
    let spring = Spring(duration: 0.6, bounce: 0.25)
    try batch.add(values, velocities: velocities, to: targets, spring)
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
      if !(abs(Double(got[index]) - exact) <= bound) { Issue.record("\(index): \(got[index]), not \(exact)") }
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
    var together = try AnimationBatch<Float>(kernels: set)
    try together.add(values, to: [Float](repeating: 0, count: count), springs: springs)
    try together.advance(to: 1.0 / 3)
    let got = try together.values().map(\.bitPattern)
    for index in stride(from: 0, to: count, by: max(1, count / 20)) {
      var alone = try AnimationBatch<Float>(kernels: .portable)
      let handle = try alone.add(values[index], to: 0, springs[index])
      try alone.advance(to: 1.0 / 3)
      let expected = alone[handle]?.bitPattern
      #expect(got[index] == expected, "\(springs[index])")
    }
  }

  @Test func addingShowsTheStartUntilTimePasses() throws {
    var batch = try AnimationBatch<SIMD3<Float>>()
    let handle = try batch.add([1, 2, 3], velocity: [7, 8, 9], to: [4, 5, 6], .bouncy)
    for _ in 0..<2 {
      let (value, velocity, target) = (batch[handle], batch.velocity(of: handle), batch.target(of: handle))
      #expect(value == [1, 2, 3] && velocity == [7, 8, 9] && target == [4, 5, 6])
      try batch.advance(to: 0)
    }
  }

  @Test func retargetingKeepsValueAndVelocity() throws {
    var batch = try AnimationBatch<SIMD2<Float>>()
    let handle = try batch.add([0, 10], to: [100, -50], .bouncy)
    try batch.advance(to: 0.2)
    let (value, velocity) = (batch[handle] ?? .zero, batch.velocity(of: handle) ?? .zero)
    #expect(velocity != .zero)
    try batch.animate(handle, to: [-20, 0], .smooth)
    let kept = (batch[handle], batch.velocity(of: handle))
    #expect(kept.0 == value && kept.1 == velocity)
    // Just after, it has moved by velocity · time and no more.
    try batch.advance(by: 1e-5)
    let step = (batch[handle] ?? .zero) - value - velocity * 1e-5
    #expect(abs(step.x) < 1e-4 && abs(step.y) < 1e-4)
  }

  /// The coefficients of the last spring are kept from call to call.
  @Test func callsOneAfterTheOtherFollowTheirOwnSprings() throws {
    let springs = [
      Spring.bouncy, .bouncy, .smooth, Spring(mass: 2, stiffness: 80, damping: 3), .smooth,
      Spring(duration: Spring.smooth.duration, bounce: 1e-9),
    ]
    var batch = try AnimationBatch<Float>()
    let handles = try batch.add([Float](repeating: 0, count: springs.count))
    for (handle, spring) in zip(handles, springs) { try batch.animate(handle, to: 1, .spring(spring)) }
    // A refused spring, and a blend duration that is no number, are refused each time.
    for refused in [
      Animation.spring(Spring(mass: -1, stiffness: 1, damping: 1)), .spring(.smooth, blendDuration: .nan),
    ] {
      for _ in 0..<2 { #expect(throws: BatchError.self) { try batch.animate(handles[0], to: 2, refused) } }
    }
    try batch.advance(to: 0.2)
    for (handle, spring) in zip(handles, springs) {
      let bound = Self.bound(displacement: 1, velocity: 0, spring: spring, target: 1)
      let exact = spring.value(target: 1.0, time: 0.2)
      #expect(abs(Double(try #require(batch[handle])) - exact) <= bound, "\(spring)")
    }
  }

  @Test func springsOfDurationZeroJump() throws {
    var batch = try AnimationBatch<Float>()
    let handle = try batch.add(3, velocity: 100, to: 8, Spring(duration: 0, bounce: 0))
    var shown = [batch[handle]]
    try batch.advance(to: 1e-9)
    shown.append(batch[handle])
    // It goes on jumping when its spring is kept.
    try batch.retarget(handle, to: -1)
    try batch.advance(by: 1e-9)
    shown.append(batch[handle])
    #expect(shown == [3, 8, -1])
  }

  @Test func tracksAddedWhileVelocitiesWaitShowTheirStartWhenThoseAreRead() throws {
    var batch = try AnimationBatch<Float>()
    let moving = try batch.add(0, to: 10, .bouncy)
    try batch.advance(to: 0.1)
    let jump = Spring(duration: 0, bounce: 0)
    let alone = try batch.add(3, velocity: 100, to: 8, jump)
    try batch.advance(to: 0.2)
    let many = try batch.add([5], velocities: [5], to: [6], jump)
    let late = try batch.add(3, velocity: 100, to: 8, jump)
    let velocities = [moving, alone, many[0], late].map { batch.velocity(of: $0) }
    #expect(velocities[0] != 0 && velocities[1...] == [0, 5, 100])
    let values = [alone, many[0], late].map { batch[$0] }
    #expect(values == [8, 5, 3])
  }

  @Test func theClockCanBeSetBackToTheLatestStart() throws {
    var batch = try AnimationBatch<Float>()
    let handle = try batch.add(0, to: 1, .bouncy)
    try batch.advance(to: 0.3)
    let before = batch[handle]
    try batch.advance(to: 5)
    try batch.advance(to: 0.3)
    let again = batch[handle]
    #expect(again == before)
    try batch.retarget(handle, to: 2)
    #expect(throws: BatchError.timeBeforeStart(time: 0.2, start: 0.3)) { try batch.advance(to: 0.2) }
  }
}
