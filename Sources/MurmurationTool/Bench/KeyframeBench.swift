// SPDX-License-Identifier: MIT
import Foundation
import Kernels
import Murmuration

/// Whole frames of playing instances: 64 clips of 16 keys of about 0.3 s, values that differ per instance, every instance
/// at another phase, without end, 60 frames a second.
final class KeyframeBench {
  private static let clipCount = 64
  private static let keys = 16
  private static let frame = 1.0 / 60

  private let tracks: Int
  private let rounds: Int
  private var batch: KeyframeBatch
  private var clips: [Clip] = []
  private var handles: [TrackHandle] = []
  private var owner: [Int] = []

  /// - Parameters:
  ///   - tracks: Instances.
  ///   - rounds: Frames of each kind.
  ///   - ownClips: Whether each instance has a clip of its own, instead of one of 64.
  init(tracks: Int, rounds: Int, ownClips: Bool = false) throws {
    self.tracks = tracks
    self.rounds = rounds
    batch = try KeyframeBatch(reservingCapacity: tracks)
    var random = SplitMix64(seed: 42)
    var ids: [ClipID] = []
    for _ in 0..<(ownClips ? tracks : Self.clipCount) {
      let clip = try Self.clip(&random)
      clips.append(clip)
      ids.append(try batch.load(clip))
    }
    var names: [ClipID] = []
    var playbacks: [Playback] = []
    for track in 0..<tracks {
      owner.append(track % ids.count)
      names.append(ids[track % ids.count])
      // Every instance at another phase.
      playbacks.append(Playback(repetition: .forever, timeOffset: random.uniform(0...5)))
    }
    handles = try batch.add(names.span, playbacks.span)
    try batch.advance(to: Self.frame)
  }

  /// Cubic pieces that are joined in value and slope.
  static func clip(_ random: inout SplitMix64) throws -> Clip {
    var times = [0.0]
    for _ in 0..<keys { times.append(times[times.count - 1] + random.uniform(0.2...0.4)) }
    let values = (0...keys).map { _ in random.uniform(-100...100) }
    let slopes = (0...keys).map { _ in random.uniform(-100...100) }
    let pieces = (0..<keys).map { key in
      let h = times[key + 1] - times[key]
      let d = (values[key + 1] - values[key]) / h
      return SIMD4(
        values[key], slopes[key], (3 * d - 2 * slopes[key] - slopes[key + 1]) / h,
        (slopes[key] + slopes[key + 1] - 2 * d) / (h * h))
    }
    return try Clip(
      dimensions: 1, initialValues: [0], tracks: [PieceTrack(components: [0], times: times, pieces: [pieces])])
  }

  private func time(_ work: () throws -> Void) rethrows -> Double {
    let duration = try ContinuousClock().measure(work)
    return Double(duration.components.seconds) * 1e9 + Double(duration.components.attoseconds) * 1e-9
  }

  /// Playing forward, its kernels alone, the same backwards, and a copy of as many bytes.
  func playing(_ name: String = "clip.forward") throws -> [OperationResult] {
    var results: [OperationResult] = []
    for velocities in [false, true] {
      batch.computesVelocities = velocities
      try batch.advance(by: Self.frame)
      let copy = CopyYardstick.nanosecondsPerByte(movingBytes: batch.bytesPerFrame)
      var (frames, kernels, back): ([Double], [Double], [Double]) = ([], [], [])
      // Small batches many times, as the clock of the processor is coarse.
      let calls = max(1, 20_000 / tracks)
      for _ in 0..<rounds {
        frames.append(try time { for _ in 0..<calls { try batch.advance(by: Self.frame) } } / Double(calls))
        kernels.append(time { for _ in 0..<calls { batch.runKernels() } } / Double(calls))
      }
      for _ in 0..<rounds / 2 {
        back.append(try time { for _ in 0..<calls { try batch.advance(by: -Self.frame / 2) } } / Double(calls))
      }
      try checkValues()
      let suffix = velocities ? ".velocity" : ""
      let roofline = copy * Double(batch.bytesPerFrame)
      results.append(
        OperationResult(
          "\(name)\(suffix)", tracks: tracks, called: tracks, frames, ratio: roofline / (frames.min() ?? .nan)))
      results.append(OperationResult("\(name)\(suffix).kernels", tracks: tracks, called: tracks, kernels))
      results.append(OperationResult("\(name)\(suffix).backward", tracks: tracks, called: tracks, back))
      results.append(OperationResult("\(name)\(suffix).copy", tracks: tracks, called: tracks, [roofline]))
    }
    return results
  }

  /// Every instance to a random time of its clip each frame; and the clock to a random time.
  func seeking() throws -> [OperationResult] {
    batch.computesVelocities = false
    var random = SplitMix64(seed: 3)
    var clocks: [Double] = []
    let start = batch.time
    for _ in 0..<rounds {
      let to = start + random.uniform(0...1000)
      clocks.append(try time { try batch.advance(to: to) })
    }
    try checkValues()
    try batch.advance(to: start)
    let times = (0..<2).map { _ in (0..<tracks).map { _ in random.uniform(0...5) } }
    let handles = handles
    try batch.pause(handles.span)
    try batch.advance(to: start)
    var frames: [Double] = []
    let calls = max(1, 20_000 / tracks)
    for round in 0..<rounds {
      let times = times[round % 2]
      frames.append(try time { for _ in 0..<calls { try seek(to: times) } } / Double(calls))
    }
    try checkValues()
    return [
      OperationResult("clip.random-seek", tracks: tracks, called: tracks, frames),
      OperationResult("clip.clock-seek", tracks: tracks, called: tracks, clocks),
    ]
  }

  private func seek(to times: [Double]) throws {
    try batch.scrubAll(to: times.span)
    try batch.advance(by: Self.frame)
  }

  /// A figure counts only if what was timed was right.
  private func checkValues() throws {
    for index in stride(from: 0, to: tracks, by: max(1, tracks / 1000)) {
      guard let local = try batch.localTime(of: handles[index]) else { continue }
      let value = try batch.value(of: handles[index], as: Float.self)
      let clip = clips[owner[index]]
      let expected = clip.value(dimension: 0, at: local)
      guard abs(Double(value) - expected) < 1e-3 else {
        throw BenchError.disagreement(row: index, kernel: value, scalar: expected)
      }
    }
  }
}
