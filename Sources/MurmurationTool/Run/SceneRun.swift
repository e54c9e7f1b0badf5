// SPDX-License-Identifier: MIT
import Formats
import Murmuration
import SceneReference
import Scenes

/// One run of a scene: frames to a file if one is named, a check beside it, and a summary.
struct SceneRun {
  let playable: PlayableScene
  let frames: Range<Int>
  let kernels: KernelSet
  let isVerified: Bool
  let perturbation: Double
  let isQuiet: Bool
  /// Whether the summary says all that is known.
  let isDetailed: Bool
  /// Whether the summary says how near to the machine's limit the kernels came.
  let measuresLimit: Bool
  let outputPath: String?

  /// The shape of the frames that are written.
  var shape: FrameShape {
    FrameShape(frames: frames.count, tracks: playable.scene.trackCount, dimensions: playable.scene.dimensions)
  }

  /// Plays the scene and returns the summary. On failure no output is left.
  func play() throws -> RunSummary {
    // Watches before there is anything to clean up.
    Interruption.watch()
    guard let outputPath else { return try play(into: NoWriter()) }
    let name = outputPath.lowercased()
    if name.hasSuffix(".npy") { return try play(into: NPYWriter(outputPath, shape: shape)) }
    if name.hasSuffix(".npz") {
      let times = frames.map { playable.time(ofFrame: $0) }
      return try play(into: NPZFrameWriter(outputPath, shape: shape, hasVelocities: false, times: times))
    }
    guard name.hasSuffix(".csv") else {
      throw FileError(file: outputPath, "an output is .npy, .npz or .csv by its name")
    }
    return try play(into: CSVWriter(outputPath, shape: shape, components: playable.columnNames))
  }

  private func play<Writer: FrameWriter & ~Copyable>(into writer: consuming Writer) throws -> RunSummary {
    var times = RunTimes()
    let note = StartNote(playable)
    if !isQuiet { note.show() }
    var player = try ScenePlayer(playable, kernels: kernels)
    note.clear()
    var check = isVerified ? try SceneCheck(playable, watching: player, perturbation: perturbation) : nil
    times.add(to: \.preparing)
    var progress = ProgressBar(total: frames.count, isShown: !isQuiet)
    defer { progress.clear() }
    for (number, frame) in frames.enumerated() {
      try player.advance(toFrame: frame) { Interruption.isNoted }
      try Interruption.check()
      times.add(to: \.playing)
      try player.write(to: &writer)
      times.add(to: \.writing)
      try check?.compare(player, frame: frame, time: playable.time(ofFrame: frame))
      if isVerified { times.add(to: \.checking) }
      progress.update(number + 1)
    }
    // A wrong result is not kept.
    if let check, !check.passed {
      throw VerificationFailure(report: RunSummary(run: self, player: player, check: check, times: times).checkLines)
    }
    try writer.finish()
    times.add(to: \.writing)
    return RunSummary(run: self, player: player, check: check, times: times)
  }
}

/// The seconds of each part of a run, which add up to its wall time.
struct RunTimes {
  var preparing = 0.0
  var playing = 0.0
  var writing = 0.0
  var checking = 0.0
  private var last = ContinuousClock.now

  /// The seconds since the start of the run.
  var wall: Double { preparing + playing + writing + checking }

  /// Adds the time since the last call to a part.
  mutating func add(to part: WritableKeyPath<RunTimes, Double>) {
    let now = ContinuousClock.now
    self[keyPath: part] += (now - last).seconds
    last = now
  }
}

/// Frames played for their time or their check alone.
private struct NoWriter: ~Copyable, FrameWriter {
  mutating func write(_ values: [Float]) {}
  mutating func endFrame() {}
  consuming func finish() {}
}

/// An error beyond its bound.
struct VerificationFailure: Error, CustomStringConvertible {
  let report: String
  var description: String { "the frames are not within the error bound\n\(report)" }
}
