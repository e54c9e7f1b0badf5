// SPDX-License-Identifier: MIT
import Foundation
import MurmurationReference
import Testing

@testable import Murmuration
@testable import MurmurationEngine

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

  @Test(arguments: Standing.allCases, [false, true])
  func aSlideFollowsTheModel(_ standing: Standing, _ inBulk: Bool) throws {
    var random = SplitMix64(seed: 100)
    for trial in 0..<60 {
      let slide = trial % 3 == 0 ? .normal : trial % 3 == 1 ? Self.random(&random, 1e-5...1e6) : Self.random(&random)
      guard BatchLimits.decelerationConstants ~= slide.decayConstant else { continue }
      var batch = try AnimationBatch<Float>()
      try batch.hardlyRests()
      let motion = Motion(Motion.Regime.allCases[trial % 5], &random)
      let handle = try standing.add(motion, to: &batch)
      let start = random.uniform(0...2)
      try batch.advance(to: start)
      // The velocity is given, or it is the track's own.
      let given = trial % 2 == 0 ? Float(random.uniform(-1e4...1e4)) : nil
      let value = batch[handle] ?? .nan
      let velocity = given ?? batch.velocity(of: handle) ?? .nan
      let end = Float(slide.projectedEnd(from: Double(value), initialVelocity: Double(velocity)))
      if inBulk, let given {
        try batch.decelerate([handle], velocities: [given], by: slide)
      } else if inBulk {
        try batch.decelerate([handle], by: slide)
      } else {
        try batch.decelerate(handle, velocity: given, by: slide)
      }
      let target = batch.target(of: handle) ?? .nan
      #expect(abs(target - end) <= end.ulp)
      let shown = (batch[handle], batch.velocity(of: handle))
      #expect(shown.0 == value && shown.1 == velocity)
      for _ in 0..<12 {
        try batch.advance(to: start + random.logarithmic(1e-3...20) / slide.decayConstant)
        let excess = batch.excess(of: handle, Self.motion(slide, value, velocity, since: start))
        #expect(excess <= 1, "\(slide.decayConstant) per second, \(value) + \(velocity) · \(batch.time - start)")
      }
    }
  }

  @Test(arguments: Standing.allCases, [false, true])
  func aSlideIsNeverAtRestEarly(_ standing: Standing, _ inBulk: Bool) throws {
    var random = SplitMix64(seed: 102)
    for trial in 0..<60 {
      let tolerances =
        trial % 3 == 0
        ? RestTolerances()
        : try RestTolerances(value: 0.01, velocity: trial % 3 == 1 ? 1e-3 : 1e3)
      let slide = Self.random(&random)
      var batch = try AnimationBatch<Float>()
      batch.restTolerance = tolerances
      let handle = try standing.add(Motion(.bouncy, &random), to: &batch)
      try batch.advance(to: 0.3)
      let velocity = Float(random.logarithmic(1e-3...1e5)) * (random.next() & 1 == 0 ? 1 : -1)
      if inBulk {
        try batch.decelerate([handle], velocities: [velocity], by: slide)
      } else {
        try batch.decelerate(handle, velocity: velocity, by: slide)
      }
      let exact = slide.restTime(
        initialVelocity: Double(velocity), tolerance: Double(tolerances.value),
        velocityTolerance: tolerances.velocity.map(Double.init))
      let rest = (batch.restTime(of: handle) ?? .nan) - 0.3
      let latest = max(exact * 1.0001 + 0.01 / slide.decayConstant, min(0.1251 / slide.decayConstant, 0.0334))
      #expect(rest >= exact && rest <= latest, "\(velocity) at \(slide.decayConstant): \(rest) for \(exact)")
      guard rest > 0 else { continue }
      // It is logically complete when it rests, and not before: a slide has no duration.
      try batch.advance(to: 0.3 + rest * 0.999)
      let early = batch.events.contains { $0.track == handle }
      #expect(!early)
      try batch.advance(to: 0.3 + rest * 1.001)
      let kinds = batch.events.filter { $0.track == handle }.map(\.kind)
      let (bits, target) = (batch.bits(of: handle), batch.target(of: handle))
      #expect(kinds == [.logicallyComplete, .settled] && bits == [target?.bitPattern, 0])
    }
  }
}
