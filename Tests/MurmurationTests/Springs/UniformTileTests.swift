// SPDX-License-Identifier: MIT
import Testing

@testable import Murmuration
@testable import MurmurationEngine

/// Tracks that one call gives one spring are evaluated together, whatever happens to them later.
struct UniformTileTests {
  private func standing(_ count: Int, _ batch: inout AnimationBatch<Float>) throws -> [TrackHandle] {
    try batch.add([Float](repeating: 0, count: count))
  }

  /// Expects that tracks which stood at 0 show a spring that began with them.
  private func expect(
    _ batch: borrowing AnimationBatch<Float>, _ tracks: ArraySlice<TrackHandle>, _ spring: Spring, to goal: Double
  ) {
    let value = spring.value(target: goal, time: batch.time)
    for track in tracks {
      #expect(abs(Double((batch[track] ?? .nan)) - value) < 1e-3)
    }
  }

  /// The bytes of a frame tell how many tiles are uniform.
  @Test func tilesAreUniformWhoseTracksOneCallStarted() throws {
    var batch = try AnimationBatch<Float>()
    func expect(_ uniformTiles: Int, _ what: String) throws {
      try batch.advance(by: 0.1)
      #expect((3 * 16 * 40 - batch.engine.bytesPerFrame(velocities: true)) / (16 * 20) == uniformTiles, "\(what)")
    }
    let handles = try batch.add((0..<48).map { Float($0) - 300 }, to: (0..<48).map { Float($0) }, .bouncy)
    try expect(3, "one call")
    try batch.animate(handles[20], to: 1, .snappy)
    try expect(2, "another spring")
    try batch.retarget(.all, to: 500)
    try expect(2, "each track keeps its spring")
    try batch.animate(handles.reversed(), to: 400, .smooth)
    try expect(3, "in any order")
    try batch.remove(handles[3])
    try expect(3, "a hole")
    try batch.add(7, to: 800, Spring.bouncy)
    try expect(2, "a track of its own")
    try batch.animate(.all, to: 300, .smooth)
    try batch.compact()
    try expect(3, "one call, compacted")
  }

  /// Calls about one track each make uniform tiles too.
  @Test func tilesAreUniformWhoseTracksStartOneByOne() throws {
    var batch = try AnimationBatch<Float>()
    let handles = try standing(32, &batch)
    for (index, handle) in handles.enumerated() { try batch.animate(handle, to: Float(index) + 50, .spring(.bouncy)) }
    try batch.advance(to: 0.1)
    #expect((0..<2).allSatisfy { batch.engine.springs.watch.isUniform($0) })
    for handle in handles { try batch.retarget(handle, to: -50) }
    try batch.advance(to: 0.2)
    #expect((0..<2).allSatisfy { batch.engine.springs.watch.isUniform($0) })
  }

  /// The lane of a track that was removed has the spring that it had before.
  @Test func tilesWithoutTheirFirstTrackMoveByTheirSpring() throws {
    var batch = try AnimationBatch<Float>()
    let handles = try standing(16, &batch)
    try batch.animate(handles, to: 100, .spring(Spring(duration: 4, bounce: 0)))
    try batch.remove(handles[0])
    try batch.animate(Array(handles[1...]), to: 200, .spring(.bouncy))
    try batch.advance(to: 0.2)
    #expect(batch.engine.springs.watch.isUniform(0) == true)
    expect(batch, handles[1...], .bouncy, to: 200)
  }

  @Test func compactedTracksBeginMomentsOfTheirOwn() throws {
    var batch = try AnimationBatch<Float>()
    let handles = try standing(16, &batch)
    try batch.animate(handles, to: 100, .spring(.bouncy))
    try batch.advance(to: 0.1)
    try batch.compact()
    for handle in handles[..<8] { try batch.animate(handle, to: 200, .spring(.bouncy)) }
    try batch.advance(to: 0.2)
    #expect(batch.engine.springs.watch.isUniform(0) == false)
    expect(batch, handles[8...], .bouncy, to: 100)
  }

  /// Tracks of one spring fill tiles beside each other, which kernels start together.
  @Test(arguments: [1, 15, 16, 17, 32, 48], [false, true])
  func retargetingManySpringsKeepsTheSpringOfEach(count: Int, withStandingTrack: Bool) throws {
    let springs = [Spring.bouncy, .smooth, Spring(duration: 1.5, bounce: -0.4)]
    var batch = try AnimationBatch<Float>()
    if withStandingTrack { try batch.add([3]) }
    let handles = try springs.flatMap { spring in
      try batch.add([Float](repeating: 0, count: count), to: [Float](repeating: 50, count: count), spring)
    }
    for call in 0..<3 {
      try batch.advance(by: 100)
      let (from, goal) = (Double(batch[handles[0]] ?? .nan), call % 2 == 0 ? -70.0 : 90)
      let goals = [Float](repeating: Float(goal), count: batch.count)
      switch call {
      case 0: try batch.retarget(.all, to: goals.span)
      case 1: try batch.retarget(0..<batch.count, to: goals.span)
      default: try batch.retarget(handles, to: Array(goals.prefix(handles.count)))
      }
      try batch.advance(by: 0.1)
      for (index, handle) in handles.enumerated() {
        let value = from + springs[index / count].value(target: goal - from, time: 0.1)
        #expect(abs(Double(try #require(batch[handle])) - value) < 1e-3, "track \(index), call \(call)")
      }
    }
  }

  /// Kernels start neighbouring tiles together, up to the first track that is left alone, whether a call is about all
  /// tracks or about some.
  @Test(arguments: [0, 1]) func tracksThatHeadForTheirGoalsAreLeftAloneAmongOthers(othersCount: Int) throws {
    let slow = Spring(duration: 2, bounce: 0)
    for standing in 0..<48 {
      var batch = try AnimationBatch<Float>()
      let handles = try batch.add([Float](repeating: 3, count: 48), to: [Float](repeating: 5, count: 48), slow)
      try batch.add([Float](repeating: 0, count: othersCount))
      try batch.advance(to: 0.1)
      try batch.animate(handles, to: (0..<48).map { $0 == standing ? 5 : 70 }, .bouncy)
      try batch.advance(to: 0.2)
      let left = batch[handles[standing]]
      #expect(abs(Double(left ?? .nan) - 3 - slow.value(target: 2, time: 0.2)) < 1e-5)
      let goers = handles.enumerated().filter { $0.offset != standing }.map { batch[$0.element] }
      #expect(goers.allSatisfy { $0 == goers[0] } && goers[0] != left)
    }
  }
}
