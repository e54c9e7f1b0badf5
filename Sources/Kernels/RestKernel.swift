// SPDX-License-Identifier: MIT
// When lanes come to rest, from bounds that hold from a certain age on.
//
// With Y = |y₀|, A = |s₀| and E = 2^(−z) the decay left at z = age·α·log₂e, both regimes stay below
//
//     |y| ≤ E·(Y + A)                      |v| ≤ E·(κ + α)(Y + A)
//     |y| ≤ E·(Y + κA·age)                 |v| ≤ E·(κA + αY + κ(κ + α)(Y + A)·age)
//
// The first pair is close where κ is not small beside α; the second pair is close towards the critical case, where A is
// huge and κA is not. Each gives the z from which on the motion is within the tolerances for good; the smaller z counts.
// The second is solved by z ← log₂(a + bz). From any start above the solution the steps fall towards it, so no step is
// early.
//
// From the first frame after its start a motion is often retargeted. So that this costs no bound, a motion rests no
// sooner than an eighth of its logical age, or of 1/κ for a deceleration, or 1/30 s if that is sooner; a jump rests at
// once.
//
// A deceleration (α = 0, overdamped) has |y| = Y·2^(−rate·age) and |v| = κA·2^(−rate·age).

/// The tolerances of rest, as factors.
public struct RestTolerance: Sendable {
  /// One over the largest distance from the target.
  public var perValue: Float
  /// One over the largest speed; or over its ratio to ω₀ (κ for a deceleration) if `isRelative`.
  public var perVelocity: Float
  public var isRelative: Bool

  public init(perValue: Float, perVelocity: Float, isRelative: Bool) {
    self.perValue = perValue
    self.perVelocity = perVelocity
    self.isRelative = isRelative
  }
}

extension InstructionSet {
  /// log₂|x|, at most 0.0002 off; about −127 for 0 and subnormal numbers, at least 128 for infinity and NaN.
  @export(implementation) @inline(__always)
  static func roughLog2(_ x: Floats) -> Floats {
    let bits = unsafe unsafeBitCast(x, to: Ints.self) & Ints(repeating: 0x7FFF_FFFF)
    // An exponent is a small integer: as the low bits of 2²³ it is a Float after a subtraction.
    let exponent =
      unsafe unsafeBitCast((bits &>> Ints(repeating: 23)) | Ints(repeating: 0x4B00_0000), to: Floats.self)
      - splat(8_388_608 + 127)
    let m = unsafe unsafeBitCast((bits & Ints(repeating: 0x007F_FFFF)) | Ints(repeating: 0x3F80_0000), to: Floats.self)
    var p = splat(-0.08001087605953217)
    p = p * m + splat(0.6355111002922058)
    p = p * m + splat(-2.0994021892547607)
    p = p * m + splat(4.049616813659668)
    p = p * m + splat(-2.505614757537842)
    return exponent + p
  }

  @export(implementation) @inline(__always)
  static func magnitude(_ x: Floats) -> Floats {
    unsafe unsafeBitCast(unsafeBitCast(x, to: Ints.self) & Ints(repeating: 0x7FFF_FFFF), to: Floats.self)
  }

  @export(implementation) @inline(__always)
  static func minimum(_ a: Floats, _ b: Floats) -> Floats { Floats.zero - maximum(Floats.zero - a, Floats.zero - b) }

  /// Computes `restAge` and `logicalAge` for a run of lanes.
  ///
  /// From the age of rest on, a lane stays within the tolerance, summed over its dimensions. The age is never early,
  /// and late by the looseness of the bounds: in the median by at most 7 % of the age, 12 % for a clearly overdamped
  /// spring. (Where the ratio of motion to tolerance passes the range of Float, 2⁻¹²⁷ of the motion is left.) The
  /// logical age is the perceptual duration 2π/ω₀, less a millionth, so that a frame at exactly this age counts.
  @export(implementation) @inline(__always)
  public static func computeRest(
    _ columns: SpringColumns, _ run: LaneRun, _ tolerance: RestTolerance
  ) {
    let slack = splat(0.001)
    var lane = run.firstLane
    let end = run.firstLane &+ run.laneCount
    while lane < end {
      var (y, a) = (Floats.zero, Floats.zero)
      var element = lane
      forEachDimension(columns.dimensions) {
        y += magnitude(load(columns.displacement, element))
        a += magnitude(load(columns.amplitude, element))
        element &+= columns.startStride
      }
      let rate = load(columns.rate, lane)
      let decay = magnitude(load(columns.decay, lane))
      let κ = narrow(Self.κ(ofRate: rate))
      let α = decay * splat(0.6931471805599453)
      let κa = κ * a
      let sum = κ + α
      let overdamped = truncate(Self.overdamped(rate))
      // Decelerations are the overdamped lanes without decay, with κ² for ω₀².
      let decays = unsafe (Ints(repeating: 0) &- unsafeBitCast(decay, to: Ints.self)) &>> Ints(repeating: 31)
      let slides = overdamped & ~decays
      let squaredFrequency = κ * clear(κ, where: overdamped & ~slides) + α * (α + clear(κ, where: ~overdamped))
      let frequency = squareRoot(squaredFrequency)
      let perValue = splat(tolerance.perValue)
      var perVelocity = splat(tolerance.perVelocity)
      if tolerance.isRelative {
        perVelocity = perVelocity / maximum(frequency, splat(.leastNormalMagnitude))
      }

      let close = roughLog2((y + a) * maximum(perValue, sum * perVelocity)) + slack

      // A spring without damping gets an age so large that it is never reached.
      let perDecay = splat(1) / maximum(decay, splat(1e-30))
      let steady = maximum(y * perValue, (κa + α * y) * perVelocity)
      let growing = maximum(κa * perValue, κ * sum * (y + a) * perVelocity) * perDecay
      // (a + bz)·2^(−z) ≤ 1 holds at z = 2·log₂(4m) for m = max(a, b, ½).
      var z = splat(2) * (maximum(roughLog2(maximum(steady, growing)), splat(-1)) + splat(2) + slack)
      for _ in 0..<3 {
        z = maximum(roughLog2(steady + growing * z) + slack, Floats.zero)
      }
      z = maximum(minimum(z, close), Floats.zero)

      var age = z * perDecay
      var logicalAge = splat(6.283179) / frequency
      // No motion but a jump is at rest before this age.
      var least = minimum(splat(0.125) * logicalAge, splat(1 / 30))
      let jumps = unsafe ~((Ints(repeating: 0) &- unsafeBitCast(frequency, to: Ints.self)) &>> Ints(repeating: 31))
      if signs(slides) != 0 {
        let slid = maximum(roughLog2(maximum(y * perValue, κa * perVelocity)) + slack, Floats.zero)
        let perRate = splat(0.6931471805599453) / maximum(κ, splat(1e-30))
        age = blend(slides, slid * perRate, age)
        logicalAge = blend(slides, splat(.infinity), logicalAge)
        least = blend(slides, minimum(splat(0.125) / frequency, splat(1 / 30)), least)
      }
      // A motion without displacement is within the tolerances at once: the numbers above need a frequency other than 0.
      let moves = unsafe (Ints(repeating: 0) &- unsafeBitCast(y + a, to: Ints.self)) &>> Ints(repeating: 31)
      age = clear(age, where: ~moves)
      columns.logicalAge.store(logicalAge, at: lane)
      // Later by more than the rounding errors of this computation.
      columns.restAge.store(maximum(age * splat(1.00001), clear(least, where: jumps)), at: lane)
      lane &+= Floats.scalarCount
    }
  }
}
