// SPDX-License-Identifier: MIT
@testable import Murmuration

/// A long run of springs by many kinds of calls, and its hash. It is compiled for other processors too, so it calls no code
/// of tests: see `Tests/OtherProcessors`.
enum SameBitsProgram {
  static let pinned: UInt64 = 0xff81_dcf1_73c1_43b9

  static func hash(_ set: KernelSet) throws(BatchError) -> UInt64 {
    var random = SplitMix64(seed: 2026)
    var batch = try AnimationBatch<SIMD2<Float>>(kernels: set)
    let count = 2_000
    func numbers(_ count: Int) -> [Float] { (0..<count).map { _ in Float(random.uniform(-100...100)) } }
    let springs = (0..<count).map { _ in
      Spring(duration: random.uniform(0.05...3), bounce: random.uniform(-0.95...1))
    }
    let (from, to) = (numbers(2 * count), numbers(2 * count))
    var handles = try batch.add(planar: from.span, toPlanar: to.span, springs: springs.span)
    handles += try batch.add(planar: from.span, velocities: to.span, toPlanar: to.span, .bouncy)
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    func take(_ bits: [UInt32]) {
      for bits in bits { hash = (hash ^ UInt64(bits)) &* 0x100_0000_01b3 }
    }
    for frame in 0..<60 {
      try batch.advance(by: random.uniform(0...0.03), velocities: true)
      for _ in 0..<20 {
        let handle = handles[Int(random.next() % UInt64(handles.count))]
        let goal = numbers(2)
        if frame % 3 == 0 {
          try batch.animate(handle, to: SIMD2(goal[0], goal[1]), .spring(.snappy))
        } else {
          try batch.retarget(handle, to: SIMD2(goal[0], goal[1]))
        }
      }
      // A few tracks with one spring come, tracks of all kinds go, some are dragged, and the tracks are put in order.
      let few = numbers(14)
      let reversed = Array(few.reversed())
      handles += try batch.add(planar: few.span, velocities: few.span, toPlanar: reversed.span, .snappy)
      for _ in 0..<5 { try batch.remove(handles.remove(at: Int(random.next() % UInt64(handles.count)))) }
      let (places, speeds) = (numbers(40), numbers(40))
      try batch.displace(handles.span.extracting(600..<620), planar: places.span, velocities: speeds.span)
      if frame == 33 { try batch.compact() }
      if frame % 20 == 10 {
        let part = handles.span.extracting(0..<500)
        let goals = numbers(1_000)
        if frame == 30 {
          try batch.animate(part, toPlanar: goals.span, .spring(.smooth))
        } else {
          try batch.retarget(part, toPlanar: goals.span)
        }
      }
      if frame == 40 {
        let everywhere = numbers(2 * batch.indexCount)
        try batch.retarget(.all, toPlanar: everywhere.span)
      }
      take(try batch.bits())
    }
    // Motions end one after the other, and begin again where the clock goes back.
    let end = batch.time
    for later in [1, 2, 3, 5, 8, 13, 4, 0.5, 21] {
      try batch.advance(to: end + later, velocities: true)
      take(try batch.bits())
      take((batch.logicallyComplete + batch.settled).map { UInt32($0.index) })
    }
    return hash
  }
}
