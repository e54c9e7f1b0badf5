// SPDX-License-Identifier: MIT
import AnimationModel
import Foundation
import Testing

@testable import Murmuration
@testable import MurmurationEngine

/// Tracks that follow goals from frame to frame.
struct FollowingTests {
  /// The model of following, in Double. The track is retargeted to its goal before each frame.
  private struct Model {
    let spring: Spring
    var value: Double
    var velocity = 0.0

    mutating func step(to goal: Double, by seconds: Double) {
      let (distance, speed) = (goal - value, velocity)
      value += spring.value(target: distance, initialVelocity: speed, time: seconds)
      velocity = spring.velocity(target: distance, initialVelocity: speed, time: seconds)
    }
  }

  private static let springs = [
    Spring(duration: 0.5), Spring(duration: 0.5, bounce: 0.3), Spring(duration: 1, bounce: -0.6),
    Spring(duration: 5, bounce: 0.3), Spring(duration: 10, bounce: 0.9), Spring(duration: 0.05, bounce: 0.999),
    Spring(duration: 0.3, bounce: 1),
  ]

  /// 2⁻²⁴ · (8 + 1/(1 − ρ)) of the largest |goal| + |y| + |v|/ω₀.
  private static func bound(_ spring: Spring, _ step: Double, _ frames: Int) -> Double {
    let rates =
      spring.angularFrequency < 0
      ? spring.decayConstant + spring.angularFrequency : spring.decayConstant
    let lost = min(1 / (1 - exp(-rates * step)), Double(frames))
    return 0x1p-24 * (8 + lost)
  }

