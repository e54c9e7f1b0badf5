// SPDX-License-Identifier: MIT
import Murmuration
import TestSupport
import Testing

@testable import MurmurationReference

/// Random programs of calls, played on batches and on the reference.
struct RandomProgramTests {
  @Test(arguments: KernelSet.available)
  func batchesDoAsTheReferenceSays(_ set: KernelSet) throws {
    // `SpellingTests` finds the bits of the other sets equal.
    for seed in 0..<UInt64(Effort.draws(quick: set == .portable ? 20 : 6, soak: 20_000)) {
      let program = RandomProgram.draw(seed: seed, size: seed % 20 == 19 ? .big : .small)
      let report = try check(program, kernels: set, threads: seed % 4 == 0 ? 3 : 1)
      #expect(report.passed, "seed \(seed): \(report)")
    }
  }

  /// Calls that make no sense any more are refused, and change nothing.
  @Test func everyPartOfAProgramIsAProgram() throws {
    for seed in 20..<UInt64(Effort.draws(quick: 26, soak: 1_000)) {
      var program = RandomProgram.draw(seed: seed)
      var random = SplitMix64(seed: seed)
      program.calls.removeAll { _ in random.next() & 1 == 0 }
      let report = try check(program, kernels: .portable)
      #expect(report.passed, "seed \(seed): \(report)")
    }
  }

  /// A way to the target that is longer where fewer numbers are asked for at once, as a batch and the reference do not
  /// ask alike.
  private struct Unequal: CustomAnimation {
    func animate<V: VectorArithmetic>(value: V, time: Double, context: inout AnimationContext<V>) -> V? {
      guard time < 2 else { return nil }
      let count = (value as? Components)?.items.count ?? 1
      return value.scaled(by: time / 2 * (1 + 0.1 / Double(count)))
    }
  }

  @Test func aDifferenceIsFoundAndShortened() throws {
    let values = (0..<60).map { Float($0) }
    let goals = [Float](repeating: 50, count: 6)
    let recording = BatchRecording(
      dimensions: 3,
      calls: [
        BatchCall(.add, values: values), BatchCall(.animate, .all, goals: values.reversed(), animations: [.bouncy]),
        BatchCall(.advance(to: 0.25, velocities: true)),
        BatchCall(.animate, .tracks([4, 7]), goals: goals, animations: [Animation(Unequal())]),
        BatchCall(.pause, .tracks([1, 2])), BatchCall(.advance(to: 0.5, velocities: false)), BatchCall(.resume, .all),
        BatchCall(.advance(to: 1, velocities: true)),
      ])
    let report = try check(recording, kernels: .portable)
    let failure = try #require(report.failure, "\(report)")
    #expect(failure.recording.calls.count == 3 && failure.recording.dimensions == 1, "\(failure.source)")
    let first = failure.recording.calls[0]
    #expect(first.verb.name == "add" && first.values.count == 1, "\(failure.source)")
    #expect(failure.source.contains("a custom animation"), "\(failure.source)")
    // The checks of `verify` say so, with the program.
    var check = ProgramCheck("planted", on: .portable)
    try check.play(recording)
    let failed = check.results.filter { !$0.passed }
    #expect(!failed.isEmpty && failed.allSatisfy { $0.worst.contains("try batch.advance") }, "\(check.results)")
  }

  /// A call about a range needs an element for each index. With fewer it is refused, also if there are as many as tracks.
  @Test(arguments: [BatchCall.Tracks.all, .indices(0..<3)])
  func aListThatIsTooShortIsNotTakenForOneOfFewerTracks(_ tracks: BatchCall.Tracks) throws {
    var player = try BatchPlayer(BatchRecording(dimensions: 1, calls: []), kernels: .portable)
    try player.perform(BatchCall(.add, values: [1, 2, 3]))
    try player.perform(BatchCall(.remove, .tracks([1])))
    let calls = [
      BatchCall(.animate, tracks, goals: [4, 5], animations: [.bouncy, .linear]),
      BatchCall(.animate, tracks, goals: [4, 5, 6], animations: [.bouncy, .linear]),
      BatchCall(.set, tracks, values: [4, 5], velocities: [0, 0]),
      BatchCall(.follow, tracks, springs: [.bouncy, .smooth]),
    ]
    for call in calls {
      let isAccepted = (try? player.perform(call)) != nil
      #expect(!isAccepted, "\(call)")
    }
  }

