// SPDX-License-Identifier: MIT
import Testing

@testable import Murmuration

/// A run of many kinds of calls, hashed: the same bits on every instruction set, in debug and release, on any machine.
///
/// The hash is of this program; a change of a kernel, of a formula of the plan or of a polynomial changes it, and then a
/// new one belongs here, together with a run of `murmuration verify`.
struct SameBitsTests {
  private static let pinned: UInt64 = 0xc6e8_cb02_677e_f9a3

  @Test(arguments: KernelSet.available) func aRunHasThePinnedHash(_ set: KernelSet) throws {
    var random = SplitMix64(seed: 2026)
    var batch = try SpringBatch(dimensions: 2, kernels: set)
    let count = 2_000
    func numbers(_ range: ClosedRange<Double>, _ count: Int) -> [Float] {
      (0..<count).map { _ in Float(random.uniform(range)) }
    }
    let springs = (0..<count).map { _ in
      Spring(duration: random.uniform(0.05...3), bounce: random.uniform(-0.95...1))
    }
    let (from, to) = (numbers(-100...100, 2 * count), numbers(-100...100, 2 * count))
    var handles = try batch.add(springs.span, values: from.span, targets: to.span)
    handles += try batch.add(.bouncy, values: from.span, targets: to.span, velocities: to.span)
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for frame in 0..<60 {
      try batch.advance(by: random.uniform(0...0.03))
      for _ in 0..<20 {
        let handle = handles[Int(random.next() % UInt64(handles.count))]
        let target = numbers(-100...100, 2)
        try batch.retarget(handle, to: SIMD2(target[0], target[1]), spring: frame % 3 == 0 ? .snappy : nil)
      }
      if frame % 20 == 10 {
        let part = Array(handles[0..<500])
        let targets = numbers(-100...100, 1_000)
        try batch.retarget(part.span, to: targets.span, spring: frame == 30 ? .smooth : nil)
      }
      for bits in try batch.bits() {
        hash = (hash ^ UInt64(bits)) &* 0x100_0000_01b3
      }
    }
    #expect(hash == Self.pinned, "\(String(hash, radix: 16))")
  }
}
