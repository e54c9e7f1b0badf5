// SPDX-License-Identifier: MIT
import Testing

@testable import Murmuration

/// A run of many kinds of calls, hashed: the same bits on every instruction set, in debug and release, on any machine.
///
/// The hash is of this program; a change of a kernel, of a formula of the plan or of a polynomial changes it, and then a
/// new one belongs here, together with a run of `murmuration verify`.
struct SameBitsTests {
  private static let pinned: UInt64 = 0xd194_b2f1_3c33_8050

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
    func take(_ bits: [UInt32]) {
      for bits in bits {
        hash = (hash ^ UInt64(bits)) &* 0x100_0000_01b3
      }
    }
    for frame in 0..<60 {
      try batch.advance(by: random.uniform(0...0.03))
      for _ in 0..<20 {
        let handle = handles[Int(random.next() % UInt64(handles.count))]
        let target = numbers(-100...100, 2)
        try batch.retarget(handle, to: SIMD2(target[0], target[1]), spring: frame % 3 == 0 ? .snappy : nil)
      }
      // Small cohorts come, tracks of all kinds go, some are dragged, and the rows are put in order.
      let few = numbers(-100...100, 14)
      let reversed = Array(few.reversed())
      handles += try batch.add(.snappy, values: few.span, targets: reversed.span, velocities: few.span)
      for _ in 0..<5 {
        try batch.remove(handles.remove(at: Int(random.next() % UInt64(handles.count))))
      }
      let dragged = Array(handles[600..<620])
      let (places, speeds) = (numbers(-100...100, 40), numbers(-100...100, 40))
      try batch.set(dragged.span, values: places.span, velocities: speeds.span)
      if frame == 33 {
        try batch.compact()
      }
      if frame % 20 == 10 {
        let part = Array(handles[0..<500])
        let targets = numbers(-100...100, 1_000)
        try batch.retarget(part.span, to: targets.span, spring: frame == 30 ? .smooth : nil)
      }
      if frame == 40 {
        let everywhere = numbers(-100...100, 2 * batch.indexCount)
        try batch.retargetAll(to: everywhere.span)
      }
      take(try batch.bits())
    }
    // Motions end one after the other, and begin again where the clock goes back.
    let end = batch.time
    for later in [1, 2, 3, 5, 8, 13, 4, 0.5, 21] {
      try batch.advance(to: end + later)
      take(try batch.bits())
      take((batch.logicallyComplete + batch.settled).map { UInt32($0.index) })
    }
    #expect(hash == Self.pinned, "\(String(hash, radix: 16))")
  }
}
