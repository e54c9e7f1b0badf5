// SPDX-License-Identifier: MIT
import Testing

@testable import Murmuration

/// Handles of tracks that are gone, of other batches and of nothing.
///
/// Three further mistakes do not compile, because spans are lent and a batch has one owner: an output that is the storage, a
/// view that outlives a change, and a change during an advance. `Scripts/check-ownership` proves it.
struct HostileHandleTests {
  private func expectRefusal(_ handle: TrackHandle, by batch: inout SpringBatch, _ error: BatchError) throws {
    let before = try batch.bits()
    let (count, free) = (batch.count, batch.slots.freeCount)
    let good = (0..<batch.indexCount).compactMap { batch.handle(atIndex: $0) }
    let handles = good + [handle]
    let numbers = [Float](repeating: 1, count: handles.count)
    let springs = [Spring](repeating: .smooth, count: handles.count)
    #expect(throws: error) { _ = try batch.value(of: handle, as: Float.self) }
    #expect(throws: error) { _ = try batch.velocity(of: handle, as: Float.self) }
    #expect(throws: error) { _ = try batch.target(of: handle, as: Float.self) }
    #expect(throws: error) { _ = try batch.rowIndex(of: handle) }
    #expect(throws: error) { _ = try batch.isInCohort(handle) }
    #expect(throws: error) { _ = try batch.cohortCount(of: handle) }
    #expect(throws: error) { _ = try batch.restTime(of: handle) }
    #expect(throws: error) { _ = try batch.isAtRest(handle) }
    #expect(throws: error) { try batch.retarget(handle, to: Float(1)) }
    #expect(throws: error) { try batch.retarget(handles.span, to: numbers.span) }
    #expect(throws: error) { try batch.retarget(handles.span, to: numbers.span, spring: .smooth) }
    #expect(throws: error) { try batch.retarget(handles.span, to: numbers.span, springs: springs.span) }
    #expect(throws: error) { try batch.set(handle, value: Float(1), velocity: 0) }
    #expect(throws: error) { try batch.set(handles.span, values: numbers.span, velocities: numbers.span) }
    #expect(throws: error) { try batch.remove(handle) }
    #expect(throws: error) { try batch.remove(handles.span) }
    let (after, countAfter, freeAfter) = (try batch.bits(), batch.count, batch.slots.freeCount)
    let isHeld = batch.contains(handle)
    #expect(after == before && countAfter == count && freeAfter == free && !isHeld)
  }

  private func someTracks(_ batch: inout SpringBatch) throws -> [TrackHandle] {
    let numbers = (0..<20).map { Float($0) }
    let zeros = [Float](repeating: 0, count: 20)
    return try batch.add(.bouncy, values: numbers.span, targets: zeros.span)
      + [batch.add(.smooth, value: Float(1), target: 0)]
  }

  @Test func aHandleOfATrackThatWentIsRefused() throws {
    for computesVelocities in [false, true] {
      var batch = try SpringBatch()
      batch.computesVelocities = computesVelocities
      let handles = try someTracks(&batch)
      try batch.advance(to: 0.1)
      for gone in [handles[3], handles[20]] {
        try batch.remove(gone)
        try expectRefusal(gone, by: &batch, .staleHandle(gone))
        // Removing it again is refused too, and after another track took its index so it stays.
        try batch.add(.smooth, value: Float(2), target: 0)
        let heir = batch.handle(atIndex: gone.index)
        #expect(heir != nil && heir != gone)
        try expectRefusal(gone, by: &batch, .staleHandle(gone))
      }
      batch.removeAll()
      try expectRefusal(handles[0], by: &batch, .staleHandle(handles[0]))
    }
  }

