// SPDX-License-Identifier: MIT
import MurmurationReference
import Testing

@testable import Murmuration
@testable import MurmurationEngine

/// A slide has no spring to keep. A sliding track that is sent elsewhere without a spring takes the critically damped
/// one that decays as fast, and arrives.
struct SlideToTargetTests {
  enum Call: CaseIterable, Sendable {
    case one, many, range, all, displace, delayed, twiceAtOnce

    func apply(_ handle: TrackHandle, _ goal: Float, _ batch: inout AnimationBatch<Float>) throws {
      let all = [Float](repeating: goal, count: batch.indexCount)
      switch self {
      case .one: try batch.retarget(handle, to: goal)
      case .many: try batch.retarget([handle], to: [goal])
      case .range: try batch.retarget(0..<batch.indexCount, to: all.span)
      case .all: try batch.retarget(.all, to: all.span)
      case .displace: try batch.displace([handle], [goal], velocities: [40])
      case .delayed: try batch.send(handle, to: goal, delay: 0)
      case .twiceAtOnce: try batch.retarget([handle, handle], to: [goal + 1, goal])
      }
    }
  }

  @Test(arguments: Call.allCases, Standing.allCases)
  func aSlideThatIsSentElsewhereArrives(_ call: Call, _ standing: Standing) throws {
    let slide = Deceleration.normal
    for (inBulk, pause) in [(false, 0.25), (true, 0.25), (false, 0), (true, 0)] {
      var batch = try AnimationBatch<Float>()
      let handle = try standing.add(Motion(value: 10, target: 0), to: &batch)
      try batch.advance(to: 1)
      // All tracks slide, which makes whole tiles of slides, uniform ones and others.
      let company = batch.live
      if inBulk {
        try batch.decelerate(company, velocities: [Float](repeating: 400, count: company.count), by: slide)
      } else {
        // The others have rates of their own, so that no tile is uniform.
        for (index, other) in company.enumerated() {
          let own = other == handle ? slide : Deceleration(rate: 0.99 + 0.0001 * Double(index))
          try batch.decelerate(other, velocity: 400, by: own)
        }
      }
      try batch.advance(by: pause)
      let (value, velocity) = (batch[handle] ?? .nan, batch.velocity(of: handle) ?? .nan)
      let end = batch.target(of: handle) ?? .nan
      try call.apply(handle, -60, &batch)
      let isPut = call == .displace
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
        let excess = batch.excess(of: handle, exact)
        #expect(excess <= 1, "\(call), in bulk: \(inBulk), after \(pause) s, step \(step)")
        last = shown
      }
      let (rests, time) = (batch.isAtRest(handle), batch.restTime(of: handle) ?? .nan)
      #expect(rests == true && time <= start + 1.2 * motion.restTime())
    }
  }

  /// Whole tiles of slides that are sent elsewhere at once, on every instruction set.
  @Test(arguments: KernelSet.available) func aCrowdOfSlidesArrives(_ set: KernelSet) throws {
    var batch = try AnimationBatch<Float>(kernels: set)
    let goals = (0..<100).map { Float($0) }
    let handles = try batch.add([Float](repeating: 1, count: 100))
    for handle in handles { try batch.decelerate(handle, velocity: 100) }
    try batch.advance(to: 0.1)
    try batch.retarget(.all, to: goals.span)
    try batch.advance(to: 6)
    let values = try batch.values()
    #expect(zip(values, goals).allSatisfy { abs($0 - $1) < 0.5 })
    try batch.advance(to: 20)
    let ends = try batch.values()
    #expect(ends == goals)
  }
}
