// SPDX-License-Identifier: MIT
import Testing

@testable import Murmuration
@testable import MurmurationEngine

/// A batch throws or moves on to finite numbers, for any input.
struct HostileBatchTests {
  private static let doubles: [Double] = [
    .nan, .infinity, -.infinity, 0, -0.0, .leastNonzeroMagnitude, .leastNormalMagnitude, .greatestFiniteMagnitude,
    -.greatestFiniteMagnitude, 1e-4, 1e6, 1e10, -1e10, 1e-300, 1e300, 0.5, 1, -1, -0.9999999999999999, 1e15, 0.9,
    1.7e308,
  ]

  private static func number(_ random: inout SplitMix64) -> Double {
    doubles[Int(random.next() % UInt64(doubles.count))]
  }

  private static func spring(_ random: inout SplitMix64) -> Spring {
    let (a, b, c) = (number(&random), number(&random), number(&random))
    return switch random.next() % 4 {
    case 0: Spring(duration: a, bounce: b)
    case 1: Spring(response: a, dampingRatio: b)
    case 2: Spring(mass: a, stiffness: b, damping: c, allowOverDamping: true)
    default: Spring(settlingDuration: a, dampingRatio: b)
    }
  }

  @Test(arguments: KernelSet.available) func anyCallThrowsOrLeavesFiniteNumbers(_ kernels: KernelSet) throws {
    var random = SplitMix64(seed: 5)
    var accepted = 0
    for _ in 0..<200 {
      var batch = try AnimationBatch<Float>(kernels: kernels)
      var handles: [TrackHandle] = []
      for _ in 0..<12 {
        let (value, goal, velocity) = (
          Float(Self.number(&random)), Float(Self.number(&random)), Float(Self.number(&random))
        )
        let spring = Self.spring(&random)
        if let handle = try? batch.add(value, velocity: velocity, to: goal, spring) {
          handles.append(handle)
          accepted += 1
        }
        if let made = try? batch.add([1, value], to: [goal, 2], spring) { handles += made }
        try? batch.advance(by: abs(Self.number(&random)))
        try? batch.advance(to: Self.number(&random))
        for handle in handles {
          let shown = [batch[handle] ?? .nan, batch.velocity(of: handle) ?? .nan]
          #expect(
            shown.allSatisfy { $0.isFinite }, "\(spring) \(value) \(goal) \(velocity) at \(batch.time): \(shown)")
        }
      }
    }
    #expect(accepted > 50)
  }

  @Test(arguments: [0.9, 0.6, 1e-3, 1]) func dampingNearTheLargestNumberThrowsOrStaysFinite(_ mass: Double) throws {
    for damping in [1e16, 1e17, 1e30, 1e50, 1e150, 1e300, 1e305, 1.7e308, Double.greatestFiniteMagnitude] {
      let spring = Spring(mass: mass, stiffness: 1, damping: damping, allowOverDamping: true)
      for inBulk in [false, true] {
        var batch = try AnimationBatch<Float>()
        let motion = Motion(value: 5, target: 9, velocity: 1, spring: spring)
        guard let handle = try? motion.add(to: &batch, inBulk: inBulk) else { continue }
        for time in [0, 1e-300, 1, 1e10] {
          try batch.advance(to: time)
          let (x, v) = (batch[handle] ?? .nan, batch.velocity(of: handle) ?? .nan)
          #expect(x.isFinite && v.isFinite, "mass \(mass) damping \(damping) at \(time): \(x), \(v)")
          // The motion creeps, and must not count as at rest.
          #expect(time > 1 || abs(x - 5) < 1e-6, "mass \(mass) damping \(damping) at \(time): \(x)")
        }
      }
    }
  }

  @Test func roomThatNoMemoryHasIsRefused() throws {
    // More than 64 GiB. If the system grants it, nothing is written to it.
    #expect(throws: BatchError.capacityExceeded(BatchLimits.maximumTracks)) {
      _ = try AnimationBatch<SIMD64<Float>>(reservingCapacity: BatchLimits.maximumTracks)
    }
    var batch = try AnimationBatch<SIMD64<Float>>()
    let room = batch.engine.tracks.capacity
    for count in [BatchLimits.maximumTracks, -1, .max] {
      #expect(throws: BatchError.capacityExceeded(count)) { try batch.reserve(count) }
    }
    let roomAfter = batch.engine.tracks.capacity
    #expect(roomAfter == room)
  }

  /// Whoever asks for room for tracks asks for what is kept of their tiles too.
  @Test func roomForTracksIsRoomForTheirTiles() {
    #expect(ColumnMemory.hasRoom(ColumnShape(narrow: 1), count: 64))
    #expect(!ColumnMemory.hasRoom(ColumnShape(narrow: 1, tileBytes: BatchLimits.maximumBytes), count: 64))
  }
}
