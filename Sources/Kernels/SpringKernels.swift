// SPDX-License-Identifier: MIT
// The loops over lanes. Each walks one run of whole tiles.

extension InstructionSet {
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

  /// Applies bases of value (`c`, `s`) and velocity (`cv`, `sv`) to one vector of lanes in one dimension, whose displacement
  /// and amplitude are at `start` and whose other columns at `element`.
  @export(implementation) @inline(__always)
  static func apply<O: Output, W: StoreWay>(
    _ c: Floats, _ s: Floats, _ cv: Floats, _ sv: Floats, to columns: SpringColumns, at element: Int, start: Int,
    _: O.Type, _: W.Type
  ) {
    let y = load(columns.displacement, start)
    let a = load(columns.amplitude, start)
    // The target is added last, so there is one rounding at its magnitude, not two.
    W.store(
      Self.self, fusedMultiplyAdd(c, y, s * a) + load(columns.target, element), to: columns.value + element)
    if O.includesVelocity {
      // The inner sum makes −0 a plain 0, so that the velocity at rest has one sign.
      W.store(
        Self.self, fusedMultiplyAdd(cv, y, fusedMultiplyAdd(sv, a, Floats.zero)), to: columns.velocity + element)
    }
  }

  // MARK: - Cohorts

  /// Walks one dimension after the other, so the loop has only a handful of streams at a time.
  @export(implementation) @inline(__always)
  static func cohortLoop<O: Output, W: StoreWay>(
    _ columns: SpringColumns, _ run: LaneRun, _ basis: CohortBasis, _ output: O.Type, _ way: W.Type
  ) {
    let (c, s) = (splat(basis.valueOfDisplacement), splat(basis.valueOfAmplitude))
    let (cv, sv) = (splat(basis.velocityOfDisplacement), splat(basis.velocityOfAmplitude))
    var offset = run.firstLane
    // Moved from dimension to dimension, so that one index serves all columns.
    var columns = columns
    for _ in 0..<columns.dimensions {
      var element = offset
      let end = offset &+ run.laneCount
      while element < end {
        apply(c, s, cv, sv, to: columns, at: element, start: element, output, way)
        element &+= Floats.scalarCount
      }
      offset &+= columns.dimensionStride
      columns.moveStarts()
    }
  }

  @export(implementation) @inline(__always)
  static func evaluateCohort<O: Output>(
    _ columns: SpringColumns, _ run: LaneRun, _ basis: CohortBasis, _ output: O.Type
  ) {
    switch run.stores {
    case .ordinary: cohortLoop(columns, run, basis, output, Ordinary.self)
    case .pastCachesByHalves: cohortLoop(columns, run, basis, output, PastCachesByHalves.self)
    case .pastCaches: cohortLoop(columns, run, basis, output, PastCaches.self)
    }
  }

  /// Evaluates a run of a cohort: 16 bytes of traffic a track and dimension, 20 with velocities.
  @export(implementation) @inline(__always)
  public static func evaluateCohort(_ columns: SpringColumns, _ run: LaneRun, _ basis: CohortBasis, velocities: Bool) {
    if velocities {
      evaluateCohort(columns, run, basis, ValueAndVelocity.self)
    } else {
      evaluateCohort(columns, run, basis, ValueOnly.self)
    }
  }

  // MARK: - Shared tiles

  @export(implementation) @inline(__always)
  static func sharedLoop<O: Output>(
    _ columns: SpringColumns, _ run: LaneRun, _ bases: ConstantColumn<CohortBasis>, _ output: O.Type
  ) {
    // A basis is a record of four numbers.
    let numbers = bases.rebound(to: Float.self)
    var lane = run.firstLane
    let end = run.firstLane &+ run.laneCount
    while lane < end {
      let members = columns.member.lanes(at: lane, as: Ints.self)
      let basis = records(numbers, members)
      var (element, start) = (lane, lane)
      for _ in 0..<columns.dimensions {
        apply(basis.x, basis.y, basis.z, basis.w, to: columns, at: element, start: start, output, Ordinary.self)
        element &+= columns.dimensionStride
        start &+= columns.startStride
      }
      lane &+= Floats.scalarCount
    }
  }

  /// Evaluates a run of tiles whose lanes name the bases that they follow, with the same bits as a run of each cohort.
  @export(implementation) @inline(__always)
  public static func evaluateShared(
    _ columns: SpringColumns, _ run: LaneRun, _ bases: ConstantColumn<CohortBasis>, velocities: Bool
  ) {
    if velocities {
      sharedLoop(columns, run, bases, ValueAndVelocity.self)
    } else {
      sharedLoop(columns, run, bases, ValueOnly.self)
    }
  }
}
