// SPDX-License-Identifier: MIT
import Murmuration

/// Many different tracks on one clock, whose pieces begin and end together: 16 keys 0.3 s apart, at 60 frames a second.
struct ClockBench {
  private static let keys = 16
  private static let seconds = 0.3
  private static let frame = 1.0 / 60

  private let tracks: Int
  private let rounds: Int

  /// - Parameters:
  ///   - tracks: The number of tracks; all differ.
  ///   - rounds: The number of frames of each kind.
  init(tracks: Int, rounds: Int) {
    self.tracks = tracks
    self.rounds = rounds
  }

  /// Playing forward, with values alone and with velocities, each beside a copy of the same number of bytes.
  func measure() throws -> [OperationResult] {
    let clip = try Self.clip(tracks: tracks)
    var sampler = try ClipSampler(clip)
    let clock = ContinuousClock()
    var results: [OperationResult] = []
    for velocities in [false, true] {
      let bytes = tracks * (velocities ? 24 : 20)
      let copy = CopyYardstick.nanosecondsPerByte(movingBytes: bytes) * Double(bytes)
      var frames: [Double] = []
      for round in 0..<rounds {
        let time = (Double(round) * Self.frame).truncatingRemainder(dividingBy: clip.duration)
        let duration = try clock.measure { try sampler.sample(at: time, velocities: velocities) }
        frames.append(Double(duration.components.attoseconds) * 1e-9)
      }
      try Self.check(sampler, clip)
      let name = "sampler.clock\(velocities ? ".velocity" : "")"
      results.append(
        OperationResult(name, tracks: tracks, called: tracks, frames, ratio: copy / (frames.min() ?? .nan)))
      results.append(OperationResult("\(name).copy", tracks: tracks, called: tracks, [copy]))
    }
    return results
  }

  /// A figure counts only if the timed result was right.
  private static func check(_ sampler: borrowing ClipSampler, _ clip: Clip) throws {
    let (order, time) = (sampler.order, sampler.time)
    let wrong: (Int, Float)? = sampler.withValues { values in
      for place in stride(from: 0, to: order.count, by: 97) {
        let expected = clip.value(dimension: order[place], at: time)
        if !(abs(Double(values[place]) - expected) < 1e-3) { return (order[place], values[place]) }
      }
      return nil
    }
    if let (row, value) = wrong {
      throw BenchError.disagreement(index: row, kernel: value, scalar: clip.value(dimension: row, at: time))
    }
  }

  /// A clip of cubic pieces that are joined in value and slope.
  private static func clip(tracks: Int) throws -> Clip {
    var random = SplitMix64(seed: 42)
    let times = (0...keys).map { Double($0) * seconds }
    let pieces = (0..<tracks).map { _ in
      var (value, slope) = (random.uniform(-100...100), random.uniform(-100...100))
      return (0..<keys).map { _ in
        let (nextValue, nextSlope) = (random.uniform(-100...100), random.uniform(-100...100))
        let mean = (nextValue - value) / seconds
        defer { (value, slope) = (nextValue, nextSlope) }
        return SIMD4(
          value, slope, (3 * mean - 2 * slope - nextSlope) / seconds,
          (slope + nextSlope - 2 * mean) / (seconds * seconds))
      }
    }
    return try Clip(
      dimensions: tracks, initialValues: [Double](repeating: 0, count: tracks),
      tracks: [PieceTrack(components: Array(0..<tracks), times: times, pieces: pieces)])
  }
}
