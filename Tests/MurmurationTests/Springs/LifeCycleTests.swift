// SPDX-License-Identifier: MIT
import Testing

@testable import Murmuration

/// Tracks that come and go by thousands: handles, indices, rows and the order of both.
struct LifeCycleTests {
  private func emit(_ batch: inout SpringBatch, _ count: Int, mixed: Bool = false) throws -> [TrackHandle] {
    let values = (0..<count * batch.dimensions).map { Float($0) }
    let zeros = [Float](repeating: 0, count: count * batch.dimensions)
    var handles = [TrackHandle](repeating: TrackHandle(slot: .max, generation: 0, store: 0), count: count)
    var span = handles.mutableSpan
    if mixed {
      let springs = [Spring](repeating: .bouncy, count: count)
      try batch.emit(springs.span, values: values.span, targets: zeros.span, handles: &span)
    } else {
      try batch.emit(.bouncy, values: values.span, targets: zeros.span, handles: &span)
    }
    return handles
  }

  @Test(arguments: [0, 1, 15, 16, 17, 100], [false, true]) func emittingIsAddingIntoMemoryOfTheCaller(
    _ count: Int, _ mixed: Bool
  ) throws {
    var batch = try SpringBatch(dimensions: 2)
    var other = try SpringBatch(dimensions: 2)
    let handles = try emit(&batch, count, mixed: mixed)
    let values = (0..<2 * count).map { Float($0) }
    let zeros = [Float](repeating: 0, count: 2 * count)
    let springs = [Spring](repeating: .bouncy, count: count)
    let twins =
      mixed
      ? try other.add(springs.span, values: values.span, targets: zeros.span)
      : try other.add(.bouncy, values: values.span, targets: zeros.span)
    #expect(handles.map(\.index) == Array(0..<count) && twins.map(\.index) == Array(0..<count))
    try batch.advance(to: 0.3)
    try other.advance(to: 0.3)
    let (bits, expected) = (try batch.bits(), try other.bits())
    #expect(bits == expected)
  }

