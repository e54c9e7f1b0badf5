// SPDX-License-Identifier: MIT
import Reference
import Testing

@testable import Murmuration

/// A track that waits keeps its motion until its moment, and sets out from where it is then, whenever frames are.
struct DelayedRetargetTests {
  /// Frames between two checkpoints, which are a tenth of a second apart.
  private enum Frames: CaseIterable {
    case ofATenth, ofA240th, irregular, oneLeap

    func play(to checkpoint: Int, _ batch: inout SpringBatch, _ random: inout SplitMix64) throws {
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
    for trial in 0..<10 {
      let motion = Motion(regime, &random)
      let next = Motion(Motion.Regime.allCases[Int(random.next() % 5)], &random)
      let spring = trial % 2 == 0 ? next.spring : nil
      let order = random.uniform(0...0.3)
      let delay = trial == 0 ? 0 : random.uniform(0...1)
      let old = motion.exact()
      let new = old.followed(at: order + delay, by: spring, to: next.target)
      var expected: [[UInt32]] = []
      for frames in Frames.allCases {
        var batch = try SpringBatch()
        try batch.hardlyRests()
        let handle = try standing.add(motion, to: &batch)
        try batch.advance(to: order)
        try batch.retarget(handle, to: next.target, spring: spring, delay: delay)
        for checkpoint in 4...20 {
          try frames.play(to: checkpoint, &batch, &random)
          let excess = try batch.excess(of: handle, batch.time < order + delay ? old : new)
          #expect(excess <= 1, "\(motion) then \(next) at \(order) + \(delay), \(frames), \(batch.time)")
          let bits = try batch.bits(of: handle)
          if frames == .ofATenth {
            expected.append(bits)
          } else if frames != .oneLeap {
            #expect(bits == expected[checkpoint - 4], "\(frames) at \(batch.time)")
          }
        }
        if frames == .oneLeap {
          try batch.advance(to: 2)
          let bits = try batch.bits(of: handle)
          #expect(bits == expected[16], "one leap")
        }
        let target: Float = try batch.target(of: handle)
        let isInCohort = try batch.isInCohort(handle)
        #expect(target == next.target && !isInCohort)
      }
    }
  }

  @Test(arguments: Standing.allCases) func atItsVeryMomentNothingJumps(_ standing: Standing) throws {
    var random = SplitMix64(seed: 71)
    for regime in Motion.Regime.allCases {
      let motion = Motion(regime, &random)
      var batch = try SpringBatch()
      try batch.hardlyRests()
      let handle = try standing.add(motion, to: &batch)
      try batch.retarget(handle, to: 1_000, spring: .snappy, delay: 0.25)
      try batch.advance(to: 0.25)
      let old = motion.exact()
      let excess = try batch.excess(of: handle, old.followed(at: 0.25, by: .snappy, to: 1_000))
      #expect(excess <= 1, "\(motion)")
      let target: Float = try batch.target(of: handle)
      #expect(target == 1_000)
    }
  }

  /// Many waiting at once, and again and again: each follows its own chain of motions.
  @Test(arguments: [false, true]) func chainsOfDelaysFollowTheModel(_ computesVelocities: Bool) throws {
    var random = SplitMix64(seed: 72)
    var batch = try SpringBatch()
    batch.computesVelocities = computesVelocities
    try batch.hardlyRests()
    let count = 60
    let zeros = [Float](repeating: 0, count: count)
    let values = (0..<count).map { _ in Float(random.uniform(-100...100)) }
    let handles = try batch.add(.smooth, values: values.span, targets: zeros.span)
    var motions = values.map { Motion(value: $0, target: 0, spring: .smooth).exact() }
    for _ in 0..<8 {
      let targets = (0..<count).map { _ in Float(random.uniform(-100...100)) }
      // Ties are common.
      let delays = (0..<count).map { _ in Double(random.next() % 8) / 16 }
      let spring =
        random.next() & 1 == 0
        ? nil : Spring(duration: random.uniform(0.2...1), bounce: random.uniform(-0.5...0.5))
      try batch.retarget(handles.span, to: targets.span, spring: spring, delays: delays.span)
      for track in 0..<count {
        motions[track] = motions[track].followed(at: batch.time + delays[track], by: spring, to: targets[track])
      }
      try batch.advance(by: random.uniform(0.5...0.8))
      for track in 0..<count {
        let excess = try batch.excess(of: handles[track], motions[track])
        #expect(excess <= 1, "track \(track) at \(batch.time)")
      }
    }
    #expect(batch.waiting.count == 0)
  }

