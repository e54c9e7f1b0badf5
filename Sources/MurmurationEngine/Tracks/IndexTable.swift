// SPDX-License-Identifier: MIT
import CProcessor
import Kernels
import Synchronization

/// Names a track for as long as it lives.
///
/// A handle is never reused: once its track is removed, every use of it throws ``BatchError/staleHandle(_:)``, even
/// after another track took its index.
public struct TrackHandle: Hashable, Sendable, BitwiseCopyable {
  /// The index in 32 bits.
  package let index32: UInt32
  package let generation: UInt32
  package let store: UInt32

  package init(index: UInt32, generation: UInt32, store: UInt32) {
    index32 = index
    self.generation = generation
    self.store = store
  }

  /// A handle that names no track, with which memory for handles can be filled. Every call of every batch refuses it.
  public static var noTrack: TrackHandle { TrackHandle(index: 0, generation: 0, store: IndexTable.noStore) }

  /// The handle of the track at the same index of a copy of the batch.
  package func renamed(_ store: UInt32) -> TrackHandle {
    TrackHandle(index: index32, generation: generation, store: store)
  }

  /// The index of the track in its batch, the same for as long as it lives. It can index arrays of your own. Indices of
  /// removed tracks are given to new tracks, the lowest one first.
  public var index: Int { Int(index32) }
}

extension [TrackHandle] {
  /// A number of handles, which `write` writes.
  package init(count: Int, _ write: (inout MutableSpan<TrackHandle>) throws(BatchError) -> Void) throws(BatchError) {
    self.init(repeating: .noTrack, count: count)
    var span = mutableSpan
    try write(&span)
  }
}

