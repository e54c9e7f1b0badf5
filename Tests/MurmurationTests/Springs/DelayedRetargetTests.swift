// SPDX-License-Identifier: MIT
import MurmurationReference
import Testing

@testable import Murmuration
@testable import MurmurationEngine

/// A track that waits keeps its motion until its moment, and sets out from where it is then, whenever frames are.
struct DelayedRetargetTests {
  /// Frames between two checkpoints, which are a tenth of a second apart.
  private enum Frames: CaseIterable {
    case ofATenth, ofA240th, irregular, oneLeap

    func play(to checkpoint: Int, _ batch: inout AnimationBatch<Float>, _ random: inout SplitMix64) throws {
      let (from, to) = (batch.time, Double(checkpoint) / 10)
      switch self {
      case .ofATenth: break
      case .ofA240th:
        for frame in 1..<24 {
          try batch.advance(to: max(from, to - Double(24 - frame) / 240))
        }
      case .irregular:
        while batch.time < to {
          let next = batch.time + random.uniform(0.001...0.08)
          try batch.advance(to: min(to, next))
        }
      case .oneLeap: return
      }
      try batch.advance(to: to)
    }
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
      var expected: [[UInt32]] = []
      for frames in Frames.allCases {
        var batch = try AnimationBatch<Float>()
        try batch.hardlyRests()
        let handle = try standing.add(motion, to: &batch)
        try batch.advance(to: order)
        try batch.send(handle, to: next.target, spring, delay: delay)
        for checkpoint in 4...20 {
          try frames.play(to: checkpoint, &batch, &random)
          let excess = batch.excess(of: handle, batch.time < order + delay ? old : new)
          #expect(excess <= 1, "\(motion) then \(next) at \(order) + \(delay), \(frames), \(batch.time)")
          let bits = batch.bits(of: handle)
          if frames == .ofATenth {
            expected.append(bits)
          } else if frames != .oneLeap {
            #expect(bits == expected[checkpoint - 4], "\(frames) at \(batch.time)")
          }
        }
        if frames == .oneLeap {
          try batch.advance(to: 2)
          let bits = batch.bits(of: handle)
          #expect(bits == expected[16], "one leap")
        }
        let target = batch.target(of: handle)
        #expect(target == next.target)
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
      let old = motion.exact()
      let excess = batch.excess(of: handle, old.followed(at: 0.25, by: .snappy, to: 1_000))
      #expect(excess <= 1, "\(motion)")
      let target = batch.target(of: handle)
      #expect(target == 1_000)
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
    for time in [0.1, 0.9, 0.2] {
      try batch.advance(to: time)
      let excess = batch.excess(of: handle, old)
      #expect(excess <= 1)
    }
    let new = old.followed(at: 1, to: 30)
    for time in [1.5, 1.0, 1.2] {
      try batch.advance(to: time)
      let excess = batch.excess(of: handle, new)
      #expect(excess <= 1)
    }
    #expect(throws: BatchError.timeBeforeStart(time: 0.9, start: 1)) { try batch.advance(to: 0.9) }
  }

  /// Growth and compaction move the memory of tracks while they wait.
  @Test func aWaitingTrackIsFoundAfterGrowthAndCompaction() throws {
    var random = SplitMix64(seed: 73)
    var batch = try AnimationBatch<Float>()
    try batch.hardlyRests()
    let motion = Motion(value: 50, target: 0, spring: .smooth)
    let count = 400
    let values = [Float](repeating: 50, count: count)
    let zeros = [Float](repeating: 0, count: count)
    let handles = try batch.add(values, to: zeros, .smooth)
    let kept = stride(from: 3, to: count, by: 20).map { handles[$0] }
    let delays = kept.map { _ in random.uniform(0.4...0.6) }
    let targets = kept.indices.map { Float($0 + 1) * 10 }
    try batch.animate(kept, to: targets, .bouncy, delays: delays)
    try batch.advance(to: 0.1)
    let gone = handles.filter { !kept.contains($0) }
    try batch.remove(gone)
    try batch.advance(to: 0.2)
    let many = [Float](repeating: 1, count: 5_000)
    try batch.add(many, to: many, .smooth)
    try batch.advance(to: 0.3)
    try batch.compact()
    try batch.advance(to: 0.8)
    for (place, handle) in kept.enumerated() {
      let old = motion.exact()
      let new = old.followed(at: delays[place], by: .bouncy, to: targets[place])
      let excess = batch.excess(of: handle, new)
      #expect(excess <= 1, "track \(place)")
    }
  }
}
