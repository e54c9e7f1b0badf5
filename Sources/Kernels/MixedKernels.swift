// SPDX-License-Identifier: MIT
// Lanes that each have a spring and a start of their own. First their Doubles become a phase and an exponent, then
// these become values. In one body the chain of both steps is longer than a core can look ahead, so the steps are
// separate. With the columns in a cache, one vector is prepared while the one before is finished. Beyond the caches a
// block is prepared and then finished, as fewer columns at a time suit the prefetchers.

/// Lanes of a block: its state between the two walks stays in the first cache, and its rows of columns are long enough
/// to be prefetched.
@export(implementation) var laneCountOfBlock: Int { @inline(__always) get { 128 } }

/// The state of the lanes of a block between the two walks.
@usableFromInline struct Block {
  @usableFromInline let wholes: Column<Int32>
  @usableFromInline let rests: Column<Float>
  @usableFromInline let exponents: Column<Float>

  /// Lends the memory for a block.
  @export(implementation) @inline(__always)
  static func withBlock(_ body: (Block) -> Void) {
    withLine { wholes in
      withLine { rests in
        withLine { exponents in
          body(
            Block(
              wholes: wholes.rebound(to: Int32.self), rests: rests.rebound(to: Float.self),
              exponents: exponents.rebound(to: Float.self)))
        }
      }
    }
  }

  @export(implementation) @inline(__always)
  func store<I: InstructionSet>(_ prepared: Prepared<I>, at index: Int) {
    wholes.store(prepared.whole, at: index)
    rests.store(prepared.rest, at: index)
    exponents.store(prepared.exponent, at: index)
  }

  @export(implementation) @inline(__always)
  func load<I: InstructionSet>(at index: Int) -> Prepared<I> {
    Prepared(
      whole: wholes.lanes(at: index, as: I.Ints.self),
      rest: I.load(rests, index), exponent: I.load(exponents, index))
  }

  /// Lends four bytes for each lane, aligned to 64. Up to 1 024 bytes of the system's own alignment are on the stack.
  @export(implementation) @inline(__always)
  static func withLine(_ body: (Column<UInt8>) -> Void) {
    unsafe withUnsafeTemporaryAllocation(byteCount: 4 &* laneCountOfBlock &+ 64, alignment: 16) { memory in
      let line = unsafe memory.baseAddress.unsafelyUnwrapped.alignedUp(toMultipleOf: 64)
      unsafe body(Column(line.assumingMemoryBound(to: UInt8.self), count: 4 &* laneCountOfBlock))
    }
  }

  @export(implementation) @inline(__always)
  init(
    wholes: Column<Int32>, rests: Column<Float>, exponents: Column<Float>
  ) {
    self.wholes = wholes
    self.rests = rests
    self.exponents = exponents
  }
}

/// The state of some lanes after the first step, without their Doubles.
@usableFromInline struct Prepared<I: InstructionSet> {
  @usableFromInline let whole: I.Ints
  @usableFromInline let rest: I.Floats
  @usableFromInline let exponent: I.Floats

  @export(implementation) @inline(__always)
  init(whole: I.Ints, rest: I.Floats, exponent: I.Floats) {
    self.whole = whole
    self.rest = rest
    self.exponent = exponent
  }
}

extension InstructionSet {
  @export(implementation) @inline(__always)
  static func prepare<R: DampingRegime>(_ columns: SpringColumns, _ lane: Int, now: Doubles, _: R.Type) -> Prepared<
    Self
  > {
    let negativeAge = load(columns.start, lane) - now
    let (whole, rest) = R.phase(Self.self, rate: load(columns.rate, lane), negativeAge: negativeAge)
    return Prepared(whole: whole, rest: rest, exponent: load(columns.decay, lane) * narrow(negativeAge))
  }

