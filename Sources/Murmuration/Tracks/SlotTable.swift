// SPDX-License-Identifier: MIT
import CProcessor
import Kernels
import Synchronization

/// The row of each track, and which handles still name a track.
struct SlotTable {
  fileprivate struct Slot {
    var generation: UInt32
    /// The row of the track; in a free slot, the next free slot or ``none``.
    var row: UInt32
  }

  /// No slot and no row: more than there may be, and still a number where `Int` has 32 bits.
  static let none = UInt32(Int32.max)
  /// Set in the generation of a slot without a track, so that no handle matches it.
  fileprivate static let freeBit: UInt32 = 1 << 31

  /// The number that no store has.
  static let noStore: UInt32 = 0
  private static let stores = Atomic<UInt32>(noStore)

  /// The number of the store whose handles are looked up here.
  let store: UInt32
  private let firstGeneration: UInt32
  private var slots: [Slot] = []
  private(set) var firstFree = SlotTable.none
  /// Free slots that new tracks may take.
  private(set) var freeCount = 0
  /// At least this many slots, from the first on, have a track in the row of the same number.
  private(set) var countInOrder = 0

  /// A table without slots.
  ///
  /// - Parameters:
  ///   - store: The number of the store.
  ///   - firstGeneration: The generation of the first track of each slot. A slot lasts for the generations from this one to
  ///     2³¹ − 1.
  init(store: UInt32 = newStore(), firstGeneration: UInt32 = 0) {
    self.store = store
    self.firstGeneration = firstGeneration
  }

  /// The number of a new store. Numbers repeat after 2³² stores.
  static func newStore() -> UInt32 {
    let number = stores.wrappingAdd(1, ordering: .relaxed).newValue
    return number == noStore ? newStore() : number
  }

  /// One past the largest slot ever used.
  var count: Int { slots.count }

  // MARK: - Handles

  /// The handle of the track of a live slot.
  @inline(__always)
  func handle(ofSlot slot: Int) -> TrackHandle {
    TrackHandle(slot: UInt32(slot), generation: slots[slot].generation, store: store)
  }

  /// The row of the track of a handle.
  ///
  /// - Throws: ``BatchError/staleHandle(_:)`` or ``BatchError/storeMismatch(_:)``.
  @inline(__always)
  func row(of handle: TrackHandle) throws(BatchError) -> Int {
    guard handle.store == store else {
      throw .storeMismatch(handle)
    }
    guard let row = liveRow(of: handle) else {
      throw .staleHandle(handle)
    }
    return row
  }

  /// The row of the track of a handle of this store, or nil if that track is gone.
  @inline(__always)
  func liveRow(of handle: TrackHandle) -> Int? {
    let (slot, generation) = (Int(handle.slot), handle.generation)
    guard slot < slots.count, slots[slot].generation == generation, generation & Self.freeBit == 0 else {
      return nil
    }
    return row(of: slot)
  }

  /// Throws for the first handle that names no live track.
  func check(_ handles: Span<TrackHandle>) throws(BatchError) {
    for index in handles.indices {
      prefetch(handles, after: index)
      _ = try row(of: unsafe handles[unchecked: index])
    }
  }

  /// Prefetches the slot of a later handle: handles are often in no order.
  @inline(__always)
  func prefetch(_ handles: Span<TrackHandle>, after index: Int, lead: Int = 12) {
    let ahead = index + lead
    if ahead < handles.count {
      prefetch(unsafe handles[unchecked: ahead].slot)
    }
  }

  // MARK: - Slots

  /// Whether a track has the slot.
  func isLive(_ slot: Int) -> Bool { slots[slot].generation & Self.freeBit == 0 }

  /// The row of a live slot. Where tracks stand in order it is known while the line of the slot is still on its way.
  @inline(__always)
  func row(of slot: Int) -> Int { _fastPath(slot < countInOrder) ? slot : Int(slots[slot].row) }

