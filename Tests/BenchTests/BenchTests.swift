// SPDX-License-Identifier: MIT
import AnimationModel
import CYardsticks
import Foundation
import Murmuration
import Testing

@testable import Bench

/// A comparison of two runs names what changed beyond the noise within and between them, and nothing else.
struct BenchComparisonTests {
  private typealias Rows = [(name: String, best: Double, slow: Double)]

  /// A run with rows of these fastest rounds and limits that nine of ten rounds keep.
  private func report(_ rows: Rows) -> BenchReport {
    var report = BenchReport(machine: .current)
    report.operations = rows.map { name, best, slow in
      OperationResult(
        name: name, tracks: 1000, called: 1000, nsPerTrack: best, medianNsPerTrack: best, slowNsPerTrack: slow)
    }
    return report
  }

  private func compare(_ before: Rows, _ after: Rows) -> BenchComparison {
    BenchComparison(of: report(after), with: report(before))
  }

  /// Rows of the same code, before and after the machine's rate changed by a drift, and by a factor for each row that is
  /// spread evenly, in logarithms, up to a largest one.
  private func drifting(
    _ name: String, _ count: Int, drift: Double, most: Double, seed: UInt64
  ) -> (before: Rows, after: Rows) {
    var random = SplitMix64(seed: seed)
    let before = (1...count).map { (name: "\(name).\($0)", best: Double($0), slow: 1.1 * Double($0)) }
    let after = before.map { row in
      let factor = drift * pow(most, .random(in: -1...1, using: &random))
      return (name: row.name, best: row.best * factor, slow: row.slow * factor)
    }
    return (before, after)
  }

  @Test func aRowThatTakesTwiceAsLongIsNamedAndNoiseIsNot() throws {
    let comparison = compare(
      [("a", 1, 1.1), ("b", 2, 2.2), ("c", 4, 5), ("d", 3, 3.1)],
      // The fastest round of `c` is twice as slow, but within 1.69 times what nine of ten rounds took. `d` is faster.
      [("a", 1.05, 1.2), ("b", 4, 4.4), ("c", 8, 9), ("d", 1.5, 1.6)])
    #expect(comparison.slower.map(\.name) == ["b"] && comparison.faster.map(\.name) == ["d"])
    let slower = try #require(comparison.slower.first)
    #expect(slower.ratio == 2 && slower.before == 2 && slower.after == 4 && slower.size == "1000")
    let mean = try #require(comparison.geometricMean)
    #expect(abs(mean * mean * mean * mean - 1.05 * 2 * 2 * 0.5) < 1e-12 && comparison.relativeMean == mean)
    let text = comparison.table(against: "before.json")
    #expect(text.contains("of 4 rows, 1 slower and 1 faster") && text.contains("2.000") && text.contains("1.204×"))
    #expect(text.contains("yardsticks (0, too few to show the spread)") && text.contains("lie 1.690× apart"))
    #expect(!text.contains("\nc ") && !text.contains("\na "))
  }

  @Test(arguments: [1 as UInt64, 2, 3], [0.5, 0.9, 1.6])
  func aMachineOfAnotherRateIsNoChangeOfARow(seed: UInt64, drift: Double) throws {
    let yardsticks = drifting("yardstick", 60, drift: drift, most: 1.3, seed: seed)
    // Rows are more restless than yardsticks.
    var rows = drifting("row", 200, drift: drift, most: 1.6, seed: seed + 10)
    let same = compare(yardsticks.before + rows.before, rows.after + yardsticks.after)
    #expect(same.slower.isEmpty && same.faster.isEmpty && same.rows == 200 && same.yardsticks == 60)
    #expect(same.leastFactor > 1.4 && same.leastFactor <= 1.3 * 1.3 * 1.1)
    let mean = try #require(same.relativeMean)
    #expect(abs(mean - 1) < 0.1)
    (rows.after[7].best, rows.after[7].slow) = (16 * drift, 17 * drift)
    (rows.after[8].best, rows.after[8].slow) = (4 * drift, 4.2 * drift)
    rows.after[9].best *= 0.1
    let changed = compare(yardsticks.before + rows.before, yardsticks.after + rows.after)
    // The slow rounds of row 10 are as slow as before.
    #expect(changed.slower.map(\.name) == ["row.8"] && changed.faster.map(\.name) == ["row.9"])
    let slower = try #require(changed.slower.first)
    #expect(slower.ratio == 2 * drift && abs(slower.relative - 2) < 0.2)
  }

