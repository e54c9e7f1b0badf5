// SPDX-License-Identifier: MIT

/// The numbers of free tiles, or of other things that are given away, lowest first.
struct FreeNumbers {
  /// A bit for each number, set if it is free.
  private var bits: [UInt64] = []
  private(set) var count = 0
  /// No word before this one has a bit that is set.
  private var firstWord = 0

  /// Adds the numbers from `old` to `new`, all of them free.
  mutating func grow(from old: Int, to new: Int) {
    bits.grow(to: (new + 63) / 64, with: 0)
    for number in old..<new { bits[number >> 6] |= 1 << UInt64(number & 63) }
    count += new - old
  }

  /// Takes the first free number; there must be one.
  mutating func takeFirst() -> Int {
    while bits[firstWord] == 0 {
      firstWord += 1
    }
    let number = firstWord << 6 + bits[firstWord].trailingZeroBitCount
    take(number)
    return number
  }

  func isFree(_ number: Int) -> Bool {
    number >> 6 < bits.count && bits[number >> 6] >> UInt64(number & 63) & 1 != 0
  }

  /// Takes a free number.
  mutating func take(_ number: Int) {
    bits[number >> 6] &= ~(1 << UInt64(number & 63))
    count -= 1
  }

  /// Frees a number.
  mutating func giveBack(_ number: Int) {
    bits[number >> 6] |= 1 << UInt64(number & 63)
    firstWord = min(firstWord, number >> 6)
    count += 1
  }
}
