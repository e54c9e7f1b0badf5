// SPDX-License-Identifier: MIT
// Many frames of lanes that each have a spring and a start of their own.
//
// A frame costs a lane what it costs one of a cohort, two loads and two products: what multiplies displacement and
// quarter turn j frames after an anchor depends on the spring alone, and is tabulated once; anchors, sixteen frames
// apart, follow from each other in Double. Nothing that is rounded to Float is ever continued from: tables and anchors
// are rounded once each, and errors do not grow with the frames.
//
// Towards the critical case the quarter turn is huge and its coefficient s small; that s has all its bits, as the tables
// are made by sums of positive terms there. (A recurrence of values, x″ = 2c·x′ − r²x, would lose them.)

/// What a block of frames needs to know.
@usableFromInline struct BakeBlock {
  /// The first frame.
  @usableFromInline let frame: Int
  @usableFromInline let count: Int
  /// Blocks since the last anchor that was computed from the start of the motion.
  @usableFromInline let sinceAnchor: Int

  @inlinable @inline(__always)
  init(frame: Int, count: Int, sinceAnchor: Int) {
    (self.frame, self.count, self.sinceAnchor) = (frame, count, sinceAnchor)
  }
}

extension InstructionSet {
  /// Finds the first frame in which each lane is at rest, by the rule by which a batch finds it: the age, in Float, has
  /// reached the age of rest. That frame is estimated, and the rule asked about two frames before and two after; it is
  /// one of them for ages of less than 2²² frames.
  @inlinable @inline(__always)
  static func planRest(_ lanes: BakeLanes, _ lane: Int, _ times: BakeTimes) {
    let start = load(lanes.start, lane)
    let restAge = load(lanes.restAge, lane)
    let (origin, first, rate) = (splatDouble(times.origin), splatDouble(times.first), splatDouble(times.rate))
    var frame = (start + widen(restAge) - (origin + first / rate)) * rate
    frame = select(isLess(frame, splatDouble(0x1p30)), frame, splatDouble(0x1p30))
    frame = select(isLess(splatDouble(-4), frame), frame, splatDouble(-4))
    let (nearest, shifted) = nearestInteger(frame - splatDouble(2))
    var restFrame = truncate(unsafeBitCast(shifted, to: Longs.self))
    for after in 0..<4 {
      let time = origin + (first + (nearest + splatDouble(Double(after)))) / rate
      restFrame = restFrame &- isLess(narrow(time - start), restAge)
    }
    let exact = load(lanes.isExact, lane)
    UnsafeMutableRawPointer(lanes.restFrame + lane).storeBytes(
      of: (restFrame & ~exact) | (exact & Ints(repeating: .max)), as: Ints.self)
  }

  @inlinable @inline(__always)
  static func store(_ a: Doubles, to column: UnsafeMutablePointer<Double>, _ lane: Int) {
    UnsafeMutableRawPointer(column + lane).storeBytes(of: a, as: Doubles.self)
  }

  /// `new` where all bits of a lane are set, else what is there.
  @inlinable @inline(__always)
  static func put(_ new: Floats, where chosen: Ints, _ column: UnsafeMutablePointer<Float>) {
    let old = unsafeBitCast(load(column, 0), to: Ints.self) & ~chosen
    UnsafeMutableRawPointer(column).storeBytes(of: (unsafeBitCast(new, to: Ints.self) & chosen) | old, as: Ints.self)
  }

  /// Tabulates the coefficients of the frames after an anchor, and keeps the transition to the next one.
  @inlinable @inline(__always)
  static func tabulate<O: Output>(_ lanes: BakeLanes, _ lane: Int, interval: Double, _: O.Type) {
    let (rate, α, κ) = (load(lanes.rate, lane), load(lanes.α, lane), load(lanes.κ, lane))
    let frame = Transition<Self>(rate: rate, α: α, age: splatDouble(interval))
    var after = Transition<Self>(c: splatDouble(1), s: Doubles.zero, d: splatDouble(1), g: Doubles.zero)
    var entry = lanes.tables + lane
    for _ in 0..<frameCountOfBake {
      let basis = BasisVector(after, α: α, κ: κ)
      Ordinary.store(Self.self, basis.values.displacement, to: entry)
      Ordinary.store(Self.self, basis.values.amplitude, to: entry + BakeLanes.tableStride)
      if O.includesVelocity {
        Ordinary.store(Self.self, basis.velocities.displacement, to: entry + 2 &* BakeLanes.tableStride)
        Ordinary.store(Self.self, basis.velocities.amplitude, to: entry + 3 &* BakeLanes.tableStride)
      }
      entry += BakeLanes.rowStride
      after = after.followed(by: frame)
    }
    let step = lanes.step + 4 &* lane
    store(after.c, to: step, 0)
    store(after.s, to: step, Doubles.scalarCount)
    store(after.d, to: step, 2 &* Doubles.scalarCount)
    store(after.g, to: step, 3 &* Doubles.scalarCount)
  }

