// SPDX-License-Identifier: MIT
// The loops over lanes. Each walks one run of whole tiles.

extension InstructionSet {
  @inlinable @inline(__always)
  static func load(_ column: UnsafeMutablePointer<Float>, _ lane: Int) -> Floats {
    UnsafeRawPointer(column + lane).loadUnaligned(as: Floats.self)
  }

  @inlinable @inline(__always)
  static func load(_ column: UnsafeMutablePointer<Double>, _ lane: Int) -> Doubles {
    UnsafeRawPointer(column + lane).loadUnaligned(as: Doubles.self)
  }

  /// All bits of a lane set where its group is `group`.
  @inlinable @inline(__always)
  static func lanes(_ column: UnsafeMutablePointer<Int32>, _ lane: Int, inGroup group: Ints) -> Ints {
    let difference = UnsafeRawPointer(column + lane).loadUnaligned(as: Ints.self) ^ group
    let differs = (difference | (Ints(repeating: 0) &- difference)) &>> Ints(repeating: 31)
    return ~differs
  }

  /// Applies a basis to the displacement and initial velocity of one vector of lanes, in one dimension.
  @inlinable @inline(__always)
  static func apply<O: Output, W: StoreWay>(
    _ basis: LaneBasis<Self>, to columns: SpringColumns, at element: Int, mask: Ints, _: O.Type, _: W.Type
  ) {
    let y = load(columns.displacement, element)
    let v = load(columns.initialVelocity, element)
    // The target comes last: at its magnitude there is one rounding, not two.
    let value = fusedMultiplyAdd(basis.φ0, y, basis.φ1 * v) + load(columns.target, element)
    W.store(Self.self, value, to: columns.value + element, mask: mask)
    if O.includesVelocity {
      let velocity = fusedMultiplyAdd(basis.ψ0, y, basis.ψ1 * v)
      W.store(Self.self, velocity, to: columns.velocity + element, mask: mask)
    }
  }

  /// Walks one dimension after the other: a handful of streams at a time, and nothing but them in the loop.
  @inlinable @inline(__always)
  static func cohortLoop<O: Output, W: StoreWay>(
    _ columns: SpringColumns, _ run: LaneRun, _ basis: LaneBasis<Self>, _ output: O.Type, _ way: W.Type
  ) {
    let group = Ints(repeating: run.onlyGroup ?? 0)
    let end = run.firstLane &+ run.laneCount
    var offset = 0
    for _ in 0..<columns.dimensions {
      var lane = run.firstLane
      while lane < end {
        let mask = W.isMasked ? lanes(columns.group, lane, inGroup: group) : group
        apply(basis, to: columns, at: lane &+ offset, mask: mask, output, way)
        lane &+= Floats.scalarCount
      }
      offset &+= columns.dimensionStride
    }
  }

  /// Walks the lanes once and serves every dimension of a lane with the basis computed for it.
  @inlinable @inline(__always)
  static func mixedLoop<R: DampingRegime, O: Output, W: StoreWay>(
    _ columns: SpringColumns, _ run: LaneRun, now: Double, isScalar: Bool, _: R.Type, _ output: O.Type, _ way: W.Type
  ) {
    let group = Ints(repeating: run.onlyGroup ?? 0)
    let now = Doubles(repeating: now)
    var lane = run.firstLane
    let end = run.firstLane &+ run.laneCount
    while lane < end {
      let decay = load(columns.decay, lane)
      let basis = R.basis(
        Self.self, age: now - load(columns.start, lane), rate: load(columns.rate, lane), decay: decay,
        inverseRate: load(columns.inverseRate, lane),
        // Dead, and removed by the compiler, where no velocity is asked for.
        stiffness: O.includesVelocity ? load(columns.stiffness, lane) : decay)
      let mask = W.isMasked ? lanes(columns.group, lane, inGroup: group) : group
      apply(basis, to: columns, at: lane, mask: mask, output, way)
      if !isScalar {
        var element = lane
        for _ in 1..<columns.dimensions {
          element &+= columns.dimensionStride
          apply(basis, to: columns, at: element, mask: mask, output, way)
        }
      }
      lane &+= Floats.scalarCount
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
  static func evaluateCohort<O: Output>(
    _ columns: SpringColumns, _ run: LaneRun, _ basis: LaneBasis<Self>, _ output: O.Type
  ) {
    if run.onlyGroup != nil {
      cohortLoop(columns, run, basis, output, Masked.self)
    } else if run.bypassesCache {
      cohortLoop(columns, run, basis, output, PastCaches.self)
      fence()
    } else {
      cohortLoop(columns, run, basis, output, Ordinary.self)
    }
  }

  @inlinable @inline(__always)
  static func evaluateMixed<R: DampingRegime, O: Output>(
    _ columns: SpringColumns, _ run: LaneRun, now: Double, _ regime: R.Type, _ output: O.Type
  ) {
    if run.onlyGroup != nil {
      mixedLoops(columns, run, now: now, regime, output, Masked.self)
    } else if run.bypassesCache {
      mixedLoops(columns, run, now: now, regime, output, PastCaches.self)
      fence()
    } else {
      mixedLoops(columns, run, now: now, regime, output, Ordinary.self)
    }
  }

  /// Evaluates a run of a cohort: 16 bytes of traffic a track and dimension, 20 with velocities.
  @inlinable @inline(__always)
  public static func evaluateCohort(_ columns: SpringColumns, _ run: LaneRun, _ basis: CohortBasis, velocities: Bool) {
    let basis = LaneBasis<Self>(
      φ0: splat(basis.valueOfDisplacement), φ1: splat(basis.valueOfVelocity),
      ψ0: splat(basis.velocityOfDisplacement), ψ1: splat(basis.velocityOfVelocity))
    if velocities {
      evaluateCohort(columns, run, basis, ValueAndVelocity.self)
    } else {
      evaluateCohort(columns, run, basis, ValueOnly.self)
    }
  }

  /// Evaluates a run of lanes that each have a spring and a start of their own, all of one regime: 24 bytes of traffic
  /// a track and 16 more a dimension; with velocities 28, and 20 more.
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
