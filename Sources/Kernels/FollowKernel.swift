// SPDX-License-Identifier: MIT
// Following: from one frame to the next a lane takes the exact step of its spring towards its goal g. With y = x − g,
//
//     x′ = x + (a·y + b·v)          v′ = v + (c·y + d·v)
//
// where x, v are value and velocity, and for a step of τ seconds, with the transition of `Transition.swift`,
//
//     b = s/κ,   a = c_τ − 1 + αb,   c = −ω₀²b,   d = d_τ − 1 − αb
//
// Increments keep the error of many small steps small: written with 1 + a, the rounding of that number alone would cost ten
// times as much. Sums and products alone, each rounded by itself, so that all sets have the same bits.
//
// An increment below half an ulp of x is lost. So a lane may stop up to e = 2⁻²⁴|g|/(1 − ρ) from its goal, ρ = e^(−ατ) being
// the decay of a step. Where |y| ≤ τ_x + e and |v| ≤ τ_v + ω₀e in every component, the lane is at rest, and is put on its
// goal.

/// The factors of a step of one spring.
@usableFromInline struct StepFactors<I: InstructionSet> {
  @usableFromInline var a, b, c, d: I.Floats
  /// e/|g|.
  @usableFromInline var rounding: I.Floats
  /// ω₀, per second.
  @usableFromInline var frequency: I.Floats

  /// The largest e/|g|: a spring with hardly any damping would count as at rest far from its goal.
  @export(implementation) @inline(__always)
  static var largestRounding: Float { 0x1p-10 }

  /// The factors of a step of `step` seconds, from columns as in `SpringColumns`.
  @export(implementation) @inline(__always)
  init(rate: I.Doubles, decay: I.Floats, step: Double) {
    let (one, ln2) = (I.splatDouble(1), I.splatDouble(0.6931471805599453))
    let isOscillating = unsafe unsafeBitCast(rate, to: I.Longs.self) &>> I.Longs(repeating: 63)
    let isMoving = I.isLess(I.Doubles.zero, rate * rate)
    let α = I.widen(I.magnitude(decay)) * ln2
    // A spring of duration 0 has rate 0: its lane is at its goal after every step.
    let κ = I.select(
      isMoving, I.select(isOscillating, rate * I.splatDouble(-1.5707963267948966), rate * ln2), one)
    let step = I.splatDouble(step)
    let transition = Transition<I>(rate: rate, α: α, age: step)
    let squaredFrequency = α * α + κ * I.select(isOscillating, κ, α)
    let b = I.select(isMoving, transition.s / κ, I.Doubles.zero)
    self.b = I.narrow(b)
    a = I.narrow(I.select(isMoving, transition.c - one + α * b, I.Doubles.zero - one))
    c = I.narrow(I.Doubles.zero - squaredFrequency * b)
    d = I.narrow(I.select(isMoving, transition.d - one - α * b, I.Doubles.zero - one))
    frequency = I.narrow(I.select(isMoving, squaredFrequency, I.Doubles.zero))
    frequency = I.squareRoot(frequency)
    let lost = I.oneMinusExp2OfNegative(α * step * I.splatDouble(-1.4426950408889634))
    let least = I.splatDouble(0x1p-24 / Double(Self.largestRounding))
    // Without damping nothing is lost in this way.
    let isDamped = I.isLess(I.Doubles.zero, lost)
    let ratio = I.splatDouble(0x1p-24) / I.select(I.isLess(lost, least), least, lost)
    rounding = I.narrow(I.select(isDamped, ratio, I.Doubles.zero))
  }

  /// The factors in columns, `stride` apart.
  @export(implementation) @inline(__always)
  init(_ columns: Column<Float>, stride: Int, at lane: Int) {
    a = I.load(columns, lane)
    b = I.load(columns, stride &+ lane)
    c = I.load(columns, 2 &* stride &+ lane)
    d = I.load(columns, 3 &* stride &+ lane)
    rounding = I.load(columns, 4 &* stride &+ lane)
    frequency = I.load(columns, 5 &* stride &+ lane)
  }

  @export(implementation) @inline(__always)
  func store(_ columns: Column<Float>, stride: Int, at lane: Int) {
    columns.store(a, at: lane)
    columns.store(b, at: stride &+ lane)
    columns.store(c, at: 2 &* stride &+ lane)
    columns.store(d, at: 3 &* stride &+ lane)
    columns.store(rounding, at: 4 &* stride &+ lane)
    columns.store(frequency, at: 5 &* stride &+ lane)
  }

