// SPDX-License-Identifier: MIT
import AnimationModel
import CYardsticks
import Murmuration
import Testing

@testable import Bench

/// The loops in C do the work that they stand for: on every instruction set they show the values of a batch, or of the
/// model, that was called in the same way.
struct TrackYardstickTests {
  private static let sets = TrackYardstick.allLoops.indices
  private let bench = ChangeBench(tracks: 160, rounds: 1)

  @Test(arguments: sets) func followingShowsTheValuesOfABatch(_ set: Int) throws {
    try ChangeBench.Yardsticks(bench, loops: TrackYardstick.allLoops[set]).check()
  }

  @Test(arguments: sets) func callsForSomeTracksShowTheValuesOfABatch(_ set: Int) throws {
    let (shared, handles) = try bench.moving()
    let single = try TrackYardstick(count: 160, loops: TrackYardstick.allLoops[set])
    let bulk = try TrackYardstick(count: 160, loops: TrackYardstick.allLoops[set])
    for yardstick in [single, bulk] { yardstick.sendAll(to: bench.goals[0], bench.spring) }
    for frame in 1...40 {
      let (time, spring) = (Double(frame) / 60, bench.springs[frame])
      // Each round skips other tracks, so that tiles are partly of the first spring for long.
      let some = stride(from: frame % 7, to: 160, by: 7 + frame).map { $0 }
      // A batch would leave a track alone that heads for its goal already.
      let goals = some.map { bench.goals[frame & 1][$0] + Float(frame) }
      try shared.batch.animate(some.map { handles[$0] }, to: goals, .spring(spring))
      bulk.send(some.map { UInt32($0) }, to: goals, spring)
      for (index, goal) in zip(some, goals) { single.send(index, to: goal, yardstick_motion(spring)) }
      try shared.batch.advance(to: time)
      for yardstick in [single, bulk] {
        yardstick.advance(to: time)
        try bench.check(shared) { yardstick[$0] }
      }
    }
    let copy = LineColumn(count: 320, stagger: 0)
    let address = try #require(copy.address)
    bulk.copyValues(into: address)
    try bench.check(shared) { SIMD2(copy.floats[2 * $0], copy.floats[2 * $0 + 1]) }
  }

  /// A tile is passed over once all of its lanes are at rest, and not before.
  @Test(arguments: sets) func tracksAtRestStandAtTheirGoals(_ set: Int) throws {
    let yardstick = try TrackYardstick(count: 160, loops: TrackYardstick.allLoops[set])
    yardstick.sendAll(to: bench.goals[0], bench.spring)
    for frame in 1...600 {
      let time = Double(frame) / 60
      yardstick.advance(to: time)
      for index in stride(from: 0, to: 160, by: 13) {
        let expected = bench.spring.value(target: Double(bench.goals[0][index].x), time: time)
        #expect(abs(Double(yardstick[index].x) - expected) < 2e-3)
      }
    }
  }

  @Test(arguments: sets) func tracksThatRestBeforeTheNextFrameStandAtTheirGoals(_ set: Int) throws {
    let yardstick = try TrackYardstick(count: 160, loops: TrackYardstick.allLoops[set])
    yardstick.sendAll(to: bench.goals[0], bench.spring)
    yardstick.advance(to: 100)
    #expect((0..<160).allSatisfy { yardstick[$0] == bench.goals[0][$0] })
  }

  @Test(arguments: sets) func storesPastTheCachesWriteTheSame(_ set: Int) throws {
    let large = ChangeBench(tracks: 300_016, rounds: 1)
    let (shared, _) = try large.moving()
    let yardstick = try TrackYardstick(count: large.tracks, loops: TrackYardstick.allLoops[set])
    yardstick.sendAll(to: large.goals[0], large.spring)
    try shared.batch.advance(to: 0.2)
    yardstick.advance(to: 0.2)
    try large.check(shared) { yardstick[$0] }
  }

  @Test(arguments: sets) func effectsShowTheSumsOfABatch(_ set: Int) throws {
    let (shared, _) = try bench.standing()
    let yardstick = try EffectYardstick(
      count: 160, layers: 18, .easeOut, duration: 0.3, loops: TrackYardstick.allLoops[set])
    for frame in 0..<30 {
      let goals = bench.goals[frame & 1]
      try shared.batch.animate(.all, to: goals, .easeOut(duration: 0.3))
      yardstick.start(towards: goals, at: shared.batch.time)
      try shared.batch.advance(to: Double(frame + 1) / 60)
      yardstick.advance(to: shared.batch.time)
      if frame >= 18 { try bench.check(shared, { yardstick[$0] }, within: 0.5) }
    }
  }

  /// The exact step of two frames is that of one frame of twice the length.
  @Test func twoStepsAreOneOfTwiceTheLength() {
    let (one, two) = (
      yardstick_step(bench.spring, frame: 1.0 / 60), yardstick_step(bench.spring, frame: 2.0 / 60)
    )
    var (value, velocity): (Float, Float) = (3, -20)
    for _ in 0..<2 {
      (value, velocity) = (
        value + one.a * value + one.b * velocity, velocity + one.c * value + one.d * velocity
      )
    }
    #expect(abs(value - (3 + two.a * 3 + two.b * -20)) < 1e-5)
    #expect(abs(velocity - (-20 + two.c * 3 + two.d * -20)) < 1e-3)
  }

  /// A yardstick that does nothing would be a fast one.
  @Test func aLoopThatDoesNothingIsNoticed() throws {
    var empty = TrackYardstick.loops
    empty.advance = { _, _ in }
    #expect(throws: BenchError.self) { try ChangeBench.Yardsticks(bench, loops: empty).check() }
    var still = TrackYardstick.loops
    still.step_columns = { _, _, _, _, _, _, _ in }
    still.step_bodies = { _, _, _, _ in }
    #expect(throws: BenchError.self) { try ChangeBench.Yardsticks(bench, loops: still).check() }
    var stuck = TrackYardstick.loops
    stuck.follow = { _, _, _, _, _, _, _, _ in }
    #expect(throws: BenchError.self) { try ChangeBench.Yardsticks(bench, loops: stuck).check() }
  }
}
