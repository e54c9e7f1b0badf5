// SPDX-License-Identifier: MIT
import CProcessor

/// Which row each track stands in, and which handles are still good.
struct SlotTable {
  fileprivate struct Slot {
    var generation: UInt32
    /// The row of a track; the next free slot, or ``none``, where there is no track.
    var row: UInt32
  }

  private static let none = UInt32.max
  /// Set in the generation of a slot without a track, so that no handle matches it.
  fileprivate static let freeBit: UInt32 = 1 << 31

  /// Bytes for each slot.
  static let bytesPerSlot = MemoryLayout<Slot>.stride

  private var slots: [Slot] = []
  private var firstFree = SlotTable.none
  /// Slots without a track that may get one.
  private(set) var freeCount = 0

  /// One past the largest slot ever used.
  var count: Int { slots.count }

  /// The generation that handles of a live slot have.
  func generation(of slot: Int) -> UInt32 { slots[slot].generation }

  /// Whether a track has the slot.
  func isLive(_ slot: Int) -> Bool { slots[slot].generation & Self.freeBit == 0 }

  /// The row of the track of a slot of that generation, or nil.
  func row(of slot: UInt32, generation: UInt32) -> Int? {
    guard slot < slots.count, slots[Int(slot)].generation == generation, generation & Self.freeBit == 0 else {
      return nil
    }
    return Int(slots[Int(slot)].row)
  }

  /// The row of a live slot.
  func row(of slot: Int) -> Int { Int(slots[slot].row) }

  /// How many of some slots, of which the first is live, are live and have their tracks in rows that follow each other.
  func neighbours(_ range: Range<Int>) -> Int {
    unsafe slots.withUnsafeBufferPointer { slots in
      let first = unsafe slots[range.lowerBound].row
      // Not 0 where a slot is free, or its row not as far from the first one as the slot is.
      func difference(_ count: Int) -> UInt32 {
        let slot = unsafe slots[range.lowerBound + count]
        return slot.generation & Self.freeBit | (slot.row ^ (first &+ UInt32(truncatingIfNeeded: count)))
      }
      var count = 1
      // Sixteen at a time, without a branch for each.
      while count + 16 <= range.count {
        var sum: UInt32 = 0
        for offset in 0..<16 {
          sum |= difference(count + offset)
        }
        if sum != 0 {
          break
        }
        count += 16
      }
      while count < range.count, difference(count) == 0 {
        count += 1
      }
      return count
    }
  }

  /// The rows of all slots, for a loop over many of them.
  @safe
  struct Rows {
    fileprivate let slots: UnsafeBufferPointer<Slot>

    /// The row of a slot below ``SlotTable/count``, or nil if it has no track.
    @inline(__always)
    func liveRow(_ slot: Int) -> Int? {
      let slot = unsafe slots[slot]
      return slot.generation & SlotTable.freeBit == 0 ? Int(slot.row) : nil
    }
  }

  /// Lends the rows of all slots.
  func withRows(_ body: (Rows) -> Void) {
    unsafe slots.withUnsafeBufferPointer { body(unsafe Rows(slots: $0)) }
  }

  /// Asks for the line of a slot of a handle, which is about to be looked up.
  func prefetch(_ slot: UInt32) {
    unsafe slots.withUnsafeBufferPointer { slots in
      if slot < slots.count {
        unsafe lanes_prefetch(slots.baseAddress.unsafelyUnwrapped + Int(slot))
      }
    }
  }

  /// Looks up the rows of handles of a store, and notes them.
  ///
  /// - Parameter picks: As many as handles.
  func find(_ handles: Span<TrackHandle>, store: UInt32, _ picks: inout [Pick]) throws(BatchError) {
    var picks = picks.mutableSpan
    for index in handles.indices {
      let ahead = index + 24
      if ahead < handles.count {
        prefetch(unsafe handles[unchecked: ahead].slot)
      }
      let handle = unsafe handles[unchecked: index]
      guard handle.store == store else {
        throw .storeMismatch(handle)
      }
      guard let row = row(of: handle.slot, generation: handle.generation) else {
        throw .staleHandle(handle)
      }
      picks[index] = Pick(row: UInt32(row), slot: handle.slot)
    }
  }

  /// Gives handles of live slots their generations.
  func complete(_ handles: inout [TrackHandle]) {
    var span = handles.mutableSpan
    for index in span.indices {
      // Those of cohorts are side by side; those of tracks that move alone lie anywhere.
      let ahead = index + 24
      if ahead < span.count {
        prefetch(span[ahead].slot)
      }
      let handle = span[index]
      span[index] = TrackHandle(slot: handle.slot, generation: slots[Int(handle.slot)].generation, store: handle.store)
    }
  }

  mutating func move(_ slot: UInt32, to row: Int) {
    slots[Int(slot)].row = UInt32(row)
  }

  mutating func reserve(_ count: Int) {
    slots.reserveCapacity(count)
  }

  /// Gives a slot to a new track: the one freed last, or the next.
  mutating func take(row: Int) -> Int {
    guard firstFree != Self.none else {
      slots.append(Slot(generation: 0, row: UInt32(row)))
      return slots.count - 1
    }
    let slot = Int(firstFree)
    firstFree = slots[slot].row
    freeCount -= 1
    slots[slot].row = UInt32(row)
    slots[slot].generation &= ~Self.freeBit
    return slot
  }

  /// Ends the generation of a slot. One whose generations are used up is retired, so that no handle ever names two tracks.
  mutating func free(_ slot: Int) {
    let next = slots[slot].generation + 1
    slots[slot].generation = next | Self.freeBit
    guard next < Self.freeBit else {
      slots[slot].row = Self.none
      return
    }
    slots[slot].row = firstFree
    firstFree = UInt32(slot)
    freeCount += 1
  }

  /// Ends the generation of every live slot.
  mutating func freeAll() {
    for slot in (0..<slots.count).reversed() where isLive(slot) {
      free(slot)
    }
  }

  /// Makes a slot look as after so many generations, which tests cannot wait for.
  mutating func age(_ slot: Int, to generation: UInt32) { slots[slot].generation = generation }
}