/// The indices of a store: which of them have a track, and which handles still name it.
package struct IndexTable {
  /// No index: more than there may be, and still a number where `Int` has 32 bits.
  static let none = UInt32(Int32.max)
  /// Set in the generation of an index without a track, so that no handle matches it.
  fileprivate static let freeBit: UInt32 = 1 << 31

  /// The number that no store has.
  static let noStore: UInt32 = 0
  private static let stores = Atomic<UInt32>(noStore)

  /// The number of the store whose handles are looked up here.
  let store: UInt32
  /// No track gets a generation before this one any more.
  private var nextGeneration: UInt32
  /// The generation of the track of each index, or of the next one if the index has no track.
  private var generations: [UInt32] = []
  /// The free indices that new tracks may take.
  private var free = FreeNumbers()

  /// A table without indices.
  ///
  /// - Parameters:
  ///   - store: The number of the store.
  ///   - firstGeneration: The generation of the first track of each index. An index lasts for the generations from this one to
  ///     2³¹ − 1.
  init(store: UInt32 = newStore(), firstGeneration: UInt32 = 0) {
    self.store = store
    nextGeneration = firstGeneration
  }

  /// When a table is read, the store stays, and no handle that was given out is given out again.
  ///
  /// - Complexity: O(indices).
  mutating func code(_ coder: inout StateCoder) {
    let next = coder.coded(nextGeneration)
    if coder.isReading {
      let largest = generations.reduce(0) { max($0, $1 & ~Self.freeBit + 1) }
      nextGeneration = max(nextGeneration, next, largest)
    }
    coder.code(&generations)
    free.code(&coder)
  }

  /// The number of a new store. Numbers repeat after 2³² stores.
  package static func newStore() -> UInt32 {
    let number = stores.wrappingAdd(1, ordering: .relaxed).newValue
    return number == noStore ? newStore() : number
  }

  /// One past the largest index ever used.
  var count: Int { generations.count }

  // MARK: - Handles

  /// The handle of the track of a live index.
  @inline(__always)
  func handle(at index: Int) -> TrackHandle {
    TrackHandle(index: UInt32(index), generation: generations[index], store: store)
  }

  /// The index of the track of a handle.
  ///
  /// - Throws: ``BatchError/staleHandle(_:)`` or ``BatchError/storeMismatch(_:)``.
  @inline(__always)
  func index(of handle: TrackHandle) throws(BatchError) -> Int {
    guard let index = try indexIfLive(of: handle) else { throw .staleHandle(handle) }
    return index
  }

  /// The index of the track of a handle; nil if that track is gone.
  ///
  /// - Throws: ``BatchError/storeMismatch(_:)``.
  @inline(__always)
  func indexIfLive(of handle: TrackHandle) throws(BatchError) -> Int? {
    guard handle.store == store else { throw .storeMismatch(handle) }
    return liveIndex(of: handle)
  }

  /// The index of the track of a handle of this store, or nil if that track is gone.
  @inline(__always)
  func liveIndex(of handle: TrackHandle) -> Int? {
    let (index, generation) = (handle.index, handle.generation)
    guard index < generations.count, generations[index] == generation, generation & Self.freeBit == 0 else {
      return nil
    }
    return index
  }

  /// Throws for the first handle that names no live track.
  func check(_ handles: Span<TrackHandle>) throws(BatchError) {
    for position in handles.indices {
      prefetch(handles, after: position)
      _ = try index(of: unsafe handles[unchecked: position])
    }
  }

  /// Prefetches the generation that a later handle must have: handles are often in no order.
  @inline(__always)
  func prefetch(_ handles: Span<TrackHandle>, after position: Int, lead: Int = 12) {
    let ahead = position + lead
    if ahead < handles.count {
      prefetch(unsafe handles[unchecked: ahead].index)
    }
  }

  // MARK: - Indices

  /// Whether a track has the index.
  func isLive(_ index: Int) -> Bool { generations[index] & Self.freeBit == 0 }

  /// The first of some indices that has no track; nil if all have one.
  func firstWithoutTrack(_ range: Range<Int>) -> Int? {
    generations.withConstantColumn { generations in
      var marks: UInt32 = 0
      for index in range { marks |= generations[index] }
      return marks & Self.freeBit == 0 ? nil : range.first { generations[$0] & Self.freeBit != 0 }
    }
  }

  /// Prefetches the generation of an index, if there is one.
  func prefetch(_ index: Int) { generations.prefetch(index) }

  /// Looks up the indices of handles, and writes a pick for each.
  ///
  /// - Parameters:
  ///   - picks: One dropped pick for each handle, to be replaced.
  ///   - passesOver: Whether picks of handles whose tracks are gone stay dropped.
  /// - Returns: Whether each index is larger than the one before it, so that no track is named twice.
  func find(_ handles: Span<TrackHandle>, _ picks: inout [Pick], passesOver: Bool) throws(BatchError) -> Bool {
    var picks = picks.mutableSpan
    var (ascends, least) = (true, 0 as UInt32)
    var position = 0
    while position < handles.count {
      if position + laneCountOfTile <= handles.count, areLiveNeighbours(handles, position..<position + laneCountOfTile)
      {
        let index = unsafe handles[unchecked: position].index32
        for lane in 0..<laneCountOfTile {
          picks[position + lane] = Pick(index: index + UInt32(lane))
        }
        (ascends, least) = (ascends && index >= least, index + UInt32(laneCountOfTile))
        position += laneCountOfTile
        continue
      }
      prefetch(handles, after: position, lead: 24)
      let handle = unsafe handles[unchecked: position]
      position += 1
      guard let index = try indexIfLive(of: handle) else {
        if passesOver { continue }
        throw .staleHandle(handle)
      }
      picks[position - 1] = Pick(index: UInt32(index))
      ascends = ascends && handle.index32 >= least
      least = handle.index32 + 1
    }
    return ascends
  }

  /// The tile whose tracks the sixteen handles from a position on name, in the order of its lanes; nil if there is none.
  func tile(of handles: Span<TrackHandle>, from position: Int) -> Int? {
    guard position + laneCountOfTile <= handles.count, handles[position].index % laneCountOfTile == 0,
      areLiveNeighbours(handles, position..<position + laneCountOfTile)
    else { return nil }
    return handles[position].index / laneCountOfTile
  }

  /// Whether handles are those of all indices, in their order, and name live tracks.
  func areAll(_ handles: Span<TrackHandle>) -> Bool {
    // With operators in place of the guard, Swift 6.3.1 fails in release builds: they are closures over a span.
    guard !handles.isEmpty, handles.count == generations.count, handles[0].index32 == 0 else { return false }
    return areLiveNeighbours(handles, 0..<handles.count)
  }

  /// Whether some handles name live tracks of consecutive indices: handles are mostly kept in order.
  @inline(__always)
  private func areLiveNeighbours(_ handles: Span<TrackHandle>, _ range: Range<Int>) -> Bool {
    let (first, index) = (range.lowerBound, handles[range.lowerBound].index32)
    guard handles[range.upperBound - 1].index32 == index &+ UInt32(truncatingIfNeeded: range.count - 1),
      Int(index) + range.count <= generations.count
    else { return false }
    return generations.withConstantColumn { generations in
      let generations = generations + Int(index)
      var differences: UInt32 = 0
      for lane in 0..<range.count {
        let handle = unsafe handles[unchecked: first &+ lane]
        differences |= handle.index32 ^ (index &+ UInt32(truncatingIfNeeded: lane))
        differences |= handle.store ^ store
        differences |= handle.generation ^ generations[lane]
        differences |= generations[lane] & Self.freeBit
      }
      return differences == 0
    }
  }

  /// Throws if `count` live tracks and `additional` ones are more than a batch may have.
  func checkRoom(for additional: Int, beyond count: Int) throws(BatchError) {
    guard additional >= 0, additional <= BatchLimits.maximumTracks - count,
      generations.count + additional - free.count <= BatchLimits.maximumTracks
    else {
      throw .capacityExceeded(additional)
    }
  }

  /// Takes the memory for `additional` new tracks, whose number was checked.
  ///
  /// - Throws: ``BatchError/capacityExceeded(_:)`` if there is none.
  mutating func makeRoom(for additional: Int) throws(BatchError) {
    let needed = generations.count + additional - free.count
    guard needed > generations.capacity else { return }
    // Twice the present number, so that adding tracks one by one stays cheap.
    let capacity = max(needed, 2 * generations.capacity)
    try BatchLimits.checkRoom(for: capacity, of: UInt32.self)
    generations.reserveCapacity(capacity)
  }

  mutating func reserve(_ count: Int) {
    generations.reserveCapacity(count)
  }

  /// The number of free indices.
  var freeCount: Int { free.count }

  /// Whether an index has no track and may be taken.
  func isFree(_ index: Int) -> Bool { free.isFree(index) }

  /// Whether an index has no generations left.
  func isLost(_ index: Int) -> Bool { generations[index] == Self.freeBit }

  /// The index that the next new track gets: the lowest free one, or a new one.
  var next: Int { free.count == 0 ? generations.count : free.first }

  /// The first free index after another one; nil if there is none.
  func free(after index: Int) -> Int? { free.first(after: index) }

  /// Whether the next sixteen indices are those of a tile.
  var nextAreTile: Bool { next % laneCountOfTile == 0 && (free.count == 0 || free.areFree(from: next)) }

  /// One past the indices that `additional` new tracks get.
  ///
  /// - Complexity: O(indices); O(1) where no index is free.
  func end(of additional: Int) -> Int {
    additional > free.count ? count + additional - free.count : min(count, free.end(of: additional))
  }

  /// Takes an index for a new track.
  mutating func take() -> Int {
    guard free.count > 0 else {
      generations.append(nextGeneration)
      return generations.count - 1
    }
    let index = free.takeFirst()
    begin(index)
    return index
  }

  /// Takes the next indices, which are those of a tile: see ``nextAreTile``.
  mutating func takeTile() {
    guard free.count > 0 else {
      return generations.append(contentsOf: repeatElement(nextGeneration, count: laneCountOfTile))
    }
    let index = free.takeTile()
    for lane in 0..<laneCountOfTile { begin(index + lane) }
  }

  /// Begins the next generation of a free index.
  @inline(__always)
  private mutating func begin(_ index: Int) {
    generations[index] = max(generations[index] & ~Self.freeBit, nextGeneration)
  }

  /// Ends the generations of all lanes of a tile, which have tracks.
  mutating func free(tile: Int) {
    let first = tile * laneCountOfTile
    var lanes: UInt16 = 0
    for lane in 0..<laneCountOfTile {
      let next = generations[first + lane] + 1
      generations[first + lane] = next | Self.freeBit
      if next < Self.freeBit { lanes |= 1 << UInt16(lane) }
    }
    if lanes != 0 { free.giveBack(first, lanes: lanes) }
  }

  /// Ends the generation of an index. An index without generations left is never taken again, so that no handle ever names
  /// two tracks.
  mutating func free(_ index: Int) {
    let next = generations[index] + 1
    generations[index] = next | Self.freeBit
    if next < Self.freeBit { free.giveBack(index) }
  }

  /// Ends the generation of every live index.
  mutating func freeAll() {
    for index in 0..<count where isLive(index) { free(index) }
  }
}
