/// A seeded generator with a stream for each purpose: the same seed draws the same scene on every machine.
///
/// Source: Steele, Lea and Flood, "Fast splittable pseudorandom number generators" (OOPSLA 2014).
package struct SceneRandom: Sendable {
  /// What a stream is drawn for; the number is part of what a seed means, so it never changes.
  enum Purpose: UInt64 { case springs = 1, start, targets, path, stagger, sample }

  private var state: UInt64

  /// The stream of `seed` for a purpose, a group, and an event of it.
  init(seed: UInt64, purpose: Purpose, group: Int, event: Int = 0) {
    state = seed
    for part in [purpose.rawValue, UInt64(group), UInt64(event)] { state = next() ^ (part &* 0xD1B5_4A32_D192_ED03) }
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  /// A number drawn evenly from `range`.
  mutating func number(in range: ClosedRange<Double>) -> Double {
    let unit = Double(next() >> 11) * 0x1p-53
    return min(range.upperBound, range.lowerBound + (range.upperBound - range.lowerBound) * unit)
  }

  /// The whole numbers below `count` in an order drawn at random.
  mutating func permutation(_ count: Int) -> [Int] {
    var order = Array(0..<count)
    for last in stride(from: count - 1, to: 0, by: -1) {
      order.swapAt(last, Int(next().multipliedFullWidth(by: UInt64(last + 1)).high))
    }
    return order
  }
}