  /// The factors of one lane, in all lanes.
  @export(implementation) @inline(__always)
  init(all columns: Column<Float>, stride: Int, at lane: Int) {
    a = I.splat(columns[lane])
    b = I.splat(columns[stride &+ lane])
    c = I.splat(columns[2 &* stride &+ lane])
    d = I.splat(columns[3 &* stride &+ lane])
    rounding = I.splat(columns[4 &* stride &+ lane])
    frequency = I.splat(columns[5 &* stride &+ lane])
  }
}

/// The state of the followers of a tile.
public struct FollowTile: Sendable, BitwiseCopyable {
  /// The lanes at rest, lane 0 lowest.
  public var resting: UInt16 = 0
  /// The lanes that came to rest with the last step.
  public var arrived: UInt16 = 0
  /// The lanes whose goal is no number within ±10¹⁵.
  public var stray: UInt16 = 0
  /// Those that are so since the last step.
  public var strayed: UInt16 = 0

  public init() {}
}

/// The columns of tracks that follow.
public struct FollowColumns {
  /// The value, as it was after the step before and is after this one (dimension 0).
  public var value: Column<Float>
  /// Its velocity, per second: with following, a state and no output.
  public var velocity: Column<Float>
  /// Floats from a value or a velocity to that of the next dimension.
  public var dimensionStride: Int
  public var dimensions: Int
  /// κ and the decay rate, as in `SpringColumns`.
  public var rate: Column<Double>
  public var decay: Column<Float>
  /// The six factors of a step, each in a column.
  public var factors: Column<Float>
  /// Floats from a factor to the next one.
  public var factorStride: Int
  /// The state of each tile.
  public var tiles: Column<FollowTile>
  /// The lanes of each tile that have a track.
  public var live: ConstantColumn<UInt16>

  public init(
    value: Column<Float>, velocity: Column<Float>, dimensionStride: Int, dimensions: Int, rate: Column<Double>,
    decay: Column<Float>, factors: Column<Float>, factorStride: Int, tiles: Column<FollowTile>,
    live: ConstantColumn<UInt16>
  ) {
    (self.value, self.velocity, self.dimensionStride) = (value, velocity, dimensionStride)
    (self.dimensions, self.rate, self.decay) = (dimensions, rate, decay)
    (self.factors, self.factorStride, self.tiles, self.live) = (factors, factorStride, tiles, live)
  }
}

/// The goals of the lanes of a run.
public struct FollowGoals {
  /// The goal of the first lane in dimension 0.
  public var first: ConstantColumn<Float>
  /// Floats from a goal to that of the next dimension.
  public var stride: Int

  public init(_ first: ConstantColumn<Float>, stride: Int) { (self.first, self.stride) = (first, stride) }
}

extension InstructionSet {
  /// Computes the factors of a step for the lanes of some tiles.
  @export(implementation) @inline(__always)
  public static func computeStepFactors(_ columns: FollowColumns, _ tiles: Range<Int>, step: Double) {
    var lane = tiles.lowerBound &* laneCountOfTile
    while lane < tiles.upperBound &* laneCountOfTile {
      StepFactors<Self>(rate: load(columns.rate, lane), decay: load(columns.decay, lane), step: step)
        .store(columns.factors, stride: columns.factorStride, at: lane)
      lane &+= Floats.scalarCount
    }
  }

  /// Takes a step in all lanes of some tiles, whose factors were computed.
  ///
  /// - Parameter isShared: Whether the factors of the first lane are those of all lanes; other factors are not read then.
  @export(implementation) @inline(__always)
  public static func follow(
    _ columns: FollowColumns, _ tiles: Range<Int>, _ goals: FollowGoals, isShared: Bool, _ tolerance: RestTolerance
  ) {
    let (stride, first) = (columns.factorStride, tiles.lowerBound &* laneCountOfTile)
    #if arch(wasm32)
      // One loop, as code is downloaded.
      follow(columns, tiles, goals, tolerance) {
        isShared
          ? StepFactors(all: columns.factors, stride: stride, at: first)
          : StepFactors(columns.factors, stride: stride, at: $0)
      }
    #else
      if isShared {
        let factors = StepFactors<Self>(all: columns.factors, stride: stride, at: first)
        follow(columns, tiles, goals, tolerance) { _ in factors }
      } else {
        follow(columns, tiles, goals, tolerance) { StepFactors(columns.factors, stride: stride, at: $0) }
      }
    #endif
  }

