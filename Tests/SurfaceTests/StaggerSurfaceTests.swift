// SPDX-License-Identifier: MIT
import CSurface
import TestSupport
import Testing

/// Delays of staggers through the C function.
struct StaggerSurfaceTests {
  private func stagger(_ seconds: Double = 0.1) -> murmuration_stagger {
    var stagger = murmuration_stagger()
    stagger.seconds = seconds
    return stagger
  }

  @Test func delaysAreThoseOfSwift() throws {
    let places = ["first": MURMURATION_FROM_FIRST, "last": MURMURATION_FROM_LAST, "center": MURMURATION_FROM_CENTER]
    for recorded in try RecordedStagger.all() {
      var stagger = stagger(recorded.each ?? recorded.over ?? 0)
      stagger.is_total = recorded.over == nil ? 0 : 1
      stagger.origin = Int32(places[recorded.place ?? "first"] ?? MURMURATION_FROM_EDGES)
      if let point = recorded.point {
        (stagger.origin, stagger.column, stagger.row) = (Int32(MURMURATION_FROM_POINT), point[0], point[1])
      }
      if let seed = recorded.seed { (stagger.origin, stagger.seed) = (Int32(MURMURATION_FROM_RANDOM), seed) }
      stagger.columns = Int32(recorded.columns ?? 0)
      stagger.ease.kind = recorded.ease?.kind ?? 0
      var delays = [Double](repeating: -1, count: recorded.count + 1)
      #expect(murmuration_stagger_delays(&stagger, Int32(recorded.count), &delays) == ok)
      #expect(delays == recorded.delays + [-1], "\(recorded)")
    }
  }

  @Test func badStaggersAreRefused() {
    typealias Change = (inout murmuration_stagger) -> Void
    let changes: [(Int, Change)] = [
      (MURMURATION_INVALID_DELAY, { $0.seconds = -1 }), (MURMURATION_INVALID_DELAY, { $0.seconds = .nan }),
      (MURMURATION_INVALID_DELAY, { $0.seconds = 1e11 }), (MURMURATION_INVALID_CODE, { $0.is_total = 2 }),
      (MURMURATION_INVALID_CODE, { $0.origin = 6 }), (MURMURATION_INVALID_CODE, { $0.origin = -1 }),
      (MURMURATION_INVALID_CODE, { $0.reserved = 1 }), (MURMURATION_INVALID_COUNT, { $0.columns = -1 }),
      (MURMURATION_INVALID_CODE, { $0.ease.kind = 99 }), (MURMURATION_INVALID_CODE, { $0.ease.reserved = 1 }),
      (MURMURATION_INVALID_VALUE, { ($0.origin, $0.row) = (Int32(MURMURATION_FROM_POINT), .infinity) }),
    ]
    var delays = [7.0, 7]
    for (number, (code, change)) in changes.enumerated() {
      var stagger = stagger()
      change(&stagger)
      #expect(Int(murmuration_stagger_delays(&stagger, 2, &delays)) == code, "\(number)")
    }
    var good = stagger()
    #expect(murmuration_stagger_delays(&good, -1, &delays) == MURMURATION_INVALID_COUNT)
    #expect(murmuration_stagger_delays(&good, .max, &delays) == MURMURATION_CAPACITY_EXCEEDED)
    #expect(murmuration_stagger_delays(nil, 2, &delays) == MURMURATION_NULL_POINTER)
    #expect(murmuration_stagger_delays(&good, 2, nil) == MURMURATION_NULL_POINTER)
    #expect(delays == [7, 7] && murmuration_stagger_delays(&good, 0, nil) == ok)
  }
}
