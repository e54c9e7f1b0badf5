// SPDX-License-Identifier: MIT
import Reference
import Testing

@testable import Murmuration

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Slides of a batch against the model in Double.
struct DecelerationBatchTests {
  /// A deceleration with a decay constant of a range.
  private static func random(_ random: inout SplitMix64, _ constants: ClosedRange<Double> = 1e-2...1e3) -> Deceleration
  {
    Deceleration(rate: exp(-random.logarithmic(constants) / 1_000))
  }

  private static func motion(
    _ slide: Deceleration, _ value: Float, _ velocity: Float, since start: Double
  ) -> SlideMotion {
    SlideMotion(slide, from: [MotionSample(value: Double(value), velocity: Double(velocity))], at: start)
  }

  private func check(
    _ batch: inout SpringBatch, _ handle: TrackHandle, from value: Float, _ velocity: Float, _ slide: Deceleration,
    since start: Double
  ) throws {
    let excess = try batch.excess(of: handle, Self.motion(slide, value, velocity, since: start))
    #expect(excess <= 1, "\(slide.decayConstant) per second, \(value) + \(velocity) · \(batch.time - start)")
  }

  @Test(arguments: Standing.allCases, [false, true])
  func aSlideFollowsTheModel(_ standing: Standing, _ inBulk: Bool) throws {
    var random = SplitMix64(seed: 100)
    for trial in 0..<150 {
      let slide = trial % 3 == 0 ? .normal : trial % 3 == 1 ? Self.random(&random, 1e-5...1e6) : Self.random(&random)
      guard BatchLimits.decelerationConstants ~= slide.decayConstant else {
        continue
      }
      var batch = try SpringBatch()
      try batch.hardlyRests()
      let motion = Motion(Motion.Regime.allCases[trial % 5], &random)
      let handle = try standing.add(motion, to: &batch)
      let start = random.uniform(0...2)
      try batch.advance(to: start)
      // Handed over, or the track's own.
      let given = trial % 2 == 0 ? Float(random.uniform(-1e4...1e4)) : nil
      let (value, own): (Float, Float) = (try batch.value(of: handle), try batch.velocity(of: handle))
      let velocity = given ?? own
      let end = Float(slide.projectedEnd(from: Double(value), initialVelocity: Double(velocity)))
      if inBulk {
        let velocities = given.map { [$0] } ?? []
        try batch.decelerate([handle].span, velocities: velocities.span, by: slide)
      } else {
        let returned = try batch.decelerate(handle, velocity: given, by: slide)
        #expect(abs(returned - end) <= end.ulp)
      }
      let (target, isInCohort): (Float, Bool) = (try batch.target(of: handle), try batch.isInCohort(handle))
      #expect(abs(target - end) <= end.ulp && isInCohort == inBulk)
      let (value0, velocity0): (Float, Float) = (try batch.value(of: handle), try batch.velocity(of: handle))
      #expect(value0 == value && velocity0 == velocity)
      for _ in 0..<12 {
        try batch.advance(to: start + random.logarithmic(1e-3...20) / slide.decayConstant)
        try check(&batch, handle, from: value, velocity, slide, since: start)
      }
    }
  }

  /// Many at once, in three dimensions, on every instruction set: the same bits, and the model.
  @Test func aBulkSlideIsTheSameOnAllSets() throws {
    var all: [[UInt32]] = []
    for set in KernelSet.available {
      var random = SplitMix64(seed: 101)
      var batch = try SpringBatch(dimensions: 3, kernels: set)
      try batch.hardlyRests()
      let count = 50
      let values = (0..<3 * count).map { _ in Float(random.uniform(-100...100)) }
      let velocities = (0..<3 * count).map { _ in Float(random.uniform(-1e3...1e3)) }
      let handles = try batch.add(.smooth, values: values.span, targets: values.span)
      let (springs, few) = ([Spring.bouncy, .smooth], Array(values[..<6]))
      let alone = try batch.add(springs.span, values: few.span, targets: few.span)
      try batch.decelerate(handles.span, velocities: velocities.span, by: .fast)
      for handle in alone {
        try batch.decelerate(handle, velocity: SIMD3<Float>(1, 20, 300))
      }
      var bits: [UInt32] = []
      for time in [0.01, 0.1, 0.3, 1, 3] {
        try batch.advance(to: time)
        bits += try batch.bits()
        for dimension in 0..<3 {
          let got = try batch.values(dimension)
          for track in 0..<count {
            let (value, velocity) = (values[dimension * count + track], velocities[dimension * count + track])
            let exact = Self.motion(.fast, value, velocity, since: 0)
            #expect(exact.excess(values: [got[track]], velocities: nil, at: time).value <= 1)
          }
        }
      }
      all.append(bits)
    }
    #expect(all.allSatisfy { $0 == all[0] })
  }

