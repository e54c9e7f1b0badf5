// SPDX-License-Identifier: MIT
import Kernels

/// The coefficients of the springs of a call, one for each track, as columns.
struct SpringList {
  private var rates: [Double] = []
  private var decays: [Float] = []
  /// Seconds from the start before which no motion with one of them is at rest.
  private(set) var leastRestAge: Float = 0

  private(set) subscript(index: Int) -> SpringCoefficients {
    get { SpringCoefficients(rate: rates[index], decay: decays[index]) }
    set { (rates[index], decays[index]) = (newValue.rate, newValue.decay) }
  }

  /// Takes the springs of a call. The list is never made shorter.
  ///
  /// - Throws: ``BatchError/invalidSpring(index:reason:)`` at the first that batches do not accept, or
  ///   ``BatchError/capacityExceeded(_:)``.
  mutating func set(_ springs: Span<Spring>, _ table: KernelTable) throws(BatchError) {
    try grow(to: springs.count)
    var (index, fastest) = (0, 0.0)
    while index < springs.count {
      let many = convert(springs, from: index, table)
      (index, fastest) = (index + many.count, max(fastest, many.fastest))
      // The kernel leaves springs that jump, or that are perhaps refused, and those at the end.
      for one in index..<min(index + table.width, springs.count) {
        self[one] = try SpringCoefficients(checked: springs[one], index: one)
        fastest = max(fastest, springs[one].naturalFrequency)
        index += 1
      }
    }
    leastRestAge = SpringCoefficients.leastRestAge(squaredFrequency: fastest * fastest)
  }

  /// Takes the springs of motions.
  ///
  /// - Returns: Whether all motions are springs.
  /// - Throws: ``BatchError/capacityExceeded(_:)`` if there is no memory for the list.
  mutating func set(_ motions: [MotionRequest]) throws(BatchError) -> Bool {
    guard motions.allSatisfy({ if case .spring = $0 { true } else { false } }) else { return false }
    try grow(to: motions.count)
    leastRestAge = .infinity
    for (index, motion) in motions.enumerated() {
      guard case .spring(let spring) = motion else { continue }
      self[index] = spring
      leastRestAge = min(leastRestAge, spring.leastRestAge)
    }
    return true
  }

  /// Converts springs from one on, up to one that the kernel leaves.
  private mutating func convert(
    _ springs: Span<Spring>, from first: Int, _ table: KernelTable
  ) -> (count: Int, fastest: Double) {
    let limits = BatchLimits.springs
    return springs.withUnsafeBufferPointer { springs in
      let numbers = (unsafe springs.column ?? .empty).rebound(to: Double.self) + 4 * first
      return rates.withColumn { rates in
        decays.withColumn { table.convertSprings(numbers, springs.count - first, limits, rates + first, $0 + first) }
      }
    }
  }

  /// Copies `count` springs, from one on, to the columns of lanes.
  func copy(from first: Int, to rates: Column<Double>, _ decays: Column<Float>, count: Int) {
    self.rates.withConstantColumn { rates.update(from: $0 + first, count: count) }
    self.decays.withConstantColumn { decays.update(from: $0 + first, count: count) }
  }

  private mutating func grow(to count: Int) throws(BatchError) {
    guard count > rates.count else { return }
    try BatchLimits.checkRoom(for: count, of: SpringCoefficients.self)
    rates.grow(to: count, with: 0)
    decays.grow(to: count, with: 0)
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
