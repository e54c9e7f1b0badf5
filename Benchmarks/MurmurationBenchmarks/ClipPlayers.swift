// SPDX-License-Identifier: MIT
import Murmuration

/// Instances of a clip that goes from 0 to 1 in half a second and back in a quarter, each at its own phase; every third
/// one autoreverses.
final class Instances: Player {
  private var batch: AnimationBatch<Float>
  private let handles: [TrackHandle]
  private var repeats = 0

  init() throws {
    let pieces: [SIMD4<Double>] = [SIMD4(0, 2, 0, 0), SIMD4(1, -4, 0, 0)]
    let clip = try Clip(
      dimensions: 1, initialValues: [0],
      tracks: [PieceTrack(components: [0], times: [0, 0.5, 0.75], pieces: [pieces])])
    var batch = try AnimationBatch<Float>(reservingCapacity: Played.trackCount)
    batch.reports = .iterations
    let playbacks = (0..<Played.trackCount).map {
      Playback(
        repetition: .forever, autoreverses: $0 % 3 == 0, timeOffset: 0.75 * Double($0) / Double(Played.trackCount))
    }
    handles = try batch.add(playing: try batch.load(clip), playbacks)
    self.batch = batch
  }

  func frame() throws {
    try batch.advance(by: Played.frameDuration, velocities: true)
    repeats += batch.events.count
  }

  func isRight() throws -> Bool {
    for track in stride(from: 0, to: Played.trackCount, by: 97) {
      guard let local = batch.localTime(of: handles[track]), let value = batch[handles[track]] else { return false }
      let expected = local <= 0.5 ? 2 * local : 1 - 4 * (local - 0.5)
      guard abs(Double(value) - expected) < 1e-5 else { return false }
    }
    return repeats > Played.trackCount
  }
}

/// One clip of many values.
final class Sampled: Player {
  private var sampler: ClipSampler
  private var number = 0

  init() throws {
    let ramps = (0..<Played.trackCount).map { [SIMD4(Double($0), 1.0, 0, 0), SIMD4(Double($0) + 1, -1.0, 0, 0)] }
    let clip = try Clip(
      dimensions: Played.trackCount, initialValues: (0..<Played.trackCount).map(Double.init),
      tracks: [PieceTrack(components: Array(0..<Played.trackCount), times: [0, 1, 2], pieces: ramps)])
    sampler = try ClipSampler(clip)
  }

  func frame() throws {
    number += 1
    try sampler.sample(at: Double(number) * Played.frameDuration / 4, velocities: number % 2 == 0)
  }

  func isRight() throws -> Bool {
    let (order, time) = (sampler.order, min(2, sampler.time))
    let ramp = Float(time <= 1 ? time : 2 - time)
    return sampler.withValues { values in
      stride(from: 0, to: order.count, by: 97).allSatisfy { abs(values[$0] - (Float(order[$0]) + ramp)) < 0.01 }
    }
  }
}
