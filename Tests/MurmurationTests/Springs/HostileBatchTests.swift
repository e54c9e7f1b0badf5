// SPDX-License-Identifier: MIT
import Testing

@testable import Murmuration
@testable import MurmurationEngine

/// A batch throws or moves on to finite numbers, for any input and for handles of tracks that are gone or never were.
///
/// Three further mistakes do not compile, because spans are lent and a batch has one owner: an output that is the storage, a
/// view that outlives a change, and a change during an advance. `Scripts/check-ownership` proves it.
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
        let numbers = (0..<3).map { _ in Float(Self.number(&random)) }
        let spring = Self.spring(&random)
        if let handle = try? batch.add(numbers[0], velocity: numbers[2], to: numbers[1], spring) {
          handles.append(handle)
          accepted += 1
        }
        if let made = try? batch.add([1, numbers[0]], to: [numbers[1], 2], spring) { handles += made }
        try? batch.advance(by: abs(Self.number(&random)))
        try? batch.advance(to: Self.number(&random))
        for handle in handles {
          let shown = [batch[handle] ?? .nan, batch.velocity(of: handle) ?? .nan]
          #expect(shown.allSatisfy { $0.isFinite }, "\(spring) \(numbers) at \(batch.time): \(shown)")
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
          // The motion creeps, and must not count as at rest.
          #expect(
            x.isFinite && v.isFinite && (time > 1 || abs(x - 5) < 1e-6), "\(mass) \(damping) at \(time): \(x), \(v)")
        }
      }
    }
  }

  // MARK: - Room

  @Test(arguments: [Int.max, BatchLimits.maximumTracks + 1, 1 << 40, -1, .min])
  func roomForMoreThanThereIsIsRefused(_ count: Int) throws {
    #expect(throws: BatchError.capacityExceeded(count)) { _ = try AnimationBatch<Float>(reservingCapacity: count) }
    var batch = try AnimationBatch<Float>()
    _ = try someTracks(&batch)
    let (before, room) = (try batch.bits(), batch.engine.tracks.capacity)
    #expect(throws: BatchError.capacityExceeded(count)) { try batch.reserve(count) }
    let after = try batch.bits()
    #expect(after == before && batch.engine.tracks.capacity == room)
    // The limit counts the tracks that there are.
    let rest = BatchLimits.maximumTracks - 20
    #expect(throws: BatchError.capacityExceeded(rest)) { try batch.reserve(rest) }
  }

  /// More than 64 GiB. If the system grants it, nothing is written to it.
  @Test func roomThatNoMemoryHasIsRefused() throws {
    let count = BatchLimits.maximumTracks
    #expect(throws: BatchError.capacityExceeded(count)) {
      _ = try AnimationBatch<SIMD64<Float>>(reservingCapacity: count)
    }
    var batch = try AnimationBatch<SIMD64<Float>>()
    #expect(throws: BatchError.capacityExceeded(count)) { try batch.reserve(count) }
    #expect(batch.engine.tracks.capacity < 1_000)
  }

  /// Whoever asks for room for tracks asks for what is kept of their tiles too.
  @Test func roomForTracksIsRoomForTheirTiles() {
    #expect(ColumnMemory.hasRoom(ColumnShape(narrow: 1), count: 64))
    #expect(!ColumnMemory.hasRoom(ColumnShape(narrow: 1, tileBytes: BatchLimits.maximumBytes), count: 64))
  }

  // MARK: - Handles

  private func someTracks(_ batch: inout AnimationBatch<Float>) throws -> [TrackHandle] {
    try batch.add((0..<20).map { Float($0) }, to: [Float](repeating: 0, count: 20), .bouncy)
      + [batch.add(1, to: 0, .smooth)]
  }

  private func expectRefusal(_ handle: TrackHandle, by batch: inout AnimationBatch<Float>, _ error: BatchError) throws {
    let (before, count, free) = (try batch.bits(), batch.count, batch.engine.tracks.indices.freeCount)
    let handles = batch.live + [handle]
    let read = [
      batch[handle], batch.velocity(of: handle), batch.target(of: handle), try batch.projectedEnd(of: handle),
    ]
    let (rest, isAtRest, isPaused) = (batch.restTime(of: handle), batch.isAtRest(handle), batch.isPaused(handle))
    #expect(read == [nil, nil, nil, nil] && rest == nil && isAtRest == nil && !batch.contains(handle))
    #expect(isPaused == nil && batch.motion(of: handle) == nil && batch.localTime(of: handle) == nil)
    #expect(throws: error) { try batch.animate(handle, to: 1, .smooth) }
    #expect(throws: error) { try batch.retarget(handles, to: 1) }
    #expect(throws: error) { try batch.remove(handle) }
    #expect(throws: error) { try batch.remove(handles) }
    let (after, countAfter, freeAfter) = (try batch.bits(), batch.count, batch.engine.tracks.indices.freeCount)
    #expect(after == before && countAfter == count && freeAfter == free)
  }

  /// The next generation of an index without a track is not valid yet.
  @Test func aForgedHandleIsRefused() throws {
    var batch = try AnimationBatch<Float>()
    let gone = try someTracks(&batch)[4]
    try batch.remove(gone)
    let free: UInt32 = 1 << 31
    for index in [0, 1, 4, 20, 21, 1 << 20, .max, .max - 1, 1 << 31] as [UInt32] {
      for generation in [1, free - 1, free, free + 1, .max] {
        let forged = TrackHandle(index: index, generation: generation, store: gone.store)
        try expectRefusal(forged, by: &batch, .staleHandle(forged))
      }
    }
    let everything = TrackHandle(index: .max, generation: .max, store: .max)
    try expectRefusal(everything, by: &batch, .storeMismatch(everything))
  }
}