  @Test(arguments: KernelSet.available, [1.0 / 240, 1.0 / 60, 0.3])
  func valuesAreThoseOfExactSteps(_ set: KernelSet, _ step: Double) throws {
    var random = SplitMix64(seed: 7)
    var batch = try AnimationBatch<SIMD2<Float>>(kernels: set)
    batch.restTolerance = try RestTolerances(value: 1e-30)
    let tracks = try batch.add(Array(repeating: SIMD2<Float>(1, 2), count: 100))
    let springs = tracks.indices.map { Self.springs[$0 % Self.springs.count] }
    try batch.follow(tracks, springs: springs)
    var models = springs.map { [Model(spring: $0, value: 1), Model(spring: $0, value: 2)] }
    var goals = Array(repeating: SIMD2<Float>(1, 2), count: tracks.count)
    var largest = Array(repeating: 3.0, count: tracks.count)
    for frame in 1...300 {
      if frame % 7 == 1 {
        goals = goals.map { _ in
          [Float.random(in: -100...100, using: &random), Float.random(in: -1...1, using: &random)]
        }
        try batch.setGoals(of: tracks, goals)
      }
      try batch.advance(to: Double(frame) * step)
      for (index, track) in tracks.enumerated() {
        let (value, velocity) = (batch[track]!, batch.velocity(of: track)!)
        for component in 0..<2 {
          let goal = Double(goals[index][component])
          models[index][component].step(to: goal, by: Double(frame) * step - Double(frame - 1) * step)
          let model = models[index][component]
          let frequency = model.spring.naturalFrequency
          largest[index] = max(
            largest[index], abs(goal) + abs(goal - model.value) + abs(model.velocity) / frequency)
          let bound = Self.bound(model.spring, step, frame) * largest[index]
          #expect(abs(Double(value[component]) - model.value) <= bound, "\(model.spring) frame \(frame)")
          #expect(
            abs(Double(velocity[component]) - model.velocity) <= bound * frequency, "\(model.spring) frame \(frame)")
        }
      }
    }
  }

  @Test(arguments: KernelSet.available) func stepsOfAnotherLengthEachAreExactToo(_ set: KernelSet) throws {
    var random = SplitMix64(seed: 11)
    var batch = try AnimationBatch<Float>(kernels: set)
    batch.restTolerance = try RestTolerances(value: 1e-30)
    let tracks = try batch.add(Array(repeating: Float(0), count: 70))
    let springs = tracks.indices.map { Self.springs[$0 % Self.springs.count] }
    try batch.follow(tracks, springs: springs)
    var models = springs.map { Model(spring: $0, value: 0) }
    var largest = Array(repeating: 0.0, count: tracks.count)
    var (time, goal) = (0.0, Float(0))
    for frame in 1...1000 {
      if frame % 7 == 1 { goal = Float.random(in: -100...100, using: &random) }
      try batch.setGoals(of: tracks, goal)
      let next = time + Double.random(in: 1.0 / 240...1.0 / 30, using: &random)
      try batch.advance(to: next)
      for (index, track) in tracks.enumerated() {
        models[index].step(to: Double(goal), by: next - time)
        let (model, frequency) = (models[index], springs[index].naturalFrequency)
        largest[index] = max(
          largest[index], abs(Double(goal)) + abs(Double(goal) - model.value) + abs(model.velocity) / frequency)
        let bound = Self.bound(model.spring, 1.0 / 240, frame) * largest[index]
        #expect(abs(Double(batch[track]!) - model.value) <= bound, "\(model.spring) frame \(frame)")
        let velocity = Double(batch.velocity(of: track)!)
        #expect(abs(velocity - model.velocity) <= bound * frequency, "\(model.spring) frame \(frame)")
      }
      time = next
    }
  }

  @Test func everySetNeighbourAndThreadCountHasTheSameBits() throws {
    func play(_ set: KernelSet, threads: Int, before: Int, shared: Bool) throws -> [UInt32] {
      var batch = try AnimationBatch<SIMD2<Float>>(kernels: set)
      batch.threadCount = threads
      try batch.follow(try batch.add(Array(repeating: SIMD2<Float>(9, 9), count: before)), with: .bouncy)
      let tracks = try batch.add((0..<1000).map { SIMD2<Float>(Float($0), 0) })
      let spring = Spring(duration: 0.7, bounce: 0.2)
      if shared {
        try batch.follow(tracks, with: spring)
      } else {
        for track in tracks.reversed() { try batch.follow(track, with: spring) }
      }
      var bits: [UInt32] = []
      for frame in 1...40 {
        try batch.setGoals(of: tracks, (0..<1000).map { SIMD2<Float>(Float(frame), Float($0)) })
        try batch.advance(to: Double(frame) / (frame % 5 == 0 ? 60 : 61))
        for track in tracks {
          bits += [batch[track]!.x.bitPattern, batch.velocity(of: track)!.y.bitPattern]
        }
      }
      return bits
    }
    let sets = KernelSet.available
    let expected = try play(sets[0], threads: 1, before: 0, shared: true)
    for set in sets {
      for (threads, before, shared) in [(1, 0, true), (3, 5, true), (1, 7, false), (2, 16, false)] {
        #expect(try play(set, threads: threads, before: before, shared: shared) == expected)
      }
    }
  }

  @Test func aTrackAtRestIsOnItsGoalIsReportedOnceAndSetsOutAgain() throws {
    var batch = try AnimationBatch<Float>()
    batch.reports = .arrivals
    let track = try batch.add(0)
    let change = try batch.follow(track, with: .snappy)
    #expect(batch.isAtRest(track) == false && batch.target(of: track) == 0)
    var arrivals: [Int] = []
    for frame in 1...1000 {
      if frame == 2 { try batch.setGoals(of: track, 100) }
      if frame == 500 { try batch.setGoals(of: track, -1000) }
      try batch.advance(to: Double(frame) / 60)
      for event in batch.events {
        #expect(event.kind == .settled && event.track == track && event.change == change)
        arrivals.append(frame)
        #expect(batch[track] == batch.target(of: track) && batch.velocity(of: track) == 0)
        #expect(batch.isAtRest(track) == true)
      }
    }
    // At once on its own value, and once at each goal.
    #expect(arrivals.count == 3 && arrivals[0] == 1 && arrivals[1] < 200 && arrivals[2] > 500)
    #expect(batch[track] == -1000 && batch.removeSettled() == 0)
  }

  @Test func anArrivalIsNotReportedAgainWithAFrameOfTheSameTime() throws {
    var batch = try AnimationBatch<Float>()
    batch.reports = .arrivals
    let tracks = try batch.add([0, 0])
    try batch.follow(tracks[0], with: .snappy)
    try batch.animate([tracks[1]], to: [5], .smooth, delays: [0.5])
    try batch.advance(to: 0.5)
    #expect(batch.events.count { $0.track == tracks[0] } == 1)
    // A call that waits for this moment makes a frame of it.
    try batch.animate([tracks[1]], to: [7], .smooth, delays: [0])
    try batch.advance(to: 0.5)
    #expect(batch.events.count { $0.track == tracks[0] } == 0)
  }

  @Test func goalsThatStandStillAreReached() throws {
    for spring in Self.springs.dropLast() {
      let decay = spring.decayConstant + min(0, spring.angularFrequency)
      for rate in [30.0, 240, 1000] {
        var batch = try AnimationBatch<Float>()
        let track = try batch.add(3)
        try batch.follow(track, with: spring)
        try batch.setGoals(of: track, 1000)
        for frame in 1...10_000 where batch.isAtRest(track) == false || frame < 2 {
          try batch.advance(to: Double(frame) * max(1 / rate, 40 / (10_000 * decay)))
        }
        #expect(batch.isAtRest(track) == true && batch[track] == 1000, "\(spring) at \(rate) Hz")
      }
    }
  }

  @Test func aGoalThatIsNoNumberHoldsItsTrackAlone() throws {
    var batch = try AnimationBatch<SIMD2<Float>>()
    let tracks = try batch.add(Array(repeating: SIMD2<Float>(0, 0), count: 20))
    try batch.follow(.all, with: .smooth)
    try batch.setGoals(of: .all, Array(repeating: SIMD2<Float>(10, 20), count: 20).span)
    try batch.advance(to: 0.1)
    let shown = batch[tracks[3]]
    try batch.withGoals(component: 1) { goals in goals[3] = .nan }
    try batch.advance(to: 0.2)
    #expect(batch.events.map(\.kind) == [.invalidGoal] && batch.events[0].track == tracks[3])
    #expect(batch[tracks[3]]?.y == shown?.y && batch.velocity(of: tracks[3])?.y == 0)
    #expect(batch[tracks[4]]! != shown!)
    try batch.advance(to: 0.3)
    #expect(batch.events.isEmpty)
    try batch.withGoals(component: 1) { goals in goals[3] = 20 }
    for frame in 1...600 { try batch.advance(to: 0.3 + Double(frame) / 60) }
    for track in tracks { #expect(batch[track] == [10, 20]) }
  }

  @Test func aLostGoalIsReportedOnceThoughTracksAreCompacted() throws {
    var batch = try AnimationBatch<Float>()
    let tracks = try batch.add(Array(repeating: 0, count: 40))
    try batch.follow(Array(tracks[20...]), with: .smooth)
    try batch.withGoals(component: 0) { goals in goals[33] = .infinity }
    try batch.advance(to: 0.1)
    #expect(batch.events.map(\.kind) == [.invalidGoal])
    try batch.remove(Array(tracks[..<30]))
    try batch.compact()
    try batch.advance(to: 0.2)
    #expect(batch.events.isEmpty && batch.checkInvariants() == nil)
  }

  /// A call that waits makes the target of its track ready for another motion.
  @Test func anAnimationThatWaitsForATrackWithoutAGoalBeginsAtItsValue() throws {
    var batch = try AnimationBatch<Float>()
    let track = try batch.add(7)
    try batch.follow(track, with: .smooth)
    try batch.withGoals(component: 0) { goals in goals[track.index] = .nan }
    try batch.animate([track], to: [40], .interpolatingSpring(.bouncy), delays: [0])
    #expect(batch.checkInvariants() == nil)
    for frame in 1...200 {
      try batch.advance(to: Double(frame) / 60)
      #expect(batch.checkInvariants() == nil)
      let way = Spring.bouncy.value(target: 33, time: Double(frame) / 60)
      // Such an animation ends a thousandth of its way from the goal.
      #expect(abs(Double(try #require(batch[track])) - 7 - way) < 0.05)
    }
  }

  /// Tracks that follow again after they lost their goals are not reported again, however many they are.
  @Test(arguments: [1, 16]) func aLostGoalIsReportedOnce(_ count: Int) throws {
    var batch = try AnimationBatch<Float>()
    let tracks = try batch.add([Float](repeating: 0, count: count))
    try batch.follow(tracks, with: .smooth)
    try batch.withGoals(component: 0) { goals in goals[0] = .nan }
    try batch.advance(to: 0.1)
    let reports = batch.events.count
    try batch.follow(tracks, with: .bouncy)
    try batch.advance(to: 0.2)
    #expect(reports == 1 && batch.events.isEmpty)
  }

  /// Kernels read the spring of a tile from the lane of one of its followers.
  @Test func theLastTrackOfATileTakesAnotherSpring() throws {
    var batch = try AnimationBatch<Float>()
    let tracks = try batch.add([0, 0])
    try batch.follow(tracks, with: Spring(duration: 1))
    try batch.remove(tracks[0])
    try batch.follow(tracks[1], with: .snappy)
    try batch.setGoals(of: tracks[1], 100)
    try batch.advance(to: 0.25)
    let exact = Spring.snappy.value(target: 100.0, time: 0.25)
    let shown = batch[tracks[1]]
    #expect(abs(Double(shown ?? 0) - exact) < 1e-4)
  }

  @Test("A goal that was lost is lost anew for a track that follows anew")
  func aGoalIsLostAgain() throws {
    var batch = try AnimationBatch<Float>()
    let tracks = try batch.add([1, 2] as [Float])
    for round in 1...2 {
      try batch.follow(tracks)
      try batch.withGoals(component: 0) { goals in goals[0] = .nan }
      try batch.advance(by: 0.1)
      #expect(batch.events.map(\.kind) == [.invalidGoal], "round \(round)")
      try batch.stop([tracks[0]])
    }
  }

  @Test("A track that stops among followers stays where it is")
  func stopsAmongFollowers() throws {
    var batch = try AnimationBatch<Float>()
    let tracks = try batch.add((0..<16).map { Float($0) })
    try batch.follow(tracks)
    try batch.setGoals(of: tracks, 50)
    try batch.advance(by: 0.1)
    let shown = try #require(batch[tracks[3]])
    try batch.stop([tracks[3]])
    try batch.advance(by: 0.1)
    #expect(batch[tracks[3]] == shown && batch.checkInvariants() == nil)
    #expect(try #require(batch[tracks[4]]) > shown)
  }

  @Test("A call that gives all tracks goals gives them to followers too, which go on to follow")
  func goalsForAll() throws {
    var batch = try AnimationBatch<Float>()
    let tracks = try batch.add((0..<40).map { Float($0) })
    try batch.follow(Array(tracks[5..<25]))
    try batch.retarget(.all, to: tracks.map { Float(100 - $0.index) })
    let follow = tracks.map { batch.motion(of: $0) == .following }
    #expect(follow == (0..<40).map { 5..<25 ~= $0 })
    try batch.advance(by: 30)
    #expect(tracks.allSatisfy { batch[$0] == Float(100 - $0.index) } && batch.checkInvariants() == nil)
    try batch.animate(.all, to: tracks.map { Float($0.index) }, .smooth)
    #expect(tracks.allSatisfy { batch.motion(of: $0) == .spring } && batch.checkInvariants() == nil)
  }

  @Test func leadersAreFollowedAFrameBehind() throws {
    var batch = try AnimationBatch<Float>()
    let tracks = try batch.add([0, 10, 20] as [Float])
    try batch.follow([tracks[1]], valuesOf: [tracks[0]], offsets: [100], with: Spring(duration: 0))
    try batch.follow([tracks[2]], valuesOf: [tracks[1]], with: Spring(duration: 0))
    try batch.animate(tracks[0], to: 60, .linear(duration: 60))
    for second in 1...5 {
      try batch.advance(to: Double(second))
      #expect(batch[tracks[1]] == 100 + Float(second - 1))
      #expect(batch[tracks[2]] == (second == 1 ? 10 : 100 + Float(second - 2)))
    }
    try batch.remove(tracks[0])
    try batch.advance(to: 6)
    #expect(batch[tracks[1]] == 104 && batch.checkInvariants() == nil)
    // A circle: each takes the other's value.
    let pair = try batch.add([1, 2] as [Float])
    try batch.follow(pair, valuesOf: [pair[1], pair[0]], with: Spring(duration: 0))
    try batch.advance(to: 7)
    #expect(pair.map { batch[$0] } == [2, 1])
    // A goal by call ends the lead.
    try batch.setGoals(of: pair[0], 5)
    try batch.advance(to: 8)
    #expect(pair.map { batch[$0] } == [5, 2])
    // Without a leader no frame looks for one.
    try batch.setGoals(of: [tracks[2], pair[1]], 3)
    #expect(batch.engine.follows.ledIndices.isEmpty && batch.checkInvariants() == nil)
  }

  @Test func otherMotionsTakeOver() throws {
    var batch = try AnimationBatch<Float>()
    let tracks = try batch.add(Array(repeating: Float(0), count: 8))
    try batch.follow(tracks, with: .bouncy)
    try batch.setGoals(of: tracks, 100)
    try batch.advance(to: 0.1)
    let (value, velocity) = (batch[tracks[0]]!, batch.velocity(of: tracks[0])!)
    #expect(velocity > 100 && batch.motion(of: tracks[0]) == .following)
    try batch.animate(tracks[0], to: 0, .smooth)
    try batch.animate(tracks[1], to: 0, .linear(duration: 1))
    try batch.decelerate(tracks[2])
    try batch.stop([tracks[3]])
    try batch.retarget(tracks[4], to: 50)
    try batch.set(tracks[5], 7, velocity: 8)
    try batch.pause([tracks[6]])
    #expect(batch.target(of: tracks[4]) == 50 && batch.target(of: tracks[3]) == value)
    try batch.advance(to: 0.1 + 1e-6)
    #expect(abs(batch.velocity(of: tracks[0])! - velocity) < 0.01 * velocity)
    #expect(abs(batch.velocity(of: tracks[2])! - velocity) < 0.01 * velocity)
    #expect(abs(batch.velocity(of: tracks[4])! - velocity) < 0.01 * velocity)
    #expect(abs(batch[tracks[1]]! - value) < 0.01 * value)
    #expect(batch[tracks[3]] == value && batch.velocity(of: tracks[3]) == 0)
    #expect(abs(batch[tracks[5]]! - 7) < 0.01)
    #expect(batch[tracks[6]] == value && batch.velocity(of: tracks[6]) == 0)
    try batch.resume([tracks[6]])
    #expect(batch.velocity(of: tracks[6]) == velocity && batch.target(of: tracks[6]) == 100)
    for frame in 1...600 { try batch.advance(to: 1 + Double(frame) / 60) }
    #expect([4, 5, 6, 7].map { batch[tracks[$0]] } == [50, 100, 100, 100])
  }

  @Test func theClockDoesNotGoBack() throws {
    var batch = try AnimationBatch<Float>()
    let track = try batch.add(0)
    try batch.follow(track, with: .bouncy)
    try batch.setGoals(of: track, 10)
    try batch.advance(to: 1)
    let value = batch[track]
    try batch.setGoals(of: track, 20)
    try batch.advance(to: 1)
    #expect(batch[track] == value)
    #expect(throws: BatchError.timeBeforeStart(time: 0.5, start: 1)) { try batch.advance(to: 0.5) }
    #expect(batch[track] == value && batch.time == 1)
    try batch.stop([track])
    try batch.advance(to: 0.5)
    #expect(batch[track] == value)
  }

  @Test func tracksComeAndGoWhileOthersFollow() throws {
    var batch = try AnimationBatch<Float>()
    var random = SplitMix64(seed: 3)
    var tracks: [(track: TrackHandle, model: Model, goal: Float)] = []
    var time = 0.0
    for frame in 0..<300 {
      if frame % 3 == 0 {
        for track in try batch.add((0..<Int.random(in: 1...40, using: &random)).map { Float($0) }) {
          let spring = Self.springs[Int.random(in: 0..<4, using: &random)]
          try batch.follow(track, with: spring)
          tracks.append((track, Model(spring: spring, value: Double(batch[track]!)), batch[track]!))
        }
      }
      for _ in 0..<Int.random(in: 0...12, using: &random) where tracks.count > 1 {
        let place = Int.random(in: 0..<tracks.count, using: &random)
        try batch.remove(tracks.remove(at: place).track)
      }
      if frame % 50 == 49 { try batch.compact() }
      for place in tracks.indices where Int.random(in: 0..<4, using: &random) == 0 {
        tracks[place].goal = Float.random(in: -10...10, using: &random)
        try batch.setGoals(of: tracks[place].track, tracks[place].goal)
      }
      #expect(batch.checkInvariants() == nil)
      let next = time + Double.random(in: 0.001...0.05, using: &random)
      try batch.advance(to: next)
      for place in tracks.indices { tracks[place].model.step(to: Double(tracks[place].goal), by: next - time) }
      time = next
      for (track, model, goal) in tracks {
        #expect(abs(Double(batch[track]!) - model.value) < 2e-3)
        #expect(batch.target(of: track) == goal)
      }
    }
  }

  @Test func bakesGoOnToGoalsThatStandStill() throws {
    var batch = try AnimationBatch<SIMD2<Float>>()
    let tracks = try batch.add(Array(repeating: SIMD2<Float>(0, 1), count: 37))
    try batch.follow(tracks, springs: tracks.indices.map { Self.springs[$0 % 4] })
    try batch.setGoals(of: tracks, tracks.indices.map { [Float($0), -Float($0)] })
    try batch.advance(to: 0.05)
    var baked = [Float](repeating: .nan, count: 60 * 2 * 37)
    var span = baked.mutableSpan
    let times = (0..<60).map { 0.05 + Double($0) / 60 }
    try batch.bake(BakeRequest(at: times, indices: 0..<37), into: &span)
    for frame in 1..<60 {
      try batch.advance(to: 0.05 + Double(frame) / 60)
      for (index, track) in tracks.enumerated() {
        let value = batch[track]!
        for component in 0..<2 {
          let number = baked[(frame * 2 + component) * 37 + index]
          #expect(abs(number - value[component]) < 0.02, "track \(index), frame \(frame)")
        }
      }
    }
  }

  @Test func aBakeLeavesATrackWithoutAGoalWhereItIs() throws {
    var batch = try AnimationBatch<SIMD2<Float>>()
    let track = try batch.add([5, 6])
    try batch.follow(track, with: .bouncy)
    try batch.withGoals(component: 0) { $0[track.index] = .nan }
    try batch.withGoals(component: 1) { $0[track.index] = 100 }
    var baked = [Float](repeating: .nan, count: 2 * 60)
    var span = baked.mutableSpan
    try batch.bake(BakeRequest(BakeFrames(0..<60, perSecond: 60), indices: 0..<1), into: &span)
    #expect((0..<60).allSatisfy { baked[2 * $0] == 5 && baked[2 * $0 + 1].isFinite } && baked[119] > 50)
  }

  @Test func aClipTakesOverFromAPausedTrackWithItsGoalAsTarget() throws {
    var batch = try AnimationBatch<Float>()
    let track = try batch.add(0)
    try batch.follow(track, with: .snappy)
    try batch.pause([track])
    try batch.setGoals(of: track, 7)
    let clip = try batch.load(Clip(KeyframeTimeline(initialValue: Float(1)) { LinearKeyframe(2, duration: 1) }))
    try batch.play(clip, on: track)
    #expect(batch.target(of: track) == 7)
  }

  @Test(arguments: [5e-324, 1e-12, 1.6, 60_000.1]) func stepsOfAnyLengthAreTaken(_ step: Double) throws {
    var batch = try AnimationBatch<Float>()
    let tracks = try batch.add([0, 100])
    try batch.follow(tracks, springs: [Spring(duration: 0), Spring(duration: 0.5, bounce: 1)])
    try batch.setGoals(of: tracks, 7)
    try batch.advance(to: step)
    let exact = 7 + 93 * cos(4 * .pi * step)
    #expect(batch[tracks[0]] == 7)
    #expect(abs(Double(batch[tracks[1]]!) - exact) < 1e-3)
  }

  @Test func aTrackWithoutAGoalHasNoVelocityToHandOver() throws {
    var batch = try AnimationBatch<Float>()
    let track = try batch.add(0)
    try batch.follow(track, with: Spring(duration: 0.5, bounce: 0.9))
    try batch.setGoals(of: track, 100)
    try batch.advance(to: 0.1)
    let (start, spring) = (Double(batch[track] ?? .nan), Spring(duration: 1, bounce: 0))
    try batch.animate(track, to: 3, .spring(spring), delay: 0.2)
    try batch.withGoals(component: 0) { $0[track.index] = .nan }
    // The spring begins within this frame, from where the track stood without a goal.
    try batch.advance(to: 0.8)
    let expected = start + spring.value(target: 3 - start, time: 0.5)
    #expect(abs(Double(batch[track] ?? .nan) - expected) < 1e-4)
  }

  /// A paused track that follows heads for no goal for good, so an ease to that goal takes over.
  @Test func anEaseTakesOverFromAPausedFollower() throws {
    var batch = try AnimationBatch<Float>()
    let track = try batch.add(0)
    try batch.follow(track, with: Spring(duration: 5))
    try batch.setGoals(of: track, 10)
    try batch.advance(to: 0.5)
    try batch.pause(track)
    let (value, target) = (batch[track] ?? .nan, batch.target(of: track))
    try batch.animate(track, to: 10, .linear(duration: 1))
    try batch.advance(to: 1)
    let shown = batch[track] ?? .nan
    #expect(target == 10 && abs(shown - (value + 10) / 2) < 1e-4)
  }
}