  @Test func eachDimensionSetsOut() throws {
    var batch = try SpringBatch(dimensions: 3)
    try batch.hardlyRests()
    let handles = [
      try batch.add(.smooth, value: SIMD3(1, 2, 3), target: SIMD3(0, 0, 0)),
      try batch.add(.smooth, value: SIMD3(4, 5, 6), target: SIMD3(0, 0, 0)),
    ]
    let targets: [Float] = [10, 40, 20, 50, 30, 60]
    try batch.retarget(handles.span, to: targets.span, delays: [0.5, 0.1].span)
    try batch.advance(to: 0.3)
    let (waiting, sent): (SIMD3<Float>, SIMD3<Float>) = (
      try batch.target(of: handles[0]), try batch.target(of: handles[1])
    )
    #expect(waiting == SIMD3(0, 0, 0) && sent == SIMD3(40, 50, 60))
    try batch.advance(to: 20)
    let end: SIMD3<Float> = try batch.value(of: handles[0])
    #expect(end == SIMD3(10, 20, 30))
  }

  /// Back before the moment, the track waits again only if it had not set out.
  @Test(arguments: Standing.allCases) func aSeekBackDoesNotLoseWhatWaits(_ standing: Standing) throws {
    var batch = try SpringBatch()
    try batch.hardlyRests()
    let motion = Motion(value: 10, target: 0)
    let handle = try standing.add(motion, to: &batch)
    try batch.advance(to: 0.5)
    try batch.retarget(handle, to: 30, delay: 0.5)
    let old = motion.exact()
    for time in [0.1, 0.9, 0.2] {
      try batch.advance(to: time)
      let excess = try batch.excess(of: handle, old)
      #expect(excess <= 1)
    }
    let new = old.followed(at: 1, to: 30)
    for time in [1.5, 1.0, 1.2] {
      try batch.advance(to: time)
      let excess = try batch.excess(of: handle, new)
      #expect(excess <= 1)
    }
    #expect(throws: BatchError.timeBeforeStart(time: 0.9, start: 1)) { try batch.advance(to: 0.9) }
  }

  /// Growth, packing and compaction give tracks other rows while they wait.
  @Test func aTrackIsFoundInWhateverRowItStands() throws {
    var random = SplitMix64(seed: 73)
    var batch = try SpringBatch()
    try batch.hardlyRests()
    let motion = Motion(value: 50, target: 0, spring: .smooth)
    let count = 400
    let values = [Float](repeating: 50, count: count)
    let zeros = [Float](repeating: 0, count: count)
    let handles = try batch.add(.smooth, values: values.span, targets: zeros.span)
    let kept = stride(from: 3, to: count, by: 20).map { handles[$0] }
    let delays = kept.map { _ in random.uniform(0.4...0.6) }
    let targets = kept.indices.map { Float($0) * 10 }
    try batch.retarget(kept.span, to: targets.span, spring: .bouncy, delays: delays.span)
    try batch.advance(to: 0.1)
    let gone = handles.filter { !kept.contains($0) }
    try batch.remove(gone.span)
    try batch.advance(to: 0.2)
    let many = [Float](repeating: 1, count: 5_000)
    try batch.add(.smooth, values: many.span, targets: many.span)
    try batch.advance(to: 0.3)
    try batch.compact()
    try batch.advance(to: 0.8)
    for (place, handle) in kept.enumerated() {
      let old = motion.exact()
      let new = old.followed(at: delays[place], by: .bouncy, to: targets[place])
      let excess = try batch.excess(of: handle, new)
      #expect(excess <= 1, "track \(place)")
    }
  }
}
