// SPDX-License-Identifier: MIT
import CProcessor
import Kernels

/// A track that a call is about, by its row; or a row without a track, or one that was dropped from the call.
struct Pick {
  /// The row, and ``droppedBit`` if the call leaves it alone.
  fileprivate var bits: UInt32

  private static var droppedBit: UInt32 { 1 << 31 }

  init(row: UInt32, isDropped: Bool = false) { bits = row | (isDropped ? Self.droppedBit : 0) }

  var row: Int { Int(bits & ~Self.droppedBit) }

  /// Whether the call leaves the row alone.
  var isDropped: Bool { bits & Self.droppedBit != 0 }

  mutating func drop() { bits |= Self.droppedBit }
}

extension Span<Pick> {
  /// Whether the rows of the picks are consecutive, and none is dropped if the first is not.
  var areConsecutive: Bool {
    let first = self[0].bits
    var differences: UInt32 = 0
    for index in indices {
      differences |= unsafe self[unchecked: index].bits ^ (first &+ UInt32(truncatingIfNeeded: index))
    }
    return differences == 0
  }
}

/// The tracks that a bulk call is about: a pick for each handle, or for each index of a range.
struct Picks {
  private(set) var list: [Pick] = []
  /// Whether tracks that head for their goals already have been dropped.
  var areChecked = false
  /// For each index the last round that met it, and the number of that round.
  private var marks: [UInt8] = []
  private var round: UInt8 = 0

  var count: Int { list.count }
  subscript(index: Int) -> Pick { list[index] }

  /// Picks the tracks of handles. If one is named twice, its last pick counts, and the others are dropped.
  ///
  /// - Parameter passesOver: Whether handles of tracks that are gone are dropped.
  /// - Throws: ``BatchError`` for the first handle that names no live track.
  mutating func pick(
    _ handles: Span<TrackHandle>, passesOver: Bool = false, _ tracks: borrowing TrackStore
  ) throws(BatchError) {
    areChecked = false
    list.clear()
    list.append(contentsOf: repeatElement(Pick(row: 0, isDropped: true), count: handles.count))
    if try !tracks.rows.find(handles, &list, passesOver: passesOver) { dropRepeated(rowCount: tracks.rows.count) }
  }

  /// Drops all picks of a track but the last one.
  private mutating func dropRepeated(rowCount: Int) {
    marks.grow(to: rowCount, with: 0)
    beginRound()
    guard Self.haveRepeated(list, &marks, round) else { return }
    beginRound()
    for index in list.indices.reversed() where !list[index].isDropped {
      let row = list[index].row
      if marks[row] == round { list[index].drop() }
      marks[row] = round
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
    for index in list.indices {
      let row = unsafe list[unchecked: index].row
      found |= unsafe marks[unchecked: row] == round ? 1 : 0
      unsafe marks[unchecked: row] = round
    }
    return found != 0
  }

  /// Picks the tracks of a range of indices. Those without a track are dropped.
  mutating func pick(_ indices: Range<Int>, _ tracks: borrowing TrackStore) {
    areChecked = false
    list.clear()
    list.reserveCapacity(indices.count)
    let rows = tracks.rows
    for index in indices { list.append(Pick(row: UInt32(index), isDropped: !rows.isLive(index))) }
  }

  /// Drops a track from the call.
  mutating func drop(_ index: Int) { list[index].drop() }

  /// The tiles from the first of the rows to the last.
  var tiles: Range<Int> {
    var (first, last) = (Int.max, 0)
    for pick in list where !pick.isDropped { (first, last) = (min(first, pick.row), max(last, pick.row)) }
    return first > last ? 0..<0 : first / laneCountOfTile..<last / laneCountOfTile + 1
  }

  /// Whether a pick is in the first row of a tile, which it and those after it may fill.
  @inline(__always)
  func mayFillTile(from index: Int) -> Bool {
    list[index].row % laneCountOfTile == 0 && index + laneCountOfTile <= list.count
  }

  /// The full tile whose tracks are the picks from an index on, in the order of its rows; nil if there is none.
  func tileFilled(from index: Int, _ tracks: borrowing TrackStore) -> Int? {
    guard mayFillTile(from: index), !list[index].isDropped else { return nil }
    let tile = TileStore.tile(list[index].row)
    guard tracks.tiles.live[tile] == .max else { return nil }
    return list.span.extracting(index..<index + laneCountOfTile).areConsecutive ? tile : nil
  }

  /// Prefetches the target that the track of a later pick has until now.
  func prefetchTarget(after index: Int, _ tracks: borrowing TrackStore) {
    let ahead = index + 2 * laneCountOfTile
    guard ahead < list.count, !list[ahead].isDropped else { return }
    for dimension in 0..<tracks.dimensions {
      tracks.columns.target.prefetch(tracks.element(list[ahead].row, dimension))
    }
  }

  /// Prefetches the row, the value and the velocity of the track of a later pick: picked tracks are often in no order.
  ///
  /// - Returns: The row of that pick.
  @discardableResult
  func prefetch(after index: Int, _ tracks: borrowing TrackStore) -> Int? {
    let ahead = index + laneCountOfTile
    guard ahead < list.count, !list[ahead].isDropped else { return nil }
    let row = list[ahead].row
    tracks.rows.prefetch(row)
    tracks.prefetchState(row)
    return row
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
