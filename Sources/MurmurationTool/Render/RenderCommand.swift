// SPDX-License-Identifier: MIT
import ArgumentParser
import Formats
import Murmuration
import Scenes
import Text

/// `murmuration render`: draws the frames of a scene as a picture or a moving picture.
struct RenderCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "render",
    abstract: "Draws a scene as a picture or a moving picture.",
    discussion: """
      SCENE is any scene that `murmuration run` plays; the frames are the same. The ending of the file's name chooses \
      the format. .png holds one moment, or a contact sheet of several; .mp4, .webm, .gif and .webp move, and need \
      ffmpeg. Each is written whole or not at all, and the same call writes the same bytes.

      How a scene looks is part of it: the keys `look` of a scene file and of its groups, for which there are \
      defaults. Tracks are drawn as points, networks as lines, and motion capture and glTF files as skeletons.

      EXAMPLES:
        murmuration render murmuration --output flock.png
        murmuration render shapes --sheet 9 --theme light --output shapes.png
        murmuration render burst --fps 60 --duration 3 --size 1920x1080 \\
          --output burst.mp4
        murmuration render Tests/Fixtures/fox.gltf --tracks 12 --output foxes.webm
      """)

  @Argument(help: "A built-in scene, a scene file, a recording, or a glTF file.")
  var scene: String

  @Option(
    name: [.short, .long],
    help: ArgumentHelp("Write this .png, .mp4, .webm, .gif or .webp file.", valueName: "file"))
  var output: String

  @Option(help: ArgumentHelp("The size in pixels: 1280x720; for .gif and .webp 640x360.", valueName: "WxH"))
  var size: PictureSize?

  @Option(help: "The background: dark or light.")
  var theme = Theme.dark

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("The moment that .png shows, in seconds, instead of the scene's own choice.", valueName: "s"))
  var at: Double?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Draw a contact sheet of this many moments, 1 to 400, evenly spread.", valueName: "n"))
  var sheet: Int?

  @Option(parsing: .unconditional, help: "Draw this many seconds instead of the whole scene.")
  var duration: Double?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Draw this many frames, or those of a range, instead of the whole scene.", valueName: "n|a..<b"))
  var frames: FrameChoice?

  @Option(parsing: .unconditional, help: "The number of tracks, shared among the groups in proportion.")
  var tracks: Int?

  @OptionGroup var play: PlayOptions

  @Flag(help: "Print the summary as JSON.")
  var json = false

  @Flag(help: "Print no summary and show no progress.")
  var quiet = false

  func validate() throws {
    guard frames == nil || duration == nil else { throw ValidationError("--frames goes without --duration") }
    guard at == nil || sheet == nil else { throw ValidationError("--at goes without --sheet") }
    guard !(json && quiet) else { throw ValidationError("--json goes without --quiet") }
  }

  func run() throws {
    let kind = try PictureKind(path: output)
    if kind != .png {
      if at != nil { throw FileError(place: "--at", "goes with .png") }
      if sheet != nil { throw FileError(place: "--sheet", "goes with .png") }
    }
    let size = size ?? (kind.isSmall ? PictureSize(width: 640, height: 360) : PictureSize(width: 1280, height: 720))
    if kind == .mp4 || kind == .webm, size.width % 2 + size.height % 2 > 0 {
      throw FileError(place: "--size", ".\(kind.rawValue) needs even numbers, is \(size.width)x\(size.height)")
    }
    var playable = try SceneSource.load(scene)
    if let upper = frames?.range.upperBound { try playable.limit(frames: upper) }
    // A .gif counts time in hundredths of a second, of which 25 frames a second take four each.
    if let fps = play.fps ?? (kind.isSmall ? 25 : nil) { try playable.setFramesPerSecond(fps) }
    if let duration { try playable.limit(seconds: duration) }
    if let at {
      guard (0...SceneLimits.seconds).contains(at) else {
        throw FileError(place: "--at", "must be in [0, 1e6], is \(NumberText.short(at))")
      }
      try playable.limit(seconds: at + 1 / playable.scene.framesPerSecond)
    }
    try playable.checkLength()
    if let tracks { try playable.setTracks(tracks) }
    try playable.setThreads(play.threads)
    if let seed = play.seed { playable.setSeed(seed) }
    let render = SceneRender(
      playable: playable, kernels: try play.isa ?? KernelSet.selected(), kind: kind, size: size, theme: theme,
      frames: frames?.range ?? 0..<playable.frameCount, isQuiet: quiet, outputPath: output)
    let summary = try render.write(at: at, sheet: sheet)
    if !quiet { try StandardOutput.write(json ? summary.json : summary.text) }
  }
}

extension Theme: ExpressibleByArgument {}

/// A size on the command line: `1280x720`.
struct PictureSize: ExpressibleByArgument, Equatable {
  static let limits = 16...8192

  let width: Int
  let height: Int

  init(width: Int, height: Int) { (self.width, self.height) = (width, height) }

  init?(argument: String) {
    let parts = argument.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
    guard parts.count == 2, let width = parts[0], let height = parts[1], Self.limits ~= width, Self.limits ~= height
    else { return nil }
    self.init(width: width, height: height)
  }
}

/// A number of frames on the command line, or a range: `120` or `60..<120`.
struct FrameChoice: ExpressibleByArgument {
  let range: Range<Int>

  init?(argument: String) {
    if let range = NumberRange(argument: argument)?.range {
      self.range = range
    } else {
      guard let count = Int(argument), count >= 1 else { return nil }
      range = 0..<count
    }
  }
}
