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
// times as much. Sums, products and quotients alone, each rounded by itself, so that all sets have the same bits.
//
// An increment below half an ulp of x is lost. So a lane may stop up to 2⁻²⁴|g|/(1 − ρ) from its goal, ρ = e^(−ατ) being
// the decay of a step. With e = 2⁻²⁴|g|(1 + 1/(ατ)), which is no less, a lane is at rest where |y| ≤ τ_x + e and
// |v| ≤ τ_v + ω₀e in every component, and is put on its goal.

/// The factors of a step of one spring.
@usableFromInline struct StepFactors<I: InstructionSet> {
  @usableFromInline var a, b, c, d: I.Floats
  /// e/|g|.
  @usableFromInline var rounding: I.Floats

  /// The smallest ατ for e: a spring with hardly any damping would count as at rest far from its goal.
  @export(implementation) @inline(__always)
  static var leastDecay: Float { 0x1p-14 }

  /// The factors of a short step, in Float.
  ///
  /// With δ the damping times τ, p = δ/2, W = ω₀²τ² and h = W − p², in both regimes
  ///
  ///     1 + a = e^(−p) · (cos √h + p · sin(√h)/√h)          b/τ = e^(−p) · sin(√h)/√h
  ///
  /// All terms are differences from 1, by minimax polynomials in h and p.
  ///
  /// In units of 2⁻²⁴ of a factor, the largest errors of b, c and d are 1.8, 3.8 and 4.3 for ω₀τ ≤ 0.3 and damping ratios up to
  /// 1, and 6.0, 7.4 and 4.8 for all short steps; that of a is 1.7 · 2⁻²⁴. (Measured against Float80: 300 ω₀τ from 0.001 to 1,
  /// 512 damping ratios from 0 to 5, frames of 1/240 to 1/30 s.) With another goal every seventh frame, simulated lanes came to
  /// 0.23 of the bound of following, and to 0.20 with factors that were rounded once.
  @export(implementation) @inline(__always)
  init(short length: StepLength, _ damping: I.Floats, _ squaredFrequency: I.Floats, _ decay: I.Floats) {
    let (τ, rest) = (I.splat(length.τ), I.splat(length.rest))
    let (δ, w) = (damping * τ, squaredFrequency * I.splat(length.squared))
    let p = δ * I.splat(0.5)
    let squared = p * p
    let h = w - squared
    // sin(√h)/√h − 1 and cos √h − 1 for −¼ ≤ h ≤ 1.
    var sine = h * I.splat(2.6485195121495053e-06) + I.splat(-0.00019833078840747476)
    sine = sine * h + I.splat(0.008333333767950535)
    sine = (sine * h + I.splat(-0.1666666716337204)) * h
    var cosine = h * I.splat(2.442703043925576e-05) + I.splat(-0.0013888046378269792)
    cosine = cosine * h + I.splat(0.04166669026017189)
    cosine = (cosine * h + I.splat(-0.5)) * h
    // (e^(−p) − 1 + p)/p² for 0 ≤ p ≤ 1.
    var curve = p * I.splat(-0.00013856634905096143) + I.splat(0.0013278767000883818)
    curve = curve * p + I.splat(-0.00830412283539772)
    curve = curve * p + I.splat(0.04166048392653465)
    curve = curve * p + I.splat(-0.16666623950004578)
    curve = curve * p + I.splat(0.5)
    let decrease = squared * curve - p
    let envelope = I.splat(1) + decrease
    // b/τ − 1, and e^(−p)(1 + p) − 1, from which a differs by what turns.
    let swing = decrease + envelope * sine
    let damped = squared * ((curve - I.splat(1)) + curve * p)
    a = damped + envelope * (cosine + p * sine)
    b = τ + (τ * swing + rest)
    let pull = squaredFrequency * τ
    c = I.Floats.zero - (pull + (pull * swing + squaredFrequency * rest))
    d = a - (δ + δ * swing)
    rounding = Self.rounding(length, decay)
  }

