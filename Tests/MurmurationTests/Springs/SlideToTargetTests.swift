// SPDX-License-Identifier: MIT
import Reference
import Testing

@testable import Murmuration

/// A slide has no spring to keep: sent elsewhere without one, a track is pulled by the critically damped one that decays as
/// fast, and arrives.
struct SlideToTargetTests {
  enum Call: CaseIterable, Sendable {
    case one, many, range, all, set, setMany, delayed, twiceAtOnce

    func apply(_ handle: TrackHandle, _ target: Float, _ batch: inout SpringBatch) throws {
      let (one, all) = ([handle], [Float](repeating: target, count: batch.indexCount))
      switch self {
      case .one: try batch.retarget(handle, to: target)
      case .many: try batch.retarget(one.span, to: [target].span)
      case .range: try batch.retarget(0..<batch.indexCount, to: all.span)
      case .all: try batch.retargetAll(to: all.span)
      case .set: try batch.set(handle, value: target, velocity: 40)
      case .setMany: try batch.set(one.span, values: [target].span, velocities: [40].span)
      case .delayed: try batch.retarget(handle, to: target, delay: 0)
      case .twiceAtOnce: try batch.retarget([handle, handle].span, to: [target + 1, target].span)
      }
    }
  }

  @Test(arguments: Call.allCases, Standing.allCases)
  func aSlideThatIsSentElsewhereArrives(_ call: Call, _ standing: Standing) throws {
    let slide = Deceleration.normal
    for (inBulk, pause) in [(false, 0.25), (true, 0.25), (false, 0), (true, 0)] {
      var batch = try SpringBatch()
      let handle = try standing.add(Motion(value: 10, target: 0), to: &batch)
      try batch.advance(to: 1)
      // The first of them in company of its kind: whole tiles of slides, and of cohorts that slide.
      let company = (0..<batch.indexCount).compactMap { batch.handle(atIndex: $0) }
      if inBulk {
        let velocities = [Float](repeating: 400, count: company.count)
        try batch.decelerate(company.span, velocities: velocities.span, by: slide)
      } else {
        for handle in company {
          try batch.decelerate(handle, velocity: Float(400), by: slide)
        }
      }
      try batch.advance(by: pause)
      let before: (Float, Float) = (try batch.value(of: handle), try batch.velocity(of: handle))
      let end: Float = try batch.target(of: handle)
      try call.apply(handle, -60, &batch)
      let isSet = call == .set || call == .setMany
      let k = slide.decayConstant
      let motion = Motion(
        value: isSet ? -60 : before.0, target: isSet ? end : -60, velocity: isSet ? 40 : before.1,
        spring: Spring(mass: 1, stiffness: k * k, damping: 2 * k))
      let start = batch.time
      let exact = motion.exact(from: start)
      var last: Float = 0
      for step in 1...400 {
        try batch.advance(to: start + Double(step) * 0.02)
        let value: Float = try batch.value(of: handle)
        if try batch.isAtRest(handle) {
          #expect(abs(value - last) < 0.002 && value == motion.target, "it jumped to \(value)")
          break
        }
        let excess = try batch.excess(of: handle, exact)
        #expect(excess <= 1, "\(call), in bulk: \(inBulk), after \(pause) s, step \(step)")
        last = value
      }
      let rests = try batch.isAtRest(handle)
      #expect(rests)
      let time = try batch.restTime(of: handle)
      #expect(time <= start + 1.2 * motion.restTime())
    }
  }

  /// Whole tiles of slides that are sent elsewhere at once, on every instruction set.
  @Test(arguments: KernelSet.available) func aCrowdOfSlidesArrives(_ set: KernelSet) throws {
    var batch = try SpringBatch(kernels: set)
    let count = 100
    let ones = [Float](repeating: 1, count: count)
    let targets = (0..<count).map { Float($0) }
    let springs = [Spring](repeating: .smooth, count: count)
    let handles = try batch.add(springs.span, values: ones.span, targets: ones.span)
    for handle in handles {
      try batch.decelerate(handle, velocity: Float(100))
    }
    try batch.advance(to: 0.1)
    try batch.retargetAll(to: targets.span)
    try batch.advance(to: 6)
    let values = try batch.values()
    for track in 0..<count {
      #expect(abs(values[track] - targets[track]) < 0.5)
    }
    try batch.advance(to: 20)
    let ends = try batch.values()
    #expect(ends == targets)
  }
}
