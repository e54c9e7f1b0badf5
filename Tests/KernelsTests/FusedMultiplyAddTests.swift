// SPDX-License-Identifier: MIT
import Murmuration
import Testing

@testable import Kernels

/// The portable set has no instruction for a fused product; its replacement must be exact to the last bit.
struct FusedMultiplyAddTests {
  private func emulated(_ a: Float, _ b: Float, _ c: Float) -> Float {
    Portable.fusedMultiplyAdd(.init(repeating: a), .init(repeating: b), .init(repeating: c))[0]
  }

  @Test func theTripleThatRoundsTwiceInDouble() {
    let a: Float = 0x1p-12 * (1 + 0x1p-18)
    let b: Float = 0x1p-12 * (1 - 0x1p-18)
    let c: Float = 1 + 0x1p-23
    // The triple is worth testing: a Double product and sum rounds to another Float.
    #expect(Float(Double(a) * Double(b) + Double(c)) != c.addingProduct(a, b))
    #expect(emulated(a, b, c) == c.addingProduct(a, b))
    #expect(emulated(-a, b, -c) == (-c).addingProduct(-a, b))
  }

  @Test func randomTriplesOfAllMagnitudes() {
    var random = SplitMix64(seed: 5)
    for _ in 0..<1_000_000 {
      let a = Float(bitPattern: UInt32(truncatingIfNeeded: random.next()))
      let b = Float(bitPattern: UInt32(truncatingIfNeeded: random.next()))
      // An addend near the product, so that sums cancel and tie; or any.
      let product = a * b
      let near = Float(bitPattern: product.bitPattern &+ UInt32(random.next() & 0xFFFF) &- 0x8000)
      let c = random.next() & 1 == 0 ? near : Float(bitPattern: UInt32(truncatingIfNeeded: random.next()))
      guard a.isFinite, b.isFinite, c.isFinite else {
        continue
      }
      let exact = c.addingProduct(a, b)
      #expect(emulated(a, b, c).bitPattern == exact.bitPattern, "\(a) · \(b) + \(c)")
    }
  }

  /// Sums that differ from a tie of Float by a bit far below it, so that rounding twice gives a wrong result.
  @Test func almostTies() {
    var random = SplitMix64(seed: 6)
    for _ in 0..<300_000 {
      let c = Float(1 + Double(random.next() >> 41) * 0x1p-23)
      let exponent = -24 - Int(random.next() % 30)
      let a = Float(sign: random.next() & 1 == 0 ? .plus : .minus, exponent: exponent / 2, significand: 1)
      let bits = Float(1 + Double(random.next() & 0xF) * 0x1p-23)
      let b = Float(sign: .plus, exponent: exponent - exponent / 2, significand: 1) * bits
      #expect(emulated(a, b, c).bitPattern == c.addingProduct(a, b).bitPattern, "\(a) · \(b) + \(c)")
    }
  }
}