  /// The number of slots at the start of a range that are live and have consecutive rows. The first slot must be live.
  func neighbours(_ range: Range<Int>) -> Int {
    unsafe slots.withUnsafeBufferPointer { slots in
      // A slot is read as one number: the row in the upper half, and in the lower half the generation, whose top bit
      // says that the slot is free.
      let first = unsafe UnsafeRawPointer(slots.baseAddress.unsafelyUnwrapped + range.lowerBound)
      let row = unsafe UInt64(slots[range.lowerBound].row) << 32
      let significant = ~UInt64(0) << 31
      var count = 0
      // Sixteen slots at a time, without a branch for each.
      typealias Eight = SIMD8<UInt64>
      let step = Eight(repeating: 8 << 32)
      var expected = Eight(repeating: row) &+ Eight(0, 1, 2, 3, 4, 5, 6, 7) &<< 32
      while count + 16 <= range.count {
        let low = unsafe first.loadUnaligned(fromByteOffset: 8 * count, as: Eight.self) ^ expected
        expected &+= step
        let high = unsafe first.loadUnaligned(fromByteOffset: 8 * count + 64, as: Eight.self) ^ expected
        expected &+= step
        let eight = low | high
        let four = eight.lowHalf | eight.highHalf
        let two = four.lowHalf | four.highHalf
        guard (two.x | two.y) & significant == 0 else { break }
        count += 16
      }
      while count < range.count {
        let slot = unsafe first.loadUnaligned(fromByteOffset: 8 * count, as: UInt64.self)
        guard (slot ^ (row &+ UInt64(count) << 32)) & significant == 0 else { break }
        count += 1
      }
      return count
    }
  }

  /// The rows of all slots, for a loop over many of them.
  struct Rows {
    fileprivate let slots: ConstantColumn<Slot>

    /// The row of a slot below ``SlotTable/count``, or nil if it has no track.
    @inline(__always)
    func liveRow(_ slot: Int) -> Int? {
      let slot = slots[slot]
      return slot.generation & SlotTable.freeBit == 0 ? Int(slot.row) : nil
    }

    /// Writes the vectors of some slots, whose components are in columns `stride` floats apart: each `step` floats behind
    /// the one before, and zeros for slots without a track.
    func collect(
      _ indices: Range<Int>, _ columns: ConstantColumn<Float>, _ stride: Int, _ dimensions: Int,
      to output: Column<Float>, _ step: Int
    ) {
      let first = slots + indices.lowerBound
      unsafe lanes_collect(first.address, indices.count, columns.address, stride, dimensions, output.address, step)
    }
  }

  /// Lends the rows of all slots.
  func withRows(_ body: (Rows) -> Void) {
    slots.withConstantColumn { body(Rows(slots: $0)) }
  }

  /// Prefetches a slot, if there is one.
  func prefetch(_ slot: UInt32) { slots.prefetch(Int(slot)) }

  /// Looks up the rows of handles, and writes a pick for each.
  ///
  /// - Parameter picks: One element for each handle, to be replaced.
  /// - Returns: Whether each index is larger than the one before it, so that no track is named twice.
  func find(_ handles: Span<TrackHandle>, _ picks: inout [Pick]) throws(BatchError) -> Bool {
    var picks = picks.mutableSpan
    var (ascends, least) = (true, 0 as UInt32)
    var index = 0
    while index < handles.count {
      if index + laneCountOfTile <= handles.count, areLiveNeighbours(handles, index..<index + laneCountOfTile) {
        let slot = unsafe handles[unchecked: index].slot
        for lane in 0..<laneCountOfTile {
          picks[index + lane] = Pick(row: slots[Int(slot) + lane].row, slot: slot + UInt32(lane))
        }
        (ascends, least) = (ascends && slot >= least, slot + UInt32(laneCountOfTile))
        index += laneCountOfTile
        continue
      }
      prefetch(handles, after: index, lead: 24)
      let handle = unsafe handles[unchecked: index]
      picks[index] = Pick(row: UInt32(try row(of: handle)), slot: handle.slot)
      ascends = ascends && handle.slot >= least
      least = handle.slot + 1
      index += 1
    }
    return ascends
  }

