// SPDX-License-Identifier: MIT
// Many frames of lanes that each have a spring and a start of their own.
//
// A frame costs a lane the same as in a uniform tile: two loads and two products. The factors of displacement and quarter
// turn j frames after an anchor depend on the spring alone, and are tabulated once. Anchors, sixteen frames apart,
// follow from each other in Double. Nothing continues from a number that was rounded to Float: tables and anchors are
// rounded once each, and errors do not grow with the frames.
//
// Towards the critical case the quarter turn is huge and its coefficient s small. That s keeps all its bits, since the
// tables are sums of positive terms there. (A recurrence of values, x″ = 2c·x′ − r²x, would lose them.)

/// The description of a block of frames.
@usableFromInline struct BakeBlock {
  /// The first frame of the block, counted from the first one of the bake; negative if the block begins before the
  /// bake.
  @usableFromInline let frame: Int
  /// The wanted frames of the block, counted from its first.
  @usableFromInline let rows: Range<Int>
  /// The number of the block in its group.
  @usableFromInline let number: Int
  /// Whether motions may begin within the block or the one before.
  @usableFromInline let mayBegin: Bool

  @export(implementation) @inline(__always)
  init(frame: Int, rows: Range<Int>, number: Int, mayBegin: Bool) {
    (self.frame, self.rows, self.number, self.mayBegin) = (frame, rows, number, mayBegin)
  }

  /// The index of a row among the frames of the group.
  @export(implementation) @inline(__always)
  func groupFrame(_ row: Int) -> Int { number &* frameCountOfBake &+ row }
}

extension InstructionSet {
  /// `new` where all bits of a lane are set, otherwise the number that is there.
  @export(implementation) @inline(__always)
  static func put(_ new: Floats, where chosen: Ints, _ column: Column<Float>) {
    let bits = column.rebound(to: Int32.self)
    unsafe bits.store((unsafeBitCast(new, to: Ints.self) & chosen) | (load(bits, 0) & ~chosen), at: 0)
  }

  /// Tabulates the coefficients of the frames after an anchor, and the transition to the next anchor.
  @export(implementation) @inline(__always)
  static func tabulate<O: Output>(_ lanes: BakeLanes, _ lane: Int, interval: Double, _ quantities: O.Type) {
    let all = (UInt32(1) &<< UInt32(Floats.scalarCount)) &- 1
    if unsafe signs(truncate(unsafeBitCast(load(lanes.rate, lane), to: Longs.self) &>> Longs(repeating: 63))) == all {
      tabulate(lanes, lane, interval: interval, quantities) { $0.turned(by: $1) }
    } else {
      tabulate(lanes, lane, interval: interval, quantities) { $0.followed(by: $1) }
    }
  }

