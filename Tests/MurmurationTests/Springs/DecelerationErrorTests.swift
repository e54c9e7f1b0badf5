// SPDX-License-Identifier: MIT
import TestSupport
import Testing

@testable import Murmuration

/// A slide that a batch accepts stays finite.
struct DecelerationErrorTests {
  /// Slides of any accepted rate, from any accepted value and velocity, followed by any call.
  @Test(arguments: KernelSet.available) func hostileSlidesStayFinite(_ kernels: KernelSet) throws {
    let rates: [Double] = [.leastNonzeroMagnitude, 1e-300, 1e-30, 0.5, 0.998, 1 - 1e-8, 1 - 1e-9, 0.999_999_98]
    let values: [Float] = [0, -0.0, 1, -1e15, 1e15, 1e-30, .leastNonzeroMagnitude, 7e14]
    var random = SplitMix64(seed: 110)
    func pick<T>(_ all: [T]) -> T { all[Int(random.next() % UInt64(all.count))] }
    var accepted = 0
    let trials = Effort.draws(quick: 300, soak: 3_000)
    for trial in 0..<trials {
      var batch = try AnimationBatch<Float>(kernels: kernels)
      let spring = pick([
        Spring(duration: 0, bounce: 0), Spring(duration: 1e-4, bounce: -0.9), Spring(duration: 1e-4, bounce: 1),
        .bouncy, Spring(duration: 1e6, bounce: 0), Spring(duration: 1e6, bounce: -0.9),
      ])
      let handle = try batch.add(pick(values), velocity: pick(values), to: pick(values), spring)
      try batch.advance(by: pick([0, 1e-5, 0.1, 1e5]))
      for _ in 0..<4 {
        let (slide, velocity) = (Deceleration(rate: pick(rates)), pick(values))
        switch random.next() % 6 {
        case 0: if (try? batch.decelerate(handle, velocity: velocity, by: slide)) != nil { accepted += 1 }
        case 1: if (try? batch.decelerate(handle, by: slide)) != nil { accepted += 1 }
        case 2: _ = try? batch.decelerate([handle], velocities: [velocity], by: slide)
        case 3: _ = try? batch.decelerate([handle], by: slide)
        case 4: try batch.retarget(handle, to: pick(values))
        default: try batch.displace([handle], [pick(values)], velocities: [velocity])
        }
        let rest = batch.restTime(of: handle) ?? .nan
        #expect(!rest.isNaN)
        try batch.advance(by: pick([0, 1e-9, 1e-3, 1, 1e4, 1e8]))
        let shown = [batch[handle], batch.velocity(of: handle), batch.target(of: handle)].compactMap { $0 }
        #expect(shown.count == 3 && shown.allSatisfy(\.isFinite), "trial \(trial): \(shown)")
        let rests = batch.isAtRest(handle) == true
        #expect(!rests || (shown[0] == shown[2] && shown[1] == 0))
      }
    }
    #expect(accepted > trials / 6)
  }
}
