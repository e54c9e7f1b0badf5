// SPDX-License-Identifier: MIT
import Murmuration

// Instances of clips, beside as many frames one by one.
extension BakeBench {
  /// A class, so that the closures of a comparison can share what cannot be copied.
  final class Clips {
    var batch: KeyframeBatch

    /// Instances of 64 clips of 16 keys, every one at another phase, without end.
    init(tracks: Int) throws {
      batch = try KeyframeBatch(reservingCapacity: tracks)
      batch.computesVelocities = false
      var random = SplitMix64(seed: 42)
      let clips = try (0..<64).map { _ in try batch.load(KeyframeBench.clip(&random)) }
      let names = (0..<tracks).map { clips[$0 % clips.count] }
      let playbacks = (0..<tracks).map { _ in
        Playback(repetition: .forever, timeOffset: random.uniform(0...5))
      }
      try batch.add(names.span, playbacks.span)
      try batch.advance(to: 0)
    }
  }

  func addClips(to comparison: inout Comparison<any Error>) {
    let orders: [(String, BakeOrder, Bool)] = [
      ("bake.clips", .timeMajor, false), ("bake.clips.velocities", .timeMajor, true),
      ("bake.clips.track-major", .trackMajor, false),
    ]
    for (name, order, velocities) in orders {
      comparison.add(name) { [clips, output, tracks] in
        let (valueBuffer, velocityBuffer) = (output.values, output.velocities)
        var values = valueBuffer.mutableSpan
        var speeds = velocityBuffer.mutableSpan
        if velocities {
          try clips.batch.bake(
            Self.frames, indices: 0..<tracks, dimension: 0, order: order, values: &values, velocities: &speeds)
        } else {
          try clips.batch.bake(Self.frames, indices: 0..<tracks, dimension: 0, order: order, values: &values)
        }
      }
    }
    comparison.add("frames.clips: advance and copy") { [playedClips, output, tracks] in
      for frame in Self.frames.range {
        try playedClips.batch.advance(to: Self.frames.time(of: frame))
        let buffer = output.values.extracting(frame * tracks..<(frame + 1) * tracks)
        var row = buffer.mutableSpan
        try playedClips.batch.copyValues(dimension: 0, into: &row)
      }
    }
  }

  /// What is baked of clips must be what playing shows, to the bit.
  func checkClips() throws {
    let (frames, tracks) = (Self.frames, 0..<tracks)
    try check(within: 0) {
      try clips.batch.bake(frames, indices: tracks, dimension: 0, values: &$0)
    } shows: {
      try playedClips.batch.advance(to: $0)
      try playedClips.batch.copyValues(dimension: 0, into: &$1)
    }
  }
}