  /// The factors of a step of any length, in Double, from columns as in `SpringColumns`.
  @export(implementation) @inline(__always)
  init(_ length: StepLength, rate: I.Doubles, decay: I.Floats) {
    let (one, ln2) = (I.splatDouble(1), I.splatDouble(0.6931471805599453))
    let isOscillating = unsafe unsafeBitCast(rate, to: I.Longs.self) &>> I.Longs(repeating: 63)
    let isMoving = I.isLess(I.Doubles.zero, rate * rate)
    let α = I.widen(I.magnitude(decay)) * ln2
    // A spring of duration 0 has rate 0: its lane is at its goal after every step.
    let κ = I.select(
      isMoving, I.select(isOscillating, rate * I.splatDouble(-1.5707963267948966), rate * ln2), one)
    let transition = Transition<I>(rate: rate, α: α, age: I.splatDouble(length.seconds))
    let squaredFrequency = α * α + κ * I.select(isOscillating, κ, α)
    let b = I.select(isMoving, transition.s / κ, I.Doubles.zero)
    self.b = I.narrow(b)
    a = I.narrow(I.select(isMoving, transition.c - one + α * b, I.Doubles.zero - one))
    c = I.narrow(I.Doubles.zero - squaredFrequency * b)
    d = I.narrow(I.select(isMoving, transition.d - one - α * b, I.Doubles.zero - one))
    rounding = Self.rounding(length, decay)
  }

  @export(implementation) @inline(__always)
  static func rounding(_ length: StepLength, _ decay: I.Floats) -> I.Floats {
    let lost = I.magnitude(decay) * I.splat(length.decay)
    let rounding = I.splat(0x1p-24) + I.splat(0x1p-24) / I.maximum(lost, I.splat(leastDecay))
    // Without damping nothing is lost in this way.
    return I.clear(rounding, whereNegative: unsafe unsafeBitCast(lost, to: I.Ints.self) &- I.Ints(repeating: 1))
  }

  /// The factors in columns, `stride` apart.
  @export(implementation) @inline(__always)
  init(_ columns: Column<Float>, stride: Int, at lane: Int) {
    a = I.load(columns, lane)
    b = I.load(columns, stride &+ lane)
    c = I.load(columns, 2 &* stride &+ lane)
    d = I.load(columns, 3 &* stride &+ lane)
    rounding = I.load(columns, 4 &* stride &+ lane)
  }

  @export(implementation) @inline(__always)
  func store(_ columns: Column<Float>, stride: Int, at lane: Int) {
    columns.store(a, at: lane)
    columns.store(b, at: stride &+ lane)
    columns.store(c, at: 2 &* stride &+ lane)
    columns.store(d, at: 3 &* stride &+ lane)
    columns.store(rounding, at: 4 &* stride &+ lane)
  }

  /// The factors of one lane, in all lanes.
  @export(implementation) @inline(__always)
  init(all columns: Column<Float>, stride: Int, at lane: Int) {
    a = I.splat(columns[lane])
    b = I.splat(columns[stride &+ lane])
    c = I.splat(columns[2 &* stride &+ lane])
    d = I.splat(columns[3 &* stride &+ lane])
    rounding = I.splat(columns[4 &* stride &+ lane])
  }

  /// These factors where all bits of the mask are set, the others where none is.
  @export(implementation) @inline(__always)
  func blended(_ mask: I.Ints, _ others: Self) -> Self {
    var factors = self
    factors.a = I.blend(mask, a, others.a)
    factors.b = I.blend(mask, b, others.b)
    factors.c = I.blend(mask, c, others.c)
    factors.d = I.blend(mask, d, others.d)
    return factors
  }
}

/// The length of a step, in the forms that factors are computed from.
@usableFromInline struct StepLength {
  @usableFromInline var seconds: Double
  /// The seconds as a Float, and what that leaves out.
  @usableFromInline var τ, rest: Float
  /// τ², and the factor from a column of decays to ατ.
  @usableFromInline var squared, decay: Float
  /// The largest W = ω₀²τ² of a short step; a decay rate is up to 1/τ then.
  @usableFromInline var limit: Float

  @export(implementation) @inline(__always)
  init(_ seconds: Double) {
    self.seconds = seconds
    τ = Float(seconds)
    rest = Float(seconds - Double(τ))
    squared = Float(seconds * seconds)
    decay = Float(seconds * 0.6931471805599453)
    // The square of a shorter step is no normal number.
    limit = seconds < 0x1p-60 ? -1 : 1
  }

