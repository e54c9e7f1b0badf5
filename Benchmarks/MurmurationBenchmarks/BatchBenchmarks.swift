// SPDX-License-Identifier: MIT
import Benchmark
import Murmuration

/// The order of the frames' times.
private enum Playback: String {
  case forward, backward, random

  /// The time of an iteration, in seconds, below ten.
  func time(_ iteration: Int) -> Double {
    let frame =
      switch self {
      case .forward: iteration % 2_400
      case .backward: 2_400 - iteration % 2_400
      case .random: iteration &* 1_103 % 2_399 + 1
      }
    return Double(frame + 1) * Stage.frame
  }
}

/// Registers frames of a batch that is not touched in between.
private func registerFrames(
  _ name: String, _ kind: Stage.Kind, tracks: Int, playback: Playback = .forward, velocities: Bool = true,
  _ configuration: Benchmark.Configuration = .frames
) {
  registerOnStage(name, configuration, kind, tracks: tracks) { benchmark, stage in
    try benchmark.measureCounting { iteration in
      try stage.batch.advance(to: playback.time(iteration), velocities: velocities)
    }
    // The iterations may end when the motion is over, where a check tells little; so times in mid-motion are checked too.
    for time in [0.1, 0.25] {
      try stage.batch.advance(to: time, velocities: velocities)
      let error = try stage.largestError()
      benchmark.check(error <= 8, "\(error) · 2⁻²⁴ · S off at \(time) s")
    }
  }
}

/// Frames: `advance(to:)` in and out of the caches, forward, backward and at random.
func registerAdvanceBenchmarks() {
  for tracks in [1_024, 16_384] {
    registerFrames("spring.cohort.\(tracks)", .cohort, tracks: tracks)
    registerFrames("spring.mixed.\(tracks)", .mixed, tracks: tracks)
  }
  registerFrames("spring.cohort.1048576", .cohort, tracks: 1 << 20, .bulk)
  registerFrames("spring.mixed.1048576", .mixed, tracks: 1 << 20, .bulk)
  registerFrames("spring.overdamped.16384", .overdamped, tracks: 16_384)
  registerFrames("spring.cohort.valueonly.16384", .cohort, tracks: 16_384, velocities: false)
  registerFrames("spring.mixed.valueonly.16384", .mixed, tracks: 16_384, velocities: false)
  registerFrames("spring.mixed.backward.16384", .mixed, tracks: 16_384, playback: .backward)
  registerFrames("spring.mixed.random.16384", .mixed, tracks: 16_384, playback: .random)
  // Tracks that were added one by one and then became cohorts: each cohort has tiles of its own, and no column has the
  // order of the calls.
  registerFrames("batch.advance.interleaved.4.16384", .interleaved(4), tracks: 16_384)
}

/// Changes between frames: each iteration changes something and advances by a frame.
func registerChangeBenchmarks() {
  let tracks = 16_384
  registerOnStage("spring.retarget.one.\(tracks)", .frames, .mixed, tracks: tracks) { benchmark, stage in
    var last = stage.handles[0]
    try benchmark.measureCounting { iteration in
      last = stage.handles[iteration &* 7_919 % tracks]
      try stage.batch.retarget(last, to: Float(iteration % 100))
      try stage.batch.advance(by: Stage.frame, velocities: true)
    }
    try stage.batch.retarget(last, to: Float(7))
    try stage.checkRest(of: last, at: 7, benchmark)
  }

  var turn = 0
  registerOnStage("spring.retarget.all.\(tracks)", .bulk, .cohort, tracks: tracks) { benchmark, stage in
    // The targets alternate: a track that heads for its goal already would stay as it is.
    let targets = [[Float](repeating: 9, count: tracks), [Float](repeating: 7, count: tracks)]
    try benchmark.measureCounting { _ in
      turn += 1
      let targets = targets[turn % 2]
      try stage.batch.animate(.all, to: targets.span, .snappy)
      try stage.batch.advance(by: Stage.frame, velocities: true)
    }
    let last = stage.handles[tracks / 2]
    try stage.batch.animate(last, to: 5, .snappy)
    try stage.checkRest(of: last, at: 5, benchmark)
  }

  registerOnStage("batch.snapshot.\(tracks)", .bulk, .cohort, tracks: tracks) { benchmark, stage in
    var latest = try stage.batch.snapshot()
    let first = latest
    try stage.batch.snapshot(into: &latest)
    try benchmark.measureCounting { _ in
      try stage.batch.advance(by: Stage.frame, velocities: true)
      try stage.batch.snapshot(into: &latest)
      try stage.batch.restore(latest)
    }
    try stage.batch.restore(first)
    try stage.batch.advance(to: 0.25, velocities: true)
    let error = try stage.largestError()
    benchmark.check(error <= 8, "\(error) · 2⁻²⁴ · S off after the way back")
  }

  Benchmark("batch.add.cohort.\(tracks)", configuration: .untested) { benchmark in
    orExit(benchmark.name) {
      let values = [Float](repeating: 1, count: tracks)
      try benchmark.measureCounting { _ in
        var batch = try AnimationBatch<Float>(reservingCapacity: values.count)
        blackHole(try batch.add(values, to: values, .smooth))
      }
    }
  }
}
