// SPDX-License-Identifier: MIT
import Murmuration

/// Bakes of tracks of two components, in the order in which frames show them, beside a copy of the same number of values.
final class PairBakeBench {
  private let tracks: Int
  private let output: BakeBench.Output

  /// - Parameter tracks: A multiple of 16.
  init(tracks: Int) {
    self.tracks = tracks
    output = BakeBench.Output(count: 2 * tracks * BakeBench.frames.range.count)
  }

  /// One spring for all, a spring each, springs of every bounce, and springs among eases.
  func measure(rounds: Int) throws -> [BakeResult] {
    let bench = ChangeBench(tracks: tracks, rounds: rounds)
    var comparison = Comparison<any Error>()
    var batches: [ChangeBench.Batch] = []
    for kind in ["one-spring", "each", "bounces", "springs-and-eases"] {
      let shared = try bench.batch(of: kind)
      batches.append(shared)
      comparison.add("bake.pairs.\(kind)") { try self.bake(shared) }
    }
    BakeBench.addCopy(of: output, to: &comparison)
    try comparison.run(rounds: rounds, turn: 1e6)
    for shared in batches { try check(shared) }
    return BakeResult.results(
      of: comparison, tracks: tracks, frames: BakeBench.frames.range.count, components: 2)
  }

  private func bake(_ shared: ChangeBench.Batch) throws {
    let buffer = output.values
    var values = buffer.mutableSpan
    try shared.batch.bake(BakeRequest(BakeBench.frames, indices: 0..<tracks, order: .interleaved), into: &values)
  }

  /// A figure counts only if the timed result was right: baked values are compared with the values of some frames.
  private func check(_ shared: ChangeBench.Batch) throws {
    try bake(shared)
    for frame in stride(from: 0, to: BakeBench.frames.range.count, by: 37) {
      try shared.batch.advance(to: BakeBench.frames.time(of: frame))
      for index in 0..<tracks {
        guard let handle = shared.batch.handle(at: index), let shown = shared.batch[handle] else { continue }
        for component in 0..<2 {
          let baked = output.values[2 * (frame * tracks + index) + component]
          guard abs(baked - shown[component]) <= 0.02 else {
            throw BenchError.disagreement(index: index, kernel: baked, scalar: Double(shown[component]))
          }
        }
      }
    }
  }
}
