// SPDX-License-Identifier: MIT
import Kernels
import TestSupport
import Testing

@testable import Murmuration

/// Compacting changes rows, and nothing that anybody else sees.
struct CurveCompactingTests {
  /// Calls at random: what was compacted in between has the same bits, reports and answers as a twin that was not.
  @Test(arguments: 1...6 as ClosedRange<UInt64>) func noCallTellsWhetherItWasCompacted(_ seed: UInt64) throws {
    let twins = try CurveTwins(seed: seed)
    for _ in 0..<Effort.draws(quick: 120, soak: 400) {
      try twins.step()
      let fault = try twins.fault()
      if let fault {
        Issue.record("\(fault) after \(twins.calls.suffix(8)) of \(twins.calls.count)")
        return
      }
    }
    #expect(twins.compactions > 3 && twins.checks > 1_500)
  }

  @Test func rowsAreOrderedByCurveAndThenByIndex() throws {
    var random = SplitMix64(seed: 61)
    var batch = try CurveBatch(reservingCapacity: 4_000)
    let animations = CurveBatchTests.curves + [.bouncy, .easeIn.delay(1)]
    let values = (0..<1_000).map { Float($0) }
    var handles = try batch.add(values: values.span)
    for handle in handles where random.unit() < 0.8 {
      try batch.retarget(handle, to: Float(-1), with: animations[Int(random.next() % UInt64(animations.count))])
    }
    try batch.advance(to: 0.35)
    handles.shuffle(using: &random)
    let gone = Array(handles.suffix(700))
    handles.removeLast(700)
    try batch.remove(gone.span)
    let before = batch.storage.capacity
    try batch.compact()
    let places = try handles.map { handle in
      let row = try batch.rowIndex(of: handle)
      return (row: row, kind: batch.tiles.kind(ofRow: row), index: handle.index)
    }
    expectRunsOfKinds(places)
    let kinds = Set(places.map(\.kind)).count
    let (rows, after) = (batch.rowCount, batch.storage.capacity)
    #expect(rows <= 300 + 15 * kinds && kinds > 5)
    #expect(before >= 4_000 && after <= 300 + 16 * kinds)
    for handle in gone {
      #expect(throws: BatchError.staleHandle(handle)) { try batch.rowIndex(of: handle) }
    }
  }

  /// As many runs of tiles as there are curves are left of tracks whose curves were mixed.
  @Test func aCurveIsOneRunAfterwards() throws {
    var random = SplitMix64(seed: 62)
    var batch = try CurveBatch()
    let values = [Float](repeating: 0, count: 3_000)
    let handles = try batch.add(values: values.span)
    for round in 1...6 {
      let targets = [Float](repeating: Float(round), count: handles.count)
      let animations = handles.map { _ in Optional(CurveBatchTests.curves[Int(random.next() % 4)]) }
      try batch.retarget(handles.span, to: targets.span, animations: animations.span)
      try batch.advance(by: 0.1)
      try batch.advance(by: 2)
    }
    let goals = [Float](repeating: 9, count: handles.count)
    let animations = handles.map { CurveBatchTests.curves[$0.index % 4] as Animation? }
    try batch.retarget(handles.span, to: goals.span, animations: animations.span)
    try batch.advance(by: 0.1)
    let scattered = batch.runs.count
    try batch.compact()
    try batch.advance(by: 0.1)
    let (runs, tiles) = (batch.runs.count, batch.ends.last ?? 0)
    #expect(scattered > 4 && runs == 4)
    #expect(tiles <= 3_000 / laneCountOfTile + 4)
  }

  /// No tile is free then: what comes next makes room, and going back needs none.
  @Test func whatFollowsFindsRoom() throws {
    var batch = try CurveBatch(dimensions: 2)
    let values = [Float](repeating: 1, count: 2 * 64)
    let targets = [Float](repeating: 2, count: 2 * 64)
    let handles = try batch.add(values: values.span)
    try batch.retarget(handles.span, to: targets.span, with: .easeIn(duration: 0.5))
    try batch.advance(to: 1)
    try batch.compact()
    let (free, capacity) = (batch.tiles.freeCount, batch.storage.capacity)
    #expect(free == 0 && capacity == 64)
    try batch.advance(to: 0.25)
    let midway = try batch.value(of: handles[63], as: SIMD2<Float>.self)
    #expect(midway.x > 1 && midway.x < 2)
    try batch.retarget(handles.span, to: values.span, with: .easeOut(duration: 0.5))
    try batch.add(value: SIMD2<Float>(5, 6))
    try batch.advance(to: 3)
    let count = batch.settled.count
    #expect(count == 64)
    batch.removeAll()
    try batch.compact()
    let (rows, least) = (batch.rowCount, batch.storage.capacity)
    #expect(rows == 0 && least == laneCountOfTile)
    let again = try batch.add(value: SIMD2<Float>(7, 8))
    let value = try batch.value(of: again, as: SIMD2<Float>.self)
    #expect(value == SIMD2(7, 8))
  }

  /// Without velocities in frames, those that a reader asks for are of the last frame: a change since does not leave older
  /// ones behind.
  @Test func velocitiesThatWereLeftOutAreThoseOfTheLastFrame() throws {
    var lazy = try CurveBatch()
    var eager = try CurveBatch()
    lazy.computesVelocities = false
    let values = [Float](repeating: 0, count: 40)
    let targets = (0..<40).map { Float($0 + 1) }
    let back = [Float](repeating: -3, count: 20)
    let (a, b) = (try lazy.add(values: values.span), try eager.add(values: values.span))
    try lazy.retarget(a.span, to: targets.span, with: .easeInOut(duration: 1))
    try eager.retarget(b.span, to: targets.span, with: .easeInOut(duration: 1))
    for change in 0..<4 {
      try lazy.advance(by: 0.2)
      try eager.advance(by: 0.2)
      switch change {
      case 0:
        try lazy.retarget(a[7], to: Float(-2), with: .linear(duration: 1))
        try eager.retarget(b[7], to: Float(-2), with: .linear(duration: 1))
      case 1:
        let (some, same) = (Array(a[10..<30]), Array(b[10..<30]))
        try lazy.retarget(some.span, to: back.span, with: .easeIn(duration: 2))
        try eager.retarget(same.span, to: back.span, with: .easeIn(duration: 2))
      case 2:
        try lazy.pause(a[3])
        try eager.pause(b[3])
        try lazy.compact()
      default:
        try lazy.resume(a[3])
        try eager.resume(b[3])
      }
      for index in 0..<40 {
        let velocity = try lazy.velocity(of: a[index], as: Float.self)
        let expected = try eager.velocity(of: b[index], as: Float.self)
        #expect(velocity.bitPattern == expected.bitPattern, "\(index) after change \(change): \(velocity), \(expected)")
      }
    }
  }
}
