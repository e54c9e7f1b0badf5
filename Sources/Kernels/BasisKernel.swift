// SPDX-License-Identifier: MIT

/// Where the numbers of cohorts are that their bases follow from, padded to whole tiles.
public struct BasisColumns {
  /// Seconds on the batch's clock.
  public var start: UnsafePointer<Double>
  /// As in `SpringColumns`: negative for oscillating springs, positive for overdamped ones.
  public var rate: UnsafePointer<Double>
  /// The decay rate, per second.
  public var α: UnsafePointer<Double>
  /// κ, per second.
  public var κ: UnsafePointer<Double>

  public init(
    start: UnsafePointer<Double>, rate: UnsafePointer<Double>, α: UnsafePointer<Double>, κ: UnsafePointer<Double>
  ) {
    self.start = start
    self.rate = rate
    self.α = α
    self.κ = κ
  }
}

extension InstructionSet {
  /// Computes the bases of `count` cohorts at a time, padded to whole tiles, in Double.
  @inlinable @inline(__always)
  public static func evaluateBases(
    _ columns: BasisColumns, count: Int, now: Double, _ bases: UnsafeMutablePointer<CohortBasis>
  ) {
    var index = 0
    while index < count {
      let start = UnsafeRawPointer(columns.start + index).loadUnaligned(as: Doubles.self)
      let rate = UnsafeRawPointer(columns.rate + index).loadUnaligned(as: Doubles.self)
      let α = UnsafeRawPointer(columns.α + index).loadUnaligned(as: Doubles.self)
      let κ = UnsafeRawPointer(columns.κ + index).loadUnaligned(as: Doubles.self)
      let age = splatDouble(now) - start
      let envelope = exp2OfNegative(α * age * splatDouble(-1.4426950408889634))
      let isOscillating = unsafeBitCast(rate, to: Longs.self) &>> Longs(repeating: 63)
      let phase = Doubles.zero - rate * age
      let (sine, cosine) = sineAndCosine(quarterTurns: select(isOscillating, phase, Doubles.zero))
      let q = oneMinusExp2OfNegative(select(isOscillating, Doubles.zero, phase))
      let c = envelope * cosine
      let s = envelope * select(isOscillating, sine, q)
      let turned = select(isOscillating, s, Doubles.zero)
      let values = narrow(c)
      let amplitudes = narrow(s)
      let velocities = narrow(Doubles.zero - α * c - κ * turned)
      let speeds = narrow(κ * select(isOscillating, c, c - s) - α * s)
      for lane in 0..<Floats.scalarCount {
        bases[index &+ lane] = CohortBasis(
          valueOfDisplacement: values[lane], valueOfAmplitude: amplitudes[lane],
          velocityOfDisplacement: velocities[lane], velocityOfAmplitude: speeds[lane])
      }
      index &+= Floats.scalarCount
    }
  }
}