  /// An effect on a track that a hand holds with a velocity, and which leads to where the track is.
  @Test func aClipAfterAMotionThatLeadsNowhereMayBeginEitherWay() throws {
    let spring = Animation.spring(Spring(duration: 0.1, bounce: -0.99997)).logicallyComplete(after: 0.75)
    let clip = try Clip(initialValue: 1.0) { _ in KeyframeTrack { LinearKeyframe(0.0, duration: 1) } }
    let recording = BatchRecording(
      dimensions: 1,
      calls: [
        BatchCall(.loadClip(clip)), BatchCall(.add, values: [0]),
        BatchCall(.set, .all, values: [-1], velocities: [4]),
        BatchCall(.animate, .all, goals: [-1], animations: [spring]),
        BatchCall(.play(start: .automatic), .all, clips: [0], playbacks: [Playback()]),
        BatchCall(.advance(to: 0.25, velocities: true)),
      ])
    let report = try check(recording, kernels: .portable)
    #expect(report.passed, "\(report)")
  }

  /// A clip in place of a curve that begins at the same moment, on a track with a velocity given by hand. The length of its
  /// first keyframe depends on the velocity that it takes over.
  @Test func aClipInPlaceOfACurveMayTakeOverAVelocityOrNone() throws {
    let clip = try Clip(initialValue: -0.296) { _ in
      KeyframeTrack(\Double.self) {
        SpringKeyframe(0.33, spring: Spring(duration: 0.78, bounce: -0.062))
        MoveKeyframe(0.921)
        LinearKeyframe(-0.042, duration: 0.6875)
      }
    }
    let spring = Animation.interpolatingSpring(Spring(duration: 0.35), initialVelocity: 0)
    let recording = BatchRecording(
      dimensions: 1,
      calls: [
        BatchCall(.loadClip(clip)), BatchCall(.add, values: [1]), BatchCall(.set, .all, values: [1], velocities: [3]),
        BatchCall(.animate, .all, goals: [0], animations: [spring]),
        BatchCall(
          .play(start: .automatic), .all, clips: [0],
          playbacks: [Playback(repetition: .forever, autoreverses: true)]),
        BatchCall(.advance(to: 5.25, velocities: true)), BatchCall(.advance(to: 5.75, velocities: true)),
        BatchCall(.advance(to: 6.25, velocities: true)),
      ])
    let report = try check(recording, kernels: .portable)
    #expect(report.passed, "\(report)")
  }

  /// A modified spring may take over from the one before, or that was over with its call and the track stood.
  @Test func aSpringAfterAMotionThatLeadsNowhereMayBeginEitherWay() throws {
    let spring = Animation.spring(Spring(duration: 0.054, bounce: 0.364)).delay(0.125)
    let recording = BatchRecording(
      dimensions: 1,
      calls: [
        BatchCall(.add, values: [-15]), BatchCall(.set, .all, values: [-27.5], velocities: [-600]),
        BatchCall(.animate, .all, goals: [-27.5], animations: [spring]),
        BatchCall(.advance(to: 0.25, velocities: false)),
        BatchCall(.animate, .all, goals: [-51], animations: [spring]),
        BatchCall(.advance(to: 0.375, velocities: false)),
      ])
    let report = try check(recording, kernels: .portable)
    #expect(report.passed, "\(report)")
  }

  /// A curve ends with a jump, and another one begins at that moment. Its way may lead from either side of the jump.
  @Test func aWayFromAJumpMayLeadFromEitherSide() throws {
    let start = 10.53424337407908
    let there = Animation.timingCurve(0.775, 1.005, 0.123, 0.861, duration: 0.3125).repeatCount(2, autoreverses: true)
    let recording = BatchRecording(
      dimensions: 1,
      calls: [
        BatchCall(.add, values: [0]), BatchCall(.advance(to: start, velocities: false)),
        BatchCall(.animate, .all, goals: [0.75], animations: [there]),
        BatchCall(
          .animate, .all, goals: [1], animations: [.timingCurve(0.734, 0.979, 0.146, -0.291, duration: 0.375)],
          numbers: [0.625]), BatchCall(.advance(to: start + 0.625, velocities: true)),
      ])
    let report = try check(recording, kernels: .portable)
    #expect(report.passed, "\(report)")
  }

