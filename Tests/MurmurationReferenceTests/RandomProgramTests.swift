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

  /// Programs on which a batch and the reference once differed, as draws of random programs found and shortened them.
  @Test func programsThatDifferedAgree() throws {
    let programs = try Fixtures.text("found_programs.txt").split(separator: "\n\n")
    #expect(programs.count == 35)
    for program in programs {
      let json = program.split(separator: "\n").drop { $0.hasPrefix("#") }.joined(separator: "\n")
      let report = try check(BatchRecording(json: json), kernels: .portable)
      #expect(report.passed, "\(program)\n\(report)")
    }
  }

  /// A waiting call at the moment of a frame after a pause, and then another call (13207) or a clock that goes back (16636);
  /// a clip from any velocity up to a large one, whose length is not longest or shortest at an end (13508); an
  /// interpolating spring whose velocity leads further than its way (17988); phases that are triggered again after the
  /// clock went back (551835654765911466); a clip whose length depends on a velocity that is not known (the last).
  @Test(arguments: [
    13207, 13508, 16636, 17988, 7_986_895_012_192_305_962, 551_835_654_765_911_466, 9_985_441_731_636_524_784,
  ])
  func drawsThatDifferedAgree(seed: UInt64) throws {
    let report = try check(RandomProgram.draw(seed: seed, size: .small), kernels: .portable)
    #expect(report.passed, "\(report)")
  }

  /// A negative delay that skips all of a curve leaves a jump. What comes at the same moment takes over from the goal.
  @Test func aCurveThatBeginsAtItsEndTakesNoTime() throws {
    var batch = try AnimationBatch<Float>(kernels: .portable)
    let track = try batch.add(0.5)
    try batch.animate(track, to: 3, .easeIn(duration: 0.25).logicallyComplete(after: 0.125).delay(-0.25))
    try batch.decelerate(track, velocity: 8)
    try batch.advance(to: 0)
    let value = batch[track]
    #expect(value == 3)
  }
}
