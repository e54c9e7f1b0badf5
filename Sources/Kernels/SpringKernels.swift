// SPDX-License-Identifier: MIT
// The loops over lanes. Each walks one run of whole tiles; loop bodies exist once and are inlined with constant
// flags, so the inner loops carry no test of them.

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

  /// Stores `new` at `lane`; with `masked`, only in the lanes of `mask`.
  @inlinable @inline(__always)
  static func store(
    _ new: Floats, _ column: UnsafeMutablePointer<Float>, _ lane: Int, masked: Bool, mask: Ints
  ) {
    var result = new
    if masked {
      let old = unsafeBitCast(load(column, lane), to: Ints.self)
      result = unsafeBitCast(old ^ ((old ^ unsafeBitCast(new, to: Ints.self)) & mask), to: Floats.self)
    }
    UnsafeMutableRawPointer(column + lane).storeBytes(of: result, as: Floats.self)
  }

  /// Applies a basis to the displacement and initial velocity of one vector of lanes, in every dimension.
  @inlinable @inline(__always)
  static func apply(
    _ basis: LaneBasis<Self>, to columns: SpringColumns, at lane: Int, velocities: Bool, masked: Bool, mask: Ints
  ) {
    var row = lane
    for _ in 0..<columns.dimensions {
      let y = load(columns.displacement, row)
      let v = load(columns.initialVelocity, row)
      // The target comes last: at its magnitude there is one rounding, not two.
      let value = fusedMultiplyAdd(basis.φ0, y, basis.φ1 * v) + load(columns.target, row)
      store(value, columns.value, row, masked: masked, mask: mask)
      if velocities {
        let velocity = fusedMultiplyAdd(basis.ψ0, y, basis.ψ1 * v)
        store(velocity, columns.velocity, row, masked: masked, mask: mask)
      }
      row &+= columns.dimensionStride
    }
  }

  @inlinable @inline(__always)
  static func cohortLoop(
    _ columns: SpringColumns, _ run: LaneRun, _ basis: LaneBasis<Self>, velocities: Bool, masked: Bool
  ) {
    let group = Ints(repeating: run.onlyGroup ?? 0)
    var lane = run.firstLane
    let end = run.firstLane &+ run.laneCount
    while lane < end {
      let mask = masked ? lanes(columns.group, lane, inGroup: group) : group
      apply(basis, to: columns, at: lane, velocities: velocities, masked: masked, mask: mask)
      lane &+= Floats.scalarCount
    }
  }

  @inlinable @inline(__always)
  static func mixedLoop(
    _ columns: SpringColumns, _ run: LaneRun, now: Double, oscillating: Bool, velocities: Bool, masked: Bool
  ) {
    let group = Ints(repeating: run.onlyGroup ?? 0)
    let now = Doubles(repeating: now)
    var lane = run.firstLane
    let end = run.firstLane &+ run.laneCount
    while lane < end {
      let age = now - load(columns.start, lane)
      let rate = load(columns.rate, lane)
      let decay = load(columns.decay, lane)
      let inverseRate = load(columns.inverseRate, lane)
      // Dead, and removed by the compiler, where no velocity is asked for.
      let stiffness = velocities ? load(columns.stiffness, lane) : decay
      let basis =
        oscillating
        ? oscillatingBasis(age: age, rate: rate, decay: decay, inverseRate: inverseRate, stiffness: stiffness)
        : overdampedBasis(age: age, rate: rate, decay: decay, inverseRate: inverseRate, stiffness: stiffness)
      let mask = masked ? lanes(columns.group, lane, inGroup: group) : group
      apply(basis, to: columns, at: lane, velocities: velocities, masked: masked, mask: mask)
      lane &+= Floats.scalarCount
    }
  }

  /// Evaluates a run of a cohort: 4 floats of traffic a track and dimension (5 with velocities), 2 (4) products.
  @inlinable @inline(__always)
  public static func evaluateCohort(
    _ columns: SpringColumns, _ run: LaneRun, _ basis: CohortBasis, velocities: Bool
  ) {
    let basis = LaneBasis<Self>(
      φ0: splat(basis.valueOfDisplacement), φ1: splat(basis.valueOfVelocity),
      ψ0: splat(basis.velocityOfDisplacement), ψ1: splat(basis.velocityOfVelocity))
    switch (velocities, run.onlyGroup != nil) {
    case (false, false): cohortLoop(columns, run, basis, velocities: false, masked: false)
    case (true, false): cohortLoop(columns, run, basis, velocities: true, masked: false)
    case (false, true): cohortLoop(columns, run, basis, velocities: false, masked: true)
    case (true, true): cohortLoop(columns, run, basis, velocities: true, masked: true)
    }
  }

  /// Evaluates a run of lanes that each have a spring and a start of their own, all of one regime.
  @inlinable @inline(__always)
  public static func evaluateMixed(
    _ columns: SpringColumns, _ run: LaneRun, now: Double, oscillating: Bool, velocities: Bool
  ) {
    switch (velocities, run.onlyGroup != nil) {
    case (false, false):
      mixedLoop(columns, run, now: now, oscillating: oscillating, velocities: false, masked: false)
    case (true, false):
      mixedLoop(columns, run, now: now, oscillating: oscillating, velocities: true, masked: false)
    case (false, true):
      mixedLoop(columns, run, now: now, oscillating: oscillating, velocities: false, masked: true)
    case (true, true):
      mixedLoop(columns, run, now: now, oscillating: oscillating, velocities: true, masked: true)
    }
  }
}
