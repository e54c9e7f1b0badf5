// SPDX-License-Identifier: MIT
import Murmuration

// Instances of clips, beside the same number of frames one by one.
extension BakeBench {
  /// Instances of 64 clips of 16 keys, each at another phase, without end.
  static func clips(tracks: Int) throws -> SharedBatch<Float> {
    var batch = try AnimationBatch<Float>(reservingCapacity: tracks)
    var random = SplitMix64(seed: 42)
    let clips = try (0..<64).map { _ in try batch.load(KeyframeBench.clip(&random)) }
    let names = (0..<tracks).map { clips[$0 % clips.count] }
    let playbacks = (0..<tracks).map { _ in
      Playback(repetition: .forever, timeOffset: random.uniform(0...5))
    }
    try batch.add(playing: names, playbacks)
    try batch.advance(to: 0)
    return SharedBatch(batch)
  }

  func addClips(to comparison: inout Comparison<any Error>) {
    addBake(of: clips, "bake.clips", to: &comparison)
    addBake(of: clips, "bake.clips.velocities", velocities: true, to: &comparison)
    addBake(of: clips, "bake.clips.track-major", order: .trackMajor, to: &comparison)
    addFrames(of: playedClips, "frames.clips: advance and copy", to: &comparison)
  }

  /// Checks that baked clips have the bits of played ones.
  func checkClips() throws {
    try check(within: 0, clips, shows: playedClips)
  }
}
