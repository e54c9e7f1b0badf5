// SPDX-License-Identifier: MIT
// Legs of instances, for all rows of a tile at once: when the clock jumps, most rows come to another leg.

/// The columns of rows that play clips, as their legs are found.
@safe
public struct LegColumns {
  /// The intervals of the clock in which the columns hold.
  public var intervals: IntervalColumns
  public var origin: UnsafeMutablePointer<Double>
  public var base: UnsafeMutablePointer<Double>
  public var rate: UnsafeMutablePointer<Double>
  public var states: UnsafeMutablePointer<LaneState>
  /// The clip of each row; negative for a row without a track.
  public var clip: UnsafePointer<Int32>
  /// By clip.
  public var timings: UnsafePointer<ClipTiming>

  public init(
    intervals: IntervalColumns, origin: UnsafeMutablePointer<Double>, base: UnsafeMutablePointer<Double>,
    rate: UnsafeMutablePointer<Double>, states: UnsafeMutablePointer<LaneState>, clip: UnsafePointer<Int32>,
    timings: UnsafePointer<ClipTiming>
  ) {
    self.intervals = intervals
    unsafe (self.origin, self.base, self.rate) = (origin, base, rate)
    unsafe (self.states, self.clip, self.timings) = (states, clip, timings)
  }
}

/// The numbers from which legs follow, for the rows of a tile: columns of sixteen numbers, one after the other.
@safe
@frozen @usableFromInline struct LegBlock {
  @usableFromInline let numbers: UnsafeMutablePointer<Double>

  @export(implementation) @inline(__always)
  init(_ numbers: UnsafeMutablePointer<Double>) { unsafe self.numbers = numbers }

  /// Copies the states of a tile.
  @export(implementation) @inline(__always)
  func copy(_ columns: LegColumns, _ row: Int) {
    for lane in 0..<laneCountOfTile {
      let state = unsafe columns.states + (row &+ lane)
      let clip = unsafe Int(columns.clip[row &+ lane])
      let turns: Double = unsafe state.pointee.autoreverses ? 1 : 0
      unsafe numbers[lane] = state.pointee.start
      unsafe numbers[lane &+ 16] = state.pointee.speed
      unsafe numbers[lane &+ 32] = state.pointee.offset
      unsafe numbers[lane &+ 48] = state.pointee.firstLeg
      unsafe numbers[lane &+ 64] = state.pointee.legCount
      // Rows that do not follow the clock are left to others.
      unsafe numbers[lane &+ 80] = state.pointee.mode == .running ? turns : -1
      unsafe numbers[lane &+ 96] = clip < 0 ? 0 : columns.timings[clip].duration
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

  @export(implementation) @inline(__always)
  static func store(_ a: Doubles, _ column: UnsafeMutablePointer<Double>, _ lane: Int) {
    unsafe UnsafeMutableRawPointer(column + lane).storeBytes(of: a, as: Doubles.self)
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
    _ columns: LegColumns, _ list: TileList, now: Double, shortest: Double, _ lanes: UnsafeMutablePointer<UInt16>,
    _ placed: UnsafeMutablePointer<UInt16>
  ) {
    let now = Doubles(repeating: now)
    unsafe PieceBlock.withLine { line in
      let numbers = unsafe UnsafeMutableRawPointer(line).assumingMemoryBound(to: Double.self)
      let block = unsafe LegBlock(numbers)
      for place in 0..<list.count {
        // With few rows, one after the other is quicker.
        let due = unsafe lanes[place]
        let fewer = due & (due &- 1)
        unsafe placed[place] = 0
        guard fewer & (fewer &- 1) != 0 else { continue }
        let row = unsafe Int(list.tiles[place]) &* laneCountOfTile
        block.copy(columns, row)
        var (bits, index) = (UInt32(0), 0)
        while index < laneCountOfTile {
          bits |=
            unsafe placeLegs(columns, row, index, numbers, now: now, shortest: shortest)
            &<< UInt32(truncatingIfNeeded: index)
          index &+= Floats.scalarCount
        }
        unsafe placed[place] = UInt16(truncatingIfNeeded: bits)
        unsafe lanes[place] &= ~placed[place]
      }
    }
  }

  /// The same for a vector of rows; returns the lanes that got their columns.
  @export(implementation) @inline(__always)
  static func placeLegs(
    _ columns: LegColumns, _ row: Int, _ index: Int, _ numbers: UnsafeMutablePointer<Double>, now: Doubles,
    shortest: Double
  ) -> UInt32 {
    let (zero, one) = (Doubles.zero, splatDouble(1))
    let (start, speed) = unsafe (load(numbers, index), load(numbers, index &+ 16))
    let (offset, firstLeg) = unsafe (load(numbers, index &+ 32), load(numbers, index &+ 48))
    let (legCount, turns) = unsafe (load(numbers, index &+ 64), load(numbers, index &+ 80))
    let duration = unsafe load(numbers, index &+ 96)
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
    let (oldFrom, oldUntil) = unsafe (
      load(columns.intervals.from, element), load(columns.intervals.until, element)
    )
    let isPlaced = ((bits(now - oldFrom) | bits(oldUntil - now)) & ~other) &>> Longs(repeating: 63)
    unsafe store(select(isPlaced, low, load(columns.origin, element)), columns.origin, element)
    unsafe store(select(isPlaced, base, load(columns.base, element)), columns.base, element)
    unsafe store(select(isPlaced, rate, load(columns.rate, element)), columns.rate, element)
    unsafe store(select(isPlaced, from, oldFrom), columns.intervals.from, element)
    unsafe store(select(isPlaced, high, oldUntil), columns.intervals.until, element)

    let placed = signs(truncate(isPlaced))
    unsafe store(leg, numbers, index)
    var left = placed
    while left != 0 {
      let lane = left.trailingZeroBitCount
      left &= left &- 1
      let leg = unsafe numbers[index &+ lane]
      if unsafe leg > columns.states[element &+ lane].reportedLeg {
        unsafe columns.states[element &+ lane].reportedLeg = leg
      }
    }
    return placed
  }
}
