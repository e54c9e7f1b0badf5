// SPDX-License-Identifier: MIT
package import Murmuration

/// Whole frames of many instances of a clip, each at a time of its own.
package struct ClipBench {
  private let name: String
  private let clip: Clip
  private let instances: Int
  private let rounds: Int

  /// - Parameters:
  ///   - instances: The number of instances, each at another time.
  ///   - rounds: The number of frames of each kind.
  package init(_ name: String, _ clip: Clip, instances: Int, rounds: Int) {
    (self.name, self.clip, self.instances, self.rounds) = (name, clip, instances, rounds)
  }

  /// Playing forward, with values alone and with velocities, each beside a copy of the same number of bytes; a
  /// component of an instance counts as a track.
  ///
  /// - Parameter reference: The right values at a time of the clip: a figure counts only if the timed result has them.
  package func measure(reference: (_ time: Double) -> [Double]) throws -> [OperationResult] {
    let shared = SharedBatch(
      try AnimationBatch<Components>(dimensions: clip.dimensions, reservingCapacity: instances))
    var random = SplitMix64(seed: 42)
    let playbacks = (0..<instances).map { _ in
      Playback(repetition: .forever, timeOffset: random.uniform(0...clip.duration))
    }
    let handles = try shared.batch.add(playing: try shared.batch.load(clip), playbacks)
    let components = instances * clip.dimensions
    return try [(false, name), (true, "\(name).velocity")].flatMap { velocities, name in
      let timing = try Rounds(
        tracks: components, count: rounds, warmUp: 1, repetitions: max(1, 50_000 / components)
      ).time([BatchBench.advance(shared, as: name, velocities: velocities)])[0]
      for handle in handles { try check(shared.batch, handle, reference) }
      return timing.rows(besideCopyOf: shared.batch.bytesPerFrame)
    }
  }

  private func check(
    _ batch: borrowing AnimationBatch<Components>, _ handle: TrackHandle, _ reference: (_ time: Double) -> [Double]
  ) throws {
    guard let time = batch.localTime(of: handle), let values = batch[handle] else { return }
    let expected = reference(time)
    for (dimension, value) in values.items.enumerated() where !(abs(value - expected[dimension]) < 1e-4) {
      throw BenchError.disagreement(index: handle.index, kernel: Float(value), scalar: expected[dimension])
    }
  }
}