  @Test func theLastVelocityCounts() throws {
    var batch = try SpringBatch()
    try batch.hardlyRests()
    let handles = try (0..<3).map { try batch.add(.smooth, value: Float($0), target: 9) }
    let named = [handles[0], handles[1], handles[0], handles[2], handles[0]]
    try batch.decelerate(named.span, velocities: [100, 200, 300, 400, 500].span)
    for time in [0.1, 0.5, 2, 10] {
      try batch.advance(to: time)
      for (track, velocity) in [Float(500), 200, 400].enumerated() {
        try check(&batch, handles[track], from: Float(track), velocity, .normal, since: 0)
      }
    }
  }

  @Test(arguments: Standing.allCases, [false, true])
  func aSlideIsNeverAtRestEarly(_ standing: Standing, _ inBulk: Bool) throws {
    var random = SplitMix64(seed: 102)
    for trial in 0..<150 {
      let tolerances =
        trial % 3 == 0
        ? RestTolerances()
        : try RestTolerances(value: 0.01, velocity: trial % 3 == 1 ? 1e-3 : 1e3)
      let slide = Self.random(&random)
      var batch = try SpringBatch()
      batch.restTolerance = tolerances
      let handle = try standing.add(Motion(.bouncy, &random), to: &batch)
      try batch.advance(to: 0.3)
      let velocity = Float(random.logarithmic(1e-3...1e5)) * (random.next() & 1 == 0 ? 1 : -1)
      if inBulk {
        try batch.decelerate([handle].span, velocities: [velocity].span, by: slide)
      } else {
        try batch.decelerate(handle, velocity: velocity, by: slide)
      }
      let exact = slide.restTime(
        initialVelocity: Double(velocity), tolerance: Double(tolerances.value),
        velocityTolerance: tolerances.velocity.map(Double.init))
      let rest = try batch.restTime(of: handle) - 0.3
      let latest = exact * 1.0001 + 0.01 / slide.decayConstant
      #expect(rest >= exact && rest <= latest, "\(velocity) at \(slide.decayConstant): \(rest) for \(exact)")
      guard rest > 0 else {
        continue
      }
      // It is logically complete when it rests, and not before: a slide has no duration.
      try batch.advance(to: 0.3 + rest * 0.999)
      let early = batch.logicallyComplete.contains(handle) || batch.settled.contains(handle)
      #expect(!early)
      try batch.advance(to: 0.3 + rest * 1.001)
      let both = batch.logicallyComplete.contains(handle) && batch.settled.contains(handle)
      let (bits, target): ([UInt32], Float) = (try batch.bits(of: handle), try batch.target(of: handle))
      #expect(both && bits == [target.bitPattern, 0])
    }
  }

  enum Onward: CaseIterable, Sendable { case one, many, range, each, all, delayed }

  /// A spring takes over what is left of a slide.
  @Test(arguments: Onward.allCases, [false, true])
  func aSpringTakesOverASlide(_ onward: Onward, _ inBulk: Bool) throws {
    var random = SplitMix64(seed: 103)
    for standing in Standing.allCases {
      for regime in Motion.Regime.allCases {
        let next = Motion(regime, &random)
        var batch = try SpringBatch()
        try batch.hardlyRests()
        let handle = try standing.add(Motion(value: 10, target: 0), to: &batch)
        try batch.advance(to: 0.25)
        let value: Float = try batch.value(of: handle)
        if inBulk {
          try batch.decelerate([handle].span, velocities: [400].span)
        } else {
          try batch.decelerate(handle, velocity: Float(400))
        }
        try batch.advance(to: 0.5)
        let before = try batch.bits(of: handle)
        let all = [Float](repeating: next.target, count: batch.indexCount)
        let (one, index) = ([handle], handle.index)
        switch onward {
        case .one: try batch.retarget(handle, to: next.target, spring: next.spring)
        case .many: try batch.retarget(one.span, to: [next.target].span, spring: next.spring)
        case .range: try batch.retarget(index..<index + 1, to: [next.target].span, spring: next.spring)
        case .each: try batch.retarget(one.span, to: [next.target].span, springs: [next.spring].span)
        case .all: try batch.retargetAll(to: all.span, spring: next.spring)
        case .delayed: try batch.retarget(handle, to: next.target, spring: next.spring, delay: 0)
        }
        let after = try batch.bits(of: handle)
        #expect(after == before)
        let slide = Self.motion(.normal, value, 400, since: 0.25)
        let exact = SpringMotion(next.spring, from: slide.samples(at: 0.5), to: [Double(next.target)], at: 0.5)
        for time in [0.6, 0.8, 1.5] {
          try batch.advance(to: time)
          let excess = try batch.excess(of: handle, exact)
          #expect(excess <= 1, "\(onward), \(standing), \(next)")
        }
      }
    }
  }
}