  /// Moves a vector of lanes to the first frame of a block.
  ///
  /// - Returns: All bits set where a lane comes to rest within the block, but not at its first frame.
  @inlinable @inline(__always)
  static func anchor(_ lanes: BakeLanes, _ lane: Int, _ times: BakeTimes, _ block: BakeBlock) -> Ints {
    let position: Doubles
    let turned: Doubles
    if block.sinceAnchor == 0 {
      let age = splatDouble(times(block.frame)) - load(lanes.start, lane)
      let fromStart = Transition<Self>(rate: load(lanes.rate, lane), α: load(lanes.α, lane), age: age)
      (position, turned) = fromStart(widen(load(lanes.displacement, lane)), widen(load(lanes.amplitude, lane)))
    } else {
      let step = lanes.step + 4 &* lane
      let transition = Transition<Self>(
        c: load(step, 0), s: load(step, Doubles.scalarCount), d: load(step, 2 &* Doubles.scalarCount),
        g: load(step, 3 &* Doubles.scalarCount))
      (position, turned) = transition(load(lanes.position, lane), load(lanes.turned, lane))
    }
    store(position, to: lanes.position, lane)
    store(turned, to: lanes.turned, lane)
    let restFrame = load(lanes.restFrame, lane)
    let rests = (restFrame &- Ints(repeating: Int32(truncatingIfNeeded: block.frame &+ 1))) &>> Ints(repeating: 31)
    let last = Int32(truncatingIfNeeded: block.frame &+ block.count)
    Ordinary.store(Self.self, clear(narrow(position), where: rests), to: lanes.anchorPosition + lane)
    Ordinary.store(Self.self, clear(narrow(turned), where: rests), to: lanes.anchorTurned + lane)
    return ((restFrame &- Ints(repeating: last)) &>> Ints(repeating: 31)) & ~rests
  }

  /// Tabulates a block of the lanes of a vector whose frames are computed from the start of the motion each.
  @inlinable @inline(__always)
  static func tabulateExactly<O: Output>(
    _ lanes: BakeLanes, _ lane: Int, _ times: BakeTimes, _ block: BakeBlock, _: O.Type
  ) {
    let exact = load(lanes.isExact, lane)
    let start = load(lanes.start, lane)
    let (rate, α, κ) = (load(lanes.rate, lane), load(lanes.α, lane), load(lanes.κ, lane))
    let restAge = load(lanes.restAge, lane)
    let restTime = load(lanes.restTime, lane)
    var entry = lanes.tables + lane
    for row in 0..<block.count {
      let time = splatDouble(times(block.frame &+ row))
      let age = time - start
      var basis = BasisVector<Self>(Transition(rate: rate, α: α, age: age), α: α, κ: κ)
      basis.clear(where: ~(isLess(narrow(age), restAge) & truncate(isLess(time, restTime))))
      put(basis.values.displacement, where: exact, entry)
      put(basis.values.amplitude, where: exact, entry + BakeLanes.tableStride)
      if O.includesVelocity {
        put(basis.velocities.displacement, where: exact, entry + 2 &* BakeLanes.tableStride)
        put(basis.velocities.amplitude, where: exact, entry + 3 &* BakeLanes.tableStride)
      }
      entry += BakeLanes.rowStride
    }
    put(load(lanes.displacement, lane), where: exact, lanes.anchorPosition + lane)
    put(load(lanes.amplitude, lane), where: exact, lanes.anchorTurned + lane)
  }

