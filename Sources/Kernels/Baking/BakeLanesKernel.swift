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

  @export(implementation) @inline(__always)
  init(frame: Int, count: Int, sinceAnchor: Int) {
    (self.frame, self.count, self.sinceAnchor) = (frame, count, sinceAnchor)
  }
}

extension InstructionSet {
  @export(implementation) @inline(__always)
  static func store(_ a: Doubles, to column: UnsafeMutablePointer<Double>, _ lane: Int) {
    unsafe UnsafeMutableRawPointer(column + lane).storeBytes(of: a, as: Doubles.self)
  }

  /// `new` where all bits of a lane are set, else what is there.
  @export(implementation) @inline(__always)
  static func put(_ new: Floats, where chosen: Ints, _ column: UnsafeMutablePointer<Float>) {
    let old = unsafe unsafeBitCast(load(column, 0), to: Ints.self) & ~chosen
    unsafe UnsafeMutableRawPointer(column).storeBytes(
      of: (unsafeBitCast(new, to: Ints.self) & chosen) | old, as: Ints.self)
  }

  /// Tabulates the coefficients of the frames after an anchor, and keeps the transition to the next one.
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
    let (rate, α, κ) = unsafe (load(lanes.rate, lane), load(lanes.α, lane), load(lanes.κ, lane))
    let frame = Transition<Self>(rate: rate, α: α, age: splatDouble(interval))
    var after = Transition<Self>(c: splatDouble(1), s: Doubles.zero, d: splatDouble(1), g: Doubles.zero)
    var entry = unsafe lanes.tables + lane
    for _ in 0..<frameCountOfBake {
      let basis = BasisVector(after, α: α, κ: κ)
      unsafe Ordinary.store(Self.self, basis.values.displacement, to: entry)
      unsafe Ordinary.store(Self.self, basis.values.amplitude, to: entry + BakeLanes.tableStride)
      if O.includesVelocity {
        unsafe Ordinary.store(Self.self, basis.velocities.displacement, to: entry + 2 &* BakeLanes.tableStride)
        unsafe Ordinary.store(Self.self, basis.velocities.amplitude, to: entry + 3 &* BakeLanes.tableStride)
      }
      unsafe entry += BakeLanes.rowStride
      after = follow(after, frame)
    }
    let step = unsafe lanes.step + 4 &* lane
    unsafe store(after.c, to: step, 0)
    unsafe store(after.s, to: step, Doubles.scalarCount)
    unsafe store(after.d, to: step, 2 &* Doubles.scalarCount)
    unsafe store(after.g, to: step, 3 &* Doubles.scalarCount)
  }

  /// Moves a vector of lanes to the first frame of a block.
  @inline(never)
  @export(implementation)
  static func anchor(_ lanes: BakeLanes, _ lane: Int, _ times: BakeTimes, _ block: BakeBlock) {
    var (from, turnedFrom): (Doubles, Doubles)
    var transition: Transition<Self>
    if block.sinceAnchor == 0 {
      let age = unsafe splatDouble(times(block.frame)) - load(lanes.start, lane)
      transition = unsafe Transition(rate: load(lanes.rate, lane), α: load(lanes.α, lane), age: age)
      (from, turnedFrom) = unsafe (widen(load(lanes.displacement, lane)), widen(load(lanes.amplitude, lane)))
    } else {
      let step = unsafe lanes.step + 4 &* lane
      transition = unsafe Transition(
        c: load(step, 0), s: load(step, Doubles.scalarCount), d: load(step, 2 &* Doubles.scalarCount),
        g: load(step, 3 &* Doubles.scalarCount))
      (from, turnedFrom) = unsafe (load(lanes.position, lane), load(lanes.turned, lane))
    }
    let (position, turned) = transition(from, turnedFrom)
    unsafe store(position, to: lanes.position, lane)
    unsafe store(turned, to: lanes.turned, lane)
    let rests = unsafe rests(load(lanes.restFrame, lane), in: block.frame)
    unsafe Ordinary.store(Self.self, clear(narrow(position), where: rests), to: lanes.anchorPosition + lane)
    unsafe Ordinary.store(Self.self, clear(narrow(turned), where: rests), to: lanes.anchorTurned + lane)
  }

  /// Tabulates a block of the lanes of a vector whose frames are computed from the start of the motion each.
  @inline(never)
  @export(implementation)
  static func tabulateExactly<O: Output>(
    _ lanes: BakeLanes, _ lane: Int, _ times: BakeTimes, _ block: BakeBlock, _: O.Type
  ) {
    let exact = unsafe load(lanes.isExact, lane)
    let start = unsafe load(lanes.start, lane)
    let (rate, α, κ) = unsafe (load(lanes.rate, lane), load(lanes.α, lane), load(lanes.κ, lane))
    let restAge = unsafe load(lanes.restAge, lane)
    let restTime = unsafe load(lanes.restTime, lane)
    var entry = unsafe lanes.tables + lane
    for row in 0..<block.count {
      let time = splatDouble(times(block.frame &+ row))
      let age = time - start
      var basis = BasisVector<Self>(Transition(rate: rate, α: α, age: age), α: α, κ: κ)
      basis.clear(where: ~(isLess(narrow(age), restAge) & truncate(isLess(time, restTime))))
      unsafe put(basis.values.displacement, where: exact, entry)
      unsafe put(basis.values.amplitude, where: exact, entry + BakeLanes.tableStride)
      if O.includesVelocity {
        unsafe put(basis.velocities.displacement, where: exact, entry + 2 &* BakeLanes.tableStride)
        unsafe put(basis.velocities.amplitude, where: exact, entry + 3 &* BakeLanes.tableStride)
      }
      unsafe entry += BakeLanes.rowStride
    }
    unsafe put(load(lanes.displacement, lane), where: exact, lanes.anchorPosition + lane)
    unsafe put(load(lanes.amplitude, lane), where: exact, lanes.anchorTurned + lane)
  }

  /// Writes one block of one quantity, row by row.
  @inline(never)
  @export(implementation)
  static func writeRows<Q: BakedQuantity>(
    _ lanes: BakeLanes, _ tables: UnsafeMutablePointer<Float>, count: Int, _ block: BakeBlock,
    to address: UnsafeMutablePointer<Float>, _ output: BakeOutput, _: Q.Type
  ) {
    var to = unsafe address + block.frame &* output.frameStride
    for row in 0..<block.count {
      unsafe StreamedRow.write(
        LanesRow<Self, Q>(lanes, tables, row: row, frame: block.frame &+ row), count: count, to: to, output,
        spare: lanes.spare)
      unsafe to += output.frameStride
    }
  }

  /// Writes one block of one quantity of a vector of lanes: what is kept of them stays in registers for all rows.
  @export(implementation) @inline(__always)
  static func storeColumn<Q: BakedQuantity>(
    _ lanes: BakeLanes, _ tables: UnsafeMutablePointer<Float>, _ lane: Int, _ block: BakeBlock,
    to address: UnsafeMutablePointer<Float>, stride: Int, _: Q.Type
  ) {
    let (p, q) = unsafe (load(lanes.anchorPosition, lane), load(lanes.anchorTurned, lane))
    let (target, restFrame) = unsafe (load(lanes.target, lane), load(lanes.restFrame, lane))
    var c = unsafe tables + lane
    var to = unsafe address
    for row in 0..<block.count {
      let sum = unsafe Q.combine(Self.self, load(c, 0), p, load(c, BakeLanes.tableStride), q)
      let rests = rests(restFrame, in: block.frame &+ row)
      unsafe Ordinary.store(Self.self, Q.finish(Self.self, clear(sum, where: rests), target), to: to)
      unsafe c += BakeLanes.rowStride
      unsafe to += stride
    }
  }

  /// Writes one block of one quantity of `count` lanes from `lane` on, at most a vector.
  @inline(never)
  @export(implementation)
  static func writeColumn<Q: BakedQuantity>(
    _ lanes: BakeLanes, _ tables: UnsafeMutablePointer<Float>, _ lane: Int, count: Int, _ block: BakeBlock,
    to address: UnsafeMutablePointer<Float>, _ output: BakeOutput, _ quantity: Q.Type
  ) {
    let to = unsafe address + (block.frame &* output.frameStride &+ lane &* output.laneStride)
    if output.laneStride == 1, count == Floats.scalarCount {
      unsafe storeColumn(lanes, tables, lane, block, to: to, stride: output.frameStride, quantity)
      return
    }
    unsafe storeColumn(lanes, tables, lane, block, to: lanes.tile, stride: Floats.scalarCount, quantity)
    if output.laneStride != 1 {
      unsafe turn(
        lanes.tile, rowStride: Floats.scalarCount, rows: block.count, count: count, to: to, stride: output.laneStride)
      return
    }
    for row in 0..<block.count {
      for index in 0..<count {
        unsafe to[row &* output.frameStride &+ index] = lanes.tile[row &* Floats.scalarCount &+ index]
      }
    }
  }

  /// Computes a block of `count` lanes, at most a vector, and writes them, unless they are written with all others.
  @export(implementation) @inline(__always)
  static func bakeColumn<O: Output>(
    _ lanes: BakeLanes, _ lane: Int, count: Int, _ times: BakeTimes, _ block: BakeBlock, _ output: BakeOutput,
    _ quantities: O.Type
  ) {
    let all = ~UInt32(0) &>> UInt32(32 &- Floats.scalarCount)
    let exact = unsafe signs(load(lanes.isExact, lane))
    if exact != all { anchor(lanes, lane, times, block) }
    if exact != 0 { tabulateExactly(lanes, lane, times, block, quantities) }
    guard !output.isStreamed else { return }
    unsafe writeColumn(lanes, lanes.tables, lane, count: count, block, to: output.values, output, BakedValue.self)
    if O.includesVelocity, let velocities = unsafe output.velocities {
      unsafe writeColumn(
        lanes, lanes.tables + 2 &* BakeLanes.tableStride, lane, count: count, block, to: velocities, output,
        BakedVelocity.self)
    }
  }

  @inline(never)
  @export(implementation)
  static func bakeLanes<O: Output>(
    _ lanes: BakeLanes, count: Int, _ times: BakeTimes, _ output: BakeOutput, _ quantities: O.Type
  ) {
    let width = Floats.scalarCount
    var lane = 0
    while lane < count {
      planRest(lanes, lane, times)
      if unsafe times.each == nil { tabulate(lanes, lane, interval: times.interval, quantities) }
      lane &+= width
    }
    var frame = 0
    var number = 0
    while frame < times.count {
      let left = times.count &- frame
      let block = BakeBlock(
        frame: frame, count: left < frameCountOfBake ? left : frameCountOfBake, sinceAnchor: number % anchorsOfBake)
      lane = 0
      while lane < count {
        bakeColumn(
          lanes, lane, count: count &- lane < width ? count &- lane : width, times, block, output, quantities)
        lane &+= width
      }
      if output.isStreamed {
        unsafe writeRows(lanes, lanes.tables, count: count, block, to: output.values, output, BakedValue.self)
        if O.includesVelocity, let velocities = unsafe output.velocities {
          unsafe writeRows(
            lanes, lanes.tables + 2 &* BakeLanes.tableStride, count: count, block, to: velocities, output,
            BakedVelocity.self)
        }
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
  @export(implementation) @inline(__always)
  public static func bakeLanes(_ lanes: BakeLanes, count: Int, _ times: BakeTimes, _ output: BakeOutput) {
    if unsafe output.velocities != nil {
      bakeLanes(lanes, count: count, times, output, ValueAndVelocity.self)
    } else {
      bakeLanes(lanes, count: count, times, output, ValueOnly.self)
    }
  }
}
