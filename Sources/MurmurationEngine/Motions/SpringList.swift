// SPDX-License-Identifier: MIT
import Kernels

/// The coefficients of the springs of a call, one for each track, as columns.
struct SpringList {
  private var rates: [Double] = []
  private var decays: [Float] = []
  /// ω₀, per second; infinite for springs of duration 0, which jump.
  private var frequencies: [Float] = []

  subscript(index: Int) -> SpringCoefficients { SpringCoefficients(rate: rates[index], decay: decays[index]) }

  /// Takes the springs of a call. The list is never made shorter.
  ///
  /// - Throws: ``BatchError/invalidSpring(index:reason:)`` at the first that batches do not accept, or
  ///   ``BatchError/capacityExceeded(_:)``.
  mutating func set(_ springs: Span<Spring>, _ table: KernelTable) throws(BatchError) {
    try grow(to: springs.count)
    var index = 0
    while index < springs.count {
      index += convert(springs, from: index, table)
      // The kernel leaves springs that jump, or that are perhaps refused, and those at the end.
      let end = min(index + table.width, springs.count)
      while index < end {
        set(index, try SpringCoefficients(checked: springs[index], index: index))
        index += 1
      }
    }
  }

  /// Takes the springs of motions.
  ///
  /// - Returns: Whether all motions are springs.
  /// - Throws: ``BatchError/capacityExceeded(_:)`` if there is no memory for the list.
  mutating func set(_ motions: [MotionRequest]) throws(BatchError) -> Bool {
    guard motions.allSatisfy({ if case .spring = $0 { true } else { false } }) else { return false }
    try grow(to: motions.count)
    for (index, motion) in motions.enumerated() {
      if case .spring(let spring) = motion { set(index, spring) }
    }
    return true
  }

  private mutating func set(_ index: Int, _ spring: SpringCoefficients) {
    (rates[index], decays[index]) = (spring.rate, spring.decay)
    frequencies[index] = spring.isJump ? .infinity : Float(spring.naturalFrequency)
  }

  /// Converts springs from one on, up to one that the kernel leaves, and returns their number.
  private mutating func convert(_ springs: Span<Spring>, from first: Int, _ table: KernelTable) -> Int {
    let count = springs.count - first
    return unsafe springs.withUnsafeBufferPointer { springs in
      let numbers = (unsafe springs.column ?? .empty).rebound(to: Double.self) + 4 * first
      return rates.withColumn { rates in
        decays.withColumn { decays in
          frequencies.withColumn {
            table.convertSprings(numbers, count, BatchLimits.springs, rates + first, decays + first, $0 + first)
          }
        }
      }
    }
  }

  /// Copies `count` springs, from one on, to the columns of lanes.
  func copy(from first: Int, to rates: Column<Double>, _ decays: Column<Float>, count: Int) {
    self.rates.withConstantColumn { rates.update(from: $0 + first, count: count) }
    self.decays.withConstantColumn { decays.update(from: $0 + first, count: count) }
  }

  /// Seconds from the start before which no motion in a tile is at rest, whose lanes have the springs from one on.
  func leastRestAge(ofTileFrom first: Int) -> Float {
    frequencies.withConstantColumn { frequencies in
      // The bits of positive Floats are in the order of their values. Most springs are slow, and need no search.
      let slow = Int32(bitPattern: SpringCoefficients.slowFrequency.bitPattern)
      var (signs, fastest) = (Int32(0), Float(0))
      for lane in first..<first + laneCountOfTile { signs |= slow &- Int32(bitPattern: frequencies[lane].bitPattern) }
      if signs < 0 { for lane in first..<first + laneCountOfTile { fastest = max(fastest, frequencies[lane]) } }
      return SpringCoefficients.leastRestAge(naturalFrequency: Double(fastest))
    }
  }

  private mutating func grow(to count: Int) throws(BatchError) {
    guard count > rates.count else { return }
    try BatchLimits.checkRoom(for: count, of: SpringCoefficients.self)
    rates.grow(to: count, with: 0)
    decays.grow(to: count, with: 0)
    frequencies.grow(to: count, with: 0)
  }
}

extension Spring {
  /// Lends the spring as a list of one.
  ///
  /// Not as the span of a `CollectionOfOne`, which is a temporary value: optimised Embedded Swift 6.3.1 for arm64 reads other
  /// memory in its place.
  @inlinable
  package func withList<Result>(_ body: (Span<Spring>) throws(BatchError) -> Result) throws(BatchError) -> Result {
    try unsafe withUnsafePointer(to: self) { spring throws(BatchError) in
      try body(unsafe UnsafeBufferPointer(start: spring, count: 1).span)
    }
  }
}