  /// Whether handles are those of all indices, in their order, and name live tracks.
  func areAll(_ handles: Span<TrackHandle>) -> Bool {
    // With operators in place of the guard, Swift 6.3.1 fails in release builds: they are closures over a span.
    guard !handles.isEmpty, handles.count == slots.count, handles[0].slot == 0 else { return false }
    return areLiveNeighbours(handles, 0..<handles.count)
  }

  /// Whether some handles name live tracks of consecutive indices: handles are mostly kept in order.
  @inline(__always)
  private func areLiveNeighbours(_ handles: Span<TrackHandle>, _ range: Range<Int>) -> Bool {
    let (first, slot) = (range.lowerBound, handles[range.lowerBound].slot)
    guard Int(slot) + range.count <= slots.count else { return false }
    return slots.withConstantColumn { slots in
      let slots = slots + Int(slot)
      var differences: UInt32 = 0
      for lane in 0..<range.count {
        let handle = unsafe handles[unchecked: first &+ lane]
        differences |= handle.slot ^ (slot &+ UInt32(truncatingIfNeeded: lane))
        differences |= handle.store ^ store
        differences |= handle.generation ^ slots[lane].generation
        differences |= slots[lane].generation & Self.freeBit
      }
      return differences == 0
    }
  }

  mutating func move(_ slot: UInt32, to row: Int) {
    slots[Int(slot)].row = UInt32(row)
    noteOrder(Int(slot), row)
  }

  /// Notes the row of a slot.
  @inline(__always)
  private mutating func noteOrder(_ slot: Int, _ row: Int) {
    if row != slot {
      countInOrder = min(countInOrder, slot)
    } else if slot == countInOrder {
      countInOrder += 1
    }
  }

  /// Throws if `count` live tracks and `additional` ones are more than a batch may have.
  func checkRoom(for additional: Int, beyond count: Int) throws(BatchError) {
    guard additional >= 0, additional <= BatchLimits.maximumTracks - count,
      slots.count + additional - freeCount <= BatchLimits.maximumTracks
    else {
      throw .capacityExceeded(additional)
    }
  }

  /// Takes the memory for `additional` new tracks, whose number was checked.
  ///
  /// - Throws: ``BatchError/capacityExceeded(_:)`` if there is none.
  mutating func makeRoom(for additional: Int) throws(BatchError) {
    let needed = slots.count + additional - freeCount
    guard needed > slots.capacity else { return }
    // Twice the present number, so that adding tracks one by one stays cheap.
    let capacity = max(needed, 2 * slots.capacity)
    try BatchLimits.checkRoom(for: capacity, of: Slot.self)
    slots.reserveCapacity(capacity)
  }

  mutating func reserve(_ count: Int) {
    slots.reserveCapacity(count)
  }

  /// Takes a slot for a new track: the slot that was freed last, or a new one.
  mutating func take(row: Int) -> Int {
    guard firstFree != Self.none else {
      slots.append(Slot(generation: firstGeneration, row: UInt32(row)))
      noteOrder(slots.count - 1, row)
      return slots.count - 1
    }
    let slot = Int(firstFree)
    let free = slots[slot]
    firstFree = free.row
    freeCount -= 1
    slots[slot] = Slot(generation: free.generation & ~Self.freeBit, row: UInt32(row))
    noteOrder(slot, row)
    return slot
  }

  /// Ends the generation of a slot. A slot without generations left is never taken again, so that no handle ever names
  /// two tracks.
  mutating func free(_ slot: Int) {
    countInOrder = min(countInOrder, slot)
    let next = slots[slot].generation + 1
    guard next < Self.freeBit else {
      slots[slot] = Slot(generation: next | Self.freeBit, row: Self.none)
      return
    }
    slots[slot] = Slot(generation: next | Self.freeBit, row: firstFree)
    firstFree = UInt32(slot)
    freeCount += 1
  }

  /// Ends the generation of every live slot.
  mutating func freeAll() {
    for slot in (0..<slots.count).reversed() where isLive(slot) {
      free(slot)
    }
  }
}
