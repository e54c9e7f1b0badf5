// SPDX-License-Identifier: MIT
import Benchmark
import Murmuration

/// Registers a stage with calls between frames. Its memory has grown to its final size before anything is counted.
///
/// - Parameters:
///   - warmUp: The number of iterations before the measured ones. Each calls `body` with a number from 0 on; measured
///     iterations go on from there.
///   - body: Changes something and advances by a frame.
private func registerLife(
  _ name: String, _ kind: Stage.Kind, tracks: Int, warmUp: Int, _ body: @escaping (Stage, Int) throws -> Void,
  check: @escaping (Stage, Benchmark) throws -> Void
) {
  var frame = 0
  Benchmark(name, configuration: .bulk) { (benchmark: Benchmark, stage: Stage) in
    orExit(name) {
      try benchmark.measureCounting { _ in
        // Several frames in a sample, so that rare events are met.
        for _ in 0..<10 {
          try body(stage, frame)
          frame += 1
        }
      }
      try check(stage, benchmark)
    }
  } setup: {
    orExit(name) {
      let stage = try Stage(kind, tracks: tracks)
      for number in 0..<warmUp {
        try body(stage, number)
      }
      frame = warmUp
      return stage
    }
  }
}

/// The calls in the life of many tracks; no call allocates once there is room.
func registerLifeBenchmarks() {
  registerCompletion()
  registerEmission()
  registerRandomRetargets()
  registerDelays()
  registerThreads()
}

/// Frames in which tracks complete and are reported: motions of half a second, started anew when all are at rest.
private func registerCompletion() {
  let tracks = 16_384
  for (kind, name) in [(Stage.Kind.cohort, "cohort"), (.mixed, "mixed")] {
    let targets = (0..<2).map { side in (0..<tracks).map { Float($0 % 100 + 100 * side) } }
    var reported = 0
    registerLife("batch.completion.\(name).\(tracks)", kind, tracks: tracks, warmUp: 512) { stage, frame in
      if frame % 128 == 0 {
        let side = targets[frame / 128 % 2]
        try stage.batch.retarget(.all, to: side.span)
      }
      try stage.batch.advance(by: 0.1, velocities: true)
      reported += stage.batch.events.count
    } check: { _, benchmark in
      benchmark.check(reported >= 2 * tracks, "\(reported) reports of \(tracks) tracks")
    }
  }
}

/// A thousand particles come and go with each frame.
private func registerEmission() {
  let (tracks, burst) = (20_000, 1_000)
  let values = [Float](repeating: 1, count: burst)
  let targets = (0..<burst).map { Float($0) }
  for isCohort in [true, false] {
    var bursts: [[TrackHandle]] = []
    var springs = [Spring](repeating: .bouncy, count: burst)
    springs[0] = .smooth
    let name = "batch.emit.\(isCohort ? "cohort" : "mixed").\(burst).\(tracks)"
    registerLife(name, .mixed, tracks: tracks, warmUp: 300) { stage, frame in
      if frame == 0 {
        bursts = stride(from: 0, to: tracks, by: burst).map { Array(stage.handles[$0..<$0 + burst]) }
      }
      let next = frame % bursts.count
      try stage.batch.remove(bursts[next])
      var span = bursts[next].mutableSpan
      if isCohort {
        try stage.batch.add(values.span, to: targets.span, .snappy, handles: &span)
      } else {
        try stage.batch.add(planar: values.span, toPlanar: targets.span, springs: springs.span, handles: &span)
      }
      try stage.batch.advance(by: Stage.frame, velocities: true)
    } check: { stage, benchmark in
      benchmark.check(stage.batch.count == tracks, "\(stage.batch.count) tracks")
      try stage.checkRest(of: bursts[0][7], at: 7, benchmark)
    }
  }
}

/// Retargets of two thousand handles, anywhere in the batch, with and without a spring.
private func registerRandomRetargets() {
  let (tracks, some) = (20_000, 2_000)
  for spring in [Spring.snappy, nil] {
    var picked: [TrackHandle] = []
    let targets = (0..<some).map { Float($0 % 50) }
    let name = "batch.retarget.random.\(spring == nil ? "kept" : "cohort").\(some).\(tracks)"
    registerLife(name, .interleaved(4), tracks: tracks, warmUp: 1_000) { stage, frame in
      if picked.isEmpty {
        picked = Array(stage.handles[..<some])
      }
      for index in 0..<some {
        picked[index] = stage.handles[(frame &* 7_919 &+ index &* 104_729) % tracks]
      }
      if let spring {
        try stage.batch.animate(picked, to: targets, .spring(spring))
      } else {
        try stage.batch.retarget(picked, to: targets)
      }
      try stage.batch.advance(by: Stage.frame, velocities: true)
    } check: { stage, benchmark in
      try stage.checkRest(of: picked[some - 1], at: Float((some - 1) % 50), benchmark)
    }
  }
}

/// A thousand tracks each wait for a moment of their own; some are sent again before it comes.
private func registerDelays() {
  let (tracks, some) = (20_000, 1_000)
  let targets = (0..<some).map { Float($0 % 50) }
  let delays = (0..<some).map { Double($0 % 37) * 0.003 }
  var first = 0
  registerLife("batch.retarget.delayed.\(some).\(tracks)", .cohort, tracks: tracks, warmUp: 300) { stage, frame in
    first = frame * 700 % (tracks - some)
    let handles = stage.handles
    let called = handles.span.extracting(first..<first + some)
    if frame % 2 == 0 {
      try stage.batch.animate(called, to: targets.span, .bouncy, delays: delays.span)
    } else {
      try stage.batch.retarget(called, toPlanar: targets.span, delays: delays.span)
    }
    try stage.batch.advance(by: Stage.frame, velocities: true)
  } check: { stage, benchmark in
    try stage.checkRest(of: stage.handles[first + 49], at: 49, benchmark)
  }
}

/// Frames that two threads share: large enough to be worth waking a second thread.
private func registerThreads() {
  let tracks = 1 << 18
  registerLife("batch.threads.2.mixed.\(tracks)", .mixed, tracks: tracks, warmUp: 110) { stage, frame in
    stage.batch.threadCount = 2
    try stage.batch.advance(to: Double(frame % 100 + 2) * Stage.frame, velocities: true)
  } check: { stage, benchmark in
    benchmark.check(stage.batch.threadCount == 2, "no thread was to be had")
    try stage.batch.advance(to: 0.1)
    let error = try stage.largestError()
    benchmark.check(error <= 8, "\(error) · 2⁻²⁴ · S off")
  }
}