  /// Negative where the step of a lane is not short: one of both decay rates, or ω₀, is above 1/τ.
  @export(implementation) @inline(__always)
  func marksOfLong<I: InstructionSet>(_ set: I.Type, _ damping: I.Floats, _ squaredFrequency: I.Floats) -> I.Ints {
    let w = squaredFrequency * I.splat(squared)
    let frequency = unsafe unsafeBitCast(I.splat(limit) - w, to: I.Ints.self)
    // Both decay rates, the roots of λ² − δλ + W, are below 1: there W + 1 ≥ δ.
    return unsafe frequency | unsafeBitCast((w + I.splat(limit)) - damping * I.splat(τ), to: I.Ints.self)
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
  /// The sum of both decay rates, per second; infinite for a spring of duration 0.
  public var damping: Column<Float>
  /// ω₀², finite.
  public var squaredFrequency: Column<Float>
  /// The ``factorCount`` factors of a step, each in a column.
  public var factors: Column<Float>
  /// Floats from a factor to the next one.
  public var factorStride: Int
  /// The step for which the factors of each tile were computed. If it is nil they are not kept: columns of
  /// ``lanesOfSteps`` lanes are filled again and again.
  public var steps: Column<Double>?
  /// The state of each tile.
  public var tiles: Column<FollowTile>
  /// The lanes of each tile whose tracks follow. In the others any values and velocities may be written.
  public var lanes: ConstantColumn<UInt16>

  public init(
    value: Column<Float>, velocity: Column<Float>, dimensionStride: Int, dimensions: Int, rate: Column<Double>,
    decay: Column<Float>, damping: Column<Float>, squaredFrequency: Column<Float>, factors: Column<Float>,
    factorStride: Int, steps: Column<Double>?, tiles: Column<FollowTile>, lanes: ConstantColumn<UInt16>
  ) {
    (self.value, self.velocity, self.dimensionStride) = (value, velocity, dimensionStride)
    (self.dimensions, self.rate, self.decay) = (dimensions, rate, decay)
    (self.damping, self.squaredFrequency) = (damping, squaredFrequency)
    (self.factors, self.factorStride, self.steps) = (factors, factorStride, steps)
    (self.tiles, self.lanes) = (tiles, lanes)
  }

  /// The number of factors.
  public static var factorCount: Int { 5 }

  /// Lanes that take a step together, within the first cache.
  public static var lanesOfSteps: Int { 256 }

  /// The bits of a lane's number by which its factors are found.
  @export(implementation) @inline(__always)
  var factorMask: Int { steps == nil ? Self.lanesOfSteps &- 1 : -1 }
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
  /// Computes the factors of a step for some tiles, unless they are kept.
  @export(implementation) @inline(__always)
  static func computeFactors(_ columns: FollowColumns, _ tiles: Range<Int>, step: Double) {
    guard let steps = columns.steps else { return computeAllFactors(columns, tiles, step: step) }
    for tile in tiles where steps[tile] != step {
      computeAllFactors(columns, tile..<tile &+ 1, step: step)
      steps[tile] = step
    }
  }

  @inline(never)
  @export(implementation)
  static func computeAllFactors(_ columns: FollowColumns, _ tiles: Range<Int>, step: Double) {
    let (length, stride, mask) = (StepLength(step), columns.factorStride, columns.factorMask)
    let (first, end) = (tiles.lowerBound &* laneCountOfTile, tiles.upperBound &* laneCountOfTile)
    var (lane, areLong) = (first, Ints.zero)
    while lane < end {
      let (damping, squaredFrequency) = (load(columns.damping, lane), load(columns.squaredFrequency, lane))
      areLong = areLong | length.marksOfLong(Self.self, damping, squaredFrequency)
      StepFactors<Self>(short: length, damping, squaredFrequency, load(columns.decay, lane))
        .store(columns.factors, stride: stride, at: lane & mask)
      lane &+= Floats.scalarCount
    }
    guard signs(areLong) != 0 else { return }
    // Each lane gets what its own step asks for.
    lane = first
    while lane < end {
      let marks = length.marksOfLong(Self.self, load(columns.damping, lane), load(columns.squaredFrequency, lane))
      if signs(marks) != 0 {
        StepFactors<Self>(length, rate: load(columns.rate, lane), decay: load(columns.decay, lane))
          .blended(marks &>> Ints(repeating: 31), StepFactors(columns.factors, stride: stride, at: lane & mask))
          .store(columns.factors, stride: stride, at: lane & mask)
      }
      lane &+= Floats.scalarCount
    }
  }

  /// Takes a step in all lanes of some tiles.
  ///
  /// - Parameter source: A lane that has the spring of all lanes; its factors must be kept. Nil: each lane has a spring of its
  ///   own.
  /// - Returns: Whether lanes came to rest or lost their goals.
  @export(implementation) @inline(__always)
  public static func follow(
    _ columns: FollowColumns, _ tiles: Range<Int>, _ goals: FollowGoals, step: Double, source: Int?,
    _ tolerance: RestTolerance
  ) -> Bool {
    let (stride, mask) = (columns.factorStride, columns.factorMask)
    if let source {
      let tile = source / laneCountOfTile
      computeFactors(columns, tile..<tile &+ 1, step: step)
    }
    #if arch(wasm32)
      // One loop, as code is downloaded.
      return follow(columns, tiles, goals, tolerance, computing: source == nil ? step : nil) {
        if let source {
          StepFactors(all: columns.factors, stride: stride, at: source)
        } else {
          StepFactors(columns.factors, stride: stride, at: $0 & mask)
        }
      }
    #else
      if let source {
        let factors = StepFactors<Self>(all: columns.factors, stride: stride, at: source)
        return follow(columns, tiles, goals, tolerance, computing: nil) { _ in factors }
      }
      return follow(columns, tiles, goals, tolerance, computing: step) {
        StepFactors(columns.factors, stride: stride, at: $0 & mask)
      }
    #endif
  }

  @export(implementation) @inline(__always)
  static func follow(
    _ columns: FollowColumns, _ tiles: Range<Int>, _ goals: FollowGoals, _ tolerance: RestTolerance,
    computing step: Double?, _ factors: (Int) -> StepFactors<Self>
  ) -> Bool {
    func isAtRest(_ tile: Int) -> Bool { columns.lanes[tile] & ~columns.tiles[tile].resting == 0 }
    func ownGoals(_ tile: Int) -> FollowGoals {
      FollowGoals(goals.first + (tile &- tiles.lowerBound) &* laneCountOfTile, stride: goals.stride)
    }
    let tileCountOfSteps = FollowColumns.lanesOfSteps / laneCountOfTile
    var (tile, hasNews) = (tiles.lowerBound, false)
    while tile < tiles.upperBound {
      let lanes = UInt32(columns.lanes[tile])
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
        if let step { computeFactors(columns, tile..<end, step: step) }
        if self.step(columns, tile..<end, ownGoals(tile), tolerance, factors) { hasNews = true }
        tile = end
      }
    }
    return hasNews
  }

