// SPDX-License-Identifier: MIT
import MurmurationReference
import Testing

@testable import Murmuration
@testable import MurmurationEngine

/// A slide has no spring to keep. A sliding track that is sent elsewhere without a spring takes the critically damped
/// one that decays as fast, and arrives.
struct SlideToTargetTests {
  private static let calls: [@Sendable (inout AnimationBatch<Float>, TrackHandle, Float) throws -> Void] = [
    { try $0.retarget($1, to: $2) }, { try $0.retarget([$1], to: [$2]) },
    { try $0.retarget(0..<$0.indexCount, to: $2) }, { batch, _, goal in try batch.retarget(.all, to: goal) },
    { try $0.send($1, to: $2, delay: 0) }, { try $0.retarget([$1, $1], to: [$2 + 1, $2]) },
    // It is put at the value, and keeps its target.
    { try $0.displace([$1], [$2], velocities: [40]) },
  ]

  @Test(arguments: calls.indices, Standing.allCases)
  func aSlideThatIsSentElsewhereArrives(_ number: Int, _ standing: Standing) throws {
    let (slide, isPut) = (Deceleration.normal, number == Self.calls.count - 1)
    for (inBulk, pause) in [(false, 0.25), (true, 0.25), (false, 0), (true, 0)] {
      var batch = try AnimationBatch<Float>()
      let handle = try standing.add(Motion(value: 10, target: 0), to: &batch)
      try batch.advance(to: 1)
      // All tracks slide, which makes whole tiles of slides: uniform ones, and others with rates of their own.
      let company = batch.live
      if inBulk {
        try batch.decelerate(company, velocity: 400, by: slide)
      } else {
        for (index, other) in company.enumerated() {
          let own = other == handle ? slide : Deceleration(rate: 0.99 + 0.0001 * Double(index))
          try batch.decelerate(other, velocity: 400, by: own)
        }
      }
      try batch.advance(by: pause)
      let (value, velocity) = (batch[handle] ?? .nan, batch.velocity(of: handle) ?? .nan)
      let end = batch.target(of: handle) ?? .nan
      try Self.calls[number](&batch, handle, -60)
      let k = slide.decayConstant
      let motion = Motion(
        value: isPut ? -60 : value, target: isPut ? end : -60, velocity: isPut ? 40 : velocity,
        spring: Spring(mass: 1, stiffness: k * k, damping: 2 * k))
      let start = batch.time
      let exact = motion.exact(from: start)
      var last: Float = 0
      for step in 1...200 {
        try batch.advance(to: start + Double(step) * 0.04)
        let shown = batch[handle] ?? .nan
        if batch.isAtRest(handle) == true {
          #expect(abs(shown - last) < 0.004 && shown == motion.target, "it jumped to \(shown)")
          break
        }
        #expect(
          batch.excess(of: handle, exact) <= 1, "call \(number), in bulk: \(inBulk), after \(pause) s, step \(step)")
        last = shown
      }
      #expect(batch.isAtRest(handle) == true && (batch.restTime(of: handle) ?? .nan) <= start + 1.2 * motion.restTime())
    }
  }
}