  @export(implementation) @inline(__always)
  static func follow(
    _ columns: FollowColumns, _ tiles: Range<Int>, _ goals: FollowGoals, _ tolerance: RestTolerance,
    _ factors: (Int) -> StepFactors<Self>
  ) {
    func isAtRest(_ tile: Int) -> Bool { columns.live[tile] & ~columns.tiles[tile].resting == 0 }
    func ownGoals(_ tile: Int) -> FollowGoals {
      FollowGoals(goals.first + (tile &- tiles.lowerBound) &* laneCountOfTile, stride: goals.stride)
    }
    var tile = tiles.lowerBound
    while tile < tiles.upperBound {
      let lanes = UInt32(columns.live[tile])
      if isAtRest(tile), areReached(columns, tile, ownGoals(tile)) & lanes == lanes {
        // Nothing is written but news that were told.
        if columns.tiles[tile].arrived | columns.tiles[tile].strayed != 0 {
          columns.tiles[tile].arrived = 0
          columns.tiles[tile].strayed = 0
        }
        tile &+= 1
      } else {
        var end = tile &+ 1
        let limit = tile &+ tileCountOfSteps < tiles.upperBound ? tile &+ tileCountOfSteps : tiles.upperBound
        while end < limit, !isAtRest(end) { end &+= 1 }
        step(columns, tile..<end, ownGoals(tile), tolerance, factors)
        tile = end
      }
    }
  }

  /// Tiles that take a step together, within the first cache.
  @export(implementation) static var tileCountOfSteps: Int { @inline(__always) get { 16 } }

  /// Takes a step in some tiles, and notes what came of it.
  @export(implementation) @inline(__always)
  static func step(
    _ columns: FollowColumns, _ tiles: Range<Int>, _ goals: FollowGoals, _ tolerance: RestTolerance,
    _ factors: (Int) -> StepFactors<Self>
  ) {
    let (first, count) = (tiles.lowerBound &* laneCountOfTile, tiles.count &* laneCountOfTile)
    // Most tiles are far from rest, which dimension 0 tells.
    var (beyond, strays) = (Ints(repeating: -1), Ints.zero)
    let nearValue = splat(1 / tolerance.perValue)
    step(columns, 0, first, count, goals, &strays, factors) { g, x, factors in
      let room = nearValue + factors.rounding * magnitude(g) - magnitude(x - g)
      beyond &= unsafe unsafeBitCast(room, to: Ints.self)
    }
    var dimension = 1
    while dimension < columns.dimensions {
      step(columns, dimension, first, count, goals, &strays, factors) { _, _, _ in }
      dimension &+= 1
    }
    guard signs(~beyond | strays) != 0 else {
      for tile in tiles { columns.tiles[tile] = FollowTile() }
      return
    }
    for tile in tiles {
      let own = FollowGoals(goals.first + (tile &- tiles.lowerBound) &* laneCountOfTile, stride: goals.stride)
      let (resting, stray) = settle(columns, tile, own, tolerance, factors)
      let (lanes, old) = (UInt32(columns.live[tile]), columns.tiles[tile])
      var new = FollowTile()
      new.resting = UInt16(truncatingIfNeeded: resting & lanes)
      new.arrived = new.resting & ~old.resting
      new.stray = UInt16(truncatingIfNeeded: stray & lanes)
      new.strayed = new.stray & ~old.stray
      columns.tiles[tile] = new
    }
  }

  /// Takes a step in one dimension of some lanes, and marks strays.
  ///
  /// - Parameter note: Called with goals, new values and factors.
  @export(implementation) @inline(__always)
  static func step(
    _ columns: FollowColumns, _ dimension: Int, _ first: Int, _ count: Int, _ goals: FollowGoals, _ strays: inout Ints,
    _ factors: (Int) -> StepFactors<Self>, _ note: (Floats, Floats, StepFactors<Self>) -> Void
  ) {
    let (element, goal) = (dimension &* columns.dimensionStride &+ first, dimension &* goals.stride)
    var lane = 0
    while lane < count {
      let factors = factors(first &+ lane)
      let g = load(goals.first, goal &+ lane)
      let (x, v) = (load(columns.value, element &+ lane), load(columns.velocity, element &+ lane))
      let stray = Self.strays(g)
      strays |= stray
      let y = x - g
      // Where there is no goal, the value stays, and has no velocity.
      let newValue = x + clear(factors.a * y + factors.b * v, whereNegative: stray)
      columns.value.store(newValue, at: element &+ lane)
      columns.velocity.store(clear(v + (factors.c * y + factors.d * v), whereNegative: stray), at: element &+ lane)
      note(g, newValue, factors)
      lane &+= Floats.scalarCount
    }
  }

