// SPDX-License-Identifier: MIT
import Foundation
import Murmuration
import TestSupport
import Testing

@testable import MurmurationTool

/// The arithmetic of `murmuration estimate`.
struct CostSheetTests {
  private let shape = CostTerm.Shape(family: .springs, dimensions: 3, velocities: true)

  private func term(_ kind: CostTerm.Kind, isInMemory: Bool = false) -> CostTerm {
    CostTerm(kind: kind, shape: shape, isInMemory: isInMemory)
  }

  /// Work with another number for each count.
  private func work() -> BatchWork {
    var work = BatchWork()
    (work.tiles.uniform, work.tiles.laneWise, work.tiles.effects, work.tiles.clips) = (2, 3, 5, 7)
    (work.tiles.pieces, work.tiles.following, work.tiles.atRest) = (11, 13, 17)
    (work.dueTracks, work.computedEnds, work.events, work.bytes) = (19, 23, 29, 1000)
    return work
  }

  /// Tiles in memory by the bytes of the frame, due tracks by those of all columns: 58 tiles of 16 tracks of 80 bytes.
  @Test(arguments: [999, 1000, 74_239, 74_240])
  func everyCountIsATermOfItsLevel(_ cacheBytes: Int) {
    let (tiles, due) = (cacheBytes < 1000, cacheBytes < 58 * 16 * 80)
    let expected: [CostTerm: Int] = [
      term(.advance): 1, term(.uniform, isInMemory: tiles): 2, term(.laneWise, isInMemory: tiles): 3,
      term(.effects, isInMemory: tiles): 5, term(.clips, isInMemory: tiles): 7, term(.pieces, isInMemory: tiles): 11,
      term(.following, isInMemory: tiles): 13, term(.due, isInMemory: due): 19, term(.ends, isInMemory: due): 23,
      term(.events, isInMemory: due): 29,
    ]
    let counts = CostTerm.counts(of: work(), shape, cacheBytes: cacheBytes)
    #expect(Dictionary(uniqueKeysWithValues: counts.map { ($0.term, $0.count) }) == expected)
  }

  @Test func aSumIsTheCountsTimesTheirCosts() {
    var (one, two) = (CostSheet(), CostSheet())
    one.add(CostTerm.counts(of: work(), shape, cacheBytes: .max))
    two.add([(term(.advance), 1), (term(.laneWise), 7), (term(.uniform, isInMemory: true), 4)])
    two.add([(term(.advance), 1), (term(.due), 0)])
    let costs: [CostTerm: Double] = [
      term(.advance): 100, term(.laneWise): 8, term(.uniform): 2.5, term(.uniform, isInMemory: true): 6,
    ]
    #expect(one.nanoseconds(costs) == 129)  // 100 + 3 · 8 + 2 · 2.5
    #expect(two.nanoseconds(costs) == 280)  // 2 · 100 + 7 · 8 + 4 · 6
    #expect(two.terms(costs).map(\.kind) == [.advance, .laneWise, .uniform])
    let mean = CostSheet.mean(of: [one, two, CostSheet(), CostSheet()])
    #expect(mean.nanoseconds(costs) == 409.0 / 4)
    #expect(mean.counts[term(.laneWise)] == 2.5 && CostSheet.mean(of: []).counts.isEmpty)
  }