  /// Writes one block of one quantity.
  @inline(never)
  @inlinable
  static func writeRows<Q: BakedQuantity, W: RowWay>(
    _ lanes: BakeLanes, _ tables: UnsafeMutablePointer<Float>, count: Int, _ block: BakeBlock, comeToRest: Bool,
    to address: UnsafeMutablePointer<Float>, stride: Int, _ output: BakeOutput, _: Q.Type, _: W.Type
  ) {
    var to = address
    for row in 0..<block.count {
      let plain = LanesRow<Self, Q>(lanes, tables, row: row)
      if comeToRest {
        W.write(RestingLanesRow(plain, frame: block.frame &+ row), count: count, to: to, output, spare: lanes.spare)
      } else {
        W.write(plain, count: count, to: to, output, spare: lanes.spare)
      }
      to += stride
    }
  }

  @inlinable @inline(__always)
  static func writeBlock<Q: BakedQuantity>(
    _ lanes: BakeLanes, _ tables: UnsafeMutablePointer<Float>, count: Int, _ block: BakeBlock, comeToRest: Bool,
    to address: UnsafeMutablePointer<Float>, _ output: BakeOutput, _ quantity: Q.Type
  ) {
    let to = address + block.frame &* output.frameStride
    if output.laneStride != 1 {
      writeRows(
        lanes, tables, count: count, block, comeToRest: comeToRest, to: lanes.tile, stride: BakeLanes.rowStride, output,
        quantity, StoredRow.self)
      turn(lanes.tile, rows: block.count, count: count, to: to, stride: output.laneStride)
    } else if output.isStreamed {
      writeRows(
        lanes, tables, count: count, block, comeToRest: comeToRest, to: to, stride: output.frameStride, output,
        quantity,
        StreamedRow.self)
    } else {
      writeRows(
        lanes, tables, count: count, block, comeToRest: comeToRest, to: to, stride: output.frameStride, output,
        quantity,
        StoredRow.self)
    }
  }

  @inline(never)
  @inlinable
  static func bakeLanes<O: Output>(
    _ lanes: BakeLanes, count: Int, _ times: BakeTimes, _ output: BakeOutput, _ quantities: O.Type
  ) {
    let width = Floats.scalarCount
    let all = width == 32 ? UInt32.max : (1 &<< UInt32(width)) &- 1
    if times.each == nil {
      var lane = 0
      while lane < count {
        planRest(lanes, lane, times)
        tabulate(lanes, lane, interval: times.interval, quantities)
        lane &+= width
      }
    }
    var frame = 0
    var number = 0
    while frame < times.count {
      let left = times.count &- frame
      let block = BakeBlock(
        frame: frame, count: left < frameCountOfBake ? left : frameCountOfBake, sinceAnchor: number % anchorsOfBake)
      var comeToRest = Ints(repeating: 0)
      var lane = 0
      while lane < count {
        let exact = signs(load(lanes.isExact, lane))
        if exact != all {
          comeToRest |= anchor(lanes, lane, times, block)
        }
        if exact != 0 {
          tabulateExactly(lanes, lane, times, block, quantities)
        }
        lane &+= width
      }
      let rests = signs(comeToRest) != 0
      writeBlock(
        lanes, lanes.tables, count: count, block, comeToRest: rests, to: output.values, output, BakedValue.self)
      if O.includesVelocity, let velocities = output.velocities {
        writeBlock(
          lanes, lanes.tables + 2 &* BakeLanes.tableStride, count: count, block, comeToRest: rests, to: velocities,
          output, BakedVelocity.self)
      }
      frame &+= block.count
      number &+= 1
    }
    if output.isStreamed {
      fence()
    }
  }

  /// Bakes lanes of any springs and starts; `count` of them, at most ``BakeLanes/capacity``, those behind them cleared up
  /// to whole tiles.
  @inlinable @inline(__always)
  public static func bakeLanes(_ lanes: BakeLanes, count: Int, _ times: BakeTimes, _ output: BakeOutput) {
    if output.velocities != nil {
      bakeLanes(lanes, count: count, times, output, ValueAndVelocity.self)
    } else {
      bakeLanes(lanes, count: count, times, output, ValueOnly.self)
    }
  }
}