  /// The factors of some lanes.
  @export(implementation) @inline(__always)
  static func factors<R: DampingRegime, O: Output>(
    _ columns: SpringColumns, _ lane: Int, _ prepared: Prepared<Self>, _: R.Type, _: O.Type
  ) -> LaneFactors<Self> {
    let decay = load(columns.decay, lane)
    // The sign bit of the decay marks lanes at rest.
    let envelope = unsafe clear(
      exp2OfNegative(prepared.exponent), whereNegative: unsafeBitCast(decay, to: Ints.self))
    // Unused where no velocity is asked for, and removed by the compiler.
    let κ = O.includesVelocity ? narrow(R.κ(Self.self, ofRate: load(columns.rate, lane))) : decay
    return R.factors(
      Self.self, whole: prepared.whole, rest: prepared.rest, envelope: envelope, κ: κ,
      minusα: decay * splat(-0.6931471805599453))
  }

  /// Evaluates every dimension of some lanes with the factors computed for them.
  @export(implementation) @inline(__always)
  static func finish<R: DampingRegime, O: Output, W: StoreWay>(
    _ columns: SpringColumns, _ lane: Int, _ prepared: Prepared<Self>, isScalar: Bool, _ regime: R.Type,
    _ output: O.Type, _ way: W.Type
  ) {
    let factors = factors(columns, lane, prepared, regime, output)
    var (element, start) = (lane, lane)
    for _ in 0..<(isScalar ? 1 : columns.dimensions) {
      apply(factors, to: columns, at: element, start: start, output, way)
      element &+= columns.dimensionStride
      start &+= columns.startStride
    }
  }

  /// Prepares one vector while it finishes the one before.
  @export(implementation) @inline(__always)
  static func shortLoop<R: DampingRegime, O: Output, W: StoreWay>(
    _ columns: SpringColumns, _ run: LaneRun, now: Double, isScalar: Bool, _ regime: R.Type, _ output: O.Type,
    _ way: W.Type
  ) {
    let now = Doubles(repeating: now)
    let width = Floats.scalarCount
    var lane = run.firstLane
    let last = run.firstLane &+ run.laneCount &- width
    guard lane <= last else { return }
    var next = prepare(columns, lane, now: now, regime)
    while lane < last {
      let prepared = next
      next = prepare(columns, lane &+ width, now: now, regime)
      finish(columns, lane, prepared, isScalar: isScalar, regime, output, way)
      lane &+= width
    }
    finish(columns, lane, next, isScalar: isScalar, regime, output, way)
  }

  /// Prepares two vectors while it finishes the two before.
  @export(implementation) @inline(__always)
  static func pipelinedLoop<R: DampingRegime, O: Output, W: StoreWay>(
    _ columns: SpringColumns, _ run: LaneRun, now: Double, isScalar: Bool, _ regime: R.Type, _ output: O.Type,
    _ way: W.Type
  ) {
    let now = Doubles(repeating: now)
    let width = Floats.scalarCount
    var lane = run.firstLane
    let end = run.firstLane &+ run.laneCount
    if run.laneCount >= 4 &* width {
      let last = end &- 4 &* width
      var a = prepare(columns, lane, now: now, regime)
      var b = prepare(columns, lane &+ width, now: now, regime)
      while lane <= last {
        let (c, d) = (a, b)
        a = prepare(columns, lane &+ 2 &* width, now: now, regime)
        b = prepare(columns, lane &+ 3 &* width, now: now, regime)
        finish(columns, lane, c, isScalar: isScalar, regime, output, way)
        finish(columns, lane &+ width, d, isScalar: isScalar, regime, output, way)
        lane &+= 2 &* width
      }
      finish(columns, lane, a, isScalar: isScalar, regime, output, way)
      finish(columns, lane &+ width, b, isScalar: isScalar, regime, output, way)
      lane &+= 2 &* width
    }
    while lane < end {
      let prepared = prepare(columns, lane, now: now, regime)
      finish(columns, lane, prepared, isScalar: isScalar, regime, output, way)
      lane &+= width
    }
  }

