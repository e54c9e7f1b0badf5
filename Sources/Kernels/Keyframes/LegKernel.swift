// SPDX-License-Identifier: MIT
// Legs of instances, for all rows of a tile at once: when the clock jumps, most rows come to another leg.

/// The columns of rows that play clips, as their legs are found.
public struct LegColumns {
  /// The intervals of the clock in which the columns hold.
  public var intervals: IntervalColumns
  public var origin: Column<Double>
  public var base: Column<Double>
  public var rate: Column<Double>
  public var states: Column<LaneState>
  /// The clip of each row; negative for a row without a track.
  public var clip: ConstantColumn<Int32>
  /// By clip.
  public var timings: ConstantColumn<ClipTiming>

  public init(
    intervals: IntervalColumns, origin: Column<Double>, base: Column<Double>,
    rate: Column<Double>, states: Column<LaneState>, clip: ConstantColumn<Int32>,
    timings: ConstantColumn<ClipTiming>
  ) {
    self.intervals = intervals
    (self.origin, self.base, self.rate) = (origin, base, rate)
    (self.states, self.clip, self.timings) = (states, clip, timings)
  }
}

/// The numbers from which legs follow, for the rows of a tile: columns of sixteen numbers, one after the other.
@frozen @usableFromInline struct LegBlock {
  @usableFromInline let numbers: Column<Double>

  @export(implementation) @inline(__always)
  init(_ numbers: Column<Double>) { self.numbers = numbers }

  /// Copies the states of a tile.
  @export(implementation) @inline(__always)
  func copy(_ columns: LegColumns, _ row: Int) {
    for lane in 0..<laneCountOfTile {
      let state = columns.states[row &+ lane]
      let clip = Int(columns.clip[row &+ lane])
      let turns: Double = state.autoreverses ? 1 : 0
      numbers[lane] = state.start
      numbers[lane &+ 16] = state.speed
      numbers[lane &+ 32] = state.offset
      numbers[lane &+ 48] = state.firstLeg
      numbers[lane &+ 64] = state.legCount
      // Rows that do not follow the clock are left to others.
      numbers[lane &+ 80] = state.mode == .running ? turns : -1
      numbers[lane &+ 96] = clip < 0 ? 0 : columns.timings[clip].duration
    }
  }
}

extension InstructionSet {
  @export(implementation) @inline(__always)
  static func bits(_ a: Doubles) -> Longs { unsafe unsafeBitCast(a, to: Longs.self) }

  /// `a` where the mask is set, otherwise 0.
  @export(implementation) @inline(__always)
  static func keep(_ mask: Longs, _ a: Doubles) -> Doubles { unsafe unsafeBitCast(bits(a) & mask, to: Doubles.self) }

  /// The next greater number of each lane.
  @export(implementation) @inline(__always)
  static func nextUp(_ a: Doubles) -> Doubles {
    // The sum makes −0 a plain 0.
    let number = bits(a + Doubles.zero)
    return unsafe unsafeBitCast(
      number &+ (number &>> Longs(repeating: 63) | Longs(repeating: 1)), to: Doubles.self)
  }

  /// Gives due rows of some tiles the columns of a time, if at that time they are within an ordinary leg: neither a leg in
  /// whose middle the playback began, nor the end of the last leg. Operations and bits are the same as in
  /// `LaneState.leg(at:_:)`.
  ///
  /// - Parameters:
  ///   - shortest: Seconds that a leg lasts at least.
  ///   - lanes: The lanes of each tile that are due; those that got their columns are cleared.
  ///   - placed: Set to the lanes that got their columns.
  @export(implementation) @inline(__always)
  public static func placeLegs(
    _ columns: LegColumns, _ list: TileList, now: Double, shortest: Double, _ lanes: Column<UInt16>,
    _ placed: Column<UInt16>
  ) {
    let now = Doubles(repeating: now)
    PieceBlock.withLine { line in
      let numbers = line.rebound(to: Double.self)
      let block = LegBlock(numbers)
      for place in 0..<list.count {
        // With few rows, one after the other is quicker.
        let due = lanes[place]
        let fewer = due & (due &- 1)
        placed[place] = 0
        guard fewer & (fewer &- 1) != 0 else { continue }
        let row = Int(list.tiles[place]) &* laneCountOfTile
        block.copy(columns, row)
        var (bits, index) = (UInt32(0), 0)
        while index < laneCountOfTile {
          bits |=
            placeLegs(columns, row, index, numbers, now: now, shortest: shortest)
            &<< UInt32(truncatingIfNeeded: index)
          index &+= Floats.scalarCount
        }
        placed[place] = UInt16(truncatingIfNeeded: bits)
        lanes[place] &= ~placed[place]
      }
    }
  }

