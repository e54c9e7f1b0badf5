// SPDX-License-Identifier: MIT
import TestSupport
import Testing

@testable import Murmuration

/// What a batch does not accept as a slide changes nothing; what it accepts stays finite.
struct DecelerationErrorTests {
  private static let badRates: [Double] = [
    .nan, .infinity, -.infinity, 0, -0.0, 1, 1.5, -0.5, 1e300, 1 - 1e-12, 1 - 1e-16, .leastNonzeroMagnitude * -1,
  ]

  @Test(arguments: badRates) func badRatesAreRefused(_ rate: Double) throws {
    var batch = try SpringBatch()
    let handle = try batch.add(.bouncy, value: Float(1), target: 0)
    try batch.advance(to: 0.1)
    let before = try batch.bits(of: handle)
    let slide = Deceleration(rate: rate)
    for bulk in [false, true] {
      let error = #expect(throws: BatchError.self) {
        if bulk {
          try batch.decelerate([handle].span, velocities: [1].span, by: slide)
        } else {
          try batch.decelerate(handle, velocity: Float(1), by: slide)
        }
      }
      if case .invalidDeceleration(let got)? = error {
        #expect(got == rate || got.isNaN && rate.isNaN)
      } else {
        Issue.record("\(String(describing: error))")
      }
    }
    let (after, target): ([UInt32], Float) = (try batch.bits(of: handle), try batch.target(of: handle))
    #expect(after == before && target == 0)
  }

  @Test func eachErrorHasItsName() throws {
    var batch = try SpringBatch()
    var other = try SpringBatch()
    let handle = try batch.add(.bouncy, value: Float(1), target: 0)
    let stale = try batch.add(.bouncy, value: Float(1), target: 0)
    let strange = try other.add(.bouncy, value: Float(1), target: 0)
    try batch.remove(stale)
    #expect(throws: BatchError.staleHandle(stale)) { try batch.decelerate(stale, velocity: Float(1)) }
    #expect(throws: BatchError.staleHandle(stale)) { try batch.decelerate([handle, stale].span) }
    #expect(throws: BatchError.storeMismatch(strange)) { try batch.decelerate([handle, strange].span) }
    #expect(throws: BatchError.wrongDimensions(of: "velocity", expected: 1, got: 2)) {
      try batch.decelerate(handle, velocity: SIMD2<Float>(1, 2))
    }
    #expect(throws: BatchError.wrongCount(of: "velocities", expected: 1, got: 2)) {
      try batch.decelerate([handle].span, velocities: [1, 2].span)
    }
    #expect(throws: BatchError.invalidValue(of: "component of the velocity", index: 0, value: .infinity)) {
      try batch.decelerate(handle, velocity: Float.infinity)
    }
    #expect(throws: BatchError.invalidValue(of: "velocity", index: 1, value: -2e15)) {
      try batch.decelerate([handle, handle].span, velocities: [0, -2e15].span)
    }
    #expect(throws: BatchError.self) {
      try batch.decelerate(handle, velocity: Float(1e15), by: Deceleration(rate: 0.9999))
    }
  }

  /// In bulk, one end beyond the range keeps all others from moving.
  @Test func anEndOutOfRangeChangesNothing() throws {
    var batch = try SpringBatch(dimensions: 2)
    let values: [Float] = [1, 2, 3, 4, 5, 6]
    let zeros = [Float](repeating: 0, count: 6)
    let handles = try batch.add(.smooth, values: values.span, targets: zeros.span)
    try batch.advance(to: 0.1)
    let before = try batch.bits()
    let slide = Deceleration(rate: 0.9999)
    #expect(throws: BatchError.self) {
      try batch.decelerate(handles.span, velocities: [1, 2, 3, 4, 5, 1e15].span, by: slide)
    }
    let after = try batch.bits()
    #expect(after == before)
    for handle in handles {
      let target: SIMD2<Float> = try batch.target(of: handle)
      #expect(target == SIMD2(0, 0))
    }
  }

  /// Slides of any accepted rate, from any accepted value and velocity, with whatever comes next.
  @Test(arguments: KernelSet.available) func hostileSlidesStayFinite(_ kernels: KernelSet) throws {
    let rates: [Double] = [.leastNonzeroMagnitude, 1e-300, 1e-30, 0.5, 0.998, 1 - 1e-8, 1 - 1e-9, 0.999_999_98]
    let values: [Float] = [0, -0.0, 1, -1e15, 1e15, 1e-30, .leastNonzeroMagnitude, 7e14]
    var random = SplitMix64(seed: 110)
    func pick<T>(_ all: [T]) -> T { all[Int(random.next() % UInt64(all.count))] }
    var accepted = 0
    let trials = Effort.draws(quick: 500, soak: 3_000)
    for trial in 0..<trials {
      var batch = try SpringBatch(kernels: kernels)
      let spring = pick([
        Spring(duration: 0, bounce: 0), Spring(duration: 1e-4, bounce: -0.9), Spring(duration: 1e-4, bounce: 1),
        .bouncy, Spring(duration: 1e6, bounce: 0), Spring(duration: 1e6, bounce: -0.9),
      ])
      let (value, target, speed) = (pick(values), pick(values), pick(values))
      let handle = try batch.add(spring, value: value, target: target, velocity: speed)
      try batch.advance(by: pick([0, 1e-5, 0.1, 1e5]))
      for _ in 0..<4 {
        let slide = Deceleration(rate: pick(rates))
        let velocity = pick(values)
        switch random.next() % 6 {
        case 0: if (try? batch.decelerate(handle, velocity: velocity, by: slide)) != nil { accepted += 1 }
        case 1: if (try? batch.decelerate(handle, velocity: nil as Float?, by: slide)) != nil { accepted += 1 }
        case 2: try? batch.decelerate([handle].span, velocities: [velocity].span, by: slide)
        case 3: try? batch.decelerate([handle].span, by: slide)
        case 4: try batch.retarget(handle, to: pick(values))
        default: try batch.set(handle, value: pick(values), velocity: velocity)
        }
        let rest = try batch.restTime(of: handle)
        #expect(!rest.isNaN)
        try batch.advance(by: pick([0, 1e-9, 1e-3, 1, 1e4, 1e8]))
        let (x, v, end): (Float, Float, Float) = (
          try batch.value(of: handle), try batch.velocity(of: handle), try batch.target(of: handle)
        )
        #expect(x.isFinite && v.isFinite && end.isFinite, "trial \(trial): \(x), \(v), \(end)")
        let rests = try batch.isAtRest(handle)
        #expect(!rests || (x == end && v == 0))
      }
    }
    #expect(accepted > trials / 6)
  }
}