  /// Prepares a block, then finishes it.
  @export(implementation) @inline(__always)
  static func blockedLoop<R: DampingRegime, O: Output, W: StoreWay>(
    _ columns: SpringColumns, _ run: LaneRun, now: Double, isScalar: Bool, _ regime: R.Type, _ output: O.Type,
    _ way: W.Type
  ) {
    let now = Doubles(repeating: now)
    Block.withBlock { block in
      var lane = run.firstLane
      let end = run.firstLane &+ run.laneCount
      while lane < end {
        let count = end &- lane < laneCountOfBlock ? end &- lane : laneCountOfBlock
        var index = 0
        while index < count {
          block.store(prepare(columns, lane &+ index, now: now, regime), at: index)
          index &+= Floats.scalarCount
        }
        index = 0
        while index < count {
          finish(columns, lane &+ index, block.load(at: index), isScalar: isScalar, regime, output, way)
          index &+= Floats.scalarCount
        }
        lane &+= count
      }
    }
  }

  @export(implementation) @inline(__always)
  static func mixedLoop<R: DampingRegime, O: Output, W: StoreWay>(
    _ columns: SpringColumns, _ run: LaneRun, now: Double, isScalar: Bool, _ regime: R.Type, _ output: O.Type,
    _ way: W.Type
  ) {
    #if arch(wasm32)
      // Few registers, and code that is downloaded.
      shortLoop(columns, run, now: now, isScalar: isScalar, regime, output, way)
    #else
      if W.bypassesCache {
        blockedLoop(columns, run, now: now, isScalar: isScalar, regime, output, way)
      } else {
        pipelinedLoop(columns, run, now: now, isScalar: isScalar, regime, output, way)
      }
    #endif
  }

  /// A loop for one dimension, and another for more.
  @inline(never)
  @export(implementation)
  static func mixedLoops<R: DampingRegime, O: Output, W: StoreWay>(
    _ columns: SpringColumns, _ run: LaneRun, now: Double, _ regime: R.Type, _ output: O.Type, _ way: W.Type
  ) {
    if columns.dimensions == 1 {
      mixedLoop(columns, run, now: now, isScalar: true, regime, output, way)
    } else {
      mixedLoop(columns, run, now: now, isScalar: false, regime, output, way)
    }
  }

  @export(implementation) @inline(__always)
  static func evaluateMixed<R: DampingRegime, O: Output>(
    _ columns: SpringColumns, _ run: LaneRun, now: Double, _ regime: R.Type, _ output: O.Type
  ) {
    guard Quick.mayDoubt else {
      evaluateAll(columns, run, now: now, regime, output)
      return
    }
    var part = run
    let end = run.firstLane &+ run.laneCount
    while part.firstLane < end {
      part.laneCount = end &- part.firstLane < laneCountOfBlock ? end &- part.firstLane : laneCountOfBlock
      Quick.evaluateAll(columns, part, now: now, regime, output)
      if Quick.takeDoubts() { evaluateAll(columns, part, now: now, regime, output) }
      part.firstLane &+= part.laneCount
    }
  }

  @export(implementation) @inline(__always)
  static func evaluateAll<R: DampingRegime, O: Output>(
    _ columns: SpringColumns, _ run: LaneRun, now: Double, _ regime: R.Type, _ output: O.Type
  ) {
    if run.stores != .ordinary {
      mixedLoops(columns, run, now: now, regime, output, PastCaches.self)
    } else {
      mixedLoops(columns, run, now: now, regime, output, Ordinary.self)
    }
  }

  /// Evaluates a run of lanes that each have a spring and a start of their own, all of one regime: 20 bytes of traffic
  /// a track and 16 more a dimension, 20 with velocities.
  @export(implementation) @inline(__always)
  public static func evaluateMixed<R: DampingRegime>(
    _ columns: SpringColumns, _ run: LaneRun, now: Double, _ regime: R.Type, velocities: Bool
  ) {
    if velocities {
      evaluateMixed(columns, run, now: now, regime, ValueAndVelocity.self)
    } else {
      evaluateMixed(columns, run, now: now, regime, ValueOnly.self)
    }
  }
}