  /// The lanes of a tile whose values are their goals.
  @export(implementation) @inline(__always)
  static func areReached(_ columns: FollowColumns, _ tile: Int, _ goals: FollowGoals) -> UInt32 {
    var (reached, lane) = (UInt32(UInt16.max), 0)
    while lane < laneCountOfTile {
      var (differences, element, goal) = (Ints.zero, tile &* laneCountOfTile &+ lane, lane)
      for _ in 0..<columns.dimensions {
        // The difference of two numbers is 0 if they are equal, and only then; a NaN has other bits set.
        let difference = magnitude(load(columns.value, element) - load(goals.first, goal))
        differences |= unsafe unsafeBitCast(difference, to: Ints.self)
        element &+= columns.dimensionStride
        goal &+= goals.stride
      }
      reached &= ~(signs(Ints.zero &- differences) &<< UInt32(lane))
      lane &+= Floats.scalarCount
    }
    return reached
  }

  /// Negative where a goal is no number within ±10¹⁵.
  @export(implementation) @inline(__always)
  static func strays(_ goals: Floats) -> Ints {
    // Without the sign, the bits of Floats are in the order of their magnitudes, with NaN last.
    unsafe Ints(repeating: Int32(bitPattern: Float(1e15).bitPattern)) &- unsafeBitCast(magnitude(goals), to: Ints.self)
  }

  /// `a` where all bits of the mask are set, `b` where none is.
  @export(implementation) @inline(__always)
  static func blend(_ mask: Ints, _ a: Floats, _ b: Floats) -> Floats {
    let (a, b) = unsafe (unsafeBitCast(a, to: Ints.self), unsafeBitCast(b, to: Ints.self))
    return unsafe unsafeBitCast(b ^ ((a ^ b) & mask), to: Floats.self)
  }

  /// Puts the lanes of a tile that are at rest after a step on their goals.
  ///
  /// - Returns: These lanes, and those that have a stray goal.
  @export(implementation) @inline(__always)
  static func settle(
    _ columns: FollowColumns, _ tile: Int, _ goals: FollowGoals, _ tolerance: RestTolerance,
    _ factors: (Int) -> StepFactors<Self>
  ) -> (resting: UInt32, stray: UInt32) {
    let (nearValue, nearVelocity) = (splat(1 / tolerance.perValue), splat(1 / tolerance.perVelocity))
    var (resting, stray, lane) = (UInt32(0), UInt32(0), 0)
    while lane < laneCountOfTile {
      let factors = factors(tile &* laneCountOfTile &+ lane)
      let slow = tolerance.isRelative ? nearVelocity * factors.frequency : nearVelocity
      var (isNear, strays) = (Ints(repeating: -1), Ints.zero)
      var (element, goal) = (tile &* laneCountOfTile &+ lane, lane)
      for _ in 0..<columns.dimensions {
        let g = load(goals.first, goal)
        let (x, v) = (load(columns.value, element), load(columns.velocity, element))
        let lost = factors.rounding * magnitude(g)
        isNear &=
          ~isLess(nearValue + lost, magnitude(x - g)) & ~isLess(slow + factors.frequency * lost, magnitude(v))
        strays |= Self.strays(g)
        element &+= columns.dimensionStride
        goal &+= goals.stride
      }
      isNear = (isNear & ~strays) &>> Ints(repeating: 31)
      let near = signs(isNear)
      if near != 0 {
        (element, goal) = (tile &* laneCountOfTile &+ lane, lane)
        for _ in 0..<columns.dimensions {
          // The sum makes −0 a plain 0.
          let g = load(goals.first, goal) + Floats.zero
          columns.value.store(blend(isNear, g, load(columns.value, element)), at: element)
          columns.velocity.store(clear(load(columns.velocity, element), where: isNear), at: element)
          element &+= columns.dimensionStride
          goal &+= goals.stride
        }
      }
      resting |= near &<< UInt32(lane)
      stray |= signs(strays) &<< UInt32(lane)
      lane &+= Floats.scalarCount
    }
    return (resting, stray)
  }
}
