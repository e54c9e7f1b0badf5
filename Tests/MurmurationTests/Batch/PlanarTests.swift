// SPDX-License-Identifier: MIT
import Testing

@testable import Murmuration

/// Values in columns mean the same as values track by track.
struct PlanarTests {
  /// Two batches that must show equal values: one is called with values, the other with columns.
  private struct Pair: ~Copyable {
    var values: AnimationBatch<SIMD2<Float>>
    var columns: AnimationBatch<SIMD2<Float>>
    var tracks: [TrackHandle] = []
    var twins: [TrackHandle] = []

    /// Compares both, then lets 0.07 seconds pass.
    mutating func expectSame(_ call: String) throws {
      let (firsts, seconds) = (values.events, columns.events)
      #expect(firsts.map(\.kind) == seconds.map(\.kind), "\(call)")
      for (track, twin) in zip(tracks, twins) {
        let (value, other) = (values[track], columns[twin])
        let (velocity, otherVelocity) = (values.velocity(of: track), columns.velocity(of: twin))
        let (goal, otherGoal) = (values.target(of: track), columns.target(of: twin))
        #expect(value == other && velocity == otherVelocity && goal == otherGoal, "\(call)")
      }
      try values.advance(by: 0.07, velocities: true)
      try columns.advance(by: 0.07, velocities: true)
    }
  }

  private let count = 21

  private func points(_ seed: UInt64) -> [SIMD2<Float>] {
    var random = SplitMix64(seed: seed)
    return (0..<count).map { _ in [Float(random.uniform(-100...100)), Float(random.uniform(-100...100))] }
  }

  private func columns(_ points: [SIMD2<Float>]) -> [Float] { points.map(\.x) + points.map(\.y) }

  @Test func everyCall() throws {
    let (a, b, springs) = (points(1), points(2), (0..<count).map { Spring(duration: 0.2 + 0.01 * Double($0)) })
    let (planarA, planarB) = (columns(a), columns(b))
    let delays = (0..<count).map { Double($0) * 0.01 }
    var pair = try Pair(values: AnimationBatch(), columns: AnimationBatch())
    pair.tracks = try pair.values.add(a)
    pair.twins = try pair.columns.add(planar: planarA.span)
    pair.tracks += try pair.values.add(a, velocities: b, to: b, .bouncy)
    pair.twins += try pair.columns.add(
      planar: planarA.span, velocities: planarB.span, toPlanar: planarB.span, .bouncy)
    pair.tracks += try pair.values.add(b, to: a, springs: springs)
    pair.twins += try pair.columns.add(planar: planarB.span, toPlanar: planarA.span, springs: springs.span)
    try pair.expectSame("add")

    let (some, others) = (Array(pair.tracks[7..<7 + count]), Array(pair.twins[7..<7 + count]))
    try pair.values.animate(some, to: b, .easeOut(duration: 0.2), delays: delays)
    try pair.columns.animate(others.span, toPlanar: planarB.span, .easeOut(duration: 0.2), delays: delays.span)
    try pair.expectSame("animate")
    try pair.values.animate(some, to: a, springs: springs)
    try pair.columns.animate(others.span, toPlanar: planarA.span, springs: springs.span)
    try pair.expectSame("springs")
    try pair.values.animate(3..<3 + count, to: b.span, .smooth)
    try pair.columns.animate(3..<3 + count, toPlanar: planarB.span, .smooth)
    try pair.expectSame("range")
    try pair.values.retarget(some, to: a, delays: delays)
    try pair.columns.retarget(others.span, toPlanar: planarA.span, delays: delays.span)
    try pair.expectSame("retarget")
    try pair.values.retarget(5..<5 + count, to: b.span)
    try pair.columns.retarget(5..<5 + count, toPlanar: planarB.span)
    try pair.expectSame("retarget a range")
    try pair.values.set(some, a, velocities: b)
    try pair.columns.set(others.span, planar: planarA.span, velocities: planarB.span)
    try pair.expectSame("set")
    try pair.values.displace(some, b, velocities: a)
    try pair.columns.displace(others.span, planar: planarB.span, velocities: planarA.span)
    try pair.expectSame("displace")
    try pair.values.decelerate(some, velocities: a)
    try pair.columns.decelerate(others.span, planarVelocities: planarA.span)
    try pair.expectSame("decelerate")
    let all = a + b + a
    let planarAll = columns(all)
    try pair.values.animate(.all, to: all.span, .easeIn(duration: 0.3))
    try pair.columns.animate(.all, toPlanar: planarAll.span, .easeIn(duration: 0.3))
    try pair.expectSame("animate all")
    try pair.values.retarget(.all, to: all.reversed().span)
    try pair.columns.retarget(.all, toPlanar: columns(all.reversed()).span)
    try pair.expectSame("retarget all")
    try pair.expectSame("the end")
  }

  @Test func columnsAreEquallyLong() throws {
    var batch = try AnimationBatch<SIMD2<Float>>()
    let three: [Float] = [1, 2, 3]
    #expect(throws: BatchError.unequalColumns(count: 3, dimensions: 2)) { try batch.add(planar: three.span) }
    #expect(throws: BatchError.unequalColumns(count: 3, dimensions: 2)) {
      try batch.animate(.all, toPlanar: three.span, .bouncy)
    }
    #expect(throws: BatchError.unequalColumns(count: 3, dimensions: 2)) {
      try batch.add(planar: [1, 2].span, velocities: three.span, toPlanar: [1, 2].span, .bouncy)
    }
    let count = batch.count
    #expect(count == 0)
  }
}
