// SPDX-License-Identifier: MIT
import Foundation
import MurmurationReference
import TestSupport
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

  /// Sends a track into a slide, by a call for one track or for many; without a velocity it keeps its own.
  private static func slide(
    _ batch: inout AnimationBatch<Float>, _ track: TrackHandle, _ velocity: Float?, _ slide: Deceleration, inBulk: Bool
  ) throws {
    if inBulk, let velocity {
      try batch.decelerate([track], velocities: [velocity], by: slide)
    } else if inBulk {
      try batch.decelerate([track], by: slide)
    } else {
      try batch.decelerate(track, velocity: velocity, by: slide)
    }
  }

  @Test(arguments: Standing.allCases, [false, true])
  func aSlideFollowsTheModel(_ standing: Standing, _ inBulk: Bool) throws {
    var random = SplitMix64(seed: 100)
    for trial in 0..<60 {
      let slide = trial % 3 == 0 ? .normal : trial % 3 == 1 ? Self.random(&random, 1e-5...1e6) : Self.random(&random)
      guard BatchLimits.decelerationConstants ~= slide.decayConstant else { continue }
      var batch = try AnimationBatch<Float>()
      try batch.hardlyRests()
      let handle = try standing.add(Motion(Motion.Regime.allCases[trial % 5], &random), to: &batch)
      let start = random.uniform(0...2)
      try batch.advance(to: start)
      let given = trial % 2 == 0 ? Float(random.uniform(-1e4...1e4)) : nil
      let value = try #require(batch[handle])
      let velocity = given ?? batch.velocity(of: handle) ?? .nan
      try Self.slide(&batch, handle, given, slide, inBulk: inBulk)
      let end = Float(slide.projectedEnd(from: Double(value), initialVelocity: Double(velocity)))
      #expect(abs((batch.target(of: handle) ?? .nan) - end) <= end.ulp)
      #expect(batch[handle] == value && batch.velocity(of: handle) == velocity)
      let exact = SlideMotion(slide, from: [MotionSample(value: Double(value), velocity: Double(velocity))], at: start)
      for _ in 0..<12 {
        try batch.advance(to: start + random.logarithmic(1e-3...20) / slide.decayConstant)
        let excess = batch.excess(of: handle, exact)
        #expect(excess <= 1, "\(slide.decayConstant) per second, \(value) + \(velocity) · \(batch.time - start)")
      }
    }
  }

  @Test(arguments: Standing.allCases, [false, true])
  func aSlideIsNeverAtRestEarly(_ standing: Standing, _ inBulk: Bool) throws {
    var random = SplitMix64(seed: 102)
    for trial in 0..<60 {
      let tolerances =
        trial % 3 == 0 ? RestTolerances() : try RestTolerances(value: 0.01, velocity: trial % 3 == 1 ? 1e-3 : 1e3)
      let slide = Self.random(&random)
      var batch = try AnimationBatch<Float>()
      batch.restTolerance = tolerances
      let handle = try standing.add(Motion(.bouncy, &random), to: &batch)
      try batch.advance(to: 0.3)
      let velocity = Float(random.logarithmic(1e-3...1e5)) * (random.next() & 1 == 0 ? 1 : -1)
      try Self.slide(&batch, handle, velocity, slide, inBulk: inBulk)
      let exact = slide.restTime(
        initialVelocity: Double(velocity), tolerance: Double(tolerances.value),
        velocityTolerance: tolerances.velocity.map(Double.init))
      let rest = (batch.restTime(of: handle) ?? .nan) - 0.3
      let latest = max(exact * 1.0001 + 0.01 / slide.decayConstant, min(0.1251 / slide.decayConstant, 0.0334))
      #expect(rest >= exact && rest <= latest, "\(velocity) at \(slide.decayConstant): \(rest) for \(exact)")
      guard rest > 0 else { continue }
      // It is logically complete when it rests, and not before: a slide has no duration.
      try batch.advance(to: 0.3 + rest * 0.999)
      #expect(!batch.events.contains { $0.track == handle })
      try batch.advance(to: 0.3 + rest * 1.001)
      #expect(batch.events.filter { $0.track == handle }.map(\.kind) == [.logicallyComplete, .settled])
      #expect(batch.bits(of: handle) == [batch.target(of: handle)?.bitPattern, 0])
    }
  }

  /// Slides of any accepted rate, from any accepted value and velocity, followed by any call.
  @Test(arguments: KernelSet.available) func hostileSlidesStayFinite(_ kernels: KernelSet) throws {
    let rates: [Double] = [.leastNonzeroMagnitude, 1e-300, 1e-30, 0.5, 0.998, 1 - 1e-8, 1 - 1e-9, 0.999_999_98]
    let values: [Float] = [0, -0.0, 1, -1e15, 1e15, 1e-30, .leastNonzeroMagnitude, 7e14]
    let springs =
      [(0, 0), (1e-4, -0.9), (1e-4, 1), (1e6, 0), (1e6, -0.9)].map { Spring(duration: $0, bounce: $1) } + [.bouncy]
    var random = SplitMix64(seed: 110)
    func pick<T>(_ all: [T]) -> T { all[Int(random.next() % UInt64(all.count))] }
    var accepted = 0
    let trials = Effort.draws(quick: 300, soak: 3_000)
    for trial in 0..<trials {
      var batch = try AnimationBatch<Float>(kernels: kernels)
      let handle = try batch.add(pick(values), velocity: pick(values), to: pick(values), pick(springs))
      try batch.advance(by: pick([0, 1e-5, 0.1, 1e5]))
      for _ in 0..<4 {
        let (slide, velocity) = (Deceleration(rate: pick(rates)), pick(values))
        switch random.next() % 6 {
        case 4: try batch.retarget(handle, to: pick(values))
        case 5: try batch.displace([handle], [pick(values)], velocities: [velocity])
        case let kind:
          let isMade: Void? = try? Self.slide(&batch, handle, kind % 2 == 0 ? velocity : nil, slide, inBulk: kind > 1)
          if isMade != nil, kind < 2 { accepted += 1 }
        }
        #expect(batch.restTime(of: handle)?.isNaN == false)
        try batch.advance(by: pick([0, 1e-9, 1e-3, 1, 1e4, 1e8]))
        let shown = [batch[handle], batch.velocity(of: handle), batch.target(of: handle)].compactMap { $0 }
        #expect(shown.count == 3 && shown.allSatisfy(\.isFinite), "trial \(trial): \(shown)")
        #expect(batch.isAtRest(handle) != true || (shown[0] == shown[2] && shown[1] == 0))
      }
    }
    #expect(accepted > trials / 6)
  }
}
