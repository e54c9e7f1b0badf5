// SPDX-License-Identifier: MIT
import ArgumentParser
import Foundation
import Formats
import Murmuration
import Scenes

/// SCENE, as every command takes it.
struct SceneArgument: ParsableArguments {
  @Argument(
    help: "A built-in scene, a scene file (.json), a recording (.bvh, .csv, .npy, .npz) or a glTF file (.gltf, .glb).",
    completion: .file(extensions: ["json", "bvh", "csv", "npy", "npz", "gltf", "glb"]))
  var scene: String?

  /// The scene that is asked for.
  func name() throws -> String {
    guard let scene else {
      throw ValidationError(
        "name a SCENE: \(BuiltInScene.all.map(\.name).joined(separator: ", ")), or a file")
    }
    return scene
  }
}

/// Which frames of a scene to play, and how many tracks: the same options for every command that plays one.
struct SceneOptions: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Play this many frames, or those of a range, instead of the whole scene; they may lie behind its end.",
      valueName: "n|a..<b"))
  var frames: CountOrRange?

  @Option(
    parsing: .unconditional, help: ArgumentHelp("Play this many seconds instead of the whole scene.", valueName: "s"))
  var duration: Double?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The number of tracks, shared among the groups in proportion; with a glTF file, of instances.",
      valueName: "n"))
  var tracks: CountOrRange?

  @Flag(help: "Read motion capture that holds more or fewer frames than it states, with a warning.")
  var lenient = false

  @OptionGroup var play: PlayOptions

  func validate() throws {
    guard frames == nil || duration == nil else { throw ValidationError("--frames goes without --duration") }
  }

  /// Whether any of the options is given that only a scene understands.
  var areForScenes: Bool {
    frames != nil || duration != nil || tracks != nil || lenient || play.fps != nil || play.threads != 1
  }

  /// Whether any of the options is given.
  var areGiven: Bool { areForScenes || play.seed != nil || play.isa != nil }

  /// The scene of a name as the options change it, and the frames to play.
  ///
  /// - Parameters:
  ///   - rate: Frames per second unless --fps says how many; nil for the scene's own.
  ///   - warns: Whether the warnings of lenient reading are written to standard error.
  func load(
    _ name: String, framesPerSecond rate: Double? = nil, warns: Bool = true
  ) throws -> (playable: PlayableScene, frames: Range<Int>) {
    var playable = try SceneSource.load(name, lenient: lenient)
    if warns { for warning in playable.warnings { writeToStandardError("Warning: \(warning)") } }
    // Fewer frames first, so that a high rate is checked against the frames that are played.
    if let frames { try playable.limit(frames: frames.upperBound) }
    if let fps = play.fps ?? rate { try playable.setFramesPerSecond(fps) }
    if let duration { try playable.limit(seconds: duration) }
    try playable.checkLength()
    if case .count(let count) = tracks { try playable.setTracks(count) }
    try playable.setThreads(play.threads)
    if let seed = play.seed { playable.setSeed(seed) }
    return (playable, (frames?.lowerBound ?? 0)..<playable.frameCount)
  }

  /// Refuses a range of tracks, which only `bake` takes.
  func requireCountOfTracks() throws {
    if case .range = tracks { throw ValidationError("--tracks takes a number here; a range goes with bake") }
  }

  /// The instruction set that is asked for, or the best one.
  func kernels() throws -> KernelSet { try play.isa ?? KernelSet.selected }
}

/// A number of frames or tracks on the command line, or a range of them: `120` or `60..<120`.
enum CountOrRange: ExpressibleByArgument, Equatable {
  case count(Int)
  case range(Range<Int>)

  init?(argument: String) {
    if let count = Int(argument) {
      self = .count(count)
    } else {
      guard let dots = argument.range(of: "..<"), let first = Int(argument[..<dots.lowerBound]),
        let end = Int(argument[dots.upperBound...]), 0 <= first, first < end
      else { return nil }
      self = .range(first..<end)
    }
  }

  /// The first one.
  var lowerBound: Int { if case .range(let range) = self { range.lowerBound } else { 0 } }

  /// The end of the range; a count counts from 0.
  var upperBound: Int {
    switch self {
    case .count(let count): count
    case .range(let range): range.upperBound
    }
  }
}