  @export(implementation) @inline(__always)
  static func tabulate<O: Output>(
    _ lanes: BakeLanes, _ lane: Int, interval: Double, _: O.Type,
    _ follow: (Transition<Self>, Transition<Self>) -> Transition<Self>
  ) {
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
      after = follow(after, frame)
    }
    let step = lanes.step + 4 &* lane
    step.store(after.c, at: 0)
    step.store(after.s, at: Doubles.scalarCount)
    step.store(after.d, at: 2 &* Doubles.scalarCount)
    step.store(after.g, at: 3 &* Doubles.scalarCount)
  }

  /// Moves lanes to the first frame of a block. Vectors whose lanes are all exact have no anchors.
  @inline(never)
  @export(implementation)
  static func anchor(_ lanes: BakeLanes, count: Int, _ times: BakeTimes, _ block: BakeBlock) {
    let all = ~UInt32(0) &>> UInt32(32 &- Floats.scalarCount)
    var lane = 0
    while lane < count {
      if signs(load(lanes.isExact, lane)) != all { anchor(lanes, lane, times, block) }
      lane &+= Floats.scalarCount
    }
  }

  /// Moves a vector of lanes to the first frame of a block.
  @export(implementation) @inline(__always)
  static func anchor(_ lanes: BakeLanes, _ lane: Int, _ times: BakeTimes, _ block: BakeBlock) {
    var (from, turnedFrom): (Doubles, Doubles)
    var transition: Transition<Self>
    if block.number == 0 {
      (transition, from, turnedFrom) = sinceStart(lanes, lane, time: times(block.frame))
    } else {
      let step = lanes.step + 4 &* lane
      transition = Transition(
        c: load(step, 0), s: load(step, Doubles.scalarCount), d: load(step, 2 &* Doubles.scalarCount),
        g: load(step, 3 &* Doubles.scalarCount))
      (from, turnedFrom) = (load(lanes.position, lane), load(lanes.turned, lane))
    }
    var (position, turned) = transition(from, turnedFrom)
    if block.mayBegin, block.number > 0 {
      // A motion that began since the anchor before has no anchor to follow from.
      let begins = isLess(splatDouble(times(block.frame &- frameCountOfBake)), load(lanes.start, lane))
      let (transition, from, turnedFrom) = sinceStart(lanes, lane, time: times(block.frame))
      let own = transition(from, turnedFrom)
      position = select(begins, own.position, position)
      turned = select(begins, own.turned, turned)
    }
    lanes.position.store(position, at: lane)
    lanes.turned.store(turned, at: lane)
    let rests = rests(load(lanes.restFrame, lane), in: block.groupFrame(0))
    Ordinary.store(Self.self, clear(narrow(position), where: rests), to: lanes.anchorPosition + lane)
    Ordinary.store(Self.self, clear(narrow(turned), where: rests), to: lanes.anchorTurned + lane)
  }

  /// The transition from the start of each motion to a time, and the state at that start. A motion that begins later
  /// stays at its start.
  @export(implementation) @inline(__always)
  static func sinceStart(
    _ lanes: BakeLanes, _ lane: Int, time: Double
  ) -> (Transition<Self>, position: Doubles, turned: Doubles) {
    let since = splatDouble(time) - load(lanes.start, lane)
    let age = select(isLess(since, Doubles.zero), Doubles.zero, since)
    return (
      Transition(rate: load(lanes.rate, lane), α: load(lanes.α, lane), age: age),
      widen(load(lanes.displacement, lane)), widen(load(lanes.amplitude, lane))
    )
  }

  /// Tabulates a block for the lanes whose frames are each computed from the start of the motion.
  ///
  /// - Returns: Whether the tables of lanes that are not exact were overwritten.
  @export(implementation) @inline(__always)
  static func tabulateExactly<O: Output>(
    _ lanes: BakeLanes, count: Int, _ times: BakeTimes, _ block: BakeBlock, _ quantities: O.Type
  ) -> Bool {
    var spoilsTables = false
    var lane = 0
    while lane < count {
      var exact = load(lanes.isExact, lane)
      let always = signs(exact)
      if block.mayBegin {
        // A motion that begins within the block has no anchor in it.
        exact |= truncate(isLess(splatDouble(times(block.frame)), load(lanes.start, lane)))
      }
      if signs(exact) != 0 { tabulateExactly(lanes, lane, where: exact, times, block, quantities) }
      if signs(exact) != always { spoilsTables = true }
      lane &+= Floats.scalarCount
    }
    return spoilsTables
  }

  /// Tabulates a block for the lanes of a vector with all bits set in `exact`.
  @inline(never)
  @export(implementation)
  static func tabulateExactly<O: Output>(
    _ lanes: BakeLanes, _ lane: Int, where exact: Ints, _ times: BakeTimes, _ block: BakeBlock, _: O.Type
  ) {
    let start = load(lanes.start, lane)
    let (rate, α, κ) = (load(lanes.rate, lane), load(lanes.α, lane), load(lanes.κ, lane))
    let restAge = load(lanes.restAge, lane)
    var entry = lanes.tables + (lane &+ block.rows.lowerBound &* BakeLanes.rowStride)
    for row in block.rows {
      let age = splatDouble(times(block.frame &+ row)) - start
      var basis = BasisVector<Self>(Transition(rate: rate, α: α, age: age), α: α, κ: κ)
      basis.clear(where: ~isLess(narrow(age), restAge))
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

  /// Writes one block of one quantity, row by row.
  @inline(never)
  @export(implementation)
  static func writeRows<Q: BakedQuantity>(
    _ lanes: BakeLanes, _ tables: Column<Float>, count: Int, _ block: BakeBlock,
    to address: Column<Float>, _ output: BakeOutput, _: Q.Type
  ) {
    var to = address + (block.frame &+ block.rows.lowerBound) &* output.frameStride
    for row in block.rows {
      StreamedRow.write(
        LanesRow<Self, Q>(lanes, tables, row: row, frame: block.groupFrame(row)), count: count, to: to, output,
        spare: lanes.spare)
      to += output.frameStride
    }
  }

  /// Writes one block of one quantity of a vector of lanes; its state stays in registers for all rows.
  @export(implementation) @inline(__always)
  static func storeColumn<Q: BakedQuantity>(
    _ lanes: BakeLanes, _ tables: Column<Float>, _ lane: Int, _ block: BakeBlock,
    to address: Column<Float>, stride: Int, _: Q.Type
  ) {
    let (p, q) = (load(lanes.anchorPosition, lane), load(lanes.anchorTurned, lane))
    let (target, restFrame) = (load(lanes.target, lane), load(lanes.restFrame, lane))
    var c = tables + (lane &+ block.rows.lowerBound &* BakeLanes.rowStride)
    var to = address
    for row in block.rows {
      let sum = Q.combine(Self.self, load(c, 0), p, load(c, BakeLanes.tableStride), q)
      let rests = rests(restFrame, in: block.groupFrame(row))
      Ordinary.store(Self.self, Q.finish(Self.self, clear(sum, where: rests), target), to: to)
      c += BakeLanes.rowStride
      to += stride
    }
  }

  /// Writes one block of one quantity, a vector of lanes after the other.
  @inline(never)
  @export(implementation)
  static func writeColumns<Q: BakedQuantity>(
    _ lanes: BakeLanes, _ tables: Column<Float>, count: Int, _ block: BakeBlock,
    to address: Column<Float>, _ output: BakeOutput, _ quantity: Q.Type
  ) {
    let width = Floats.scalarCount
    var to = address + (block.frame &+ block.rows.lowerBound) &* output.frameStride
    var lane = 0
    while lane < count {
      let part = count &- lane < width ? count &- lane : width
      if output.laneStride == 1, part == width {
        storeColumn(lanes, tables, lane, block, to: to, stride: output.frameStride, quantity)
      } else {
        storeColumn(lanes, tables, lane, block, to: lanes.tile, stride: width, quantity)
        if output.laneStride == 1 {
          for row in 0..<block.rows.count {
            for index in 0..<part { to[row &* output.frameStride &+ index] = lanes.tile[row &* width &+ index] }
          }
        } else {
          turn(
            lanes.tile, rowStride: width, rows: block.rows.count, count: part, to: to, stride: output.laneStride)
        }
      }
      to += width &* output.laneStride
      lane &+= width
    }
  }

  /// Writes one block of one quantity.
  @export(implementation) @inline(__always)
  static func write<Q: BakedQuantity>(
    _ lanes: BakeLanes, _ tables: Column<Float>, count: Int, _ block: BakeBlock,
    to address: Column<Float>, _ output: BakeOutput, _ quantity: Q.Type
  ) {
    if output.isStreamed {
      writeRows(lanes, tables, count: count, block, to: address, output, quantity)
    } else {
      writeColumns(lanes, tables, count: count, block, to: address, output, quantity)
    }
  }

  /// Prepares a group of frames, which begins at a frame counted from the first one of the bake.
  @export(implementation) @inline(__always)
  static func planGroup<O: Output>(
    _ lanes: BakeLanes, count: Int, from frame: Int, _ times: BakeTimes, isFirst: Bool, _ quantities: O.Type
  ) {
    let extent = splatDouble(times.extent(from: frame, count: groupOfBake))
    var lane = 0
    while lane < count {
      let exact = truncate(isLess(load(lanes.steadyTime, lane), extent))
      let wasExact = isFirst ? Ints(repeating: -1) : load(lanes.isExact, lane)
      lanes.isExact.store(exact, at: lane)
      planRest(lanes, lane, times, from: times.first &+ frame)
      if signs(wasExact & ~exact) != 0 { tabulate(lanes, lane, interval: times.interval, quantities) }
      lane &+= Floats.scalarCount
    }
  }

  @inline(never)
  @export(implementation)
  static func bakeLanes<O: Output>(
    _ lanes: BakeLanes, count: Int, _ times: BakeTimes, _ output: BakeOutput, _ quantities: O.Type
  ) {
    // Where the bake begins within a group, anchors follow from the anchor of the group.
    let skipped = times.first & (groupOfBake &- 1)
    var group = 0 &- skipped
    var tablesAreSpoilt = false
    while group < times.count {
      let isFirst = group &+ skipped == 0
      planGroup(lanes, count: count, from: group, times, isFirst: isFirst, quantities)
      var number = 0
      while number < anchorsOfBake, group &+ number &* frameCountOfBake < times.count {
        let frame = group &+ number &* frameCountOfBake
        let left = times.count &- frame
        let first = frame < 0 ? 0 &- frame : 0
        let last = left < frameCountOfBake ? left : frameCountOfBake
        // No motion begins after the first frame of the bake.
        let mayBegin = isFirst && frame < frameCountOfBake
        if first < last {
          let block = BakeBlock(frame: frame, rows: first..<last, number: number, mayBegin: mayBegin)
          tablesAreSpoilt = bake(block, lanes, count: count, times, output, quantities, anew: tablesAreSpoilt)
        } else {
          anchor(
            lanes, count: count, times, BakeBlock(frame: frame, rows: 0..<0, number: number, mayBegin: true))
        }
        number &+= 1
      }
      group &+= groupOfBake
    }
    if output.isStreamed {
      fence()
    }
  }

  /// Bakes one block of all lanes.
  ///
  /// - Parameter anew: Whether to tabulate again because the block before overwrote its tables.
  /// - Returns: Whether this block overwrote its tables.
  @export(implementation) @inline(__always)
  static func bake<O: Output>(
    _ block: BakeBlock, _ lanes: BakeLanes, count: Int, _ times: BakeTimes, _ output: BakeOutput,
    _ quantities: O.Type, anew: Bool
  ) -> Bool {
    var lane = 0
    while anew, lane < count {
      tabulate(lanes, lane, interval: times.interval, quantities)
      lane &+= Floats.scalarCount
    }
    anchor(lanes, count: count, times, block)
    let tablesAreSpoilt = tabulateExactly(lanes, count: count, times, block, quantities)
    write(lanes, lanes.tables, count: count, block, to: output.values, output, BakedValue.self)
    if O.includesVelocity, let velocities = output.velocities {
      write(
        lanes, lanes.tables + 2 &* BakeLanes.tableStride, count: count, block, to: velocities, output,
        BakedVelocity.self)
    }
    return tablesAreSpoilt
  }

  /// Bakes `count` lanes of any springs and starts, at most ``BakeLanes/capacity``. The lanes after them, up to whole
  /// tiles, must be cleared.
  @export(implementation) @inline(__always)
  public static func bakeLanes(_ lanes: BakeLanes, count: Int, _ times: BakeTimes, _ output: BakeOutput) {
    if output.velocities != nil {
      bakeLanes(lanes, count: count, times, output, ValueAndVelocity.self)
    } else {
      bakeLanes(lanes, count: count, times, output, ValueOnly.self)
    }
  }
}