  /// A row that stays as fast as it was, on a machine that became twice as fast, became slower.
  @Test func aRowIsComparedRelativeToTheMachine() {
    let yardsticks = (0..<10).map { (name: "yardstick.\($0)", best: 2.0, slow: 2.0) }
    let after = yardsticks.map { (name: $0.name, best: 1.0, slow: 1.0) }
    let comparison = compare(yardsticks + [("a", 1, 1), ("b", 2, 2)], after + [("a", 1, 1), ("b", 1, 1)])
    #expect(comparison.slower.map(\.name) == ["a"] && comparison.faster.isEmpty && comparison.yardstickMean == 0.5)
    #expect(comparison.slower.map(\.ratio) == [1] && comparison.slower.map(\.relative) == [2])
    let text = comparison.table(against: "x")
    #expect(text.contains("Drift of the machine: 0.500×, the geometric mean over the yardsticks (10)."))
  }

  /// Runs with little noise place their memory differently all the same.
  @Test func aSmallChangeOfASteadyRowIsNoise() {
    let yardsticks = (0..<10).map { (name: "yardstick.\($0)", best: 1.0, slow: 1.001) }
    let comparison = compare(
      yardsticks + [("a", 1, 1.001), ("b", 1, 1.001), ("c", 1, 1.001)],
      yardsticks + [("a", 1.025, 1.026), ("b", 0.975, 0.976), ("c", 1.04, 1.041)])
    #expect(comparison.slower.map(\.name) == ["c"] && comparison.faster.isEmpty && comparison.rows == 3)
  }

  @Test func theWorstRowComesFirst() {
    let comparison = compare(
      [("a", 1, 1), ("b", 1, 1), ("c", 1, 1), ("d", 1, 1)],
      [("a", 2, 2), ("b", 3, 3), ("c", 0.5, 0.5), ("d", 0.2, 0.2)])
    #expect(comparison.slower.map(\.name) == ["b", "a"] && comparison.faster.map(\.name) == ["d", "c"])
  }

  /// Few yardsticks that agree show less than the spread of a machine; few that differ show more.
  @Test func fewYardsticksShowTheMachineAndAreNotRows() throws {
    let differing = compare(
      [("a", 1, 1), ("yardstick.b", 1, 1), ("a.copy", 1, 1)], [("a", 1, 1), ("yardstick.b", 4, 4), ("a.copy", 1, 1)])
    #expect(differing.rows == 1 && differing.slower.isEmpty && differing.faster.isEmpty)
    #expect(differing.geometricMean == 1 && differing.yardsticks == 2)
    let machine = try #require(differing.yardstickMean)
    #expect(abs(machine - 2) < 1e-12 && abs(differing.leastFactor - 4) < 1e-12)
    let agreeing = compare([("a", 1, 1), ("yardstick.b", 1, 1)], [("a", 1.6, 1.6), ("yardstick.b", 1, 1)])
    #expect(agreeing.slower.isEmpty && agreeing.leastFactor == 1.3 * 1.3)
  }

  @Test func rowsOfOneNameAreToldApart() {
    let (before, after) = (report([("a", 1, 1), ("a", 5, 5)]), report([("a", 1, 1), ("a", 10, 10), ("b", 1, 1)]))
    let comparison = BenchComparison(of: after, with: before)
    #expect(comparison.slower.map(\.before) == [5] && comparison.rows == 2)
    #expect(comparison.onlyAfter == 1 && comparison.onlyBefore == 0)
    #expect(comparison.table(against: "x").contains("Rows that only one of the runs has: 0 before, 1 now."))
  }

  /// Rows of kernels, bakes, matrices and nodes carry other keys.
  @Test func everySectionIsCompared() {
    func report(_ factor: Double) -> BenchReport {
      var report = BenchReport(machine: .current)
      report.results = [
        BenchResult(
          name: "k", isa: "avx2", tracks: 1, nsPerTrack: factor, medianNsPerTrack: factor, slowNsPerTrack: factor,
          bytesPerTrack: 1, ratioToRoofline: 1, roofline: "", rooflineGBPerSecond: 1)
      ]
      report.bakes = [
        BakeResult(
          name: "b", tracks: 1, frames: 1, nsPerOutput: factor, medianNsPerOutput: factor, slowNsPerOutput: factor,
          ratioToCopy: 1)
      ]
      report.matrices = [
        MatrixResult(
          name: "m", isa: "avx2", instances: 1, outputs: 1, tracks: 1, nsPerOutput: factor, medianNsPerOutput: factor,
          gigaflops: 1)
      ]
      report.nodes = [
        NodeResult(
          name: "n", isa: "avx2", instances: 1, nodes: 1, nsPerNode: factor, medianNsPerNode: factor, bytesPerNode: 1,
          spread: "", spreadNsPerNode: 1, ratioToLimit: 1)
      ]
      return report
    }
    let comparison = BenchComparison(of: report(3), with: report(1))
    #expect(comparison.slower.map(\.name).sorted() == ["b", "k", "m", "n"])
  }

