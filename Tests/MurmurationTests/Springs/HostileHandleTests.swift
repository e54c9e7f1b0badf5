// SPDX-License-Identifier: MIT
import Testing

@testable import Murmuration
@testable import MurmurationEngine

/// Handles of tracks that are gone, of other batches and of nothing.
///
/// Three further mistakes do not compile, because spans are lent and a batch has one owner: an output that is the storage, a
/// view that outlives a change, and a change during an advance. `Scripts/check-ownership` proves it.
struct HostileHandleTests {
  private func expectRefusal(_ handle: TrackHandle, by batch: inout AnimationBatch<Float>, _ error: BatchError) throws {
    let before = try batch.bits()
    let (count, free) = (batch.count, batch.engine.tracks.indices.freeCount)
    let handles = batch.live + [handle]
    let read = [batch[handle], batch.velocity(of: handle), batch.target(of: handle)]
    #expect(read == [nil, nil, nil])
    let (restTime, isAtRest, end) = (
      batch.restTime(of: handle), batch.isAtRest(handle), try batch.projectedEnd(of: handle)
    )
    #expect(restTime == nil && isAtRest == nil && end == nil)
    #expect(throws: error) { try batch.animate(handle, to: 1, .smooth) }
    #expect(throws: error) { try batch.retarget(handles, to: 1) }
    #expect(throws: error) { try batch.remove(handle) }
    #expect(throws: error) { try batch.remove(handles) }
    let (after, countAfter, freeAfter) = (try batch.bits(), batch.count, batch.engine.tracks.indices.freeCount)
    let isHeld = batch.contains(handle)
    #expect(after == before && countAfter == count && freeAfter == free && !isHeld)
  }

  private func someTracks(_ batch: inout AnimationBatch<Float>) throws -> [TrackHandle] {
    try batch.add((0..<20).map { Float($0) }, to: [Float](repeating: 0, count: 20), .bouncy)
      + [batch.add(1, to: 0, .smooth)]
  }

  /// Handles against a dictionary: live tracks are found, removed ones are not, and no index has two tracks.
  @Test func randomComingAndGoing() throws {
    var random = SplitMix64(seed: 121)
    var batch = try AnimationBatch<Float>()
    var live: [TrackHandle: Float] = [:]
    var order: [TrackHandle] = []
    var gone: [TrackHandle] = []
    for step in 0..<8_000 {
      switch random.next() % 4 {
      case 0:
        let handle = try batch.add(Float(step), to: Float(step), .smooth)
        live[handle] = Float(step)
        order.append(handle)
      case 1 where step % 5 == 0:
        let numbers = (0..<20).map { Float(step) + Float($0) / 32 }
        for (handle, number) in zip(try batch.add(numbers, to: numbers, .smooth), numbers) {
          live[handle] = number
          order.append(handle)
        }
      case 2 where !order.isEmpty:
        let handle = order.remove(at: Int(random.next() % UInt64(order.count)))
        try batch.remove(handle)
        live[handle] = nil
        gone.append(handle)
      default:
        if let stale = gone.randomElement(using: &random) {
          #expect(throws: BatchError.staleHandle(stale)) { try batch.remove(stale) }
        }
        if let handle = order.randomElement(using: &random) {
          let value = batch[handle]
          #expect(value == live[handle])
        }
      }
      if step % 1_000 == 0 {
        try batch.advance(by: 0.01)
        let (found, count) = (batch.live, batch.count)
        #expect(Set(found) == Set(live.keys) && found.count == count)
        let isSame = found.allSatisfy { batch[$0] == live[$0] }
        #expect(isSame)
      }
    }
    #expect(gone.count > 1_000 && live.count > 1_000)
  }

  @Test func aForgedHandleIsRefused() throws {
    var batch = try AnimationBatch<Float>()
    let genuine = try someTracks(&batch)[0]
    let free: UInt32 = 1 << 31
    for index in [0, 1, 20, 21, 1 << 20, .max, .max - 1, 1 << 31] as [UInt32] {
      for generation in [1, free - 1, free, free + 1, .max] {
        let forged = TrackHandle(index: index, generation: generation, store: genuine.store)
        try expectRefusal(forged, by: &batch, .staleHandle(forged))
      }
    }
    let everything = TrackHandle(index: .max, generation: .max, store: .max)
    try expectRefusal(everything, by: &batch, .storeMismatch(everything))
  }

  /// The next generation of an index without a track is not valid yet.
  @Test func forgedHandlesOfFreeIndicesAreRefused() throws {
    var batch = try AnimationBatch<Float>()
    let gone = try someTracks(&batch)[4]
    try batch.remove(gone)
    for generation in [1, 1 | UInt32(1) << 31, UInt32(1) << 31] {
      let forged = TrackHandle(index: gone.index32, generation: generation, store: gone.store)
      try expectRefusal(forged, by: &batch, .staleHandle(forged))
    }
  }

  @Test func theListsOfAnAdvanceMayBeWalkedWhileTracksComeAndGo() throws {
    var batch = try AnimationBatch<Float>()
    let handles = try someTracks(&batch)
    try batch.advance(to: 100)
    var seen = 0
    for event in batch.events where event.kind == .settled {
      seen += 1
      try batch.remove(event.track)
      let heir = try batch.add(9, to: 0, .smooth)
      #expect(heir.index == event.track.index)
    }
    let (listed, count) = (batch.settled, batch.count)
    #expect(seen == handles.count && listed.count == seen && count == seen)
    // The handles are of removed tracks, as every call reports.
    let stale = listed.allSatisfy { handle in !batch.contains(handle) }
    #expect(stale)
  }

  @Test(arguments: [Int.max, BatchLimits.maximumTracks + 1, 1 << 40, -1, .min])
  func roomForMoreThanThereIsIsRefused(_ count: Int) throws {
    #expect(throws: BatchError.capacityExceeded(count)) { _ = try AnimationBatch<Float>(reservingCapacity: count) }
    var batch = try AnimationBatch<Float>()
    _ = try someTracks(&batch)
    let (before, room) = (try batch.bits(), batch.engine.tracks.capacity)
    #expect(throws: BatchError.capacityExceeded(count)) { try batch.reserve(count) }
    let (after, roomAfter) = (try batch.bits(), batch.engine.tracks.capacity)
    #expect(after == before && roomAfter == room)
    // The limit counts the tracks that there are.
    #expect(throws: BatchError.capacityExceeded(BatchLimits.maximumTracks - 20)) {
      try batch.reserve(BatchLimits.maximumTracks - 20)
    }
  }
}
