// SPDX-License-Identifier: MIT
// Intervals of the clock, ends included. A track's columns hold during its interval; a tile's interval is the intersection of
// its tracks' intervals. From frame to frame the clock leaves a few of thousands of intervals. These are found without a
// branch for each interval.

/// Intervals, one for each index or one for each tile; no end is NaN.
public struct IntervalColumns {
  public var from: Column<Double>
  public var until: Column<Double>

  public init(from: Column<Double>, until: Column<Double>) {
    self.from = from
    self.until = until
  }
}

/// Some tiles, in any order.
public struct TileList {
  public var tiles: ConstantColumn<Int32>
  public var count: Int

  public init(tiles: ConstantColumn<Int32>, count: Int) {
    self.tiles = tiles
    self.count = count
  }
}

/// The kernels of one instruction set for intervals. (A frame passes them on: copies of a struct would count the
/// references of each.)
public final class IntervalKernels: Sendable {
  /// Lists the intervals that a time is outside of: intervals, their number, time, list. Returns the number of listed
  /// intervals. Intervals are read up to a multiple of ``laneCountOfTile``, and the list may be written that far.
  public let list: @Sendable (IntervalColumns, Int, Double, Column<Int32>) -> Int
  /// Lists the indices of tiles whose intervals a time is outside of: intervals of indices, tiles, time, list. Returns the
  /// number of listed indices. The list may be written up to sixteen entries for each tile.
  public let listIndices: @Sendable (IntervalColumns, TileList, Double, Column<Int32>) -> Int
  /// Finds the lanes of tiles whose intervals a time is outside of: intervals of indices, tiles, time, and for each tile
  /// its lanes, lane 0 lowest.
  public let findLanes: @Sendable (IntervalColumns, TileList, Double, Column<UInt16>) -> Void
  /// Sets the intervals of tiles to the intersection of their lanes' intervals: intervals of indices, tiles, intervals of
  /// tiles.
  public let intersect: @Sendable (IntervalColumns, TileList, IntervalColumns) -> Void
  /// Gives due tracks of clips the columns of a time: columns, tiles, time, the seconds that a leg lasts at least, for each
  /// tile the lanes that are due, and those that got their columns.
  public let placeLegs: @Sendable (LegColumns, TileList, Double, Double, Column<UInt16>, Column<UInt16>) -> Void

  @usableFromInline
  init(
    list: @escaping @Sendable (IntervalColumns, Int, Double, Column<Int32>) -> Int,
    listIndices: @escaping @Sendable (IntervalColumns, TileList, Double, Column<Int32>) -> Int,
    findLanes: @escaping @Sendable (IntervalColumns, TileList, Double, Column<UInt16>) -> Void,
    intersect: @escaping @Sendable (IntervalColumns, TileList, IntervalColumns) -> Void,
    placeLegs: @escaping @Sendable (LegColumns, TileList, Double, Double, Column<UInt16>, Column<UInt16>) -> Void
  ) {
    (self.list, self.listIndices, self.findLanes, self.intersect) = (list, listIndices, findLanes, intersect)
    self.placeLegs = placeLegs
  }

  @export(implementation) @inline(__always)
  convenience init<I: InstructionSet>(_: I.Type) {
    self.init(
      list: { I.listOutside($0, count: $1, now: $2, $3) }, listIndices: { I.listIndices($0, $1, now: $2, $3) },
      findLanes: { I.findLanes($0, $1, now: $2, $3) }, intersect: { I.intersect($0, $1, $2) },
      placeLegs: { I.placeLegs($0, $1, now: $2, shortest: $3, $4, $5) })
  }
}

extension InstructionSet {
  /// Negative where a time is outside of an interval.
  @export(implementation) @inline(__always)
  static func isOutside(_ intervals: IntervalColumns, _ index: Int, now: Doubles) -> Ints {
    // A difference has the sign of the comparison, and keeps it when it is rounded.
    unsafe unsafeBitCast(narrow(now - load(intervals.from, index)), to: Ints.self)
      | unsafeBitCast(narrow(load(intervals.until, index) - now), to: Ints.self)
  }

  @export(implementation) @inline(__always)
  public static func listOutside(
    _ intervals: IntervalColumns, count: Int, now: Double, _ list: Column<Int32>
  ) -> Int {
    let now = Doubles(repeating: now)
    var (listed, index) = (0, 0)
    while index < count {
      let marks = isOutside(intervals, index, now: now)
      listed &+= Self.list(marks, from: Int32(truncatingIfNeeded: index), to: list + listed)
      index &+= Floats.scalarCount
    }
    return listed
  }

  @export(implementation) @inline(__always)
  public static func listIndices(
    _ intervals: IntervalColumns, _ tiles: TileList, now: Double, _ list: Column<Int32>
  ) -> Int {
    let now = Doubles(repeating: now)
    var listed = 0
    for place in 0..<tiles.count {
      let first = Int(tiles.tiles[place]) &* laneCountOfTile
      var index = first
      while index < first &+ laneCountOfTile {
        let marks = isOutside(intervals, index, now: now)
        listed &+= Self.list(marks, from: Int32(truncatingIfNeeded: index), to: list + listed)
        index &+= Floats.scalarCount
      }
    }
    return listed
  }

  @export(implementation) @inline(__always)
  public static func findLanes(
    _ intervals: IntervalColumns, _ list: TileList, now: Double, _ lanes: Column<UInt16>
  ) {
    let now = Doubles(repeating: now)
    for place in 0..<list.count {
      let index = Int(list.tiles[place]) &* laneCountOfTile
      var (bits, lane) = (UInt32(0), 0)
      while lane < laneCountOfTile {
        bits |= signs(isOutside(intervals, index &+ lane, now: now)) &<< UInt32(truncatingIfNeeded: lane)
        lane &+= Floats.scalarCount
      }
      lanes[place] = UInt16(truncatingIfNeeded: bits)
    }
  }

  @export(implementation) @inline(__always)
  public static func intersect(_ intervals: IntervalColumns, _ list: TileList, _ tiles: IntervalColumns) {
    for place in 0..<list.count {
      let tile = Int(list.tiles[place])
      tiles.from[tile] = greatestOfTile(intervals.from + tile &* laneCountOfTile)
      tiles.until[tile] = leastOfTile(intervals.until + tile &* laneCountOfTile)
    }
  }
}
