// SPDX-License-Identifier: MIT
import Murmuration

// Tracks that springs lead through phases, beside the same number of frames one by one.
extension BakeBench {
  /// Four phases, with every track at another moment of its round.
  static func phases(tracks: Int) throws -> SharedBatch<Float> {
    let shared = try PhaseBench.phases(tracks: tracks)
    try shared.batch.advance(to: 0)
    return shared
  }

  func addPhases(to comparison: inout Comparison<any Error>) {
    addBake(of: phases, "bake.phases", to: &comparison)
    addBake(of: phases, "bake.phases.track-major", order: .trackMajor, to: &comparison)
    var start = 0.0
    comparison.add("frames.phases: advance and copy") { [playedPhases, output, tracks] in
      // The clock does not go back over steps, so every time is later in the endless rounds than the one before.
      for frame in Self.frames.range {
        try Self.show(playedPhases, start + Self.frames.time(of: frame), output.row(frame, of: tracks))
      }
      start += Self.frames.time(of: Self.frames.range.count)
    }
  }

  /// Checks that baked phases differ from played ones by at most the error of springs and the tolerance of rest.
  func checkPhases() throws {
    let fresh = try Self.phases(tracks: tracks)
    try check(within: 64 * 0x1p-24 * 200 + 1e-2, fresh, shows: fresh)
  }
}
