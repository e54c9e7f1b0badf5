// SPDX-License-Identifier: MIT
// Lanes that each have a spring and a start of their own. First their Doubles become a phase and an exponent, then
// these become values. In one body the chain of both steps is longer than a core can look ahead, so the steps are
// separate. With the columns in a cache, one vector is prepared while the one before is finished. Beyond the caches a
// block is prepared and then finished, as fewer columns at a time suit the prefetchers.

/// Lanes of a block: its state between the two walks stays in the first cache, and its parts of columns are long enough
/// to be prefetched.
@export(implementation) var laneCountOfBlock: Int { @inline(__always) get { 128 } }

/// The state of the lanes of a block between the two walks.
@usableFromInline struct Block {
  @usableFromInline let quarters: Column<Int32>
  @usableFromInline let rests: Column<Float>
  @usableFromInline let exponents: Column<Float>

  /// Lends the memory for a block.
  @export(implementation) @inline(__always)
  static func withBlock(_ body: (Block) -> Void) {
    withLine { quarters in
      withLine { rests in
        withLine { exponents in
          body(
            Block(
              quarters: quarters.rebound(to: Int32.self), rests: rests.rebound(to: Float.self),
              exponents: exponents.rebound(to: Float.self)))
        }
      }
    }
  }

  @export(implementation) @inline(__always)
  func store<I: InstructionSet>(_ prepared: Prepared<I>, at index: Int) {
    quarters.store(prepared.quarters, at: index)
    rests.store(prepared.rest, at: index)
    exponents.store(prepared.exponent, at: index)
  }

  @export(implementation) @inline(__always)
  func load<I: InstructionSet>(at index: Int) -> Prepared<I> {
    Prepared(
      quarters: quarters.lanes(at: index, as: I.Ints.self),
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
    quarters: Column<Int32>, rests: Column<Float>, exponents: Column<Float>
  ) {
    self.quarters = quarters
    self.rests = rests
    self.exponents = exponents
  }
}

/// The state of some lanes after the first step, without their Doubles. Phases are those of lanes that oscillate.
@usableFromInline struct Prepared<I: InstructionSet> {
  @usableFromInline let quarters: I.Ints
  @usableFromInline let rest: I.Floats
  @usableFromInline let exponent: I.Floats

  @export(implementation) @inline(__always)
  init(quarters: I.Ints, rest: I.Floats, exponent: I.Floats) {
    self.quarters = quarters
    self.rest = rest
    self.exponent = exponent
  }
}

extension InstructionSet {
  @export(implementation) @inline(__always)
  static func prepare(start: Doubles, rate: Doubles, decay: Floats, now: Doubles) -> Prepared<Self> {
    let negativeAge = start - now
    let (quarters, rest) = phase(rate: rate, negativeAge: negativeAge)
    return Prepared(quarters: quarters, rest: rest, exponent: decay * narrow(negativeAge))
  }

  /// The factors of some lanes, which are 0 at rest.
  ///
  /// - Parameter start: Asked for by overdamped springs only.
  @export(implementation) @inline(__always)
  static func factors<O: Output>(
    start: @autoclosure () -> Doubles, rate: Doubles, decay: Floats, _ prepared: Prepared<Self>, now: Doubles, _: O.Type
  ) -> LaneFactors<Self> {
    // The sign bit of the decay marks lanes at rest.
    let envelope = unsafe clear(
      exp2OfNegative(prepared.exponent), whereNegative: unsafeBitCast(decay, to: Ints.self))
    let minusα = decay * splat(-0.6931471805599453)
    let overdamped = positives(rate)
    #if !arch(wasm32)
      // Code for the web is downloaded, and has each formula once.
      if overdamped == 1 &<< UInt32(Floats.scalarCount) &- 1 { return overdampedFactors() }
    #endif
    let oscillating = oscillatingFactors(
      quarters: prepared.quarters, rest: prepared.rest, envelope: envelope, κ: κ(κPerRate.oscillating), minusα: minusα)
    guard overdamped != 0 else { return oscillating }
    return overdampedFactors().blended(truncate(Self.overdamped(rate)), oscillating)

    /// Only velocities ask for κ.
    @inline(__always)
    func κ(_ perRate: Doubles) -> Floats { O.includesVelocity ? narrow(rate * perRate) : decay }

    @inline(__always)
    func overdampedFactors() -> LaneFactors<Self> {
      Self.overdampedFactors(
        phase: narrow(rate * (start() - now)), envelope: envelope, κ: κ(κPerRate.overdamped), minusα: minusα)
    }
  }

  @export(implementation) @inline(__always)
  static func prepare(_ columns: SpringColumns, _ lane: Int, now: Doubles) -> Prepared<Self> {
    prepare(
      start: load(columns.start, lane), rate: load(columns.rate, lane), decay: load(columns.decay, lane), now: now)
  }

  /// Evaluates every dimension of some lanes with the factors computed for them.
  @export(implementation) @inline(__always)
  static func finish<O: Output, W: StoreWay>(
    _ columns: SpringColumns, _ lane: Int, _ prepared: Prepared<Self>, now: Doubles, isScalar: Bool,
    _ output: O.Type, _ way: W.Type
  ) {
    let factors = factors(
      start: load(columns.start, lane), rate: load(columns.rate, lane), decay: load(columns.decay, lane), prepared,
      now: now, output)
    if isScalar { return apply(factors, to: columns, at: lane, start: lane, output, way) }
    var (element, start) = (lane, lane)
    forEachDimension(columns.dimensions) {
      apply(factors, to: columns, at: element, start: start, output, way)
      element &+= columns.dimensionStride
      start &+= columns.startStride
    }
  }

