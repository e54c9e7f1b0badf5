// SPDX-License-Identifier: MIT
import CProcessor
import Kernels
import Synchronization

/// The rows of a store: which of them have a track, and which handles still name it. A track stands in the row of its index, so
/// a row is given away and taken back as an index is.
package struct RowTable {
  /// No row: more than there may be, and still a number where `Int` has 32 bits.
  static let none = UInt32(Int32.max)
  /// Set in the generation of a row without a track, so that no handle matches it.
  fileprivate static let freeBit: UInt32 = 1 << 31

  /// The number that no store has.
  static let noStore: UInt32 = 0
  private static let stores = Atomic<UInt32>(noStore)

  /// The number of the store whose handles are looked up here.
  let store: UInt32
  private let firstGeneration: UInt32
  /// The generation of the track of each row, or of the next one if the row has no track.
  private var generations: [UInt32] = []
  /// The free rows that new tracks may take.
  private var free = FreeNumbers()

  /// A table without rows.
  ///
  /// - Parameters:
  ///   - store: The number of the store.
  ///   - firstGeneration: The generation of the first track of each row. A row lasts for the generations from this one to
  ///     2³¹ − 1.
  init(store: UInt32 = newStore(), firstGeneration: UInt32 = 0) {
    self.store = store
    self.firstGeneration = firstGeneration
  }

  /// The number of a new store. Numbers repeat after 2³² stores.
  package static func newStore() -> UInt32 {
    let number = stores.wrappingAdd(1, ordering: .relaxed).newValue
    return number == noStore ? newStore() : number
  }

  /// One past the largest row ever used.
  var count: Int { generations.count }

  // MARK: - Handles

  /// The handle of the track of a live row.
  @inline(__always)
  func handle(ofRow row: Int) -> TrackHandle {
    TrackHandle(row: UInt32(row), generation: generations[row], store: store)
  }

  /// The row of the track of a handle.
  ///
  /// - Throws: ``BatchError/staleHandle(_:)`` or ``BatchError/storeMismatch(_:)``.
  @inline(__always)
  func row(of handle: TrackHandle) throws(BatchError) -> Int {
    guard let row = try rowIfLive(of: handle) else { throw .staleHandle(handle) }
    return row
  }

  /// The row of the track of a handle; nil if that track is gone.
  ///
  /// - Throws: ``BatchError/storeMismatch(_:)``.
  @inline(__always)
  func rowIfLive(of handle: TrackHandle) throws(BatchError) -> Int? {
    guard handle.store == store else { throw .storeMismatch(handle) }
    return liveRow(of: handle)
  }

  /// The row of the track of a handle of this store, or nil if that track is gone.
  @inline(__always)
  func liveRow(of handle: TrackHandle) -> Int? {
    let (row, generation) = (Int(handle.row), handle.generation)
    guard row < generations.count, generations[row] == generation, generation & Self.freeBit == 0 else {
      return nil
    }
    return row
  }

  /// Throws for the first handle that names no live track.
  func check(_ handles: Span<TrackHandle>) throws(BatchError) {
    for index in handles.indices {
      prefetch(handles, after: index)
      _ = try row(of: unsafe handles[unchecked: index])
    }
  }

  /// Prefetches the row of a later handle: handles are often in no order.
  @inline(__always)
  func prefetch(_ handles: Span<TrackHandle>, after index: Int, lead: Int = 12) {
    let ahead = index + lead
    if ahead < handles.count {
      prefetch(Int(unsafe handles[unchecked: ahead].row))
    }
  }

  // MARK: - Rows

  /// Whether a track has the row.
  func isLive(_ row: Int) -> Bool { generations[row] & Self.freeBit == 0 }

  /// The first of some rows that has no track; nil if all have one.
  func firstWithoutTrack(_ range: Range<Int>) -> Int? {
    generations.withConstantColumn { generations in
      var marks: UInt32 = 0
      for row in range { marks |= generations[row] }
      return marks & Self.freeBit == 0 ? nil : range.first { generations[$0] & Self.freeBit != 0 }
    }
  }

  /// Prefetches a row, if there is one.
  func prefetch(_ row: Int) { generations.prefetch(row) }

  /// Looks up the rows of handles, and writes a pick for each.
  ///
  /// - Parameters:
  ///   - picks: One dropped pick for each handle, to be replaced.
  ///   - passesOver: Whether picks of handles whose tracks are gone stay dropped.
  /// - Returns: Whether each index is larger than the one before it, so that no track is named twice.
  func find(_ handles: Span<TrackHandle>, _ picks: inout [Pick], passesOver: Bool) throws(BatchError) -> Bool {
    var picks = picks.mutableSpan
    var (ascends, least) = (true, 0 as UInt32)
    var index = 0
    while index < handles.count {
      if index + laneCountOfTile <= handles.count, areLiveNeighbours(handles, index..<index + laneCountOfTile) {
        let row = unsafe handles[unchecked: index].row
        for lane in 0..<laneCountOfTile {
          picks[index + lane] = Pick(row: row + UInt32(lane))
        }
        (ascends, least) = (ascends && row >= least, row + UInt32(laneCountOfTile))
        index += laneCountOfTile
        continue
      }
      prefetch(handles, after: index, lead: 24)
      let handle = unsafe handles[unchecked: index]
      index += 1
      guard let row = try rowIfLive(of: handle) else {
        if passesOver { continue }
        throw .staleHandle(handle)
      }
      picks[index - 1] = Pick(row: UInt32(row))
      ascends = ascends && handle.row >= least
      least = handle.row + 1
    }
    return ascends
  }

  /// The tile whose tracks the sixteen handles from an index on name, in the order of its rows; nil if there is none.
  func tile(of handles: Span<TrackHandle>, from index: Int) -> Int? {
    guard index + laneCountOfTile <= handles.count, Int(handles[index].row) % laneCountOfTile == 0,
      areLiveNeighbours(handles, index..<index + laneCountOfTile)
    else { return nil }
    return Int(handles[index].row) / laneCountOfTile
  }

  /// Whether handles are those of all indices, in their order, and name live tracks.
  func areAll(_ handles: Span<TrackHandle>) -> Bool {
    // With operators in place of the guard, Swift 6.3.1 fails in release builds: they are closures over a span.
    guard !handles.isEmpty, handles.count == generations.count, handles[0].row == 0 else { return false }
    return areLiveNeighbours(handles, 0..<handles.count)
  }

  /// Whether some handles name live tracks of consecutive indices: handles are mostly kept in order.
  @inline(__always)
  private func areLiveNeighbours(_ handles: Span<TrackHandle>, _ range: Range<Int>) -> Bool {
    let (first, row) = (range.lowerBound, handles[range.lowerBound].row)
    guard handles[range.upperBound - 1].row == row &+ UInt32(truncatingIfNeeded: range.count - 1),
      Int(row) + range.count <= generations.count
    else { return false }
    return generations.withConstantColumn { generations in
      let generations = generations + Int(row)
      var differences: UInt32 = 0
      for lane in 0..<range.count {
        let handle = unsafe handles[unchecked: first &+ lane]
        differences |= handle.row ^ (row &+ UInt32(truncatingIfNeeded: lane))
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

  /// The number of free rows.
  var freeCount: Int { free.count }

  /// Whether a row has no track and may be taken.
  func isFree(_ row: Int) -> Bool { free.isFree(row) }

  /// Whether a row has no generations left.
  func isLost(_ row: Int) -> Bool { generations[row] == Self.freeBit }

  /// The row that the next new track gets: the lowest free one, or a new one.
  var next: Int { free.count == 0 ? generations.count : free.first }

  /// The first free row after another one; nil if there is none.
  func free(after row: Int) -> Int? { free.first(after: row) }

  /// Whether the next sixteen rows are those of a tile.
  var nextAreTile: Bool { next % laneCountOfTile == 0 && (free.count == 0 || free.areFree(from: next)) }

  /// One past the rows that `additional` new tracks get.
  ///
  /// - Complexity: O(rows); O(1) where no row is free.
  func end(of additional: Int) -> Int {
    additional > free.count ? count + additional - free.count : min(count, free.end(of: additional))
  }

  /// Takes a row for a new track.
  mutating func take() -> Int {
    guard free.count > 0 else {
      generations.append(firstGeneration)
      return generations.count - 1
    }
    let row = free.takeFirst()
    generations[row] &= ~Self.freeBit
    return row
  }

  /// Takes the next rows, which are those of a tile: see ``nextAreTile``.
  mutating func takeTile() {
    guard free.count > 0 else {
      return generations.append(contentsOf: repeatElement(firstGeneration, count: laneCountOfTile))
    }
    let row = free.takeTile()
    for lane in 0..<laneCountOfTile { generations[row + lane] &= ~Self.freeBit }
  }

  /// Ends the generations of all rows of a tile, which have tracks.
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

  /// Ends the generation of a row. A row without generations left is never taken again, so that no handle ever names
  /// two tracks.
  mutating func free(_ row: Int) {
    let next = generations[row] + 1
    generations[row] = next | Self.freeBit
    if next < Self.freeBit { free.giveBack(row) }
  }

  /// Ends the generation of every live row.
  mutating func freeAll() {
    for row in 0..<count where isLive(row) { free(row) }
  }
}
