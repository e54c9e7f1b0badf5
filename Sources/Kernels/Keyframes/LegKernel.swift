// SPDX-License-Identifier: MIT
public import CProcessor

// Legs of instances, for all lanes of a tile at once: when the clock jumps, most of them come to another leg.

/// The columns of tracks that play clips, as their legs are found.
public struct LegColumns {
  /// The intervals of the clock in which the columns hold.
  public var intervals: IntervalColumns
  public var origin: Column<Double>
  public var base: Column<Double>
  public var rate: Column<Double>
  public var states: Column<LaneState>
  /// The clip of each track; negative for an index without one.
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

/// The numbers from which the legs of a tile's lanes follow.
@frozen @usableFromInline struct LegBlock {
  /// The numbers of `LaneState` from `start` on, sixteen of each. The last sixteen are integers.
  @usableFromInline let numbers: Column<Double>
  /// The durations of the clips.
  @usableFromInline let durations: Column<Double>

  @export(implementation) @inline(__always)
  init(numbers: Column<Double>, durations: Column<Double>) {
    self.numbers = numbers
    self.durations = durations
  }

  /// Lends the memory for a block.
  @export(implementation) @inline(__always)
  static func withBlock(_ body: (LegBlock) -> Void) {
    PieceBlock.withLine { numbers in
      PieceBlock.withLine { durations in
        body(LegBlock(numbers: numbers.rebound(to: Double.self), durations: durations.rebound(to: Double.self)))
      }
    }
  }

  /// Copies the states of a tile.
  @export(implementation) @inline(__always)
  func copy(_ columns: LegColumns, _ first: Int) {
    let states = (columns.states + first).rebound(to: Double.self)
    for half in 0..<2 {
      states.check(64 &* half, count: 64)
      unsafe lanes_turn8(states.address + 64 &* half, 1, numbers.address + 8 &* half, laneCountOfTile)
    }
    for lane in 0..<laneCountOfTile {
      let clip = Int(columns.clip[first &+ lane])
      durations[lane] = clip < 0 ? 0 : columns.timings[clip].duration
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

  /// Gives due lanes of some tiles the columns of a time, if at that time they are within an ordinary leg: neither a leg in
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
    LegBlock.withBlock { block in
      for place in 0..<list.count {
        // With few lanes, one after the other is quicker.
        let due = lanes[place]
        let fewer = due & (due &- 1)
        placed[place] = 0
        guard fewer & (fewer &- 1) != 0 else { continue }
        let first = Int(list.tiles[place]) &* laneCountOfTile
        block.copy(columns, first)
        var (bits, lane) = (UInt32(0), 0)
        while lane < laneCountOfTile {
          bits |=
            placeLegs(columns, first, lane, block, now: now, shortest: shortest)
            &<< UInt32(truncatingIfNeeded: lane)
          lane &+= Floats.scalarCount
        }
        placed[place] = UInt16(truncatingIfNeeded: bits)
        lanes[place] &= ~placed[place]
      }
    }
  }

  /// The same for a vector of lanes; returns the lanes that got their columns.
  @export(implementation) @inline(__always)
  static func placeLegs(
    _ columns: LegColumns, _ firstOfTile: Int, _ index: Int, _ block: LegBlock, now: Doubles, shortest: Double
  ) -> UInt32 {
    let (zero, one) = (Doubles.zero, splatDouble(1))
    let (start, speed) = (load(block.numbers, index), load(block.numbers, index &+ 16))
    let (offset, firstLeg) = (load(block.numbers, index &+ 32), load(block.numbers, index &+ 48))
    let (legCount, reportedLeg) = (load(block.numbers, index &+ 64), load(block.numbers, index &+ 80))
    let (marks, duration) = (bits(load(block.numbers, index &+ 96)), load(block.durations, index))
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

    // A difference is negative where the leg is not an ordinary one. Tracks that do not follow the clock are left to others.
    let least = splatDouble(.leastNormalMagnitude)
    let isOther = (marks ^ Longs(repeating: LaneState.runningMark)) & Longs(repeating: LaneState.modeMarks)
    var other = Longs.zero &- isOther | bits(passed) | bits(offset) | bits(pace - least) | bits(duration - least)
    other = other | bits(splatDouble(0x1p50) - quotient) | bits(splatDouble(0x1p52) - leg) | bits(legCount - one - leg)
    other = other | bits(low - start) | ~bits(now - high) | isLater & ~bits(low - now)
    other = other | bits(splatDouble(.greatestFiniteMagnitude) - high) | bits(width - splatDouble(shortest))

    let half = leg * splatDouble(0.5)
    let isOdd = isLess(zero, magnitude(half - nearestInteger(half).integer))
    let isTurned = marks &<< Longs(repeating: LaneState.shiftOfTurns) & isOdd
    let isReversed = (isTurned ^ bits(speed)) &>> Longs(repeating: 63)
    let (first, last) = (splatDouble(Double(ClipTick.start)), splatDouble(Double(ClipTick.end)))
    let base = select(isReversed, last, first)
    let rate = (select(isReversed, first, last) - base) / width
    let from = select(isLater, nextUp(low), start)
    // The last leg ends just before its end, at which the playback is over.
    let until = select(isLess(leg, legCount - one), high, zero - nextUp(zero - high))

    let element = firstOfTile &+ index
    let (oldFrom, oldUntil) = (
      load(columns.intervals.from, element), load(columns.intervals.until, element)
    )
    let isPlaced = ((bits(now - oldFrom) | bits(oldUntil - now)) & ~other) &>> Longs(repeating: 63)
    columns.origin.store(select(isPlaced, low, load(columns.origin, element)), at: element)
    columns.base.store(select(isPlaced, base, load(columns.base, element)), at: element)
    columns.rate.store(select(isPlaced, rate, load(columns.rate, element)), at: element)
    columns.intervals.from.store(select(isPlaced, from, oldFrom), at: element)
    columns.intervals.until.store(select(isPlaced, until, oldUntil), at: element)

    var reported = signs(truncate(isPlaced & isLess(reportedLeg, leg)))
    if reported != 0 { block.numbers.store(leg, at: index) }
    while reported != 0 {
      let lane = reported.trailingZeroBitCount
      reported &= reported &- 1
      columns.states[element &+ lane].reportedLeg = block.numbers[index &+ lane]
    }
    return signs(truncate(isPlaced))
  }
}
