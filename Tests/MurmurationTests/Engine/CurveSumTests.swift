// SPDX-License-Identifier: MIT
import Kernels
import TestSupport
import Testing

@testable import Murmuration
@testable import MurmurationEngine

/// Sums of effects by kernels show what the model shows for the same calls.
struct CurveSumTests {
  /// A curve, an interpolating spring or a spring, modified or not.
  private func effect(_ random: inout SplitMix64) -> Animation {
    func one<T>(of list: [T]) -> T { list[Int(random.next() % UInt64(list.count))] }
    let shapes: [UnitCurve] = [
      .easeInOut, .linear, .easeOut, .steps(3, position: .jumpEnd),
      .bezier(startControlPoint: UnitPoint(x: 0.2, y: 1.4), endControlPoint: UnitPoint(x: 0.6, y: -0.3)),
    ]
    let spring = Animation.spring(duration: one(of: [0.3, 0.8]), bounce: one(of: [0.4, 0, -0.5]))
    let curve = Animation.timingCurve(one(of: shapes), duration: one(of: [0.2, 0.5, 1]))
    let pushed = Animation.interpolatingSpring(
      Spring(duration: 0.4, bounce: 0.3), initialVelocity: random.uniform(-5...5))
    if random.next() % 3 == 0 { return spring }
    let animation = one(of: [curve, curve, curve, pushed, spring.delay(0.05)])
    return one(of: [
      animation, animation, animation, animation.delay(0.1), animation.speed(1.5),
      animation.repeatCount(3, autoreverses: random.next() % 2 == 0), animation.logicallyComplete(after: 0.1),
    ])
  }

