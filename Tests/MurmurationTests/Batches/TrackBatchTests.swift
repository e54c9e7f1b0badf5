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

  /// The rotations of two tracks after one of the calls that take rotations.
  private func shown(_ call: Int, _ rotations: some PerTrack<Rotation>, _ start: Rotation) throws -> [SIMD4<Float>] {
    var batch = try RotationBatch()
    _ = try batch.add([.identity, start])
    switch call {
    case 0: try batch.animate(.all, to: rotations, .smooth)
    case 1: try batch.retarget(.all, to: rotations)
    case 2: try batch.set(.all, rotations)
    case 3: try batch.displace(.all, rotations)
    default:
      try batch.follow(.all)
      try batch.setGoals(of: .all, rotations)
    }
    try batch.advance(to: 0.2)
    return try batch.rotations()
  }

  @Test func rotationsAreOneForAllOrOneEach() throws {
    let turn = try #require(Rotation(axis: SIMD3(1, 2, 3), angle: .degrees(100)))
    let each: [Rotation] = [.identity, turn]
    for call in 0..<5 {
      let all = try shown(call, turn, turn)
      #expect(try all == shown(call, [turn, turn], turn))
      #expect(try all != shown(call, each, turn))
      #expect(try shown(call, ([turn] + each)[1...], turn) == shown(call, each, turn))
      #expect(throws: BatchError.self) { try shown(call, [turn, turn, turn], turn) }
    }
    #expect(try shown(2, .identity, turn) == [SIMD4(0, 0, 0, 1), SIMD4(0, 0, 0, 1)])
  }
}
