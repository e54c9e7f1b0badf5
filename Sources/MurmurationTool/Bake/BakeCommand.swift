// SPDX-License-Identifier: MIT
import ArgumentParser
import Formats
import Murmuration
import Scenes

/// `murmuration bake`: computes many frames of a scene at once, and writes them.
struct BakeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bake",
    abstract: "Computes many frames of a scene at once.",
    discussion: """
      SCENE is any scene that `murmuration run` plays. Springs, keyframes, phases and animations are computed in \
      stretches between changes from outside, many frames in one call; the numbers are those of `run` within twice \
      the error bound. Particles, networks, and keyframes that a hand holds are played frame by frame.

      The output holds float32 values, [frames, tracks, dimensions] as .npy, or [tracks, frames, dimensions] with \
      --track-major; with --velocities the last axis is twice as long, values and then velocities. The file appears \
      when everything is done and not before.
      """)

  @Argument(help: "A built-in scene, a scene file, a recording, or a glTF file.")
  var scene: String

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Bake these frames instead of all; they may lie behind the scene's end.", valueName: "a..<b"))
  var frames: NumberRange?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Bake these tracks instead of all, counted from 0 through all groups.", valueName: "c..<d"))
  var tracks: NumberRange?

  @OptionGroup var play: PlayOptions

  @Option(help: ArgumentHelp("Write the frames to this .npy file.", valueName: "file"))
  var output: String

  @Flag(help: "Write velocities as well.")
  var velocities = false

  @Flag(help: "Write all frames of the first track, then those of the next; takes memory for all of them.")
  var trackMajor = false

  func run() throws {
    var playable = try SceneSource.load(scene)
    if let frames { try playable.limit(frames: frames.range.upperBound) }
    if let fps = play.fps { try playable.setFramesPerSecond(fps) }
    try playable.checkLength()
    try playable.setThreads(play.threads)
    if let seed = play.seed { playable.setSeed(seed) }

    let count = playable.scene.trackCount
    let tracks = self.tracks?.range ?? 0..<count
    guard tracks.upperBound <= count else {
      throw FileError(place: "--tracks", "must lie within 0..<\(count), ends before \(tracks.upperBound)")
    }
    let bake = SceneBake(
      playable: playable, kernels: try play.isa ?? KernelSet.selected(),
      frames: frames?.range ?? 0..<playable.frameCount, tracks: tracks, velocities: velocities,
      isTrackMajor: trackMajor, outputPath: output)
    try StandardOutput.write(try bake.write())
  }
}
