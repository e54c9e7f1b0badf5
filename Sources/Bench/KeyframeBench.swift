// SPDX-License-Identifier: MIT
import Murmuration

/// Whole frames of playing instances: 64 clips of 16 keys about 0.3 s apart, values that differ between instances, each
/// instance at another phase, without end, at 60 frames a second.
final class KeyframeBench {
  private static let clipCount = 64
  private static let keys = 16
  private static let frame = 1.0 / 60

  private let tracks: Int
  private let rounds: Int
  private var batch: AnimationBatch<Float>
  private var clips: [Clip] = []
  private var handles: [TrackHandle] = []
  private var owner: [Int] = []

  /// - Parameters:
  ///   - tracks: The number of instances.
  ///   - rounds: The number of frames of each kind.
  ///   - ownClips: Whether each instance has a clip of its own, instead of one of 64 shared clips.
  init(tracks: Int, rounds: Int, ownClips: Bool = false) throws {
    self.tracks = tracks
    self.rounds = rounds
    batch = try AnimationBatch(reservingCapacity: tracks)
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
      // Each instance is at another phase.
      playbacks.append(Playback(repetition: .forever, timeOffset: random.uniform(0...5)))
    }
    handles = try batch.add(playing: names, playbacks)
    try batch.advance(to: Self.frame, velocities: true)
  }

  /// A clip of cubic pieces that are joined in value and slope.
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

  /// The rounds of a measurement; small batches run many times, as the clock of the processor is coarse.
  private func measured(_ count: Int) -> Rounds {
    Rounds(tracks: tracks, count: count, repetitions: max(1, 20_000 / tracks))
  }

  /// Playing forward, the kernels of playing forward alone, playing backwards, and a copy of the same number of bytes.
  func playing(_ name: String = "clip.forward") throws -> [OperationResult] {
    try [(false, name), (true, "\(name).velocity")].flatMap { velocities, name in
      try batch.advance(by: Self.frame, velocities: velocities)
      let bytes = batch.bytesPerFrame
      let forward = try measured(rounds).time([
        Step(name) { _ in try self.batch.advance(by: Self.frame, velocities: velocities) },
        Step("\(name).kernels") { _ in self.batch.runKernels() },
      ])
      let back = try measured(rounds / 2).rows([
        Step("\(name).backward") { _ in try self.batch.advance(by: -Self.frame / 2, velocities: velocities) }
      ])
      try checkValues()
      let besideCopy = forward[0].rows(besideCopyOf: bytes)
      return [besideCopy[0], forward[1].row()] + back + [besideCopy[1]]
    }
  }

  /// Three kinds of frames: every instance is set to a random time of its clip, the clock is set to a random time, or
  /// the clock goes back by one frame.
  func seeking() throws -> [OperationResult] {
    var random = SplitMix64(seed: 3)
    let start = batch.time
    let clock = try Rounds(tracks: tracks, count: rounds).rows([
      Step("clip.clock-seek") { _ in try self.batch.advance(to: start + random.uniform(0...1000)) }
    ])
    try checkValues()
    try batch.advance(to: start + 1)
    let back = try Rounds(tracks: tracks, count: 10 * rounds).rows([
      Step { _ in try self.batch.advance(by: Self.frame) },
      Step("clip.one-frame-back") { _ in try self.batch.advance(by: -Self.frame) },
    ])
    try checkValues()
    try batch.advance(to: start)
    let times = (0..<2).map { _ in (0..<tracks).map { _ in random.uniform(0...5) } }
    try batch.pause(handles)
    try batch.advance(to: start)
    let seeks = try measured(rounds).rows([
      Step("clip.random-seek") { round in
        let times = times[round % 2]
        try self.batch.seek(.all, to: times.span)
        try self.batch.advance(by: Self.frame)
      }
    ])
    try checkValues()
    return seeks + clock + back
  }

  /// A figure counts only if the timed result was right.
  private func checkValues() throws {
    for index in stride(from: 0, to: tracks, by: max(1, tracks / 1000)) {
      guard let local = batch.localTime(of: handles[index]), let value = batch[handles[index]] else { continue }
      let clip = clips[owner[index]]
      let expected = clip.value(dimension: 0, at: local)
      guard abs(Double(value) - expected) < 1e-3 else {
        throw BenchError.disagreement(index: index, kernel: value, scalar: expected)
      }
    }
  }
}
