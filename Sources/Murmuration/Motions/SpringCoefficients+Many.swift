// SPDX-License-Identifier: MIT
import Kernels

// The coefficients of many springs: eight at a time, by the operations that one spring takes, so with the same bits.
extension SpringCoefficients {
  private typealias Doubles = SIMD8<Double>

  /// Writes the coefficients of springs, one for each, into a list, which is never made shorter.
  ///
  /// - Throws: ``BatchError/invalidSpring(index:reason:)`` at the first that batches do not accept, or
  ///   ``BatchError/capacityExceeded(_:)``.
  static func convert(
    _ springs: Span<Spring>, to list: inout [SpringCoefficients]
  ) throws(BatchError) {
    try makeRoom(for: springs.count, in: &list)
    var list = list.mutableSpan
    var index = 0
    while index < springs.count {
      let end = min(index + Doubles.scalarCount, springs.count)
      if end - index < Doubles.scalarCount || !convertEight(springs, from: index, to: &list) {
        for index in index..<end { list[index] = try SpringCoefficients(checked: springs[index], index: index) }
      }
      index = end
    }
  }

  /// Makes a list long enough.
  ///
  /// - Throws: ``BatchError/capacityExceeded(_:)`` if there is no memory.
  static func makeRoom(for count: Int, in list: inout [SpringCoefficients]) throws(BatchError) {
    guard count > list.count else { return }
    try BatchLimits.checkRoom(for: count, of: SpringCoefficients.self)
    list.grow(to: count, with: .jump)
  }

  /// Writes the coefficients of eight springs, if all of them are certainly accepted, and none is a jump.
  @inline(__always)
  private static func convertEight(
    _ springs: Span<Spring>, from first: Int, to list: inout MutableSpan<SpringCoefficients>
  ) -> Bool {
    var (ω0, d, w, mass) = (Doubles(), Doubles(), Doubles(), Doubles())
    for lane in ω0.indices {
      let spring = unsafe springs[unchecked: first + lane]
      (ω0[lane], d[lane], w[lane], mass[lane]) = (
        spring.naturalFrequency, spring.decayConstant, spring.angularFrequency, spring.mass
      )
    }
    let frequencies = BatchLimits.naturalFrequencies
    let finite = Doubles(repeating: .greatestFiniteMagnitude)
    let isAccepted =
      (ω0 .>= frequencies.lowerBound) .& (ω0 .<= frequencies.upperBound) .& (d .>= 0)
      .& (d .<= BatchLimits.maximumDampingRatio * ω0) .& (w .<= finite) .& (w .>= -finite) .& (mass .> 0)
      .& (mass .<= finite)
    guard all(isAccepted) else { return false }
    // Choices are made lane by lane, of numbers that are there: they take no branches then.
    var κ = Doubles()
    for lane in κ.indices { κ[lane] = max(max(w[lane], -2 * w[lane]), 1e-6 * ω0[lane]) }
    let (slow, rate, overdampedRate) = (ω0 * ω0 / (d + κ / 2), κ * (-2 / .pi), κ * log2OfE)
    for lane in κ.indices {
      let isOverdamped = w[lane] < 0
      unsafe list[unchecked: first + lane] = SpringCoefficients(
        rate: isOverdamped ? overdampedRate[lane] : rate[lane],
        decay: Float((isOverdamped ? slow[lane] : d[lane]) * log2OfE))
    }
    return true
  }

  /// Seconds from the start before which no motion in a tile is at rest, whose lanes have springs, or jump.
  static func leastRestAge(_ rates: ConstantColumn<Double>, _ decays: ConstantColumn<Float>) -> Float {
    let rate = rates.lanes(at: 0, as: SIMD16<Double>.self)
    guard all(rate .!= 0) else { return 0 }
    let α = SIMD16<Double>(decays.lanes(at: 0, as: SIMD16<Float>.self)) * (1 / log2OfE)
    // ω₀² is α² + ακ where the rate is positive, and α² + κ² elsewhere.
    let magnitude = unsafe unsafeBitCast(unsafeBitCast(rate, to: SIMD16<Int64>.self) & .max, to: SIMD16<Double>.self)
    let (overdamped, oscillating) = ((magnitude + rate) * (0.5 / log2OfE), (magnitude - rate) * (.pi / 4))
    let squaredFrequency = α * (α + overdamped) + oscillating * oscillating
    // Most springs are slow, and need no search.
    let isSlow = all(squaredFrequency .< slowSquaredFrequency)
    return leastRestAge(squaredFrequency: isSlow ? 0 : squaredFrequency.max())
  }
}

extension Spring {
  /// Lends the spring as a list of one.
  ///
  /// Not as the span of a `CollectionOfOne`, which is a temporary value: optimised Embedded Swift 6.3.1 for arm64 reads other
  /// memory in its place.
  func withList<Result>(_ body: (Span<Spring>) throws(BatchError) -> Result) throws(BatchError) -> Result {
    try unsafe withUnsafePointer(to: self) { spring throws(BatchError) in
      try body(unsafe UnsafeBufferPointer(start: spring, count: 1).span)
    }
  }
}
