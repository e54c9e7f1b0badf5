// SPDX-License-Identifier: MIT
// Lanes that each have a spring and a start of their own. A run is walked in blocks, and each block twice: first the
// Doubles become a phase and an exponent, then these become values. In one body the two are more than a core can look
// ahead over, and more streams than it can prefetch: the two walks are a third faster in cache, and more beyond.

/// Lanes of a block: what is kept between the two walks stays in the first cache, and its rows of columns are long enough
/// to be prefetched.
@inlinable var laneCountOfBlock: Int { @inline(__always) get { 128 } }

/// What is kept of the lanes of a block between the two walks.
@usableFromInline struct Block {
  @usableFromInline let wholes: UnsafeMutablePointer<Int32>
  @usableFromInline let rests: UnsafeMutablePointer<Float>
  @usableFromInline let exponents: UnsafeMutablePointer<Float>

  /// Lends the memory for a block.
  @inlinable @inline(__always)
  static func withBlock(_ body: (Block) -> Void) {
    withLine { wholes in
      withLine { rests in
        withLine { exponents in
          body(
            Block(
              wholes: wholes.assumingMemoryBound(to: Int32.self), rests: rests.assumingMemoryBound(to: Float.self),
              exponents: exponents.assumingMemoryBound(to: Float.self)))
        }
      }
    }
  }

  /// Four bytes for each lane, aligned to 64. Up to 1 024 bytes of the system's own alignment are on the stack.
  @inlinable @inline(__always)
  static func withLine(_ body: (UnsafeMutableRawPointer) -> Void) {
    withUnsafeTemporaryAllocation(byteCount: 4 &* laneCountOfBlock &+ 64, alignment: 16) { memory in
      body(memory.baseAddress.unsafelyUnwrapped.alignedUp(toMultipleOf: 64))
    }
  }

  @inlinable @inline(__always)
  init(
    wholes: UnsafeMutablePointer<Int32>, rests: UnsafeMutablePointer<Float>, exponents: UnsafeMutablePointer<Float>
  ) {
    self.wholes = wholes
    self.rests = rests
    self.exponents = exponents
  }
}

extension InstructionSet {
  @inlinable @inline(__always)
  static func prepare<R: DampingRegime>(
    _ columns: SpringColumns, _ lanes: Range<Int>, now: Double, _ block: Block, _: R.Type
  ) {
    let now = Doubles(repeating: now)
    var lane = lanes.lowerBound
    var index = 0
    while lane < lanes.upperBound {
      let negativeAge = load(columns.start, lane) - now
      let (whole, rest) = R.phase(Self.self, rate: load(columns.rate, lane), negativeAge: negativeAge)
      UnsafeMutableRawPointer(block.wholes + index).storeBytes(of: whole, as: Ints.self)
      UnsafeMutableRawPointer(block.rests + index).storeBytes(of: rest, as: Floats.self)
      let exponent = load(columns.decay, lane) * narrow(negativeAge)
      UnsafeMutableRawPointer(block.exponents + index).storeBytes(of: exponent, as: Floats.self)
      lane &+= Floats.scalarCount
      index &+= Floats.scalarCount
    }
  }

  /// Serves every dimension of a lane with the basis computed for it.
  @inlinable @inline(__always)
  static func finish<R: DampingRegime, O: Output, W: StoreWay>(
    _ columns: SpringColumns, _ lanes: Range<Int>, isScalar: Bool, _ block: Block, _: R.Type, _: O.Type, _: W.Type
  ) {
    var lane = lanes.lowerBound
    var index = 0
    while lane < lanes.upperBound {
      let decay = load(columns.decay, lane)
      let atRest = unsafeBitCast(decay, to: Ints.self) &>> Ints(repeating: 31)
      let basis = R.basis(
        Self.self, whole: UnsafeRawPointer(block.wholes + index).loadUnaligned(as: Ints.self),
        rest: load(block.rests, index), envelope: exp2OfNegative(load(block.exponents, index)))
      let envelope = clear(basis.envelope, where: atRest)
      // Dead, and removed by the compiler, where no velocity is asked for.
      let κ = O.includesVelocity ? narrow(R.κ(Self.self, ofRate: load(columns.rate, lane))) : decay
      let minusα = decay * splat(-0.6931471805599453)
      var element = lane
      for _ in 0..<(isScalar ? 1 : columns.dimensions) {
        let y = load(columns.displacement, element)
        let a = load(columns.amplitude, element)
        let position = R.position(basis, y, a)
        // The target comes last: at its magnitude there is one rounding.
        let value = fusedMultiplyAdd(envelope, position, load(columns.target, element))
        W.store(Self.self, value, to: columns.value + element)
        if O.includesVelocity {
          let velocity = fusedMultiplyAdd(κ, R.turned(basis, y, a), minusα * position)
          // The sum makes −0 a plain 0, so that the velocity at rest has one sign.
          W.store(Self.self, fusedMultiplyAdd(envelope, velocity, Floats.zero), to: columns.velocity + element)
        }
        element &+= columns.dimensionStride
      }
      lane &+= Floats.scalarCount
      index &+= Floats.scalarCount
    }
  }

  @inlinable @inline(__always)
  static func mixedLoop<R: DampingRegime, O: Output, W: StoreWay>(
    _ columns: SpringColumns, _ run: LaneRun, now: Double, isScalar: Bool, _ regime: R.Type, _ output: O.Type,
    _ way: W.Type
  ) {
    Block.withBlock { block in
      var lane = run.firstLane
      let end = run.firstLane &+ run.laneCount
      while lane < end {
        let next = lane &+ laneCountOfBlock
        let lanes = Range(uncheckedBounds: (lane, next < end ? next : end))
        prepare(columns, lanes, now: now, block, regime)
        finish(columns, lanes, isScalar: isScalar, block, regime, output, way)
        lane = next
      }
    }
  }

  /// One loop where there is one dimension, another where there are more.
  @inline(never)
  @inlinable
  static func mixedLoops<R: DampingRegime, O: Output, W: StoreWay>(
    _ columns: SpringColumns, _ run: LaneRun, now: Double, _ regime: R.Type, _ output: O.Type, _ way: W.Type
  ) {
    if columns.dimensions == 1 {
      mixedLoop(columns, run, now: now, isScalar: true, regime, output, way)
    } else {
      mixedLoop(columns, run, now: now, isScalar: false, regime, output, way)
    }
  }

  @inlinable @inline(__always)
  static func evaluateMixed<R: DampingRegime, O: Output>(
    _ columns: SpringColumns, _ run: LaneRun, now: Double, _ regime: R.Type, _ output: O.Type
  ) {
    if run.bypassesCache {
      mixedLoops(columns, run, now: now, regime, output, PastCaches.self)
      fence()
    } else {
      mixedLoops(columns, run, now: now, regime, output, Ordinary.self)
    }
  }

  /// Evaluates a run of lanes that each have a spring and a start of their own, all of one regime: 20 bytes of traffic
  /// a track and 16 more a dimension, 20 with velocities.
  @inlinable @inline(__always)
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