  @Test func runsThatWereMadeDifferentlyAreSaidToBe() {
    var other = report([("a", 1, 1)])
    other.machine.optimised.toggle()
    #expect(BenchComparison(of: other, with: report([("a", 1, 1)])).warning?.contains("debug build") == true)
    other.machine.optimised.toggle()
    #expect(BenchComparison(of: other, with: report([("a", 1, 1)])).warning == nil)
    other.machine.processor = "abacus"
    #expect(BenchComparison(of: report([("a", 1, 1)]), with: other).warning?.contains("abacus") == true)
  }

  /// A row without a number would make every mean NaN.
  @Test func aRowThatWasNotMeasuredIsLeftOut() {
    let comparison = compare([("a", .nan, .nan), ("b", 1, 1)], [("a", 1, 1), ("b", 1, 1)])
    #expect(comparison.rows == 1 && comparison.geometricMean == 1)
  }
}

/// The panels that `murmuration plot` draws of a run.
struct RooflinePanelTests {
  private func row(
    _ name: String, tracks: Int = 1000, ns: Double, bytes: Double?, yardstick: String? = nil
  ) -> OperationResult {
    var row = OperationResult(
      name: name, tracks: tracks, called: tracks, nsPerTrack: ns, medianNsPerTrack: ns, slowNsPerTrack: ns)
    (row.bytesPerTrack, row.rooflineGBPerSecond, row.yardstick) = (bytes, bytes.map { _ in 100 }, yardstick)
    return row
  }

  @Test func workStandsBesideItsYardstick() throws {
    var report = BenchReport(machine: .current)
    report.operations = [
      row("steady", ns: 2, bytes: 40, yardstick: "yardstick.steady"), row("yardstick.steady", ns: 1, bytes: 30),
      row("steady", tracks: 10, ns: 4, bytes: 40, yardstick: "yardstick.steady"),
      row("yardstick.steady", tracks: 10, ns: 1, bytes: 30),
      row("scattered", ns: 3, bytes: 40, yardstick: "steady"),
      row("call", ns: 1, bytes: nil, yardstick: "yardstick.call"), row("yardstick.euler", ns: 1, bytes: 20),
    ]
    let panels = report.rooflinePanels
    #expect(panels.map(\.name) == ["steady", "scattered", "yardstick.euler"])
    #expect(panels.map { $0.lines.map(\.name) } == [["batch", "C"], ["batch"], ["C"]])
    let batch = panels[0].lines[0].points
    #expect(batch.map(\.bytes) == [400, 40_000] && batch.map(\.speed) == [10, 20] && batch.map(\.roof) == [100, 100])
    #expect(panels[0].lines[1].points.map(\.speed) == [30, 30])
  }

  @Test func kernelsHaveALineForEachInstructionSetAndItsYardstick() {
    var report = BenchReport(machine: .current)
    for (name, isa) in [
      ("spring.mixed.value", "portable"), ("spring.mixed.value", "avx2"),
      ("yardstick.intrinsics.value", "avx2 value"),
    ] {
      report.results.append(
        BenchResult(
          name: name, isa: isa, tracks: 10, nsPerTrack: 1, medianNsPerTrack: 1, slowNsPerTrack: 1, bytesPerTrack: 36,
          ratioToRoofline: 0.5, roofline: "memcpy", rooflineGBPerSecond: 72))
    }
    #expect(report.rooflinePanels.map(\.name) == ["spring.mixed.value"])
    #expect(report.rooflinePanels[0].lines.map(\.name) == ["portable", "avx2", "C"])
  }

  /// A run is read from a file. A product of two of its numbers ended the process.
  @Test func numbersThatCannotBeDrawnAreLeftOut() {
    var report = BenchReport(machine: .current)
    for (tracks, bytes, ns, roof) in [
      (4_000_000_000_000_000_000, 32, 1, 72), (10, .max, 1, 72), (0, 32, 1, 72), (-1, 32, 1, 72), (10, 0, 1, 72),
      (10, 32, 0, 72), (10, 32, -1, 72), (10, 32, .infinity, 72), (10, 32, 1, 0), (10, 32, 1, .nan),
    ] as [(Int, Int, Double, Double)] {
      report.results.append(
        BenchResult(
          name: "spring", isa: "avx2", tracks: tracks, nsPerTrack: ns, medianNsPerTrack: ns, slowNsPerTrack: ns,
          bytesPerTrack: bytes, ratioToRoofline: 1, roofline: "memcpy", rooflineGBPerSecond: roof))
      var row = row("call", tracks: tracks, ns: ns, bytes: Double(bytes))
      row.rooflineGBPerSecond = roof
      report.operations.append(row)
    }
    #expect(report.rooflinePanels.isEmpty)
  }
}

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
    #expect(abs(value - (3 + two.a * 3 + two.b * -20)) < 1e-5 && abs(velocity - (-20 + two.c * 3 + two.d * -20)) < 1e-3)
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
