// SPDX-License-Identifier: MIT
import AnimationModel
import Testing

@testable import Murmuration
@testable import MurmurationEngine

/// Tracks that stand among others that move.
struct StandingTests {
  /// Their lanes may have the springs of followers, which have no start.
  @Test func theyStandWhereOthersFollowed() throws {
    var batch = try AnimationBatch<Float>()
    try batch.advance(to: -1e6)
    let followers = try batch.add([Float](repeating: 0, count: 16))
    try batch.follow(followers, with: Spring(duration: 0.1))
    try batch.remove(followers)
    try batch.advance(by: 0.1)
    let tracks = try batch.add([Float](repeating: 2, count: 20))
    for track in tracks[0..<7] { try batch.animate(track, to: 5, .spring(duration: 0.1)) }
    try batch.animate(tracks[3], to: 2, nil)
    for time in [-1e6 + 0.2, -1e3, 0, 1e6] {
      try batch.advance(to: time, velocities: true)
      for track in [tracks[3]] + tracks[7...] {
        #expect(batch[track] == 2 && batch.velocity(of: track) == 0, "\(time)")
      }
    }
  }

  /// Frames evaluate tracks that stand if their neighbours move, and must show what they show alone.
  @Test func aValueOfMinusZeroIsShownAsZero() throws {
    var batch = try AnimationBatch<Float>()
    let tracks = try batch.add([Float](repeating: -0.0, count: 20))
    try batch.set([tracks[1]], [-0.0], velocities: [0])
    for moves in [false, true] {
      if moves { try batch.animate(tracks[0], to: 1, .smooth) }
      try batch.advance(by: 0.1)
      for track in tracks[1...] { #expect(batch[track]?.bitPattern == 0, "moves: \(moves)") }
    }
  }

  @Test func onlyTracksThatStandGetTheUsualSpring() throws {
    var batch = try AnimationBatch<Float>()
    let tracks = try batch.add([Float](repeating: 0, count: 16))
    for track in tracks[0..<8] { try batch.animate(track, to: 1, .spring(duration: 2, bounce: 0.3)) }
    try batch.advance(to: 0.5)
    try batch.retarget(tracks, to: [Float](repeating: 3, count: 16))
    let springs = tracks.map { batch.engine.springs.coefficients(at: batch.index(of: $0) ?? 0) }
    let usual = SpringCoefficients(accepted: Spring())
    #expect(springs.map { $0 == usual } == (0..<16).map { $0 >= 8 })
  }
}