  @Test("Effects add up as in the model", arguments: KernelSet.available)
  func sumsAreTheModels(_ set: KernelSet) throws {
    var (sums, calledCount) = (0, 0)
    for seed in 0..<UInt64(Effort.draws(quick: set == .portable ? 12 : 4, soak: 2_000)) {
      var random = SplitMix64(seed: seed)
      func pick(below count: Int) -> Int { Int(random.next() % UInt64(count)) }
      var twins = try Modelled((0..<37).map { _ in Float(random.uniform(-50...50)) }, kernels: set)
      // When each track was sent on last.
      var changes = [Double](repeating: -1, count: 37)
      for step in 0..<40 {
        let now = twins.batch.time
        if pick(below: 3) == 0 {
          // Some neighbours that no call has sent on at this moment.
          let first = pick(below: 3) == 0 ? 0 : pick(below: 37)
          let last = pick(below: 3) == 0 ? 37 : min(37, first + 1 + pick(below: 20))
          let chosen = (first..<last).filter { changes[$0] < now }
          guard !chosen.isEmpty else { continue }
          try twins.send(
            chosen, toEach: chosen.map { _ in Float(random.uniform(-50...50)) }, by: effect(&random))
          for track in chosen { changes[track] = now }
        } else {
          // Going back shows a track as it was.
          let isBack = pick(below: 5) == 0
          let ahead = [0.01, 0.1, 0.4][pick(below: 3)] * random.unit()
          if pick(below: 8) == 0 { try twins.batch.compact() }
          try twins.advance(to: isBack ? max(changes.max() ?? 0, 0, now - 0.2) : now + ahead, velocities: isBack)
        }
        for track in changes.indices where changes[track] < twins.batch.time {
          let (error, slip) = (twins.error(track), twins.velocityError(track))
          let speed = abs(twins.models[track].velocity(at: twins.batch.time))
          #expect(
            error <= 0.05 && slip <= 2 + 0.01 * speed, "seed \(seed), step \(step), track \(track): \(error), \(slip)")
          if twins.isByKernels(track) { sums += 1 }
        }
        calledCount += twins.batch.calledCount
      }
    }
    #expect(sums > 1_000 && calledCount < sums / 4)
  }

  @Test("A modified spring takes over from one with the same modifiers, and adds to any other")
  func modifiedSprings() throws {
    let (smooth, bouncy) = (Animation.smooth(duration: 2), Animation.bouncy(duration: 1))
    for (first, second) in [
      (smooth.delay(0.1), bouncy.delay(0.1)), (smooth.delay(0.1), bouncy.delay(0.2)),
      (smooth.speed(2), bouncy.delay(0.1)), (smooth.speed(2), bouncy.speed(2)),
      (smooth.repeatCount(2), bouncy.repeatCount(2)), (smooth, bouncy.delay(0.1)),
    ] {
      var twins = try Modelled()
      try twins.send(to: 10, by: first)
      try twins.advance(to: 0.3)
      try twins.send(to: -4, by: second)
      for time in [0.31, 0.5, 0.8, 1.5, 4] {
        try twins.advance(to: time)
        #expect(twins.error() < 2e-3 && twins.batch.calledCount == 0, "\(first), then \(second), at \(time)")
      }
    }
  }

  /// It was reported for a moment before the call.
  @Test func aRunThatIsCompleteIsSoForTheNextCallAtOnce() throws {
    var batch = try AnimationBatch<Float>()
    let track = try batch.add(0)
    let animation = Animation.smooth(duration: 0.5).logicallyComplete(after: 0.02)
    try batch.animate(track, to: 10, animation)
    try batch.advance(to: 0.04)
    let change = try batch.animate(track, to: -3, animation)
    try batch.advance(to: 0.0625)
    let events = batch.events.map { [$0.moment, Double($0.change.rawValue), Double($0.kind.rawValue)] }
    #expect(events == [[0.04, Double(change.rawValue), Double(AnimationEvent.Kind.logicallyComplete.rawValue)]])
  }

  /// It began to wait anew.
  @Test func aJumpThatWaitsKeepsTheClockOfItsRun() throws {
    var twins = try Modelled([17])
    let jump = Animation.spring(Spring(duration: 0, bounce: 0)).delay(0.3125).delay(0)
    for (goal, time) in [(-92, 4.75), (-41, 5)] as [(Float, Double)] {
      try twins.advance(to: time)
      try twins.send(to: goal, by: jump)
    }
    for time in [5.05, 5.07, 5.2, 5.4] {
      try twins.advance(to: time)
      #expect(twins.error() == 0, "at \(time)")
    }
  }

  @Test("A spring that waited takes over from many effects between frames, as the model does")
  func aSpringTakesOverFromManyEffects() throws {
    for count in [1, 3, 4, 5, 9, 64] {
      var twins = try Modelled()
      for effect in 1...count {
        try twins.send(to: Float(effect), by: .easeOut(duration: 8))
        try twins.advance(by: 0.1)
      }
      try twins.send(to: -3, by: .smooth, delay: 0.05)
      try twins.advance(by: 0.2)
      #expect(twins.error() <= 1e-3 && twins.velocityError() <= 1e-2, "\(count) effects")
    }
  }

  @Test("A spring that waited takes over between frames from an animation that still waits: nothing of that shows")
  func aSpringTakesOverWhileAnEffectWaits() throws {
    for isOnSpring in [false, true] {
      var twins = try Modelled()
      if isOnSpring {
        try twins.send(to: 4, by: .smooth)
        try twins.advance(to: 0.1)
      }
      try twins.send(to: 10, by: .interpolatingSpring(Spring(duration: 1), initialVelocity: 5).delay(0.5))
      try twins.send(to: -3, by: .smooth, delay: 0.25)
      try twins.advance(by: 0.4)
      #expect(twins.error() <= 1e-3 && twins.velocityError() <= 1e-2, "on a spring: \(isOnSpring)")
    }
  }

  /// Expects that a bake of some times has the bits of frames.
  private func expectBake(of batch: inout AnimationBatch<Float>, at times: [Double]) throws {
    let count = batch.indexCount
    let baked = try Baked(batch, BakeRequest(at: times, indices: 0..<count))
    for (frame, time) in times.enumerated() {
      try batch.advance(to: time)
      let values = try batch.values()
      #expect(values == Array(baked.values[frame * count..<(frame + 1) * count]), "at \(time)")
    }
  }

  @Test("A bake of many effects has the bits of frames")
  func aBakeOfManyEffects() throws {
    var batch = try AnimationBatch<Float>()
    let tracks = try batch.add([Float](repeating: 0, count: 3))
    for effect in 1...9 {
      try batch.animate(tracks[effect % 2], to: Float(effect), .easeOut(duration: 4))
      try batch.animate(tracks[2], to: Float(-effect), .easeOut(duration: 4))
      try batch.advance(by: 0.1)
    }
    let now = batch.time
    try expectBake(of: &batch, at: (1...40).map { now + Double($0) / 8 })
  }

  @Test("A bake shows effects that are over, and effects on their way back, as frames do")
  func effectsAreBakedAsTheyAre() throws {
    var batch = try AnimationBatch<Float>()
    let tracks = try batch.add([Float](repeating: 0, count: 32))
    try batch.animate(.all, to: 10, .easeOut(duration: 0.3))
    try batch.advance(to: 0.1)
    try batch.animate(tracks[..<16], to: 20, .easeOut(duration: 1000))
    try batch.animate(tracks[16...], to: 20, .easeIn(duration: 0.3).repeatCount(2, autoreverses: true))
    try batch.advance(to: 0.5)
    // The clock of the first effect would turn over by the last of them, if it still ran.
    try expectBake(of: &batch, at: [0.51, 0.55, 0.6, 100])
  }

  @Test("An effect that was over when the batch was compacted comes back when the clock goes back")
  func effectsComeBackAfterCompacting() throws {
    func show(compacts: Bool) throws -> [Float] {
      var batch = try AnimationBatch<Float>()
      try batch.add([Float](repeating: 0, count: 16))
      try batch.animate(.all, to: 10, .easeOut(duration: 0.3))
      try batch.advance(to: 0.1)
      try batch.animate(.all, to: 20, .easeOut(duration: 1000))
      try batch.advance(to: 0.5)
      if compacts { try batch.compact() }
      // The clock of the first effect would turn over by then, if it still ran.
      return try [0.51, 100, 0.2].flatMap { time in
        try batch.advance(to: time)
        #expect(batch.checkInvariants() == nil)
        return try batch.values()
      }
    }
    #expect(try show(compacts: true) == show(compacts: false))
  }

  @Test("A spring that is slower than the effect on it ends with that effect", arguments: [1, 16])
  func aSpringEndsWithTheEffectOnIt(count: Int) throws {
    var twins = try Modelled(count: count)
    for (time, goal, animation) in [
      (0, 100, .smooth(duration: 8)), (0.5, 10, .easeOut(duration: 0.3)), (0.6, 20, .linear(duration: 1)),
      (0.9, 40, .linear(duration: 1)),
    ] as [(Double, Float, Animation)] {
      try twins.advance(to: time)
      try twins.send(to: goal, by: animation)
    }
    try twins.advance(to: 1)
    #expect(twins.error <= 1e-3 && twins.batch.checkInvariants() == nil)
  }

  @Test("An effect that ends before a later one is gone to the last bit, and comes back when the clock goes back")
  func endsInTheMiddle() throws {
    var batch = try AnimationBatch<Float>()
    let track = try batch.add(1e6)
    try batch.animate(track, to: -1e6, .bouncy(duration: 4))
    try batch.advance(to: 0.1)
    try batch.animate(track, to: 0.25, .linear(duration: 0.5))
    try batch.advance(to: 0.2)
    try batch.animate(track, to: 1, .linear(duration: 1))
    try batch.advance(to: 0.4)
    let before = batch[track]
    try batch.advance(to: 0.7, velocities: true)
    // The last effect has covered half of the way from 0.25, where the effect before it ended.
    #expect(batch[track] == 0.625 && abs((batch.velocity(of: track) ?? 0) - 0.75) <= 1e-4)
    try batch.advance(to: 0.4)
    #expect(batch[track] == before)
    try batch.advance(to: 1.2)
    #expect(batch[track] == 1 && batch.isAtRest(track) == true)
    #expect(batch.events.map(\.kind) == [.logicallyComplete, .settled])
    try batch.advance(to: 0.7)
    #expect(batch[track] == 0.625 && batch.isAtRest(track) == false)
  }

  /// At the moment at which a standing track sets out, the last change counts. If the track was moving, effects add up.
  @Test(arguments: [0.0, 0.2], KernelSet.available)
  func changesOfOneMomentAddUpWhereTheTrackMoved(before: Double, set: KernelSet) throws {
    let effects: [Animation] = [
      .easeInOut(duration: 0.5), .interpolatingSpring(Spring(duration: 0.5, bounce: 0.1), initialVelocity: 3),
      .easeIn(duration: 0.4).repeatCount(3), .spring(Spring(duration: 0.4)).delay(0.05),
    ]
    for (effect, count) in effects.flatMap({ [($0, 1), ($0, 5), ($0, 20)] }) {
      for (isDelayedBy0, isAlone) in [(false, false), (true, false), (false, true), (true, true)] {
        var twins = try Modelled(count: count, kernels: set)
        if before > 0 {
          try twins.send(to: 40, by: .bouncy)
          try twins.advance(to: before)
        }
        for chosen in isAlone ? (0..<count).map({ [$0] }) : [Array(0..<count)] {
          try twins.send(chosen, to: 100, by: .smooth)
        }
        try twins.send(to: -30, by: effect, delay: isDelayedBy0 ? 0 : nil)
        for step in 1...4 {
          try twins.advance(to: before + 0.1 * Double(step))
          #expect(twins.error < 5e-3, "\(count) tracks, \(effect), step \(step)")
        }
      }
    }
  }
}

extension AnimatedTracks where Self: ~Copyable {
  /// Whether a track follows curves as kernels evaluate them.
  func followsCurve(_ track: TrackHandle) -> Bool {
    index(of: track).map { engine.tracks.tiles.kind(at: $0) == .curves } ?? false
  }
}
