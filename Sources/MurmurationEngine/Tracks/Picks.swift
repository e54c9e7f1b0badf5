// SPDX-License-Identifier: MIT
import CProcessor
import Kernels

/// A track that a call is about, by its index; or an index without a track, or one that was dropped from the call.
struct Pick {
  /// The index, and ``droppedBit`` if the call leaves it alone.
  fileprivate var bits: UInt32

  private static var droppedBit: UInt32 { 1 << 31 }

  /// A dropped pick of an index that no track has.
  static let none = Pick(index: IndexTable.none, isDropped: true)

  init(index: UInt32, isDropped: Bool = false) { bits = index | (isDropped ? Self.droppedBit : 0) }

  var index: Int { Int(bits & ~Self.droppedBit) }

  /// Whether the call leaves the track alone.
  var isDropped: Bool { bits & Self.droppedBit != 0 }

  mutating func drop() { bits |= Self.droppedBit }
}

extension Span<Pick> {
  /// Whether the indices of the picks are consecutive, and none is dropped if the first is not.
  var areConsecutive: Bool {
    let first = self[0].bits
    var differences: UInt32 = 0
    for position in indices {
      differences |= unsafe self[unchecked: position].bits ^ (first &+ UInt32(truncatingIfNeeded: position))
    }
    return differences == 0
  }
}

/// The tracks that a bulk call is about: a pick for each handle, or for each index of a range.
struct Picks {
  private(set) var list: [Pick] = []
  /// Whether tracks that head for their goals already have been dropped.
  var areChecked = false
  /// Whether tracks whose curves begin at this very moment have been put back.
  var arePutBack = false
  /// For each index the last round that met it, and the number of that round.
  private var marks: [UInt8] = []
  private var round: UInt8 = 0

  var count: Int { list.count }
  subscript(position: Int) -> Pick { list[position] }

  /// Throws ``BatchError/capacityExceeded(_:)`` unless there is memory now to pick a number of tracks.
  func checkRoom(for count: Int, _ tracks: borrowing TrackStore) throws(BatchError) {
    guard count > list.capacity else { return }
    let bytes: [Int?] = [count * MemoryLayout<Pick>.stride, tracks.indices.count]
    guard MemoryBlock.hasRoom(forBlocks: bytes) else { throw .capacityExceeded(count) }
  }

  /// Picks the tracks of handles. If one is named twice, its last pick counts, and the others are dropped.
  ///
  /// - Parameter passesOver: Whether handles of tracks that are gone are dropped.
  /// - Throws: ``BatchError`` for the first handle that names no live track.
  mutating func pick(
    _ handles: Span<TrackHandle>, passesOver: Bool = false, _ tracks: borrowing TrackStore
  ) throws(BatchError) {
    (areChecked, arePutBack) = (false, false)
    list.clear()
    list.append(contentsOf: repeatElement(Pick(index: 0, isDropped: true), count: handles.count))
    if try !tracks.indices.find(handles, &list, passesOver: passesOver) {
      dropRepeated(indexCount: tracks.indices.count)
    }
    guard passesOver else { return }
    // Calls end the schedules of dropped tracks too. A track that is named twice has its last pick.
    for position in list.indices where list[position].isDropped { list[position] = .none }
  }

  /// Drops all picks of a track but the last one.
  private mutating func dropRepeated(indexCount: Int) {
    marks.grow(to: indexCount, with: 0)
    beginRound()
    guard Self.haveRepeated(list, &marks, round) else { return }
    beginRound()
    for position in list.indices.reversed() where !list[position].isDropped {
      let index = list[position].index
      if marks[index] == round { list[position].drop() }
      marks[index] = round
    }
  }

  /// Takes a number with which no index is marked.
  private mutating func beginRound() {
    if round == .max {
      for index in marks.indices { marks[index] = 0 }
      round = 0
    }
    round += 1
  }

  /// Whether a track is picked twice, or a pick is dropped that seems to be one. All picks are marked.
  private static func haveRepeated(_ list: [Pick], _ marks: inout [UInt8], _ round: UInt8) -> Bool {
    let list = list.span
    var marks = marks.mutableSpan
    var found: UInt8 = 0
    for position in list.indices {
      let index = unsafe list[unchecked: position].index
      found |= unsafe marks[unchecked: index] == round ? 1 : 0
      unsafe marks[unchecked: index] = round
    }
    return found != 0
  }

  /// Picks the tracks of a range of indices. Those without a track are dropped.
  mutating func pick(_ indices: Range<Int>, _ tracks: borrowing TrackStore) {
    (areChecked, arePutBack) = (false, false)
    list.clear()
    list.reserveCapacity(indices.count)
    let table = tracks.indices
    for index in indices { list.append(Pick(index: UInt32(index), isDropped: !table.isLive(index))) }
  }

  /// Drops a track from the call.
  mutating func drop(_ position: Int) { list[position].drop() }

  /// The tiles from the first of the indices to the last.
  var tiles: Range<Int> {
    var (first, last) = (Int.max, 0)
    for pick in list where !pick.isDropped { (first, last) = (min(first, pick.index), max(last, pick.index)) }
    return first > last ? 0..<0 : first / laneCountOfTile..<last / laneCountOfTile + 1
  }

  /// Whether a pick is in the first lane of a tile, which it and those after it may fill.
  @inline(__always)
  func mayFillTile(from position: Int) -> Bool {
    list[position].index % laneCountOfTile == 0 && position + laneCountOfTile <= list.count
  }

  /// The full tile whose tracks are the picks from a position on, in the order of its lanes; nil if there is none.
  func tileFilled(from position: Int, _ tracks: borrowing TrackStore) -> Int? {
    guard mayFillTile(from: position), !list[position].isDropped else { return nil }
    let tile = TileStore.tile(list[position].index)
    guard tracks.tiles.live[tile] == .max else { return nil }
    return list.span.extracting(position..<position + laneCountOfTile).areConsecutive ? tile : nil
  }

  /// Prefetches the target that the track of a later pick has until now.
  func prefetchTarget(after position: Int, _ tracks: borrowing TrackStore) {
    let ahead = position + 2 * laneCountOfTile
    guard ahead < list.count, !list[ahead].isDropped else { return }
    for dimension in 0..<tracks.dimensions {
      tracks.columns.target.prefetch(tracks.element(list[ahead].index, dimension))
    }
  }

  /// Prefetches the generation, the value and the velocity of the track of a later pick: picked tracks are often in no order.
  ///
  /// - Returns: The index of that pick.
  @discardableResult
  func prefetch(after position: Int, _ tracks: borrowing TrackStore) -> Int? {
    let ahead = position + laneCountOfTile
    guard ahead < list.count, !list[ahead].isDropped else { return nil }
    let index = list[ahead].index
    tracks.indices.prefetch(index)
    tracks.prefetchState(index)
    return index
  }
}

extension Range<Int> {
  /// An index of the range, or next to an empty one, that is outside of `0..<count`; nil if there is none.
  package func indexOutside(_ count: Int) -> Int? {
    lowerBound < 0 ? lowerBound : upperBound > count ? upperBound - 1 : nil
  }

  /// The count; `Int.max` if it is larger than that.
  var countOrMax: Int {
    let (count, overflow) = upperBound.subtractingReportingOverflow(lowerBound)
    return overflow ? .max : count
  }
}
