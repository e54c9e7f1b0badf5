// SPDX-License-Identifier: MIT
import Testing

@testable import Murmuration
@testable import MurmurationEngine

/// The start of a clip shows its initial value exactly, and its end the last one, before, at and after these moments.
struct ExactEndTests {
  /// Clips of one second from 0.1 to 0.7, with one piece or several.
  static func clips() throws -> [Clip] {
    let eased = [UnitCurve.easeIn, .easeOut, .easeInOut, .circularEaseIn, .circularEaseOut, .linear]
    return try eased.map { curve in
      try Clip(initialValue: 0.1) { _ in LinearKeyframe(0.7, duration: 1, timingCurve: curve) }
    } + [
      Clip(initialValue: 0.1) { _ in CubicKeyframe(0.7, duration: 1) },
      Clip(initialValue: 0.1) { _ in
        CubicKeyframe(-3.3, duration: 0.8, endVelocity: 5)
        LinearKeyframe(0.7, duration: 0.2)
      },
      Clip(initialValue: 0.1) { _ in
        LinearKeyframe(1e6, duration: 0.1)
        CubicKeyframe(0.7, duration: 0.9)
      },
    ]
  }

  private static let variations: [(scale: Float, offset: Float)] = [(1, 0), (-3.7, 0.3), (1e-3, 1e3)]

  @Test(arguments: [false, true]) func startsAndEndsOfClipsAreExact(_ hasOwnTiles: Bool) throws {
    for clip in try Self.clips() {
      for speed in [1.0, -1] {
        var batch = try AnimationBatch<Float>()
        batch.engine.clips.playersBeforeOwnTiles = hasOwnTiles ? 0 : 1000
        let id = try batch.load(clip)
        let playbacks = Self.variations.map { _ in Playback(delay: 1, speed: speed) }
        let tracks = try batch.add(playing: id, playbacks)
        try batch.setVariations(
          of: tracks, scales: Self.variations.map(\.scale), offsets: Self.variations.map(\.offset))
        let (start, end): (Float, Float) = speed > 0 ? (0.1, 0.7) : (0.7, 0.1)
        for (time, value) in [(0, start), (1.0.nextDown, start), (1, start), (2, end), (2.0.nextUp, end), (9, end)] {
          try batch.advance(to: time, velocities: true)
          for (track, variation) in zip(tracks, Self.variations) {
            let exact = variation.offset.addingProduct(value, variation.scale)
            #expect(batch[track] == exact, "at \(time) of \(clip.report.pieces) pieces at speed \(speed)")
          }
          if time < 1 || time > 2 { #expect(tracks.map { batch.velocity(of: $0)?.bitPattern } == [0, 0, 0]) }
        }
      }
    }
  }

  @Test func bakesHaveTheSameStartsAndEnds() throws {
    for clip in try Self.clips() {
      var batch = try AnimationBatch<Float>()
      let playbacks = Self.variations.map { _ in Playback(delay: 1) }
      let tracks = try batch.add(playing: try batch.load(clip), playbacks)
      try batch.setVariations(of: tracks, scales: Self.variations.map(\.scale), offsets: Self.variations.map(\.offset))
      try batch.advance(to: 0)
      let baked = try Baked(
        batch, BakeRequest(BakeFrames(0..<4, perSecond: 1), indices: 0..<tracks.count, order: .trackMajor))
      for (track, variation) in Self.variations.enumerated() {
        let exact = [0.1, 0.1, 0.7, 0.7].map { variation.offset.addingProduct($0, variation.scale) }
        #expect(Array(baked.values[4 * track..<4 * track + 4]) == exact, "\(clip.report.pieces) pieces")
      }
    }
  }

  /// A curve in a batch starts from exactly where the track stands, while it waits and when it begins.
  @Test(arguments: [Animation.easeIn(duration: 1), .easeInOut(duration: 1), .timingCurve(.circularEaseIn, duration: 1)])
  func curvesStartWhereTheTrackStands(_ animation: Animation) throws {
    var batch = try AnimationBatch<Float>()
    let tracks = try batch.add([0.1, 0.1])
    try batch.animate(tracks, to: [1e6, -7e8], animations: [animation, animation.delay(1)])
    try batch.advance(to: 0)
    #expect(batch[tracks[0]] == 0.1)
    for time in [0, 0.5, 1] {
      try batch.advance(to: time)
      #expect(batch[tracks[1]] == 0.1, "at \(time)")
    }
    try batch.advance(to: 2)
    #expect(tracks.map { batch[$0] } == [1e6, -7e8])
  }
}