  @Test func handlesForAnotherNumberOfTracksAreRefused() throws {
    var batch = try SpringBatch()
    let three: [Float] = [1, 2, 3]
    let blank = TrackHandle(slot: 7, generation: 7, store: 7)
    var two = [blank, blank]
    #expect(throws: BatchError.wrongCount(of: "handles", expected: 3, got: 2)) {
      var span = two.mutableSpan
      try batch.emit(.bouncy, values: three.span, targets: three.span, handles: &span)
    }
    let springs: [Spring] = [.bouncy, .smooth]
    #expect(throws: BatchError.wrongCount(of: "springs", expected: 3, got: 2)) {
      try batch.add(springs.span, values: three.span, targets: three.span)
    }
    let count = batch.count
    #expect(two == [blank, blank] && count == 0)
  }

  @Test func indicesOfTracksThatWentAreTakenLastFreedFirst() throws {
    var batch = try SpringBatch()
    let handles = try emit(&batch, 50)
    let gone = [handles[7], handles[30], handles[8]]
    try batch.remove(gone.span)
    try batch.remove(handles[49])
    let next = try emit(&batch, 6, mixed: true)
    #expect(next.map(\.index) == [49, 8, 30, 7, 50, 51])
    let count = batch.indexCount
    #expect(count == 52)
    for handle in gone {
      let holds = batch.contains(handle)
      #expect(!holds)
    }
  }

  @Test func rowsAndIndicesNameTheSameTracks() throws {
    var random = SplitMix64(seed: 81)
    var batch = try SpringBatch()
    var handles = try emit(&batch, 100) + emit(&batch, 40, mixed: true) + emit(&batch, 5)
    for _ in 0..<60 {
      try batch.remove(handles.remove(at: Int(random.next() % UInt64(handles.count))))
    }
    let moved = Array(handles.prefix(30))
    let zeros = [Float](repeating: 0, count: moved.count)
    try batch.retarget(moved.span, to: zeros.span, spring: .smooth)
    for isCompact in [false, true] {
      if isCompact {
        try batch.compact()
      }
      var found: Set<TrackHandle> = []
      for row in 0..<batch.rowCount {
        guard let handle = batch.handle(atRow: row) else {
          continue
        }
        found.insert(handle)
        let (back, byIndex) = (try batch.rowIndex(of: handle), batch.handle(atIndex: handle.index))
        #expect(back == row && byIndex == handle)
      }
      #expect(found == Set(handles))
      let byIndex = (0..<batch.indexCount).filter { batch.handle(atIndex: $0) != nil }
      #expect(byIndex == handles.map(\.index).sorted())
    }
    for place in [-1, Int.min, batch.rowCount, Int.max] {
      let (atRow, atIndex) = (batch.handle(atRow: place), batch.handle(atIndex: place))
      #expect(atRow == nil && (atIndex == nil || place == batch.rowCount))
    }
  }

  /// The columns of a batch whose tracks came in bulk and never changed their kind are in the order of indices.
  @Test func tracksThatCameInBulkStandInTheOrderOfTheirIndices() throws {
    for mixed in [false, true] {
      var batch = try SpringBatch()
      let handles = try emit(&batch, 100, mixed: mixed) + emit(&batch, 64, mixed: mixed)
      let rows = try handles.map { handle in try batch.rowIndex(of: handle) }
      #expect(rows == rows.sorted() && handles.map(\.index) == Array(0..<164))
      // Cohorts begin tiles of their own.
      #expect(rows[99] == 99 && rows[100] == (mixed ? 100 : 112))
    }
  }

  @Test func compactingOrdersRowsByKindAndThenByIndex() throws {
    var random = SplitMix64(seed: 82)
    var batch = try SpringBatch()
    var handles: [TrackHandle] = []
    for size in [20, 3, 40] {
      handles += try emit(&batch, size)
      handles += try emit(&batch, size, mixed: true)
      let creep = Spring(duration: 1, bounce: -0.5)
      handles.append(try batch.add(creep, value: Float(1), target: 0))
    }
    for _ in 0..<50 {
      try batch.remove(handles.remove(at: Int(random.next() % UInt64(handles.count))))
    }
    try batch.compact()
    let places = try handles.map { handle in
      let row = try batch.rowIndex(of: handle)
      return (row: row, kind: batch.tiles.kind(ofRow: row), index: handle.index)
    }
    expectRunsOfKinds(places)
    let kinds = Set(places.map(\.kind)).count
    let (rows, count) = (batch.rowCount, batch.count)
    #expect(rows <= count + 15 * kinds)
  }

  @Test(arguments: [false, true]) func compactingKeepsHandlesValuesMotionsAndReports(_ whileMoving: Bool) throws {
    var compacted = try SpringBatch()
    var plain = try SpringBatch()
    let handles = try emit(&compacted, 40) + emit(&compacted, 5) + emit(&compacted, 30, mixed: true)
    let twins = try emit(&plain, 40) + emit(&plain, 5) + emit(&plain, 30, mixed: true)
    let chosen = stride(from: 0, to: 75, by: 2).map { $0 }
    let times = [0.1, 0.3, 0.6, 1, 2, 100, 101]
    for time in times {
      try compacted.advance(to: time)
      try plain.advance(to: time)
      let (complete, expected) = (compacted.logicallyComplete.map(\.index), plain.logicallyComplete.map(\.index))
      let (settled, expectedSettled) = (compacted.settled.map(\.index), plain.settled.map(\.index))
      #expect(complete.sorted() == expected.sorted() && settled.sorted() == expectedSettled.sorted())
      if time == 0.1 {
        let (gone, others) = (chosen.map { handles[$0] }, chosen.map { twins[$0] })
        try compacted.remove(gone.span)
        try plain.remove(others.span)
      }
      if whileMoving || time >= 100 {
        try compacted.compact()
      }
      for index in handles.indices {
        let (holds, held) = (compacted.contains(handles[index]), plain.contains(twins[index]))
        #expect(holds == held)
        if holds {
          let rests = (try compacted.isAtRest(handles[index]), try plain.isAtRest(twins[index]))
          #expect(rests.0 == rests.1)
          let ends = (try compacted.restTime(of: handles[index]), try plain.restTime(of: twins[index]))
          #expect(ends.0 == ends.1)
        }
      }
      let (bits, expectedBits) = (try compacted.bits(), try plain.bits())
      #expect(bits == expectedBits, "at \(time)")
    }
  }

  @Test func removingEverythingFreesIndicesAndKeepsHandlesStale() throws {
    var batch = try SpringBatch(dimensions: 2)
    let old = try emit(&batch, 40) + emit(&batch, 3) + emit(&batch, 20, mixed: true)
    try batch.remove(old[5])
    try batch.advance(to: 0.1)
    batch.removeAll()
    let (count, rows) = (batch.count, batch.rowCount)
    #expect(count == 0 && rows == 0)
    let new = try emit(&batch, 63)
    #expect(Set(new.map(\.index)) == Set(0..<63))
    for handle in old {
      let holds = batch.contains(handle)
      #expect(!holds)
    }
    try batch.advance(by: 100)
    let settled = batch.settled
    #expect(Set(settled) == Set(new))
  }

  @Test func aSlotWhoseGenerationsAreUsedUpIsRetired() throws {
    // Slots begin with the last generation but two, as no test can remove 2³¹ tracks.
    let last = UInt32(1) << 31 - 1
    var batch = try SpringBatch(
      dimensions: 1, capacity: 0, kernels: nil, slots: SlotTable(firstGeneration: last - 2))
    let first = try emit(&batch, 3)[1]
    try batch.remove(first)
    let second = try emit(&batch, 1)[0]
    try batch.remove(second)
    let aged = try emit(&batch, 1)[0]
    #expect([first, second, aged].map(\.index) == [1, 1, 1])
    #expect([first, second, aged].map(\.generation) == [last - 2, last - 1, last])
    let holds = (batch.contains(first), batch.contains(second), batch.contains(aged))
    #expect(!holds.0 && !holds.1 && holds.2)
    try batch.remove(aged)
    let isGone = !batch.contains(aged) && batch.handle(atIndex: 1) == nil
    #expect(isGone)
    // Its index is never given again, and everything else goes on.
    let next = try emit(&batch, 20)
    #expect(!next.map(\.index).contains(1))
    try batch.advance(to: 1)
    let values = try batch.values()
    #expect(values[1] == 0 && values.count == 23)
    batch.removeAll()
    let again = try emit(&batch, 20)
    #expect(!again.map(\.index).contains(1))
    for generation in [UInt32.max, last + 1, last, last - 2, 0] {
      let forged = TrackHandle(slot: 1, generation: generation, store: first.store)
      let isHeld = batch.contains(forged)
      #expect(!isHeld)
    }
  }

  @Test func aTrackThatIsNamedTwiceIsRemovedOnceAndABadHandleRemovesNone() throws {
    var batch = try SpringBatch()
    let handles = try emit(&batch, 20)
    let stale = handles[3]
    try batch.remove(stale)
    let withStale = [handles[0], handles[1], stale]
    #expect(throws: BatchError.staleHandle(stale)) { try batch.remove(withStale.span) }
    let untouched = batch.count
    #expect(untouched == 19)
    let twice = [handles[0], handles[1], handles[0], handles[0]]
    try batch.remove(twice.span)
    let (count, free) = (batch.count, batch.slots.freeCount)
    #expect(count == 17 && free == 3)
  }
}
