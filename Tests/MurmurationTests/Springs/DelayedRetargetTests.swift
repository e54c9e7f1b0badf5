// SPDX-License-Identifier: MIT
import MurmurationReference
import Testing

@testable import Murmuration
@testable import MurmurationEngine

/// A track that waits keeps its motion until its moment, and sets out from where it is then, whenever frames are.
struct DelayedRetargetTests {
  /// Moments at which all frames are compared, a tenth of a second apart.
  private static let checkpoints = (4...20).map { Double($0) / 10 }

  /// Frames that lead to some or all of the checkpoints: these alone, 240 a second, at random, and the last one alone.
  private static func frames(_ random: inout SplitMix64) -> [[Double]] {
    var irregular: [Double] = []
    for checkpoint in checkpoints {
      while let last = irregular.last, last < checkpoint { irregular.append(last + random.uniform(0.001...0.08)) }
      irregular.append(checkpoint)
    }
    let even = checkpoints.flatMap { checkpoint in (-23...0).map { checkpoint + Double($0) / 240 } }
    return [checkpoints, even, irregular.sorted(), [2]]
  }

  @Test(arguments: Standing.allCases, Motion.Regime.allCases)
  func theMotionDoesNotDependOnTheFrames(_ standing: Standing, _ regime: Motion.Regime) throws {
    var random = SplitMix64(seed: 70)
    for trial in 0..<4 {
      let motion = Motion(regime, &random)
      let next = Motion(Motion.Regime.allCases[Int(random.next() % 5)], &random)
      let spring = trial % 2 == 0 ? next.spring : nil
      let order = random.uniform(0...0.3)
      let delay = trial == 0 ? 0 : random.uniform(0...1)
      let old = motion.exact()
      let new = old.followed(at: order + delay, by: spring, to: next.target)
      var expected: [Double: [UInt32]] = [:]
      for (way, times) in Self.frames(&random).enumerated() {
        var batch = try AnimationBatch<Float>()
        try batch.hardlyRests()
        let handle = try standing.add(motion, to: &batch)
        try batch.advance(to: order)
        try batch.send(handle, to: next.target, spring, delay: delay)
        for time in times where time >= order {
          try batch.advance(to: time)
          let excess = batch.excess(of: handle, time < order + delay ? old : new)
          #expect(excess <= 1, "\(motion) then \(next) at \(order) + \(delay), way \(way), \(time)")
          let bits = batch.bits(of: handle)
          if way == 0 { expected[time] = bits }
          #expect(expected[time] == nil || expected[time] == bits, "way \(way) at \(time)")
        }
        #expect(batch.target(of: handle) == next.target)
      }
    }
  }

  @Test(arguments: Standing.allCases) func atItsVeryMomentNothingJumps(_ standing: Standing) throws {
    var random = SplitMix64(seed: 71)
    for regime in Motion.Regime.allCases {
      let motion = Motion(regime, &random)
      var batch = try AnimationBatch<Float>()
      try batch.hardlyRests()
      let handle = try standing.add(motion, to: &batch)
      try batch.send(handle, to: 1_000, .snappy, delay: 0.25)
      try batch.advance(to: 0.25)
      let excess = batch.excess(of: handle, motion.exact().followed(at: 0.25, by: .snappy, to: 1_000))
      #expect(excess <= 1 && batch.target(of: handle) == 1_000, "\(motion)")
    }
  }

  /// Back before the moment, the track waits again only if it had not set out.
  @Test(arguments: Standing.allCases) func aSeekBackDoesNotLoseWhatWaits(_ standing: Standing) throws {
    var batch = try AnimationBatch<Float>()
    try batch.hardlyRests()
    let motion = Motion(value: 10, target: 0)
    let handle = try standing.add(motion, to: &batch)
    try batch.advance(to: 0.5)
    try batch.send(handle, to: 30, delay: 0.5)
    let old = motion.exact()
    let new = old.followed(at: 1, to: 30)
    for (time, exact) in [(0.1, old), (0.9, old), (0.2, old), (1.5, new), (1, new), (1.2, new)] {
      try batch.advance(to: time)
      #expect(batch.excess(of: handle, exact) <= 1)
    }
    #expect(throws: BatchError.timeBeforeStart(time: 0.9, start: 1)) { try batch.advance(to: 0.9) }
  }

  // MARK: - Other calls

  /// A track that takes the index of a removed one does not inherit its waiting call, whether it gets its own or not.
  @Test(arguments: [false, true], Standing.allCases)
  func whatWaitsGoesWithItsTrack(_ hasOrder: Bool, _ standing: Standing) throws {
    for removal in 0..<3 {
      var batch = try AnimationBatch<Float>()
      let handle = try standing.add(Motion(value: 3, target: 0), to: &batch)
      try batch.send(handle, to: 500, .bouncy, delay: 0.5)
      try batch.advance(to: 0.2)
      switch removal {
      case 0: try batch.remove(handle)
      case 1: try batch.remove([handle])
      default: batch.removeAll()
      }
      let next = try batch.add(1, to: 2, .smooth)
      #expect(removal == 2 || next.index == handle.index)
      var motion = Motion(value: 1, target: 2, spring: .smooth).exact(from: 0.2)
      if hasOrder {
        // At the moment at which the old track was to set out, the new one gets its own waiting call.
        try batch.send(next, to: 20, delay: 0.5 - batch.time)
        try batch.advance(to: 0.4)
        #expect(batch.excess(of: next, motion) <= 1)
        motion = motion.followed(at: 0.2 + (0.5 - 0.2), to: 20)
      }
      try batch.advance(to: 0.7)
      let excess = batch.excess(of: next, motion)
      #expect(excess <= 1 && batch.target(of: next) == (hasOrder ? 20 : 2) && batch.engine.waiting.count == 0)
    }
  }

  /// A call that comes due after a step of phases, both within one frame, takes over from the motion of that step.
  @Test func aCallThatComesAfterAStepOfPhasesTakesOverFromThat() throws {
    var values: [Float?] = []
    for frames in [[0.1, 0.75], [0.1, 0.3, 0.45, 0.6, 0.69, 0.7, 0.75]] {
      var batch = try AnimationBatch<Float>()
      let track = try batch.add(0)
      let phases = try PhaseSequence([0, 10, 25], target: { Float($0) }, animation: { _ in .bouncy(duration: 0.4) })
      try batch.play(try batch.load(phases), on: track)
      for time in frames {
        try batch.advance(to: time)
        if time == 0.1 { try batch.animate(track, to: 5, .snappy, delay: 0.6) }
      }
      values += [batch[track], batch.velocity(of: track)]
    }
    #expect(values[0] == values[2] && values[1] == values[3])
  }
}
