// SPDX-License-Identifier: MIT
import ArgumentParser
import Murmuration
import Scenes

/// `murmuration run`: plays a scene frame by frame, writes the frames, and prints a summary.
struct RunCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run",
    abstract: "Plays a scene frame by frame.",
    discussion: """
      Each channel of a recording (.bvh motion capture, or .csv, .npy or .npz of [frames, tracks]) is followed by one spring, \
      with a duration and bounce of its own. A recording that states no rate has 60 frames a second. Each animation of \
      a glTF file is played by many instances, which begin at times of their own and repeat it. A track is then one \
      instance, with a value for each component that any of the animations moves. There are 1000 in all unless \
      --tracks says how many.

      The output holds float32 values, [frames, tracks, dimensions] as .npy, the same with their times as .npz, or a \
      line a frame as .csv, whose first line names the columns. Absent values are NaN: tracks that are not born yet, components that an animation does \
      not move. The file appears when the run has succeeded and not before.

      EXAMPLES:
        murmuration run --list-scenes
        murmuration run murmuration --verify
        murmuration run shapes --frames "60..<120" -o shapes.npy
        murmuration run meadow --tracks 20000 --duration 2 --json
      """)

  @OptionGroup var scene: SceneArgument

  @Flag(help: "List the built-in scenes.")
  var listScenes = false

  @Flag(help: "Compare the frames with the scalar model; more than the error bound is a failure.")
  var verify = false

  @Flag(
    help: """
      Say all that is known: where the time went, the share of the machine's limit, and what the last frame had to do.
      """)
  var details = false

  @OptionGroup var playing: SceneOptions

  @OptionGroup var output: OutputOptions

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Make the reference wrong by this share, to see --verify fail.", visibility: .hidden))
  var perturbReference = 0.0

  func validate() throws {
    if scene.scene != nil, listScenes { throw ValidationError("--list-scenes goes without a SCENE") }
    if !listScenes { _ = try scene.name() }
    try playing.requireCountOfTracks()
  }

  func run() throws {
    guard !listScenes else { return try listScenesOfTheTool() }
    let (playable, frames) = try playing.load(scene.name())
    let run = SceneRun(
      playable: playable, frames: frames, kernels: try playing.kernels(), isVerified: verify,
      perturbation: perturbReference, isQuiet: output.quiet, isDetailed: details,
      measuresLimit: details || output.json, outputPath: output.output)
    let summary = try run.play()
    try output.print(summary.text, json: summary.report)
  }

  /// A built-in scene in the list.
  private struct Listed: Encodable {
    let name: String
    let description: String
    let tracks: Int
    let frames: Int
  }

  private func listScenesOfTheTool() throws {
    let scenes = try BuiltInScene.all.map { builtIn in
      let scene = try builtIn.scene()
      return Listed(
        name: builtIn.name, description: scene.description, tracks: scene.trackCount, frames: scene.frameCount)
    }
    let text = scenes.map { "\($0.name)\n    \($0.description)\n    \($0.tracks) tracks, \($0.frames) frames\n" }
    try output.print(text.joined(), json: ["scenes": scenes])
  }
}
