// SPDX-License-Identifier: MIT

/// The numbers of free indices, or of other things that are given away, lowest first.
struct FreeNumbers {
  /// A bit for each number, set if it is free.
  private var bits: [UInt64] = []
  /// A bit for each of these words, set if one of its bits is.
  private var words: [UInt64] = []
  private(set) var count = 0
  /// No word of `words` before this one has a bit that is set.
  private var start = 0

  mutating func code(_ coder: inout StateCoder) {
    coder.code(&bits)
    coder.code(&words)
    coder.code(&count)
    coder.code(&start)
  }

  /// Adds the numbers from `old` to `new`, all of them free.
  mutating func grow(from old: Int, to new: Int) {
    for number in old..<new { giveBack(number) }
  }

  /// The first free number; there must be one.
  var first: Int {
    var group = start
    while words[group] == 0 { group += 1 }
    let word = group << 6 + words[group].trailingZeroBitCount
    return word << 6 + bits[word].trailingZeroBitCount
  }

  /// Takes the first free number; there must be one.
  mutating func takeFirst() -> Int {
    let number = first
    start = number >> 12
    take(number)
    return number
  }

  func isFree(_ number: Int) -> Bool {
    number >> 6 < bits.count && bits[number >> 6] >> UInt64(number & 63) & 1 != 0
  }

  /// Whether the sixteen numbers from a multiple of sixteen on are all free.
  func areFree(from number: Int) -> Bool {
    number >> 6 < bits.count && bits[number >> 6] >> UInt64(number & 63) & 0xFFFF == 0xFFFF
  }

  /// The first free number after another one; nil if there is none.
  func first(after number: Int) -> Int? {
    var word = (number + 1) >> 6
    guard word < bits.count else { return nil }
    var left = bits[word] & ~0 << UInt64((number + 1) & 63)
    while left == 0 {
      word += 1
      guard word < bits.count else { return nil }
      left = bits[word]
    }
    return word << 6 + left.trailingZeroBitCount
  }

  /// Takes free numbers.
  ///
  /// - Parameters:
  ///   - number: The first; a multiple of sixteen if they are more than one.
  ///   - lanes: A bit for each of sixteen numbers from there on.
  @inline(__always)
  mutating func take(_ number: Int, lanes: UInt16 = 1) {
    let word = number >> 6
    bits[word] &= ~(UInt64(lanes) << UInt64(number & 63))
    if bits[word] == 0 { words[word >> 6] &= ~(1 << UInt64(word & 63)) }
    count -= lanes.nonzeroBitCount
  }

  /// Takes the sixteen numbers from the first free one on, all of which are free, and returns the first.
  mutating func takeTile() -> Int {
    let number = first
    start = number >> 12
    take(number, lanes: .max)
    return number
  }

  /// Frees numbers, which are named as those that are taken.
  @inline(__always)
  mutating func giveBack(_ number: Int, lanes: UInt16 = 1) {
    let word = number >> 6
    bits.grow(to: word + 1, with: 0)
    words.grow(to: word >> 6 + 1, with: 0)
    bits[word] |= UInt64(lanes) << UInt64(number & 63)
    words[word >> 6] |= 1 << UInt64(word & 63)
    start = min(start, word >> 6)
    count += lanes.nonzeroBitCount
  }

  /// A number below which at least `needed` numbers are free.
  ///
  /// - Precondition: There are `needed` free numbers.
  func end(of needed: Int) -> Int {
    var (word, found) = (start << 6, 0)
    while found < needed {
      found += bits[word].nonzeroBitCount
      word += 1
    }
    return word << 6
  }
}