  /// Takes a step in some tiles, and notes what came of it.
  ///
  /// - Returns: Whether there is news.
  @export(implementation) @inline(__always)
  static func step(
    _ columns: FollowColumns, _ tiles: Range<Int>, _ goals: FollowGoals, _ tolerance: RestTolerance,
    _ factors: (Int) -> StepFactors<Self>
  ) -> Bool {
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
      return false
    }
    var news: UInt16 = 0
    for tile in tiles {
      let own = FollowGoals(goals.first + (tile &- tiles.lowerBound) &* laneCountOfTile, stride: goals.stride)
      let (resting, stray) = settle(columns, tile, own, tolerance, factors)
      let (lanes, old) = (UInt32(columns.lanes[tile]), columns.tiles[tile])
      var new = FollowTile()
      new.resting = UInt16(truncatingIfNeeded: resting & lanes)
      new.arrived = new.resting & ~old.resting
      new.stray = UInt16(truncatingIfNeeded: stray & lanes)
      new.strayed = new.stray & ~old.stray
      columns.tiles[tile] = new
      news |= new.arrived | new.strayed
    }
    return news != 0
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
      forEachDimension(columns.dimensions) {
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
      let frequency = squareRoot(load(columns.squaredFrequency, tile &* laneCountOfTile &+ lane))
      let slow = tolerance.isRelative ? nearVelocity * frequency : nearVelocity
      var (isNear, strays) = (Ints(repeating: -1), Ints.zero)
      var (element, goal) = (tile &* laneCountOfTile &+ lane, lane)
      for _ in 0..<columns.dimensions {
        let g = load(goals.first, goal)
        let (x, v) = (load(columns.value, element), load(columns.velocity, element))
        let lost = factors.rounding * magnitude(g)
        isNear &=
          ~isLess(nearValue + lost, magnitude(x - g)) & ~isLess(slow + frequency * lost, magnitude(v))
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
