// SPDX-License-Identifier: MIT
import Formats
import Murmuration
import SceneReference
import Scenes

/// One run of a scene: frames to a file if one is named, a check beside it, and a summary.
struct SceneRun {
  let playable: PlayableScene
  let kernels: KernelSet
  let isVerified: Bool
  let perturbation: Double
  let outputPath: String?

  /// Plays the scene and returns the summary. On failure no output is left.
  func play() throws -> String {
    // Watches before there is anything to clean up.
    Interruption.watch()
    guard let outputPath else { return try play(into: NoWriter()) }
    let name = outputPath.lowercased()
    if name.hasSuffix(".npy") { return try play(into: NPYWriter(outputPath, shape: playable.shape)) }
    guard name.hasSuffix(".csv") else {
      throw FileError(file: outputPath, "an output is .npy or .csv by its name")
    }
    return try play(
      into: CSVWriter(outputPath, shape: playable.shape, components: playable.columnNames))
  }

  private func play<Writer: FrameWriter & ~Copyable>(into writer: consuming Writer) throws -> String {
    let note = StartNote(playable)
    note.show()
    var player = try ScenePlayer(playable, kernels: kernels)
    note.clear()
    var check = isVerified ? try SceneCheck(playable, watching: player, perturbation: perturbation) : nil
    var progress = ProgressBar(total: playable.frameCount)
    defer { progress.clear() }
    for frame in 0..<playable.frameCount {
      try player.advance(toFrame: frame) { Interruption.isNoted }
      try Interruption.check()
      try player.write(to: &writer)
      try check?.compare(player, frame: frame, time: playable.time(ofFrame: frame))
      progress.update(frame + 1)
    }
    let summary = RunSummary(run: self, player: player, check: check)
    // A wrong result is not kept.
    if let check, !check.passed { throw VerificationFailure(report: summary.checkLines(check)) }
    try writer.finish()
    return summary.text
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
