// SPDX-License-Identifier: MIT
import Testing

@testable import Murmuration

/// Whatever a batch is given, it throws or moves on to finite numbers.
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
    for _ in 0..<400 {
      var batch = try SpringBatch(kernels: kernels)
      var handles: [TrackHandle] = []
      for _ in 0..<12 {
        let (value, target, velocity) = (
          Float(Self.number(&random)), Float(Self.number(&random)), Float(Self.number(&random))
        )
        let spring = Self.spring(&random)
        if let handle = try? batch.add(spring, value: value, target: target, velocity: velocity) {
          handles.append(handle)
          accepted += 1
        }
        if let made = try? batch.add(spring, values: [1, value].span, targets: [target, 2].span) { handles += made }
        try? batch.advance(by: abs(Self.number(&random)))
        try? batch.advance(to: Self.number(&random))
        for handle in handles {
          let (x, v) = try (batch.value(of: handle, as: Float.self), batch.velocity(of: handle, as: Float.self))
          #expect(x.isFinite && v.isFinite, "\(spring) \(value) \(target) \(velocity) at \(batch.time): \(x), \(v)")
        }
      }
    }
    #expect(accepted > 100)
  }

  @Test(arguments: [0.9, 0.6, 1e-3, 1]) func dampingNearTheLargestNumberThrowsOrStaysFinite(_ mass: Double) throws {
    for damping in [1e16, 1e17, 1e30, 1e50, 1e150, 1e300, 1e305, 1.7e308, Double.greatestFiniteMagnitude] {
      let spring = Spring(mass: mass, stiffness: 1, damping: damping, allowOverDamping: true)
      for isCohort in [false, true] {
        var batch = try SpringBatch()
        let handle =
          isCohort
          ? try? batch.add(spring, values: [5].span, targets: [9].span, velocities: [1].span).first
          : try? batch.add(spring, value: Float(5), target: 9, velocity: 1)
        guard let handle else { continue }
        for time in [0, 1e-300, 1, 1e10] {
          try batch.advance(to: time)
          let (x, v) = try (batch.value(of: handle, as: Float.self), batch.velocity(of: handle, as: Float.self))
          #expect(x.isFinite && v.isFinite, "mass \(mass) damping \(damping) at \(time): \(x), \(v)")
          // It creeps, and may not be taken for one that rests.
          #expect(time > 1 || abs(x - 5) < 1e-6, "mass \(mass) damping \(damping) at \(time): \(x)")
        }
      }
    }
  }

  @Test func roomThatNoMemoryHasIsRefused() throws {
    // 351 GB; and where that can be had, nothing is written to it.
    #expect(throws: BatchError.capacityExceeded(BatchLimits.maximumTracks)) {
      _ = try SpringBatch(dimensions: 64, reservingCapacity: BatchLimits.maximumTracks)
    }
    var batch = try SpringBatch(dimensions: 64)
    let room = batch.storage.capacity
    #expect(throws: BatchError.capacityExceeded(BatchLimits.maximumTracks)) {
      try batch.reserve(BatchLimits.maximumTracks)
    }
    let roomAfter = batch.storage.capacity
    #expect(roomAfter == room)
    #expect(throws: BatchError.capacityExceeded(-1)) { try batch.reserve(-1) }
    #expect(throws: BatchError.capacityExceeded(.max)) { try batch.reserve(.max) }
  }
}
