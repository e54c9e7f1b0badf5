// SPDX-License-Identifier: MIT
import TestSupport
import Testing

@testable import Murmuration
@testable import MurmurationEngine

/// Numbers that are given away and come back.
struct FreeNumbersTests {
  /// Numbers lie in several words of words, far from each other.
  @Test func numbersAreTakenLowestFirst() {
    var random = SplitMix64(seed: 5)
    var (numbers, expected) = (FreeNumbers(), Set<Int>())
    for _ in 0..<20_000 {
      let number = Int(random.next() % 3) * 70_000 + Int(random.next() % 300)
      if expected.contains(number) {
        numbers.take(number)
        expected.remove(number)
      } else {
        numbers.giveBack(number)
        expected.insert(number)
      }
      #expect(numbers.count == expected.count && numbers.isFree(number) == expected.contains(number))
      // Mostly the lowest are taken, so that none is left among the lower ones now and then.
      if random.next() % 4 != 0, let least = expected.min() {
        #expect(numbers.first == least && numbers.takeFirst() == least)
        expected.remove(least)
      }
      let needed = Int(random.next() % UInt64(expected.count + 1))
      let end = numbers.end(of: needed)
      #expect(expected.count { $0 < end } >= needed)
    }
  }
}
