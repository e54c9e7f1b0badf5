// SPDX-License-Identifier: MIT
import Murmuration

extension BatchBench {
  /// Whole frames of tracks in cohorts of 2 to 15, which share tiles, by turns with the same tracks in cohorts of 160, which
  /// have tiles of their own, and with each track alone; and the kernels of each.
  func smallCohorts() throws -> [OperationResult] {
    var random = SplitMix64(seed: 5)
    var small = try batch { 2 + Int(random.next() % 14) }
    var large = try batch { 160 }
    var mixed = try batch(.mixed)
    var (frames, kernels): ([[Double]], [[Double]]) = ([[], [], []], [[], [], []])
    func take(_ place: Int, _ batch: inout SpringBatch) throws {
      frames[place].append(try time { try batch.advance(by: Self.frame / 100) })
      kernels[place].append(time { batch.runKernels() })
    }
    for _ in 0..<2 * rounds {
      try take(0, &small)
      try take(1, &large)
      try take(2, &mixed)
    }
    return ["cohorts-of-2-to-15", "cohorts-of-160", "mixed"].enumerated().flatMap { place, name in
      [
        OperationResult("kernels.\(name)", tracks: tracks, called: tracks, kernels[place]),
        OperationResult(
          "frame.\(name)", tracks: tracks, called: tracks, frames[place],
          ratio: frames[place].reduce(0, +) / kernels[place].reduce(0, +)),
      ]
    }
  }

  /// A batch whose tracks come in cohorts of as many as `next` says.
  private func batch(_ next: () -> Int) throws -> SpringBatch {
    var batch = try SpringBatch(reservingCapacity: tracks)
    let targets = targets[0]
    var first = 0
    while first < tracks {
      let part = first..<min(tracks, first + next())
      try batch.add(springs[first], values: values.span.extracting(part), targets: targets.span.extracting(part))
      first = part.upperBound
    }
    try batch.advance(to: Self.frame)
    return batch
  }
}
