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
      SCENE is the name of a built-in scene, a scene file (.json), a recording or a glTF 2.0 file. Each channel of a \
      recording (.bvh motion capture, or .csv or .npy of [frames, tracks]) is followed by one spring, with a duration \
      and bounce of its own. A recording that states no rate has 60 frames a second. Each animation of a glTF file \
      (.gltf or .glb) is played by many instances, which begin at times of their own and repeat it; a track is then \
      one instance, with a value for each component that any of the animations moves. There are 1000 in all unless \
      --tracks says how many.

      The output holds float32 values, [frames, tracks, dimensions] as .npy or a line a frame as .csv, whose first \
      line names the columns. Absent values are NaN: tracks that are not born yet, components that an animation does \
      not move. The file appears when the run has succeeded and not before.
      """)

  @Argument(help: "A built-in scene, a scene file, a recording, or a glTF file.")
  var scene: String?

  @Flag(help: "List the built-in scenes.")
  var listScenes = false

  @Option(parsing: .unconditional, help: "The number of frames to play instead of the whole scene.")
  var frames: Int?

  @Option(
    parsing: .unconditional,
    help: "The number of tracks, shared among the groups in proportion; with a glTF file, of instances.")
  var tracks: Int?

  @OptionGroup var play: PlayOptions

  @Option(help: ArgumentHelp("Write the frames to this .npy or .csv file.", valueName: "file"))
  var output: String?

  @Flag(help: "Compare the frames with the scalar model; more than the error bound is a failure.")
  var verify = false

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Make the reference wrong by this share, to see --verify fail.", visibility: .hidden))
  var perturbReference = 0.0

  func validate() throws {
    if scene == nil, !listScenes { throw ValidationError("Name a SCENE, or ask for --list-scenes.") }
    if scene != nil, listScenes { throw ValidationError("--list-scenes goes without a SCENE.") }
  }

  func run() throws {
    guard let scene else { return try StandardOutput.write(RunCommand.sceneList()) }
    var playable = try SceneSource.load(scene)
    // Fewer frames first, so that a high rate is checked against the frames that are played.
    if let frames { try playable.limit(frames: frames) }
    if let fps = play.fps { try playable.setFramesPerSecond(fps) }
    try playable.checkLength()
    if let tracks { try playable.setTracks(tracks) }
    try playable.setThreads(play.threads)
    if let seed = play.seed { playable.setSeed(seed) }

    let run = SceneRun(
      playable: playable, kernels: try play.isa ?? KernelSet.selected(), isVerified: verify,
      perturbation: perturbReference, outputPath: output)
    try StandardOutput.write(try run.play())
  }

  /// The built-in scenes with their descriptions.
  private static func sceneList() throws -> String {
    var text = ""
    for builtIn in BuiltInScene.all {
      let scene = try builtIn.scene()
      text += "\(builtIn.name)\n    \(scene.description)\n"
      text += "    \(scene.trackCount) tracks, \(scene.frameCount) frames\n"
    }
    return text
  }
}
