// SPDX-License-Identifier: MIT
import CProcessor
import Kernels

/// The tracks that a bulk call is about, with their rows: one for each handle, or for each index of a range.
struct Picks {
  private(set) var list: [Pick] = []
  /// Whether the tracks that head for their goals already were dropped.
  var areChecked = false

  var count: Int { list.count }
  var isEmpty: Bool { list.isEmpty }
  subscript(index: Int) -> Pick { list[index] }

  /// Picks the tracks of handles.
  ///
  /// - Throws: ``BatchError`` for the first handle that names no live track.
  mutating func pick(_ handles: Span<TrackHandle>, _ tracks: borrowing TrackStore) throws(BatchError) {
    areChecked = false
    list.removeAll(keepingCapacity: true)
    list.append(contentsOf: repeatElement(Pick(row: Pick.noRow, slot: 0), count: handles.count))
    try tracks.slots.find(handles, &list)
  }

  /// Picks the tracks of a range of indices; indices without a track are skipped later.
  mutating func pick(_ indices: Range<Int>, _ tracks: borrowing TrackStore) {
    areChecked = false
    list.removeAll(keepingCapacity: true)
    list.reserveCapacity(indices.count)
    let slots = tracks.slots
    for slot in indices {
      list.append(Pick(row: slots.isLive(slot) ? UInt32(slots.row(of: slot)) : Pick.noRow, slot: UInt32(slot)))
    }
  }

  /// Looks up the rows of the tracks again, after some have moved.
  mutating func refresh(_ tracks: borrowing TrackStore) {
    for index in list.indices where list[index].row != Pick.noRow {
      list[index].row = UInt32(tracks.slots.row(of: Int(list[index].slot)))
    }
  }

  /// Drops a track from the call.
  mutating func drop(_ index: Int) { list[index].row = Pick.noRow }

  /// The row in which the track of a pick stands now. A track that is named twice may have moved since it was picked.
  func row(_ index: Int, _ tracks: borrowing TrackStore) -> Int {
    let row = Int(list[index].row)
    return tracks.tiles.isLive(row) && tracks.slot(ofRow: row) == Int(list[index].slot)
      ? row : tracks.slots.row(of: Int(list[index].slot))
  }

  /// The tile whose tracks are the picks from an index on, in the order of its rows; nil if there is none.
  func tileFilled(from index: Int, _ tracks: borrowing TrackStore) -> Int? {
    guard list[index].row != Pick.noRow else { return nil }
    let row = Int(list[index].row)
    let tile = row / laneCountOfTile
    let lanes = tracks.tiles.live[tile]
    guard lanes.trailingZeroBitCount == row % laneCountOfTile, index + lanes.nonzeroBitCount <= list.count else {
      return nil
    }
    guard lanes != .max else {
      // The usual case, without a branch for each track.
      return list.span.extracting(index..<index + laneCountOfTile).areConsecutive ? tile : nil
    }
    var next = index
    var isFilled = true
    lanes.forEachLane { lane in
      if Int(list[next].row) != tile * laneCountOfTile + lane { isFilled = false }
      next += 1
    }
    return isFilled ? tile : nil
  }

  /// Prefetches the goals that a later pick has until now.
  func prefetchTarget(after index: Int, _ tracks: borrowing TrackStore) {
    let ahead = index + 2 * laneCountOfTile
    guard ahead < list.count, list[ahead].row != Pick.noRow else { return }
    for dimension in 0..<tracks.dimensions {
      tracks.columns.target.prefetch(tracks.element(Int(list[ahead].row), dimension))
    }
  }

  /// Prefetches what a later pick reads: picked tracks often stand in no order.
  ///
  /// - Returns: The row of that pick.
  @discardableResult
  func prefetch(after index: Int, _ tracks: borrowing TrackStore) -> Int? {
    let ahead = index + laneCountOfTile
    guard ahead < list.count, list[ahead].row != Pick.noRow else { return nil }
    tracks.slots.prefetch(list[ahead].slot)
    let row = Int(list[ahead].row)
    for dimension in 0..<tracks.dimensions {
      let element = tracks.element(row, dimension)
      tracks.columns.value.prefetch(element)
      tracks.columns.velocity.prefetch(element)
    }
    return row
  }
}

extension Range<Int> {
  /// An index of the range, or next to an empty one, that is outside of `0..<count`; nil if there is none.
  func indexOutside(_ count: Int) -> Int? {
    lowerBound < 0 ? lowerBound : upperBound > count ? upperBound - 1 : nil
  }

  /// The count; `Int.max` if it is larger than that.
  var countOrMax: Int {
    let (count, overflow) = upperBound.subtractingReportingOverflow(lowerBound)
    return overflow ? .max : count
  }
}

extension Pick {
  /// The row of an index without a track, and of a track that was dropped.
  static var noRow: UInt32 { .max }
}
