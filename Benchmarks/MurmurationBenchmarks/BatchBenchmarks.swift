// SPDX-License-Identifier: MIT
internal import Benchmark
internal import Murmuration

/// The order in which frames are asked for.
private enum Playback: String {
  case forward, backward, random

  /// The time of an iteration, seconds within ten.
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

private func register(
  _ name: String, _ kind: Stage.Kind, tracks: Int, playback: Playback = .forward, velocities: Bool = true,
  _ configuration: Benchmark.Configuration = .frames
) {
  Benchmark(name, configuration: configuration) { (benchmark: Benchmark, stage: Stage) in
    try benchmark.measureCounting { iteration in
      try stage.batch.advance(to: playback.time(iteration))
    }
    // An iteration may end where the motion is over; in its midst every digit counts.
    for time in [0.1, 0.25] {
      try stage.batch.advance(to: time)
      let error = try stage.largestError()
      if !(error <= 8) {
        benchmark.error("\(name): \(error) · 2⁻²⁴ · S off at \(time) s")
      }
    }
  } setup: {
    let stage = try Stage(kind, tracks: tracks)
    stage.batch.computesVelocities = velocities
    return stage
  }
}

/// Frames: `advance(to:)` of a batch that nobody touches in between, in and out of the caches, and in all orders.
func registerAdvanceBenchmarks() {
  for tracks in [1_024, 16_384] {
    register("spring.cohort.\(tracks)", .cohort, tracks: tracks)
    register("spring.mixed.\(tracks)", .mixed, tracks: tracks)
  }
  register("spring.cohort.1048576", .cohort, tracks: 1 << 20, .bulk)
  register("spring.mixed.1048576", .mixed, tracks: 1 << 20, .bulk)
  register("spring.overdamped.16384", .overdamped, tracks: 16_384)
  register("spring.cohort.valueonly.16384", .cohort, tracks: 16_384, velocities: false)
  register("spring.mixed.valueonly.16384", .mixed, tracks: 16_384, velocities: false)
  register("spring.mixed.backward.16384", .mixed, tracks: 16_384, playback: .backward)
  register("spring.mixed.random.16384", .mixed, tracks: 16_384, playback: .random)
  // Every tile holds lanes of several cohorts, so that each is walked several times with masked stores.
  register("batch.advance.interleaved.4.16384", .interleaved(4), tracks: 16_384)
}

/// Changes between frames: each iteration changes something and advances by a frame.
func registerChangeBenchmarks() {
  for tracks in [16_384] {
    Benchmark("spring.retarget.one.\(tracks)", configuration: .frames) { (benchmark: Benchmark, stage: Stage) in
      try benchmark.measureCounting { iteration in
        let handle = stage.handles[iteration &* 7_919 % tracks]
        try stage.batch.retarget(handle, to: Float(iteration % 100))
        try stage.batch.advance(by: Stage.frame)
      }
      let last: Float = try stage.batch.target(of: stage.handles[0])
      blackHole(last)
    } setup: {
      try Stage(.mixed, tracks: tracks)
    }

    Benchmark("spring.retarget.all.\(tracks)", configuration: .bulk) { (benchmark: Benchmark, stage: Stage) in
      let targets = [Float](repeating: 7, count: tracks)
      try benchmark.measureCounting { _ in
        try stage.batch.retargetAll(to: targets.span, spring: .snappy)
        try stage.batch.advance(by: Stage.frame)
      }
      // Sent to 7 again and again, one is there once it is given the time.
      try stage.batch.advance(by: 100)
      let end: Float = try stage.batch.value(of: stage.handles[tracks / 2])
      if abs(end - 7) > 1e-5 {
        benchmark.error("a track sent to 7 is at \(end)")
      }
    } setup: {
      try Stage(.cohort, tracks: tracks)
    }
  }
  Benchmark("batch.add.cohort.16384", configuration: .bulk) { benchmark in
    let values = [Float](repeating: 1, count: 16_384)
    try benchmark.measureCounting { _ in
      var batch = try SpringBatch(reservingCapacity: values.count)
      blackHole(try batch.add(.smooth, values: values.span, targets: values.span))
    }
  }
}
