// SPDX-License-Identifier: MIT
import Murmuration
import TestSupport
import Testing

/// Delays of staggers, against their definition.
struct StaggerTests {
  private func delays(_ stagger: Stagger, _ count: Int) -> [Double] { stagger.delays(count: count) }

  private func expect(_ stagger: Stagger, _ expected: [Double]) {
    let got = delays(stagger, expected.count)
    #expect(
      zip(got, expected).allSatisfy { abs($0 - $1) <= 1e-15 } && got.count == expected.count, "\(stagger): \(got)")
  }

  @Test(
    arguments: [
      (.each(0.1), [0, 0.1, 0.2, 0.3]), (.each(0.1, from: .last), [0.3, 0.2, 0.1, 0]),
      (.each(0.1, from: .center), [0.2, 0.1, 0, 0.1, 0.2]),
      // Of an even number the two in the middle set out first.
      (.each(0.1, from: .center), [0.1, 0, 0, 0.1]), (.each(0.1, from: .edges), [0, 0.1, 0.2, 0.1, 0]),
      (.each(0.1, from: .position(1)), [0.1, 0, 0.1, 0.2]), (.over(1), [0, 0.25, 0.5, 0.75, 1]),
      (.over(1, from: .center), [1, 0, 0, 1]),
    ] as [(Stagger, [Double])])
  func linesCountFromTheirOrigin(_ stagger: Stagger, _ delays: [Double]) { expect(stagger, delays) }

  private static let diagonal = 2.0.squareRoot()

  @Test(
    arguments: [
      (.each(1, columns: 3), [0, 1, 2, 1, diagonal, 5.0.squareRoot()]),
      (.each(1, from: .last, columns: 2), [diagonal, 1, 1, 0]),
      (.each(1, from: .center, columns: 3), [diagonal, 1, diagonal, 1, 0, 1, diagonal, 1, diagonal]),
      (.each(1, from: .edges, columns: 3), [0, 0, 0, 0, 1, 0, 0, 0, 0]),
      (.each(1, from: .edges, columns: 1), [0, 1, 2, 1, 0]), (.each(1, from: .edges, columns: 9), [0, 1, 2, 1, 0]),
      (.each(1, from: .point(column: 1, row: 0), columns: 2), [1, 0, diagonal, 1]),
      // A last row that is not full, and a grid that is wider than its tracks.
      (.each(1, from: .last, columns: 2), [1, diagonal, 0]), (.each(1, columns: 100), [0, 1, 2]),
      (.each(1, columns: -4), [0, 1, 2]),
    ] as [(Stagger, [Double])])
  func gridsMeasureDistances(_ stagger: Stagger, _ delays: [Double]) { expect(stagger, delays) }

  @Test func easesBendTheCourse() {
    let expected = (0..<5).map { 2 * UnitCurve.easeIn.value(at: Double($0) / 4) }
    expect(.over(2, ease: .easeIn), expected)
    expect(.each(0.5, ease: .easeIn), expected)
  }

  /// An ease that goes below 0 makes no delays that calls would refuse.
  @Test func noEaseMakesADelayNegative() throws {
    var batch = try AnimationBatch<Float>()
    let tracks = try batch.add([Float](repeating: 0, count: 9))
    for ease: UnitCurve in [.easeInBack, .easeInElastic, .easeInOutBack, .easeInOutElastic] {
      let course = (0..<9).map { max(0, ease.value(at: Double($0) / 8)) }
      #expect(course != (0..<9).map { ease.value(at: Double($0) / 8) })
      expect(.over(1, ease: ease), course)
      expect(.each(0.125, ease: ease), course)
      try batch.animate(tracks, to: 1, delays: .over(1, ease: ease))
    }
  }

  /// The delays that programs in other languages compare with.
  @Test func delaysAreThoseOfEveryLanguage() throws {
    let eases: [String: UnitCurve] = [
      "linear": .linear, "easeIn": .easeIn, "easeInBack": .easeInBack, "easeOutBack": .easeOutBack,
      "easeInOutBounce": .easeInOutBounce,
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
    #expect(first.sorted() == (0..<50).map { Double($0) })
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
    for delays: Stagger in [.each(-1), .over(.nan)] {
      #expect(throws: BatchError.self) { try batch.animate(.all, to: 1, delays: delays) }
    }
    #expect(throws: BatchError.trackOutOfRange(.max - 1, count: 4)) {
      try batch.animate(0..<Int.max, to: 1, delays: .each(1))
    }
  }
}
