// SPDX-License-Identifier: MIT
import Murmuration
import TestSupport
import Testing

/// Delays of staggers, against their definition.
struct StaggerTests {
  private func delays(_ stagger: Stagger, _ count: Int) -> [Double] { stagger.delays(count: count) }

  private func areNear(_ got: [Double], _ expected: [Double]) -> Bool {
    got.count == expected.count && zip(got, expected).allSatisfy { abs($0 - $1) <= 1e-15 }
  }

  @Test func linesCountFromTheirOrigin() {
    #expect(areNear(delays(.each(0.1), 4), [0, 0.1, 0.2, 0.3]))
    #expect(areNear(delays(.each(0.1, from: .last), 4), [0.3, 0.2, 0.1, 0]))
    #expect(areNear(delays(.each(0.1, from: .center), 5), [0.2, 0.1, 0, 0.1, 0.2]))
    // Of an even number the two in the middle set out first.
    #expect(areNear(delays(.each(0.1, from: .center), 4), [0.1, 0, 0, 0.1]))
    #expect(areNear(delays(.each(0.1, from: .edges), 5), [0, 0.1, 0.2, 0.1, 0]))
    #expect(areNear(delays(.each(0.1, from: .position(1)), 4), [0.1, 0, 0.1, 0.2]))
    #expect(areNear(delays(.over(1), 5), [0, 0.25, 0.5, 0.75, 1]))
    #expect(areNear(delays(.over(1, from: .center), 4), [1, 0, 0, 1]))
  }

  @Test func gridsMeasureDistances() {
    let diagonal = 2.0.squareRoot()
    #expect(areNear(delays(.each(1, columns: 3), 6), [0, 1, 2, 1, diagonal, 5.0.squareRoot()]))
    #expect(areNear(delays(.each(1, from: .last, columns: 2), 4), [diagonal, 1, 1, 0]))
    #expect(
      areNear(delays(.each(1, from: .center, columns: 3), 9), [diagonal, 1, diagonal, 1, 0, 1, diagonal, 1, diagonal]))
    #expect(areNear(delays(.each(1, from: .edges, columns: 3), 9), [0, 0, 0, 0, 1, 0, 0, 0, 0]))
    #expect(areNear(delays(.each(1, from: .point(column: 1, row: 0), columns: 2), 4), [1, 0, diagonal, 1]))
    // A last row that is not full, and a grid that is wider than its tracks.
    #expect(areNear(delays(.each(1, from: .last, columns: 2), 3), [1, diagonal, 0]))
    #expect(areNear(delays(.each(1, columns: 100), 3), [0, 1, 2]))
    #expect(areNear(delays(.each(1, columns: -4), 3), [0, 1, 2]))
  }

  @Test func easesBendTheCourse() {
    let curve = UnitCurve.easeIn
    let expected = (0..<5).map { 2 * curve.value(at: Double($0) / 4) }
    #expect(areNear(delays(.over(2, ease: curve), 5), expected))
    #expect(areNear(delays(.each(0.5, ease: curve), 5), expected))
  }

  /// The delays that programs in other languages compare with.
  @Test func delaysAreThoseOfEveryLanguage() throws {
    let eases: [String: UnitCurve] = [
      "linear": .linear, "easeIn": .easeIn, "easeOutBack": .easeOutBack, "easeInOutBounce": .easeInOutBounce,
    ]
    let places: [String: Stagger.Origin] = ["first": .first, "last": .last, "center": .center, "edges": .edges]
    let all = try RecordedStagger.all()
    #expect(all.count > 20)
    for recorded in all {
      let point = recorded.point.map { Stagger.Origin.point(column: $0[0], row: $0[1]) }
      let origin = try #require(
        recorded.seed.map { .random(seed: $0) } ?? point ?? places[recorded.place ?? "first"])
      let ease = try #require(eases[recorded.ease?.name ?? "linear"])
      let stagger: Stagger =
        recorded.each.map { .each($0, from: origin, columns: recorded.columns, ease: ease) }
        ?? .over(recorded.over ?? 0, from: origin, columns: recorded.columns, ease: ease)
      #expect(delays(stagger, recorded.count) == recorded.delays, "\(recorded)")
    }
  }

  @Test func seedsDrawAnOrder() {
    let first = delays(.each(1, from: .random(seed: 1)), 50)
    #expect(first.sorted() == (0..<50).map(Double.init))
    #expect(first == delays(.each(1, from: .random(seed: 1)), 50))
    #expect(first != delays(.each(1, from: .random(seed: 2)), 50))
    #expect(first != first.sorted())
  }

  @Test func fewTracksHaveNoDelay() {
    for stagger: Stagger in [.each(1), .over(1, from: .center), .each(1, from: .random(seed: 3)), .over(1, columns: 0)]
    {
      #expect(delays(stagger, 0) == [])
      #expect(delays(stagger, -3) == [])
      #expect(delays(stagger, 1) == [0])
    }
  }

  @Test func tracksSetOutOneAfterAnother() throws {
    var batch = try AnimationBatch<Float>()
    let tracks = try batch.add([0, 0, 0, 0])
    try batch.animate(tracks, to: 1, .linear(duration: 1), delay: 1, delays: .each(0.5))
    try batch.retarget(2..<4, to: 3, delays: .over(1, from: .last))
    try batch.advance(to: 1.75)
    #expect(tracks.map { batch.isAtRest($0) } == [false, false, false, true])
    #expect(tracks.map { batch.target(of: $0) } == [1, 1, 3, 3])
    #expect(throws: BatchError.self) { try batch.animate(.all, to: 1, delays: .each(-1)) }
    #expect(throws: BatchError.self) { try batch.animate(.all, to: 1, delays: .over(.nan)) }
    #expect(throws: BatchError.self) { try batch.animate(.all, to: 1, delay: -1) }
    #expect(throws: BatchError.trackOutOfRange(.max - 1, count: 4)) {
      try batch.animate(0..<Int.max, to: 1, delays: .each(1))
    }
  }
}
