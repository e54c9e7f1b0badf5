// SPDX-License-Identifier: MIT
import Testing

@testable import Murmuration
@testable import MurmurationEngine

/// Tracks that one call gives one spring are evaluated together, whatever happens to them later.
struct UniformTileTests {
  /// The bytes of a frame tell how many tiles are uniform.
  @Test func tilesAreUniformWhoseTracksOneCallStarted() throws {
    var batch = try AnimationBatch<Float>()
    func uniformTiles(_ batch: inout AnimationBatch<Float>, of tiles: Int) -> Int {
      (tiles * 16 * 40 - batch.engine.bytesPerFrame(velocities: true)) / (16 * 20)
    }
    let handles = try batch.add((0..<48).map { Float($0) - 300 }, to: (0..<48).map { Float($0) }, .bouncy)
    try batch.advance(to: 0.1)
    #expect(uniformTiles(&batch, of: 3) == 3)
    try batch.animate(handles[20], to: 1, .snappy)
    try batch.advance(to: 0.2)
    #expect(uniformTiles(&batch, of: 3) == 2)
    // Each track keeps its spring.
    try batch.retarget(.all, to: 500)
    try batch.advance(to: 0.3)
    #expect(uniformTiles(&batch, of: 3) == 2)
    // In any order.
    try batch.animate(handles.reversed(), to: 400, .smooth)
    try batch.advance(to: 0.4)
    #expect(uniformTiles(&batch, of: 3) == 3)
    // A hole makes no difference, and a track of its own does.
    try batch.remove(handles[3])
    try batch.advance(to: 0.5)
    #expect(uniformTiles(&batch, of: 3) == 3)
    try batch.add(7, to: 800, Spring.bouncy)
    try batch.advance(to: 0.6)
    #expect(uniformTiles(&batch, of: 3) == 2)
    try batch.animate(.all, to: 300, .smooth)
    try batch.compact()
    try batch.advance(to: 0.7)
    #expect(uniformTiles(&batch, of: 3) == 3)
  }

  /// Calls about one track each make uniform tiles too.
  @Test func tilesAreUniformWhoseTracksStartOneByOne() throws {
    var batch = try AnimationBatch<Float>()
    let handles = try batch.add([Float](repeating: 0, count: 32))
    func isUniform(_ track: TrackHandle) -> Bool {
      batch.engine.springs.watch.isUniform(track.index / 16)
    }
    for (index, handle) in handles.enumerated() { try batch.animate(handle, to: Float(index) + 50, .spring(.bouncy)) }
    try batch.advance(to: 0.1)
    #expect(handles.allSatisfy { isUniform($0) })
    for handle in handles { try batch.retarget(handle, to: -50) }
    try batch.advance(to: 0.2)
    #expect(handles.allSatisfy { isUniform($0) })
  }

  /// The lane of a track that was removed has the spring that it had before.
  @Test func tilesWithoutTheirFirstTrackMoveByTheirSpring() throws {
    var batch = try AnimationBatch<Float>()
    let handles = try batch.add([Float](repeating: 0, count: 16))
    try batch.animate(handles, to: 100, .spring(Spring(duration: 4, bounce: 0)))
    try batch.remove(handles[0])
    try batch.animate(Array(handles[1...]), to: 200, .spring(.bouncy))
    try batch.advance(to: 0.2)
    let isUniform = batch.engine.springs.watch.isUniform(0)
    #expect(isUniform)
    let value = Spring.bouncy.value(target: 200, time: 0.2)
    for handle in handles[1...] { #expect(abs(Double(try #require(batch[handle])) - value) < 1e-3) }
  }

  @Test func compactedTracksBeginMomentsOfTheirOwn() throws {
    var batch = try AnimationBatch<Float>()
    let handles = try batch.add([Float](repeating: 0, count: 16))
    try batch.animate(handles, to: 100, .spring(.bouncy))
    try batch.advance(to: 0.1)
    try batch.compact()
    for handle in handles[..<8] { try batch.animate(handle, to: 200, .spring(.bouncy)) }
    try batch.advance(to: 0.2)
    let isUniform = batch.engine.springs.watch.isUniform(0)
    #expect(!isUniform)
    let value = Spring.bouncy.value(target: 100, time: 0.2)
    for handle in handles[8...] { #expect(abs(Double(try #require(batch[handle])) - value) < 1e-3) }
  }

  /// Tracks of one spring fill tiles beside each other, which kernels start together.
  @Test(arguments: [1, 15, 16, 17, 32, 48], [false, true])
  func retargetingManySpringsKeepsTheSpringOfEach(count: Int, withStandingTrack: Bool) throws {
    let springs = [Spring.bouncy, .smooth, Spring(duration: 1.5, bounce: -0.4)]
    var batch = try AnimationBatch<Float>()
    if withStandingTrack { try batch.add([3]) }
    var handles: [TrackHandle] = []
    for spring in springs {
      handles += try batch.add([Float](repeating: 0, count: count), to: [Float](repeating: 50, count: count), spring)
    }
    for call in 0..<3 {
      try batch.advance(by: 100)
      let from = Double(batch[handles[0]] ?? .nan)
      let goals = [Float](repeating: call % 2 == 0 ? -70 : 90, count: batch.count)
      switch call {
      case 0: try batch.retarget(.all, to: goals.span)
      case 1: try batch.retarget(0..<batch.count, to: goals.span)
      default: try batch.retarget(handles, to: [Float](repeating: goals[0], count: handles.count))
      }
      try batch.advance(by: 0.1)
      for (index, handle) in handles.enumerated() {
        let value = from + springs[index / count].value(target: Double(goals[0]) - from, time: 0.1)
        #expect(abs(Double(try #require(batch[handle])) - value) < 1e-3, "track \(index), call \(call)")
      }
    }
  }

  /// Kernels start neighbouring tiles together, up to the first track that is left alone, whether a call is about all
  /// tracks or about some.
  @Test(arguments: [0, 1]) func tracksThatHeadForTheirGoalsAreLeftAloneAmongOthers(othersCount: Int) throws {
    for standing in 0..<48 {
      var batch = try AnimationBatch<Float>()
      let handles = try batch.add(
        [Float](repeating: 3, count: 48), to: [Float](repeating: 5, count: 48), Spring(duration: 2, bounce: 0))
      _ = try batch.add([Float](repeating: 0, count: othersCount))
      try batch.advance(to: 0.1)
      var goals = [Float](repeating: 70, count: 48)
      goals[standing] = 5
      try batch.animate(handles, to: goals, .bouncy)
      try batch.advance(to: 0.2)
      let left = batch[handles[standing]]
      #expect(abs(Double(left ?? .nan) - 3 - Spring(duration: 2, bounce: 0).value(target: 2, time: 0.2)) < 1e-5)
      let goers = handles.enumerated().filter { $0.offset != standing }.map { batch[$0.element] }
      #expect(goers.allSatisfy { $0 == goers[0] } && goers[0] != left)
    }
  }
}