  /// Prepares one vector while it finishes the one before.
  @export(implementation) @inline(__always)
  static func shortLoop<O: Output, W: StoreWay>(
    _ columns: SpringColumns, _ run: LaneRun, now: Double, isScalar: Bool, _ output: O.Type,
    _ way: W.Type
  ) {
    let now = Doubles(repeating: now)
    let width = Floats.scalarCount
    var lane = run.firstLane
    let last = run.firstLane &+ run.laneCount &- width
    guard lane <= last else { return }
    var next = prepare(columns, lane, now: now)
    while lane < last {
      let prepared = next
      next = prepare(columns, lane &+ width, now: now)
      finish(columns, lane, prepared, now: now, isScalar: isScalar, output, way)
      lane &+= width
    }
    finish(columns, lane, next, now: now, isScalar: isScalar, output, way)
  }

  /// Prepares two vectors while it finishes the two before.
  @export(implementation) @inline(__always)
  static func pipelinedLoop<O: Output, W: StoreWay>(
    _ columns: SpringColumns, _ run: LaneRun, now: Double, isScalar: Bool, _ output: O.Type,
    _ way: W.Type
  ) {
    let now = Doubles(repeating: now)
    let width = Floats.scalarCount
    var lane = run.firstLane
    let end = run.firstLane &+ run.laneCount
    if run.laneCount >= 4 &* width {
      let last = end &- 4 &* width
      var a = prepare(columns, lane, now: now)
      var b = prepare(columns, lane &+ width, now: now)
      while lane <= last {
        let (c, d) = (a, b)
        a = prepare(columns, lane &+ 2 &* width, now: now)
        b = prepare(columns, lane &+ 3 &* width, now: now)
        finish(columns, lane, c, now: now, isScalar: isScalar, output, way)
        finish(columns, lane &+ width, d, now: now, isScalar: isScalar, output, way)
        lane &+= 2 &* width
      }
      finish(columns, lane, a, now: now, isScalar: isScalar, output, way)
      finish(columns, lane &+ width, b, now: now, isScalar: isScalar, output, way)
      lane &+= 2 &* width
    }
    while lane < end {
      let prepared = prepare(columns, lane, now: now)
      finish(columns, lane, prepared, now: now, isScalar: isScalar, output, way)
      lane &+= width
    }
  }

  /// Prepares a block, then finishes it.
  @export(implementation) @inline(__always)
  static func blockedLoop<O: Output, W: StoreWay>(
    _ columns: SpringColumns, _ run: LaneRun, now: Double, isScalar: Bool, _ output: O.Type,
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
          block.store(prepare(columns, lane &+ index, now: now), at: index)
          index &+= Floats.scalarCount
        }
        index = 0
        while index < count {
          finish(columns, lane &+ index, block.load(at: index), now: now, isScalar: isScalar, output, way)
          index &+= Floats.scalarCount
        }
        lane &+= count
      }
    }
  }

  @export(implementation) @inline(__always)
  static func mixedLoop<O: Output, W: StoreWay>(
    _ columns: SpringColumns, _ run: LaneRun, now: Double, isScalar: Bool, _ output: O.Type,
    _ way: W.Type
  ) {
    if isShort {
      shortLoop(columns, run, now: now, isScalar: isScalar, output, way)
    } else if W.bypassesCache {
      blockedLoop(columns, run, now: now, isScalar: isScalar, output, way)
    } else {
      pipelinedLoop(columns, run, now: now, isScalar: isScalar, output, way)
    }
  }

  /// A loop for one dimension, and another for more; one for both where code is to be short.
  @inline(never)
  @export(implementation)
  static func mixedLoops<O: Output, W: StoreWay>(
    _ columns: SpringColumns, _ run: LaneRun, now: Double, _ output: O.Type, _ way: W.Type
  ) {
    if !isShort, columns.dimensions == 1 { return mixedLoop(columns, run, now: now, isScalar: true, output, way) }
    mixedLoop(columns, run, now: now, isScalar: false, output, way)
  }

  @export(implementation) @inline(__always)
  static func evaluateMixed<O: Output>(
    _ columns: SpringColumns, _ run: LaneRun, now: Double, _ output: O.Type
  ) {
    guard Quick.mayDoubt else {
      evaluateAll(columns, run, now: now, output)
      return
    }
    var part = run
    let end = run.firstLane &+ run.laneCount
    while part.firstLane < end {
      part.laneCount = end &- part.firstLane < laneCountOfBlock ? end &- part.firstLane : laneCountOfBlock
      Quick.evaluateAll(columns, part, now: now, output)
      if Quick.takeDoubts() { evaluateAll(columns, part, now: now, output) }
      part.firstLane &+= part.laneCount
    }
  }

  @export(implementation) @inline(__always)
  static func evaluateAll<O: Output>(
    _ columns: SpringColumns, _ run: LaneRun, now: Double, _ output: O.Type
  ) {
    if run.stores != .ordinary {
      mixedLoops(columns, run, now: now, output, PastCaches.self)
    } else {
      mixedLoops(columns, run, now: now, output, Ordinary.self)
    }
  }

  /// Evaluates a run of lanes that each have a spring and a start of their own, in both regimes: 20 bytes of traffic
  /// a track and 16 more a dimension, 20 with velocities.
  @export(implementation) @inline(__always)
  public static func evaluateMixed(
    _ columns: SpringColumns, _ run: LaneRun, now: Double, velocities: Bool
  ) {
    if velocities {
      evaluateMixed(columns, run, now: now, ValueAndVelocity.self)
    } else {
      evaluateMixed(columns, run, now: now, ValueOnly.self)
    }
  }
}
