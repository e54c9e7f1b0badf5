// SPDX-License-Identifier: MIT
import AnimationModel
import Murmuration

// Tracks that springs lead through phases, beside as many frames one by one.
extension BakeBench {
  /// A class, so that the closures of a comparison can share what cannot be copied.
  final class Phases {
    var batch: PhaseBatch

    /// Four phases, every track at another moment of its round.
    init(tracks: Int) throws {
      let springs: [Spring] = [.bouncy(duration: 0.4), .smooth(duration: 0.5), .snappy(duration: 0.3), .bouncy]
      let targets: [Float] = [0, 100, -40, 60]
      let sequence = try PhaseSequence(0..<4, target: { targets[$0] }, animation: { .spring(springs[$0]) })
      var random = SplitMix64(seed: 17)
      let starts = (0..<tracks).map { _ in random.uniform(-sequence.cycleDuration...0) }
      batch = try PhaseBatch(sequence, reservingCapacity: tracks)
      batch.computesVelocities = false
      try batch.add(startingAt: starts.span)
      try batch.advance(to: 0)
    }
  }

  func addPhases(to comparison: inout Comparison<any Error>) {
    for (name, order) in [("bake.phases", BakeOrder.timeMajor), ("bake.phases.track-major", .trackMajor)] {
      comparison.add(name) { [phases, output, tracks] in
        let buffer = output.values
        var values = buffer.mutableSpan
        try phases.batch.bake(Self.frames, indices: 0..<tracks, dimension: 0, order: order, values: &values)
      }
    }
    let rounds = Rounds()
    comparison.add("frames.phases: advance and copy") { [playedPhases, output, tracks] in
      // The clock does not go back over steps, so every time is a later part of the round without end.
      for frame in Self.frames.range {
        try playedPhases.batch.advance(to: rounds.start + Self.frames.time(of: frame))
        let buffer = output.values.extracting(frame * tracks..<(frame + 1) * tracks)
        var row = buffer.mutableSpan
        try playedPhases.batch.copyValues(dimension: 0, into: &row)
      }
      rounds.start += Self.frames.time(of: Self.frames.range.count)
    }
  }

  private final class Rounds {
    var start = 0.0
  }

  /// What is baked of phases must be what playing shows, within the error of springs and the tolerance of rest.
  func checkPhases() throws {
    let (frames, tracks, fresh) = (Self.frames, 0..<tracks, try Phases(tracks: tracks))
    try check(within: 64 * 0x1p-24 * 200 + 1e-2) {
      try fresh.batch.bake(frames, indices: tracks, dimension: 0, values: &$0)
    } shows: {
      try fresh.batch.advance(to: $0)
      try fresh.batch.copyValues(dimension: 0, into: &$1)
    }
  }
}
