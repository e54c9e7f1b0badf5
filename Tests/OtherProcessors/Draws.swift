// SPDX-License-Identifier: MIT
import Kernels
import Murmuration

/// A hash of bits in the order in which they are added: every bit changes about half of it.
struct Hash {
  private(set) var state: UInt64 = 0xCBF2_9CE4_8422_2325

  mutating func add(_ bits: UInt64) {
    state = (state ^ bits) &* 0x9E37_79B9_7F4A_7C15
    state ^= state >> 29
  }

  mutating func add(_ number: Double) { add(number.bitPattern) }
  mutating func add(_ number: Float) { add(UInt64(number.bitPattern)) }
  mutating func add(_ answer: Bool) { add(answer ? 1 : UInt64(0)) }

  /// Adds consecutive floats.
  mutating func add(_ floats: Column<Float>, _ count: Int) {
    for index in 0..<count { add(floats[index]) }
  }
}

/// Zeroed memory, aligned to 64 bytes. It is never freed: the program ends soon.
func zeroed<T: BitwiseCopyable>(_ count: Int, of _: T.Type = T.self) -> Column<T> {
  let byteCount = count * MemoryLayout<T>.stride + 64
  let block = UnsafeMutableRawPointer.allocate(byteCount: byteCount, alignment: 64)
  block.initializeMemory(as: UInt8.self, repeating: 0, count: byteCount)
  return Column(block.assumingMemoryBound(to: T.self), count: count)
}

/// All draws are exact: they use sums, products and shifts, and no function of a library.
extension SplitMix64 {
  mutating func float(_ range: ClosedRange<Double>) -> Float { Float(uniform(range)) }

  /// An index in `0..<bound`.
  mutating func index(below bound: Int) -> Int { Int(next() % UInt64(bound)) }

  /// A value of a lane: one in eight has any magnitude from 2⁻⁴⁰ to 2⁴⁰, and one in eight few bits, so that sums tie.
  mutating func value() -> Float {
    let kind = next() >> 61
    let plain = float(-1000...1000)
    switch kind {
    case 0: return Float(bitPattern: UInt32(next() & 0x807F_FFFF) | UInt32(87 + next() % 80) << 23)
    case 1: return Float(Int64(plain)) * 0x1p-3
    default: return plain
    }
  }

  /// A column of floats.
  mutating func floats(_ count: Int, _ range: ClosedRange<Double>) -> Column<Float> {
    let column = zeroed(count, of: Float.self)
    for index in 0..<count { column[index] = float(range) }
    return column
  }

  /// A column of doubles.
  mutating func doubles(_ count: Int, _ range: ClosedRange<Double>) -> Column<Double> {
    let column = zeroed(count, of: Double.self)
    for index in 0..<count { column[index] = uniform(range) }
    return column
  }
}