  /// An animation that is over when it begins; a spring that was logically complete before it took over from its like; and
  /// a clip that jumps at its start.
  @Test func whatBeginsAtItsEndOrWithAJumpMayShowEither() throws {
    let over = Animation.easeIn(duration: 0.25).delay(-0.25)
    let complete = Animation.spring(Spring(duration: 0.6, bounce: 0.3)).logicallyComplete(after: 0.125)
    let clip = try Clip(initialValue: -0.633) { _ in
      KeyframeTrack(\Double.self) {
        LinearKeyframe(
          -0.153, duration: 0.5625,
          timingCurve: .linear(points: [.init(input: 0, output: 1.136), .init(input: 0.9475, output: 0.4995)]))
        LinearKeyframe(0.523, duration: 0.5, timingCurve: .easeOut)
        LinearKeyframe(-0.472, duration: 0.75)
      }
    }
    let programs = [
      [advance(to: 1 / 60), animate(to: 1, over), advance(to: 1 / 60)],
      [animate(to: -7413, complete), advance(to: 0.1875), animate(to: -250, complete), advance(to: 0.1875)],
      [
        advance(to: 2), BatchCall(.loadClip(clip)),
        BatchCall(
          .play(start: .firstValue), .all, clips: [0], playbacks: [Playback(speed: 0.2366, repetition: .count(4))]),
        BatchCall(.seek, .all, numbers: [2.5]), advance(to: 3.23), BatchCall(.seek, .all, numbers: [-0.75]),
        advance(to: 3.23),
      ],
    ]
    for program in programs {
      let report = try check(
        BatchRecording(dimensions: 1, calls: [BatchCall(.add, values: [3363])] + program), kernels: .portable)
      #expect(report.passed, "\(report)")
    }
  }

  /// A track that follows a goal that is no number keeps its value as its target.
  @Test func aGoalThatIsNoNumberIsNotKept() throws {
    let clip = try Clip(curve: .linear, duration: 1)
    let recording = BatchRecording(
      dimensions: 1,
      calls: [
        BatchCall(.add, values: [3]), BatchCall(.loadClip(clip)), BatchCall(.follow, .all, springs: [.bouncy]),
        BatchCall(.writeGoals, .all, goals: [.nan]),
        BatchCall(.play(start: .firstValue), .all, clips: [0], playbacks: [Playback(holdsAfter: false)]),
        BatchCall(.advance(to: 2, velocities: false)),
      ])
    let report = try check(recording, kernels: .portable)
    #expect(report.passed, "\(report)")
  }

  /// An animation whose beginning is skipped as far as its end is over with its call, so nothing is left to pause.
  @Test func whatTakesNoTimeIsOverInSpiteOfAPause() throws {
    let skipped = Animation.easeInOut(duration: 0.0625).delay(0.1875).delay(-0.25)
    let recording = BatchRecording(
      dimensions: 1,
      calls: [
        BatchCall(
          .addMoving, values: [-1], velocities: [0], goals: [5],
          springs: [Spring(duration: 0.13263140682945934, bounce: -0.05253366270974964)]),
        BatchCall(.advance(to: 1, velocities: false)), BatchCall(.animate, .all, goals: [1], animations: [skipped]),
        BatchCall(.pause, .all), BatchCall(.advance(to: 4, velocities: false)),
      ])
    let report = try check(recording, kernels: .portable)
    #expect(report.passed, "\(report)")
  }

  /// After a pause the reference counts a track's own time, so a batch may have made a waiting call in the frame of its very
  /// moment, or not yet. A call that follows then finds one motion or the other, and so does a clock that goes back.
  @Test(arguments: [true, false]) func whatComesAfterAWaitingCallMayFindItMadeOrNot(goesBack: Bool) throws {
    let phases = try PhaseSequence(
      dimensions: 1, targets: [[-1], [-1]], animations: [.spring(duration: 0.2), .easeIn(duration: 0.875)])
    let spring = Animation.spring(Spring(duration: 0.9725430071034322, bounce: 0.05))
    let recording = BatchRecording(
      dimensions: 1,
      calls: [
        BatchCall(.loadPhases(phases)), BatchCall(.add, values: [95]), BatchCall(.retarget, .all, goals: [1]),
        BatchCall(.pause, .all), BatchCall(.advance(to: 0.9670264316459699, velocities: false)),
        BatchCall(.playPhases(.loops), .all, scales: [0], sequences: [0]),
        BatchCall(.animate, .all, goals: [-9], animations: [goesBack ? nil : spring], numbers: [0.5]),
        BatchCall(.advance(to: 1.4670264316459698, velocities: false)),
        goesBack
          ? BatchCall(.advance(to: 1.2, velocities: false)) : BatchCall(.retarget, .all, goals: [-9]),
        BatchCall(.advance(to: 9, velocities: false)),
      ])
    let report = try check(recording, kernels: .portable)
    #expect(report.passed, "\(report)")
  }