  /// Handles against a dictionary: what lives is found, what went is not, and no index has two tracks.
  @Test func randomComingAndGoing() throws {
    var random = SplitMix64(seed: 121)
    var batch = try SpringBatch()
    var live: [TrackHandle: Float] = [:]
    var order: [TrackHandle] = []
    var gone: [TrackHandle] = []
    for step in 0..<40_000 {
      switch random.next() % 4 {
      case 0:
        let handle = try batch.add(.smooth, value: Float(step), target: Float(step))
        live[handle] = Float(step)
        order.append(handle)
      case 1 where step % 5 == 0:
        let numbers = (0..<20).map { Float(step) + Float($0) / 32 }
        for (handle, number) in zip(try batch.add(.smooth, values: numbers.span, targets: numbers.span), numbers) {
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
          let value: Float = try batch.value(of: handle)
          #expect(value == live[handle])
        }
      }
      if step % 1_000 == 0 {
        try batch.advance(by: 0.01)
        let found = (0..<batch.indexCount).compactMap { batch.handle(atIndex: $0) }
        let count = batch.count
        #expect(Set(found) == Set(live.keys) && found.count == count)
        for handle in found {
          let value: Float = try batch.value(of: handle)
          #expect(value == live[handle])
        }
      }
    }
    #expect(gone.count > 1_000 && live.count > 1_000)
  }

  @Test func aHandleOfAnotherBatchIsRefused() throws {
    var batch = try SpringBatch()
    var other = try SpringBatch()
    _ = try someTracks(&batch)
    let foreign = try someTracks(&other)[2]
    try expectRefusal(foreign, by: &batch, .storeMismatch(foreign))
  }

  @Test func theHandleOfNoTrackIsRefused() throws {
    var batch = try SpringBatch()
    _ = try someTracks(&batch)
    try expectRefusal(.noTrack, by: &batch, .storeMismatch(.noTrack))
  }

  @Test func aForgedHandleIsRefused() throws {
    var batch = try SpringBatch()
    let genuine = try someTracks(&batch)[0]
    let free: UInt32 = 1 << 31
    let slots: [UInt32] = [0, 1, 20, 21, 1 << 20, .max, .max - 1, 1 << 31]
    for slot in slots {
      for generation in [UInt32(1), free - 1, free, free + 1, .max] {
        let forged = TrackHandle(slot: slot, generation: generation, store: genuine.store)
        try expectRefusal(forged, by: &batch, .staleHandle(forged))
      }
    }
    let everything = TrackHandle(slot: .max, generation: .max, store: .max)
    try expectRefusal(everything, by: &batch, .storeMismatch(everything))
  }

  /// Of a slot without a track, the generation that it will have next is not one that it has.
  @Test func forgedHandlesOfFreeSlotsAreRefused() throws {
    var batch = try SpringBatch()
    let gone = try someTracks(&batch)[4]
    try batch.remove(gone)
    for generation in [1, 1 | UInt32(1) << 31, UInt32(1) << 31] {
      let forged = TrackHandle(slot: gone.slot, generation: generation, store: gone.store)
      try expectRefusal(forged, by: &batch, .staleHandle(forged))
    }
  }

  @Test func theListsOfAnAdvanceMayBeWalkedWhileTracksComeAndGo() throws {
    var batch = try SpringBatch()
    let handles = try someTracks(&batch)
    try batch.advance(to: 100)
    var seen = 0
    for handle in batch.settled {
      seen += 1
      try batch.remove(handle)
      let heir = try batch.add(.smooth, value: Float(9), target: 0)
      #expect(heir.index == handle.index)
    }
    let (listed, count) = (batch.settled, batch.count)
    #expect(seen == handles.count && listed.count == seen && count == seen)
    // They are of tracks that went, which every call tells.
    let stale = listed.allSatisfy { handle in !batch.contains(handle) }
    #expect(stale)
  }

  @Test(arguments: [Int.max, BatchLimits.maximumTracks + 1, 1 << 40, -1, .min])
  func roomForMoreThanThereIsIsRefused(_ count: Int) throws {
    #expect(throws: BatchError.capacityExceeded(count)) { _ = try SpringBatch(reservingCapacity: count) }
    var batch = try SpringBatch()
    _ = try someTracks(&batch)
    let (before, room) = (try batch.bits(), batch.storage.capacity)
    #expect(throws: BatchError.capacityExceeded(count)) { try batch.reserve(count) }
    let (after, roomAfter) = (try batch.bits(), batch.storage.capacity)
    #expect(after == before && roomAfter == room)
    // The limit counts the tracks that there are.
    #expect(throws: BatchError.capacityExceeded(BatchLimits.maximumTracks - 20)) {
      try batch.reserve(BatchLimits.maximumTracks - 20)
    }
  }
}
