// SPDX-License-Identifier: MIT
import Murmuration

/// A seeded generator with a stream for each purpose: the same seed draws the same scene on every machine.
package struct SceneRandom: Sendable {
  /// The purposes of streams. Their numbers enter the draws of a seed, so they never change.
  package enum Purpose: UInt64 {
    case springs = 1, start, targets, path, stagger, sample, bursts, gestures, speeds, offsets, animations
  }

  private var generator: SplitMix64

  /// The stream of `seed` for a purpose, a group, and an event of it.
  package init(seed: UInt64, purpose: Purpose, group: Int, event: Int = 0) {
    generator = SplitMix64(seed: seed)
    for part in [purpose.rawValue, UInt64(group), UInt64(event)] {
      // An odd factor spreads neighbouring numbers over all bits.
      generator = SplitMix64(seed: generator.next() ^ (part &* 0xD1B5_4A32_D192_ED03))
    }
  }

  /// The next 64 random bits.
  mutating func next() -> UInt64 { generator.next() }

  /// A number drawn evenly from `range`.
  package mutating func number(in range: ClosedRange<Double>) -> Double {
    // Rounding may step over the end.
    min(range.upperBound, generator.uniform(range))
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