  /// Of programs that once differed: a waiting call at the moment of a frame after a pause, and then another call (13207) or a
  /// clock that goes back (16636); a clip from any velocity up to a large one, whose length is not longest or shortest at an
  /// end (13508); an interpolating spring whose velocity leads further than its way (17988); phases that are triggered again
  /// after the clock went back (the last).
  @Test(arguments: [13207, 13508, 16636, 17988, 7_986_895_012_192_305_962, 551_835_654_765_911_466])
  func programsThatDifferedAgree(seed: UInt64) throws {
    let report = try check(RandomProgram.draw(seed: seed, size: .small), kernels: .portable)
    #expect(report.passed, "\(report)")
  }

  /// Until its end a curve has its velocity, to which another one adds.
  @Test func aCurveThatBeginsJustBeforeTheEndOfAnotherAddsToIt() throws {
    let curve = UnitCurve.bezier(
      startControlPoint: UnitPoint(x: 0.5705127405183942, y: 0.7421077426612408),
      endControlPoint: UnitPoint(x: 0.10879202449156528, y: -0.5193965447466089))
    let (start, end) = (0.5294601004839671, 0.5294601004839671 + 0.4375)
    for begin in [end.nextDown, end] {
      let recording = BatchRecording(
        dimensions: 1,
        calls: [
          BatchCall(.add, values: [-1]), BatchCall(.advance(to: start, velocities: false)),
          BatchCall(.animate, .all, goals: [0], animations: [.timingCurve(curve, duration: 0.4375)]),
          BatchCall(.advance(to: begin, velocities: false)),
          BatchCall(.animate, .all, goals: [0.4], animations: [.timingCurve(curve, duration: 0.5)]),
          BatchCall(.advance(to: end, velocities: true)), BatchCall(.advance(to: end + 0.125, velocities: true)),
        ])
      let report = try check(recording, kernels: .portable)
      #expect(report.passed, "from \(begin) s: \(report)")
    }
  }

