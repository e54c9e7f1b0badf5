// SPDX-License-Identifier: MIT
import AnimationModel
import Murmuration
import Testing

/// Functions of any batch: of values, of rotations, or of particles.
struct TrackBatchTests {
  /// Pauses one of two moving tracks, goes back over a part of the way, and removes what has come to rest.
  private func run(_ batch: inout some TrackBatch & ~Copyable, _ tracks: [TrackHandle]) throws {
    #expect(batch.count == 2 && batch.indexCount == 2 && batch.handle(at: 1) == tracks[1])
    try batch.pause(tracks[1])
    try batch.advance(to: .seconds(0.25))
    let snapshot = try batch.snapshot()
    try batch.advance(by: .seconds(60))
    #expect(batch.time == 60.25 && batch.isAtRest(tracks[0]) == true)
    try batch.restore(snapshot)
    #expect(batch.time == 0.25 && batch.isAtRest(tracks[0]) == false)
    try batch.resume(.all)
    try batch.setSpeed(1e-6, of: tracks[1])
    try batch.advance(to: 61)
    #expect(batch.removeSettled() == 1 && !batch.contains(tracks[0]) && batch.contains(tracks[1]))
    try batch.stop(tracks[1])
    try batch.advance(by: 0)
    #expect(batch.isAtRest(tracks[1]) == true)
    try batch.remove(tracks[1])
    try batch.reserve(100)
    try batch.compact()
    #expect(batch.count == 0 && batch.indexCount == 0)
    #expect(throws: BatchError.self) { try pause(&batch, tracks[0]) }
  }

  private func pause(_ batch: inout some TrackBatch & ~Copyable, _ track: TrackHandle) throws { try batch.pause(track) }

  @Test func oneFunctionRunsEveryBatch() throws {
    var values = try AnimationBatch<Float>()
    let dots = try values.add([0, 0])
    try values.animate(dots, to: 1, .smooth)
    try run(&values, dots)

    var rotations = try RotationBatch()
    let heads = try rotations.add([.identity, .identity])
    try rotations.animate(heads, to: try #require(Rotation(axis: SIMD3(0, 1, 0), angle: .degrees(90))), .smooth)
    try run(&rotations, heads)

    var sparks = Particles()
    let (place, size) = (try sparks.addProperty(SIMD2<Float>.self), try sparks.addProperty(Float.self))
    let pair = try sparks.add(2)
    try sparks[place].animate(pair, to: [1, 2], .smooth)
    try sparks[size].animate(pair, to: 1, .bouncy)
    try run(&sparks, pair)
  }

  @Test func aTrackThatIsAddedWithAVelocityMoves() throws {
    var batch = try AnimationBatch<Float>()
    let tracks = [
      try batch.add(1), try batch.add(1, velocity: 5), try batch.add(1, to: 2), try batch.add([1], velocities: [5])[0],
    ]
    #expect(tracks.map { batch.target(of: $0) } == [1, 1, 2, 1])
    try batch.advance(to: 0.1)
    #expect(batch[tracks[0]] == 1 && (batch[tracks[1]] ?? 0) > 1 && (batch[tracks[2]] ?? 0) > 1)
    #expect(batch[tracks[1]] == batch[tracks[3]])
  }

  @Test func rotationsAreOneForAllOrOneEach() throws {
    let turn = try #require(Rotation(axis: SIMD3(1, 2, 3), angle: .degrees(100)))
    let (all, each, slice) = ([turn, turn], [.identity, turn], [turn, .identity, turn][1...])
    func shown(_ call: (inout RotationBatch) throws -> Void) throws -> [SIMD4<Float>] {
      var batch = try RotationBatch()
      _ = try batch.add([.identity, turn])
      try call(&batch)
      try batch.advance(to: 0.2)
      return try batch.rotations()
    }
    let calls: [(all: [SIMD4<Float>], one: [SIMD4<Float>], each: [SIMD4<Float>], slice: [SIMD4<Float>])] = [
      (
        try shown { try $0.animate(.all, to: all) }, try shown { try $0.animate(.all, to: turn) },
        try shown { try $0.animate(.all, to: each, .smooth) }, try shown { try $0.animate(.all, to: slice, .smooth) }
      ),
      (
        try shown { try $0.retarget(.all, to: all) }, try shown { try $0.retarget(.all, to: turn) },
        try shown { try $0.retarget(.all, to: each) }, try shown { try $0.retarget(.all, to: slice) }
      ),
      (
        try shown { try $0.set(.all, all) }, try shown { try $0.set(.all, turn) },
        try shown { try $0.displace(.all, each) }, try shown { try $0.displace(.all, slice) }
      ),
      (
        try shown {
          try $0.follow(.all)
          try $0.setGoals(of: .all, all)
        },
        try shown {
          try $0.follow(.all)
          try $0.setGoals(of: .all, turn)
        },
        try shown {
          try $0.follow(.all)
          try $0.setGoals(of: .all, each)
        },
        try shown {
          try $0.follow(.all)
          try $0.setGoals(of: .all, slice)
        }
      ),
    ]
    for (all, one, each, slice) in calls {
      #expect(all == one && each == slice && all != each)
    }
    #expect(try shown { try $0.set(.all, .identity) } == [SIMD4(0, 0, 0, 1), SIMD4(0, 0, 0, 1)])
    #expect(throws: BatchError.wrongCount(of: "goals", expected: 2, got: 3)) {
      try shown { try $0.animate(.all, to: [turn, turn, turn]) }
    }
  }
}