  /// The same for a vector of rows; returns the lanes that got their columns.
  @export(implementation) @inline(__always)
  static func placeLegs(
    _ columns: LegColumns, _ row: Int, _ index: Int, _ numbers: Column<Double>, now: Doubles,
    shortest: Double
  ) -> UInt32 {
    let (zero, one) = (Doubles.zero, splatDouble(1))
    let (start, speed) = (load(numbers, index), load(numbers, index &+ 16))
    let (offset, firstLeg) = (load(numbers, index &+ 32), load(numbers, index &+ 48))
    let (legCount, turns) = (load(numbers, index &+ 64), load(numbers, index &+ 80))
    let duration = load(numbers, index &+ 96)
    let pace = magnitude(speed)

    let passed = now - start
    let quotient = (passed * pace + offset) / duration
    let near = nearestInteger(quotient).integer
    let steps = near + keep(isLess(near, quotient), one) - one
    let leg = firstLeg + keep(~isLess(steps, zero), steps)
    let low = start + ((leg - firstLeg) * duration - offset) / pace
    let high = start + ((leg + one - firstLeg) * duration - offset) / pace
    let width = high - low
    let isLater = isLess(firstLeg, leg)

    // A difference is negative where the leg is not an ordinary one.
    let least = splatDouble(.leastNormalMagnitude)
    var other = bits(passed) | bits(offset) | bits(turns) | bits(pace - least) | bits(duration - least)
    other = other | bits(splatDouble(0x1p50) - quotient) | bits(splatDouble(0x1p52) - leg) | bits(legCount - one - leg)
    other = other | bits(low - start) | ~bits(now - high) | isLater & ~bits(low - now)
    other = other | bits(splatDouble(.greatestFiniteMagnitude) - high) | bits(width - splatDouble(shortest))

    let half = leg * splatDouble(0.5)
    let isReversed =
      isLess(zero, turns) & isLess(zero, magnitude(half - nearestInteger(half).integer))
      ^ bits(speed) &>> Longs(repeating: 63)
    let (first, last) = (splatDouble(Double(ClipTick.start)), splatDouble(Double(ClipTick.end)))
    let base = select(isReversed, last, first)
    let rate = (select(isReversed, first, last) - base) / width
    let from = select(isLater, nextUp(low), start)

    let element = row &+ index
    let (oldFrom, oldUntil) = (
      load(columns.intervals.from, element), load(columns.intervals.until, element)
    )
    let isPlaced = ((bits(now - oldFrom) | bits(oldUntil - now)) & ~other) &>> Longs(repeating: 63)
    columns.origin.store(select(isPlaced, low, load(columns.origin, element)), at: element)
    columns.base.store(select(isPlaced, base, load(columns.base, element)), at: element)
    columns.rate.store(select(isPlaced, rate, load(columns.rate, element)), at: element)
    columns.intervals.from.store(select(isPlaced, from, oldFrom), at: element)
    columns.intervals.until.store(select(isPlaced, high, oldUntil), at: element)

    let placed = signs(truncate(isPlaced))
    numbers.store(leg, at: index)
    var left = placed
    while left != 0 {
      let lane = left.trailingZeroBitCount
      left &= left &- 1
      let leg = numbers[index &+ lane]
      if leg > columns.states[element &+ lane].reportedLeg {
        columns.states[element &+ lane].reportedLeg = leg
      }
    }
    return placed
  }
}
