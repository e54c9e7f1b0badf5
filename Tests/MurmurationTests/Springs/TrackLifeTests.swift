// SPDX-License-Identifier: MIT
import Synchronization
import Testing

@testable import Murmuration

/// Handles, indices and errors.
struct TrackLifeTests {
  @Test func removedTracksReadZeroAndLeaveAHole() throws {
    var batch = try AnimationBatch<Float>()
    let handles = try batch.add([1, 2, 3, 4], to: [50, 60, 70, 80], .bouncy)
    try batch.advance(to: 0.1)
    try batch.remove(handles[2])
    for time in [0.1, 0.2, 3] {
      try batch.advance(to: time, velocities: true)
      let (values, speeds, hole) = (try batch.values(), try batch.velocities(), batch.handle(at: 2))
      #expect(values[2] == 0 && values[1] != 0 && speeds[2] == 0 && hole == nil)
    }
  }

  @Test(arguments: [
    Spring(duration: 1e-4, bounce: 0), Spring(duration: 1e6, bounce: 0), Spring(duration: 1, bounce: 1),
    Spring(duration: 1, bounce: 1e-12), Spring(duration: 1, bounce: -0x1p-24),
    Spring(duration: 1, bounce: .leastNonzeroMagnitude), Spring(duration: 1, bounce: -1 + 0x1p-24),
    Spring(mass: 1, stiffness: 1, damping: 1e9, allowOverDamping: true),
  ])
  func extremeSpringsAreAccepted(_ spring: Spring) throws {
    var batch = try AnimationBatch<Float>()
    try batch.hardlyRests()
    let handle = try batch.add(1, velocity: -3, to: 0, spring)
    for time in [1e-6, 0.1, 10, 1e4, 1e9] {
      try batch.advance(to: time)
      let (value, velocity) = (batch[handle] ?? .nan, batch.velocity(of: handle) ?? .nan)
      #expect(value.isFinite && velocity.isFinite)
      if time <= 1e4 {
        let exact = spring.value(fromValue: 1.0, toValue: 0, initialVelocity: -3, time: time)
        #expect(abs(Double(value) - exact) <= 8 * 0x1p-24 * max(1, 3 / spring.naturalFrequency))
      }
    }
  }

  @Test func aBatchCanBeSentToAnotherThread() async throws {
    let batch = Mutex(try AnimationBatch<Float>())
    let handle = try batch.withLock { try $0.add(0, to: 1, .smooth) }
    try await Task.detached { try batch.withLock { try $0.advance(to: 1) } }.value
    let value = batch.withLock { $0[handle] ?? .nan }
    #expect(value > 0.9)
  }
}