  /// A negative delay that skips all of a curve leaves a jump. What comes at the same moment takes over from the goal.
  @Test func aCurveThatBeginsAtItsEndTakesNoTime() throws {
    var batch = try AnimationBatch<Float>(kernels: .portable)
    try batch.record()
    let track = try batch.add(0.5)
    try batch.animate(track, to: 3, .easeIn(duration: 0.25).logicallyComplete(after: 0.125).delay(-0.25))
    try batch.decelerate(track, velocity: 8)
    try batch.advance(to: 0)
    let value = batch[track]
    #expect(value == 3)
    try batch.advance(to: 0.125)
    let recording = batch.stopRecording()
    let report = try check(try #require(recording), kernels: .portable)
    #expect(report.passed, "\(report)")
  }

  /// The age of an effect is rounded. Just behind its end a batch may show what is before the end, with the error that
  /// it may have there.
  @Test func behindTheEndOfAnEffectItsErrorIsAllowed() throws {
    let animation = Animation.interpolatingSpring(
      Spring(duration: 0.9515067235871982, bounce: 1.0405268308895673e-06), initialVelocity: -4.015582910040027)
    let recording = BatchRecording(
      dimensions: 1,
      calls: [
        BatchCall(.add, values: [-70.13128]), BatchCall(.advance(to: 1.3270984186227632, velocities: false)),
        BatchCall(.animate, .all, goals: [68.42427], animations: [animation]),
        BatchCall(.advance(to: 3.435865040565552, velocities: true)),
      ])
    let report = try check(recording, kernels: .portable)
    #expect(report.passed, "\(report)")
  }

  /// A curve began by one rounding of the clock before a pause. After the pause the clock cannot tell that from now.
  @Test func whatBeganARoundingBeforeAPauseMayBeginWithItsEnd() throws {
    let moment = 0.25
    try expectAgreement(
      from: 0,
      [
        animate(to: 1, .linear(duration: 0.125), after: moment), advance(to: moment.nextUp), BatchCall(.pause, .all),
        advance(to: 0.6875), animate(to: 0, .timingCurve(0.338, -0.895, 0.8, -0.217, duration: 1)), advance(to: 1),
      ])
    let start = 0.0023960034624599335
    let phases = try PhaseSequence(
      dimensions: 1, targets: [[58], [-61.5]], animations: [.easeOut(duration: 0.9375), .easeIn(duration: 0.0625)])
    try expectAgreement(
      from: -1,
      [
        BatchCall(.loadPhases(phases)), advance(to: start), BatchCall(.playPhases(.loops), .all, sequences: [0]),
        advance(to: start.nextUp), BatchCall(.pause, .all), advance(to: 0.02), animate(to: -67, .easeOut(duration: 1)),
        advance(to: 0.1875),
      ])
  }

  /// A modified spring takes over from its like, with value and velocity, on a track that a batch has put on its goal.
  @Test func aSpringThatTakesOverKeepsTheErrorOfItsStart() throws {
    let spring = Animation.spring(Spring(duration: 0.30461644835039353, bounce: 0.7398285265583304)).speed(0.7834)
    try expectAgreement(
      from: -1,
      [
        advance(to: 10.0625),
        BatchCall(.follow, .all, springs: [Spring(duration: 0.10986177356536109, bounce: -0.04786279855197532)]),
        BatchCall(.setGoals, .all, goals: [1]), advance(to: 10.285806750725285), animate(to: 0, spring),
        advance(to: 10.3125), animate(to: -0.38569, spring), advance(to: 10.5),
      ])
  }

  /// A batch counts in ticks: it may find the next iteration of a clip a little before the reference does, but must report it
  /// once.
  @Test(arguments: [1, 2, 400_000]) func anIterationMayBeginATickBefore(roundings: Int) throws {
    let start = 4.441899627755202
    let clip = try Clip(initialValue: 98.0) { _ in KeyframeTrack { LinearKeyframe(-49.0, duration: 0.5) } }
    try expectAgreement(
      from: -7,
      [
        BatchCall(.setReports([.iterations])), BatchCall(.loadClip(clip)), advance(to: start),
        BatchCall(
          .play(start: .firstValue), .all, clips: [0],
          playbacks: [Playback(repetition: .forever, timeOffset: 4.94540011436884)]),
        BatchCall(.seek, .all, numbers: [4.25]), advance(to: start + Double(roundings) * start.ulp),
        advance(to: start + Double(2 * roundings) * start.ulp), advance(to: start + 0.25), advance(to: start + 0.75),
      ])
  }

  /// A call is due just where an iteration begins: a batch may take over in the iteration before, and report that one.
  @Test func anIterationThatACallEndsAtItsStartMayBeTheOneBefore() throws {
    let clip = try Clip(initialValue: 22.34043718011769) { _ in
      KeyframeTrack {
        LinearKeyframe(18.059378911891642, duration: 0)
        CubicKeyframe(62.35836428403371, duration: 0.0625)
      }
    }
    try expectAgreement(
      from: 7,
      [
        BatchCall(.setReports([.iterations])), BatchCall(.loadClip(clip)),
        BatchCall(
          .play(start: .firstValue), .all, clips: [0],
          playbacks: [Playback(repetition: .forever, autoreverses: true, holdsBefore: false)]),
        BatchCall(.retarget, .all, goals: [1], numbers: [0.25]), advance(to: 20),
      ])
  }

  /// A step of phases that changes nothing, and the next one at its moment, which replaces a spring that is just complete.
  @Test func whatAStepReplacesNeedNotBeComplete() throws {
    let phases = try PhaseSequence(
      dimensions: 1, targets: [[0], [83]], animations: [.spring(duration: 0.186, bounce: 1), .bouncy])
    try expectAgreement(
      from: -65,
      [
        BatchCall(.loadPhases(phases)),
        animate(to: 0, .spring(Spring(duration: 0.1592127249184628, bounce: 0.6222625431106119)).delay(-0.25)),
        BatchCall(.playPhases(.loops), .all, sequences: [0], numbers: [0.75]), BatchCall(.trigger, .all),
        advance(to: 1 / 60),
      ])
  }

  /// A long spring with a velocity of its own: within two ticks of its start it may still stand.
  @Test(arguments: [false, true]) func withinATickOfItsStartAnEffectMayStand(velocities: Bool) throws {
    let animation = Animation.interpolatingSpring(
      Spring(duration: 4.596634077542181, bounce: 0.9909963817032484), initialVelocity: 1.5302531400075186)
    try expectAgreement(
      from: 3021,
      [
        animate(to: -6467, animation),
        BatchCall(.advance(to: 3.7421161176781766e-10, velocities: velocities)),
      ])
  }
}
