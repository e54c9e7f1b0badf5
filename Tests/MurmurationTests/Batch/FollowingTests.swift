// SPDX-License-Identifier: MIT
import AnimationModel
import Foundation
import Testing

@testable import Murmuration
@testable import MurmurationEngine

/// Tracks that follow goals from frame to frame. Random programs have tracks that come and go, take other springs and follow
/// each other.
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
    let rates = spring.decayConstant + min(0, spring.angularFrequency)
    return 0x1p-24 * (8 + min(1 / (1 - exp(-rates * step)), Double(frames)))
  }

  /// Steps of one length, or of another length each.
  @Test(arguments: KernelSet.available, [1.0 / 240, 1.0 / 60, 0.3, nil])
  func valuesAreThoseOfExactSteps(_ set: KernelSet, _ step: Double?) throws {
    var random = SplitMix64(seed: 7)
    var batch = try AnimationBatch<SIMD2<Float>>(kernels: set)
    try batch.hardlyRests()
    let tracks = try batch.add(Array(repeating: SIMD2<Float>(1, 2), count: 100))
    let springs = tracks.indices.map { Self.springs[$0 % Self.springs.count] }
    try batch.follow(tracks, springs: springs)
    var models = springs.map { [Model(spring: $0, value: 1), Model(spring: $0, value: 2)] }
    var goals = Array(repeating: SIMD2<Float>(1, 2), count: tracks.count)
    var largest = Array(repeating: 3.0, count: tracks.count)
    for frame in 1...(step == nil ? 1000 : 300) {
      if frame % 7 == 1 {
        goals = goals.map { _ in [Float(random.uniform(-100...100)), Float(random.uniform(-1...1))] }
        try batch.setGoals(of: tracks, goals)
      }
      let before = batch.time
      try batch.advance(to: step.map { Double(frame) * $0 } ?? before + random.uniform(1.0 / 240...1.0 / 30))
      for (index, track) in tracks.enumerated() {
        let (value, velocity) = (batch[track]!, batch.velocity(of: track)!)
        for component in 0..<2 {
          let goal = Double(goals[index][component])
          models[index][component].step(to: goal, by: batch.time - before)
          let model = models[index][component]
          let frequency = model.spring.naturalFrequency
          largest[index] = max(
            largest[index], abs(goal) + abs(goal - model.value) + abs(model.velocity) / frequency)
          let bound = Self.bound(model.spring, step ?? 1.0 / 240, frame) * largest[index]
          let off = abs(Double(value[component]) - model.value)
          let slip = abs(Double(velocity[component]) - model.velocity)
          #expect(off <= bound && slip <= bound * frequency, "\(model.spring) frame \(frame)")
        }
      }
    }
  }

  @Test(arguments: [5e-324, 1e-12, 1.6, 60_000.1]) func stepsOfAnyLengthAreTaken(_ step: Double) throws {
    var batch = try AnimationBatch<Float>()
    let tracks = [
      try batch.addFollower(to: 7, Spring(duration: 0)),
      try batch.addFollower(at: 100, to: 7, Spring(duration: 0.5, bounce: 1)),
    ]
    try batch.advance(to: step)
    #expect(batch[tracks[0]] == 7)
    #expect(abs(Double(batch[tracks[1]]!) - (7 + 93 * cos(4 * .pi * step))) < 1e-3)
  }

  // MARK: - Goals

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
    let tracks = [try batch.addFollower(to: 0, .snappy), try batch.add(0)]
    try batch.animate(tracks[1], to: 5, .smooth, delay: 0.5)
    try batch.advance(to: 0.5)
    #expect(batch.events.count { $0.track == tracks[0] } == 1)
    // A call that waits for this moment makes a frame of it.
    try batch.animate(tracks[1], to: 7, .smooth, delay: 0)
    try batch.advance(to: 0.5)
    #expect(batch.events.count { $0.track == tracks[0] } == 0)
  }

  @Test func goalsThatStandStillAreReached() throws {
    for spring in Self.springs.dropLast() {
      let decay = spring.decayConstant + min(0, spring.angularFrequency)
      for rate in [30.0, 240, 1000] {
        var batch = try AnimationBatch<Float>()
        let track = try batch.addFollower(at: 3, to: 1000, spring)
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
    try batch.setGoals(of: .all, [10, 20])
    try batch.advance(to: 0.1)
    let shown = batch[tracks[3]]!
    try batch.withGoals(component: 1) { goals in goals[3] = .nan }
    try batch.advance(to: 0.2)
    #expect(batch.events.map(\.kind) == [.invalidGoal] && batch.events[0].track == tracks[3])
    #expect(batch[tracks[3]]!.y == shown.y && batch.velocity(of: tracks[3])!.y == 0)
    #expect(batch[tracks[4]]! != shown)
    var targets = [SIMD2<Float>](repeating: .zero, count: 20)
    try batch.copyTargets(into: &targets)
    #expect(targets[3] == [10, shown.y] && batch.target(of: tracks[3]) == targets[3])
    try batch.withGoals(component: 1) { goals in goals[3] = 20 }
    for frame in 1...600 { try batch.advance(to: 0.3 + Double(frame) / 60) }
    for track in tracks { #expect(batch[track] == [10, 20]) }
  }

  /// A lost goal is not reported again where its track takes another spring or another tile, but where it follows anew.
  @Test(arguments: [1, 16, 40]) func aLostGoalIsReportedOnce(_ count: Int) throws {
    var batch = try AnimationBatch<Float>()
    let others = try batch.add([Float](repeating: 0, count: 30))
    let tracks = try batch.add([Float](repeating: 0, count: count))
    for round in 1...2 {
      try batch.follow(tracks, with: .smooth)
      try batch.withGoals(component: 0) { $0[tracks[0].index] = round == 1 ? .nan : .infinity }
      try batch.advance(by: 0.1)
      #expect(batch.events.map(\.kind) == [.invalidGoal], "round \(round)")
      try batch.follow(tracks, with: .bouncy)
      if round == 1 {
        try batch.remove(others)
        try batch.compact()
      }
      try batch.advance(by: 0.1)
      #expect(batch.events.isEmpty && batch.checkInvariants() == nil, "round \(round)")
      try batch.stop(tracks[0])
    }
  }

  @Test func aTrackWithoutAGoalHasNoVelocityToHandOver() throws {
    var batch = try AnimationBatch<Float>()
    let track = try batch.addFollower(to: 100, Spring(duration: 0.5, bounce: 0.9))
    try batch.advance(to: 0.1)
    let (start, spring) = (Double(batch[track]!), Spring(duration: 1, bounce: 0))
    try batch.animate(track, to: 3, .spring(spring), delay: 0.2)
    try batch.withGoals(component: 0) { $0[track.index] = .nan }
    // The spring begins within this frame, from where the track stood without a goal.
    try batch.advance(to: 0.8)
    #expect(abs(Double(batch[track]!) - start - spring.value(target: 3 - start, time: 0.5)) < 1e-4)
  }

  @Test func leadersAreFollowedAFrameBehind() throws {
    var batch = try AnimationBatch<Float>()
    let tracks = try batch.add([0, 10, 20] as [Float])
    try batch.follow(tracks[1], valuesOf: [tracks[0]], offsets: [100], with: Spring(duration: 0))
    try batch.follow(tracks[2], valuesOf: [tracks[1]], with: Spring(duration: 0))
    try batch.animate(tracks[0], to: 60, .linear(duration: 60))
    for second in 1...5 {
      try batch.advance(to: Double(second))
      #expect(batch[tracks[1]] == 100 + Float(second - 1))
      #expect(batch[tracks[2]] == (second == 1 ? 10 : 100 + Float(second - 2)))
    }
    // A goal by call ends the lead, and without a leader no frame looks for one.
    try batch.remove(tracks[0])
    try batch.setGoals(of: tracks[2], 3)
    try batch.advance(to: 6)
    #expect(batch[tracks[1]] == 104 && batch[tracks[2]] == 3)
    #expect(batch.engine.follows.ledIndices.isEmpty && batch.checkInvariants() == nil)
  }

  // MARK: - Other calls

  @Test("A track that stops among followers stays where it is")
  func stopsAmongFollowers() throws {
    var batch = try AnimationBatch<Float>()
    let tracks = try batch.add((0..<16).map { Float($0) })
    try batch.follow(tracks)
    try batch.setGoals(of: tracks, 50)
    try batch.advance(by: 0.1)
    let shown = batch[tracks[3]]!
    try batch.stop(tracks[3])
    try batch.advance(by: 0.1)
    #expect(batch[tracks[3]] == shown && batch.checkInvariants() == nil && batch[tracks[4]]! > shown)
  }

  @Test("A call that gives all tracks goals gives them to followers too, which go on to follow")
  func goalsForAll() throws {
    var batch = try AnimationBatch<Float>()
    let tracks = try batch.add((0..<40).map { Float($0) })
    try batch.follow(tracks[5..<25])
    try batch.retarget(.all, to: tracks.map { Float(100 - $0.index) })
    #expect(tracks.map { batch.motion(of: $0) == .following } == (0..<40).map { 5..<25 ~= $0 })
    try batch.advance(by: 30)
    #expect(tracks.allSatisfy { batch[$0] == Float(100 - $0.index) } && batch.checkInvariants() == nil)
    try batch.animate(.all, to: tracks.map { Float($0.index) }, .smooth)
    #expect(tracks.allSatisfy { batch.motion(of: $0) == .spring } && batch.checkInvariants() == nil)
  }

  /// A paused track that follows heads for no goal for good, so an ease to that goal takes over.
  @Test func anEaseTakesOverFromAPausedFollower() throws {
    var batch = try AnimationBatch<Float>()
    let track = try batch.addFollower(to: 10, Spring(duration: 5))
    try batch.advance(to: 0.5)
    try batch.pause(track)
    let (value, target) = (batch[track]!, batch.target(of: track))
    try batch.animate(track, to: 10, .linear(duration: 1))
    try batch.advance(to: 1)
    #expect(target == 10 && abs(batch[track]! - (value + 10) / 2) < 1e-4)
  }

  @Test func theClockDoesNotGoBack() throws {
    var batch = try AnimationBatch<Float>()
    let track = try batch.addFollower(to: 10, .bouncy)
    try batch.advance(to: 1)
    let value = batch[track]
    try batch.setGoals(of: track, 20)
    try batch.advance(to: 1)
    #expect(batch[track] == value)
    #expect(throws: BatchError.timeBeforeStart(time: 0.5, start: 1)) { try batch.advance(to: 0.5) }
    #expect(batch[track] == value && batch.time == 1)
    try batch.stop(track)
    try batch.advance(to: 0.5)
    #expect(batch[track] == value)
  }

  // MARK: - Bakes

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
      try batch.advance(to: times[frame])
      for (index, track) in tracks.enumerated() {
        for component in 0..<2 {
          let off = baked[(frame * 2 + component) * 37 + index] - batch[track]![component]
          #expect(abs(off) < 0.02, "track \(index), frame \(frame)")
        }
      }
    }
  }

  @Test func refusedGoalsAreNotRecorded() throws {
    var batch = try AnimationBatch<Float>()
    try batch.record()
    try batch.follow(try batch.add(1))
    let count = batch.recording?.calls.count
    #expect(throws: BatchError.self) { try batch.withGoals(component: 1) { $0[0] = 2 } }
    #expect(count != nil && batch.recording?.calls.count == count)
  }

  /// A tile is full with sixteen tracks.
  @Test(arguments: [15, 16], [false, true])
  func tracksThatArePutSomewhereGoOnFollowing(_ count: Int, goesOn: Bool) throws {
    var batch = try AnimationBatch<Float>()
    let tracks = try batch.add([Float](repeating: 0, count: count))
    try batch.follow(tracks, with: Spring(duration: 0.2))
    if goesOn { try batch.displace(tracks, 1) } else { try batch.set(tracks, 1) }
    try batch.setGoals(of: tracks, 10)
    for frame in 1...10 { try batch.advance(to: Double(frame) / 10) }
    #expect(tracks.allSatisfy { batch.motion(of: $0) == .following && batch[$0] == 10 })
  }

  @Test func aBakeLeavesATrackWithoutAGoalWhereItIs() throws {
    var batch = try AnimationBatch<SIMD2<Float>>()
    try batch.follow(try batch.add([5, 6]), with: .bouncy)
    try batch.withGoals(component: 0) { $0[0] = .nan }
    try batch.withGoals(component: 1) { $0[0] = 100 }
    var baked = [Float](repeating: .nan, count: 2 * 60)
    var span = baked.mutableSpan
    try batch.bake(BakeRequest(BakeFrames(0..<60, perSecond: 60), indices: 0..<1), into: &span)
    #expect((0..<60).allSatisfy { baked[2 * $0] == 5 && baked[2 * $0 + 1].isFinite } && baked[119] > 50)
  }
}

extension AnimationBatch<Float> {
  /// Adds a track that follows a goal, which may be no number.
  fileprivate mutating func addFollower(at value: Float = 0, to goal: Float, _ spring: Spring) throws -> TrackHandle {
    let track = try add(value)
    try follow(track, with: spring)
    try withGoals(component: 0) { $0[track.index] = goal }
    return track
  }
}
