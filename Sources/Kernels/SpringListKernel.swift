// SPDX-License-Identifier: MIT
// The numbers that the columns of lanes hold of springs, of many springs at once. `SpringCoefficients` computes them of one
// spring by the same operations, so the bits are the same.

/// The springs that batches accept.
public struct SpringLimits: Sendable {
  public let leastFrequency: Double
  public let greatestFrequency: Double
  public let greatestDampingRatio: Double

  /// - Parameters:
  ///   - leastFrequency: The smallest ω₀, per second.
  ///   - greatestFrequency: The largest ω₀, per second.
  public init(leastFrequency: Double, greatestFrequency: Double, greatestDampingRatio: Double) {
    self.leastFrequency = leastFrequency
    self.greatestFrequency = greatestFrequency
    self.greatestDampingRatio = greatestDampingRatio
  }
}

extension InstructionSet {
  /// A bit for each lane where `a < b`, with lane 0 lowest; none where one of them is NaN.
  @export(implementation) @inline(__always)
  static func lessBits(_ a: Doubles, _ b: Doubles) -> UInt32 { positives(b - a) }

  /// Computes the columns of springs, a vector of them at a time, up to the first vector in which a spring jumps or is not
  /// certainly accepted.
  ///
  /// - Parameters:
  ///   - springs: Four numbers for each spring: ω₀, the decay constant d, w = ±√|ω₀² − d²|, which is negative for an
  ///     overdamped one, and the mass.
  ///   - rates: Output, as `SpringColumns` has them.
  ///   - decays: Output.
  ///   - frequencies: Output: ω₀, per second.
  /// - Returns: The number of springs that are done.
  @export(implementation) @inline(__always)
  public static func convertSprings(
    _ springs: ConstantColumn<Double>, count: Int, within limits: SpringLimits, _ rates: Column<Double>,
    _ decays: Column<Float>, _ frequencies: Column<Float>
  ) -> Int {
    let log2OfE = splatDouble(1.4426950408889634)
    let greatest = splatDouble(.greatestFiniteMagnitude)
    let lanes = Floats.scalarCount
    var index = 0
    while index &+ lanes <= count {
      let numbers = springs + 4 &* index
      let (ω0, d, w, mass) = (fourths(numbers), fourths(numbers + 1), fourths(numbers + 2), fourths(numbers + 3))
      let accepted =
        lessBits(splatDouble(limits.leastFrequency), ω0) & lessBits(ω0, splatDouble(limits.greatestFrequency))
        & lessBits(d, ω0 * splatDouble(limits.greatestDampingRatio)) & ~lessBits(d, Doubles.zero)
        & lessBits(w, greatest) & lessBits(Doubles.zero - greatest, w)
        & lessBits(Doubles.zero, mass) & lessBits(mass, greatest)
      guard accepted == 1 &<< UInt32(truncatingIfNeeded: lanes) &- 1 else { break }
      // A −0 is no overdamped spring.
      let isOverdamped = isLess(w + Doubles.zero, Doubles.zero)
      let difference = select(isOverdamped, w * splatDouble(-2), w)
      let floor = ω0 * splatDouble(1e-6)
      let κ = select(isLess(difference, floor), floor, difference)
      let slow = ω0 * ω0 / (d + κ * splatDouble(0.5))
      let decay = narrow(select(isOverdamped, slow, d) * log2OfE)
      rates.store(κ * select(isOverdamped, log2OfE, splatDouble(-0.6366197723675814)), at: index)
      decays.store(decay, at: index)
      frequencies.store(narrow(ω0), at: index)
      index &+= lanes
    }
    return index
  }
}
