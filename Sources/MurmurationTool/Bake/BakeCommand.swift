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
      --track-major; with --velocities the last axis is twice as long, values and then velocities. As .npz these are \
      the arrays values, velocities and times, deflated with --compress. As .glb each track is a node of an animation \
      that glTF viewers play: components x, y, z and scale move it, along straight lines or, with --velocities, \
      cubics; a particle has scale 0 until it is born and once it is gone. A glTF file becomes a .glb of its nodes, \
      each of its animations played once. As .css each track is a class, track-0, with @keyframes of properties such \
      as --x: the fewest lines within --tolerance of the frames or, with --velocities, cubics. Tracks of a glTF file \
      are its animations then, each played once, unless --tracks says how many instances there are. The file appears \
      when everything is done and not before. With a range, --tracks bakes these tracks alone, counted from 0 through \
      all groups.

      EXAMPLES:
        murmuration bake murmuration --frames "0..<120" --track-major -o birds.npy
        murmuration bake shapes --duration 1 --tracks "0..<100" --velocities \\
          -o shapes.npy
        murmuration bake walk.gltf --fps 30 -o baked.glb
      """)

  @OptionGroup var scene: SceneArgument

  @Flag(help: "Write velocities as well.")
  var velocities = false

  @Flag(help: "Write all frames of the first track, then those of the next; takes memory for all of them.")
  var trackMajor = false

  @Flag(help: "Deflate the arrays of an .npz file.")
  var compress = false

  @Option(help: "The largest error of lines in .css, as a share of a component's range, else 0.001.")
  var tolerance: Double?

  @OptionGroup var playing: SceneOptions

  @OptionGroup var output: OutputOptions

  func validate() throws {
    _ = try (scene.name(), output.path("frames.npy"))
  }

  func run() throws {
    let (playable, frames) = try playing.load(scene.name())
    let count = playable.scene.trackCount
    var tracks = 0..<count
    if case .range(let range) = playing.tracks {
      guard range.upperBound <= count else {
        throw FileError(place: "--tracks", "must lie within 0..<\(count), ends before \(range.upperBound)")
      }
      tracks = range
    }
    let path = try output.path("frames.npy")
    if playable.rigs != nil, playing.tracks != nil, Recording.fileExtension(of: path) == "glb" {
      throw FileError(place: "--tracks", "goes without .glb here, which plays each animation of a glTF file once")
    }
    let bake = SceneBake(
      playable: playable, kernels: try playing.kernels(), frames: frames, tracks: tracks, velocities: velocities,
      isTrackMajor: trackMajor, isQuiet: output.quiet, outputPath: path, isCompressed: compress,
      tolerance: tolerance, hasChosenTracks: playing.tracks != nil)
    let report = try bake.write()
    try output.print(report.text, json: report)
  }
}