  @Test func nearEquationsAreSolvedWithoutNegativeNumbers() {
    var random = SplitMix64(seed: 3)
    for expected in [[3.0, 0.5, 20], [0, 4, 1], [7, 0, 0]] {
      var equations = NearEquations()
      for _ in 0..<40 {
        let factors = (0..<3).map { _ in random.uniform(0...10) }
        equations.add(factors, sum: zip(factors, expected).reduce(random.uniform(-1e-4...1e-4)) { $0 + $1.0 * $1.1 })
      }
      let solution = equations.solution(unknowns: 3)
      for (found, exact) in zip(solution, expected) { #expect(abs(found - exact) < 1e-3 && found >= 0, "\(solution)") }
    }
    // A sum that only a negative number would give.
    var negative = NearEquations()
    negative.add([1, 0], sum: -5)
    #expect(negative.solution(unknowns: 2) == [0, 0])
  }

  /// Every term can be measured, whatever scenes play it.
  @Test func everyTermHasACost() throws {
    let piece = PieceTrack(components: [0, 1], times: [0, 0.4], pieces: [[SIMD4(0, 1, 0, 0)], [SIMD4(1, 1, 0, 0)]])
    let clip = try Clip(dimensions: 2, initialValues: [0, 0], tracks: [piece])
    var terms: Set<CostTerm> = []
    for family in [CostTerm.Shape.Family.springs, .clips, .phases] {
      let shape = CostTerm.Shape(
        family: family, dimensions: 2, velocities: family == .springs, group: family == .clips ? 0 : nil)
      let tiles: [CostTerm.Kind] = family == .clips ? [.clips, .pieces] : [.uniform, .laneWise, .effects, .following]
      for kind in tiles + [.advance, .due, .ends, .events] { terms.insert(CostTerm(kind: kind, shape: shape)) }
    }
    var calibration = CostCalibration(kernels: try KernelSet.selected, clips: [0: clip], bytes: 0, tiles: 0)
    var done: [Int] = []
    try calibration.measure(terms) { done.append($0) }
    #expect(done == Array(1...CostCalibration.needed(for: terms).count))
    for term in terms {
      let cost = calibration.costs[term] ?? .nan
      #expect(cost.isFinite && cost >= 0, "\(term)")
      if term.kind.isTiles { #expect(cost > 0, "\(term)") }
    }
  }
}

/// `murmuration estimate` as a process.
struct EstimateProcessTests {
  private let scene = Fixtures.path("Scenes/three.json")

  @Test func theSumIsThatOfItsTerms() throws {
    let outcome = try ToolProcess.succeed(["estimate", scene, "--json"])
    let json = try JSONDecoder().decode(JSONValue.self, from: Data(outcome.output.utf8))
    for column in ["busiest", "mean"] {
      let terms = try #require(json["terms"]?.elements)
      #expect(terms.count >= 5)
      let sum = terms.reduce(0) { $0 + ($1["nsEach"]?.number ?? .nan) * ($1[column]?.number ?? .nan) } * 1e-3
      let estimated = try #require(json[column]?["estimated"]?.number)
      #expect(abs(sum - estimated) < 1e-6 * sum && sum > 0, "\(column): \(sum), \(estimated)")
    }
    // Three batches, each of which advances once for a frame, and once more where a call comes between.
    let advances = try #require(json["terms"]).elements.filter { $0["name"]?.string == "advances" }
    #expect(advances.reduce(0) { $0 + ($1["mean"]?.number ?? 0) } >= 3 && json["ratio"]?.number == nil)
  }

  @Test func theSumFitsTwelveLinesAndIsCompared() throws {
    // The clock of a machine that other programs use may be beyond the bound: the exit says so.
    let outcome = try ToolProcess.run(["estimate", scene, "--check", "--duration", "0.5"])
    #expect(outcome.output.split(separator: "\n").count <= 12, "\(outcome.output)")
    for word in ["three", "ns each", "mean of 20", "sum", "measured", "ratio"] {
      #expect(outcome.output.contains(word), "“\(word)” is not in\n\(outcome.output)")
    }
    let last = outcome.output.split(separator: "\n").last?.split(separator: " ").last.flatMap { Double($0) }
    let ratio = try #require(last)
    if !(0.69...1.31 ~= ratio) {
      #expect(outcome.status == 1 && outcome.errors.contains("0.70 to 1.30"), "\(outcome)")
    } else if 0.71...1.29 ~= ratio {
      #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome)")
    }
  }
}
