// SPDX-License-Identifier: MIT
// The loops over lanes. Each walks one run of whole tiles.

extension InstructionSet {
  /// Calls `body` for each dimension of some lanes; there is one at least.
  ///
  /// Each of four dimensions has instructions of its own. A processor foresees what an instruction reads from what it has
  /// read before, and columns that take turns mislead it: with two dimensions, springs that no cache has any more take 2.1 ns a
  /// track in a plain loop, and 1.2 in this one (100 000 springs, Zen 5).
  @export(implementation) @inline(__always)
  static func forEachDimension(_ count: Int, _ body: () -> Void) {
    var left = count
    @inline(__always)
    func turn() -> Bool {
      body()
      left &-= 1
      return left > 0
    }
    if isShort { while turn() {} } else { while turn() && turn() && turn() && turn() {} }
  }

  @export(implementation) @inline(__always)
  static func load(_ column: Column<Float>, _ lane: Int) -> Floats {
    #if arch(wasm32)
      // The compiler loads a vector of Floats that may be unaligned in two halves.
      return unsafe unsafeBitCast(column.rebound(to: Int32.self).lanes(at: lane, as: Ints.self), to: Floats.self)
    #else
      return column.lanes(at: lane)
    #endif
  }

  @export(implementation) @inline(__always)
  static func load(_ column: Column<Double>, _ lane: Int) -> Doubles { column.lanes(at: lane) }

  @export(implementation) @inline(__always)
  static func load(_ column: Column<Int32>, _ lane: Int) -> Ints { column.lanes(at: lane) }

  @export(implementation) @inline(__always)
  static func load(_ column: ConstantColumn<Float>, _ lane: Int) -> Floats { column.lanes(at: lane) }

  @export(implementation) @inline(__always)
  static func load(_ column: ConstantColumn<Double>, _ lane: Int) -> Doubles { column.lanes(at: lane) }

  /// `a`, or 0 where a lane of `gone` has all its bits set.
  @export(implementation) @inline(__always)
  static func clear(_ a: Floats, where gone: Ints) -> Floats {
    unsafe unsafeBitCast(unsafeBitCast(a, to: Ints.self) & ~gone, to: Floats.self)
  }

  /// Applies factors to one vector of lanes in one dimension, whose displacement and amplitude are at `start` and whose
  /// other columns at `element`.
  @export(implementation) @inline(__always)
  static func apply<O: Output, W: StoreWay>(
    _ factors: LaneFactors<Self>, to columns: SpringColumns, at element: Int, start: Int, _: O.Type, _: W.Type
  ) {
    let y = load(columns.displacement, start)
    let a = load(columns.amplitude, start)
    // The target is added last, so there is one rounding at its magnitude, not two.
    let position = fusedMultiplyAdd(factors.value.ofDisplacement, y, factors.value.ofAmplitude * a)
    W.store(Self.self, position + load(columns.target, element), to: columns.value + element)
    if O.includesVelocity {
      // The inner sum makes −0 a plain 0, so that the velocity at rest has one sign.
      let velocity = fusedMultiplyAdd(
        factors.velocity.ofDisplacement, y, fusedMultiplyAdd(factors.velocity.ofAmplitude, a, Floats.zero))
      W.store(Self.self, velocity, to: columns.velocity + element)
    }
  }

  // MARK: - Uniform runs

  /// Walks one dimension after the other, so the loop has only a handful of streams at a time.
  @export(implementation) @inline(__always)
  static func uniformLoop<O: Output, W: StoreWay>(
    _ columns: SpringColumns, _ run: LaneRun, as lane: Int, now: Double, _ output: O.Type,
    _ way: W.Type
  ) {
    // The same operations as in the lanes of a mixed run, on one spring in all lanes.
    let (start, rate) = (splatDouble(columns.start[lane]), splatDouble(columns.rate[lane]))
    let (decay, now) = (splat(columns.decay[lane]), splatDouble(now))
    let prepared = prepare(start: start, rate: rate, decay: decay, now: now)
    let factors = factors(start: start, rate: rate, decay: decay, prepared, now: now, output)
    var offset = run.firstLane
    // Moved from dimension to dimension, so that one index serves all columns.
    var columns = columns
    for _ in 0..<columns.dimensions {
      var element = offset
      let end = offset &+ run.laneCount
      while element < end {
        apply(factors, to: columns, at: element, start: element, output, way)
        element &+= Floats.scalarCount
      }
      offset &+= columns.dimensionStride
      columns.moveStarts()
    }
  }

  @export(implementation) @inline(__always)
  static func evaluateUniform<O: Output>(
    _ columns: SpringColumns, _ run: LaneRun, as lane: Int, now: Double, _ output: O.Type
  ) {
    switch run.stores {
    case .ordinary: uniformLoop(columns, run, as: lane, now: now, output, Ordinary.self)
    case .pastCaches: uniformLoop(columns, run, as: lane, now: now, output, PastCaches.self)
    }
  }

  /// Evaluates a run whose lanes with a track all have the spring and the start of one of them, and none of which is at
  /// rest: 16 bytes of traffic a track and dimension, 20 with velocities. The bits are those of ``evaluateMixed``.
  @export(implementation) @inline(__always)
  public static func evaluateUniform(
    _ columns: SpringColumns, _ run: LaneRun, as lane: Int, now: Double, velocities: Bool
  ) {
    if velocities {
      evaluateUniform(columns, run, as: lane, now: now, ValueAndVelocity.self)
    } else {
      evaluateUniform(columns, run, as: lane, now: now, ValueOnly.self)
    }
  }
}
