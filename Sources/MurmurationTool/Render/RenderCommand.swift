// SPDX-License-Identifier: MIT
import ArgumentParser
import Formats
import Murmuration
import ScenePictures
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

  @OptionGroup var scene: SceneArgument

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

  @OptionGroup var playing: SceneOptions

  @OptionGroup var output: OutputOptions

  func validate() throws {
    _ = try (scene.name(), output.path("picture.png"))
    try playing.requireCountOfTracks()
    guard at == nil || sheet == nil && playing.frames == nil && playing.duration == nil else {
      throw ValidationError("--at goes without --sheet, --frames and --duration")
    }
  }

  func run() throws {
    let path = try output.path("picture.png")
    let kind = try PictureKind(path: path)
    if kind != .png {
      if at != nil { throw FileError(place: "--at", "goes with .png") }
      if sheet != nil { throw FileError(place: "--sheet", "goes with .png") }
    }
    let size = size ?? (kind.isSmall ? PictureSize(width: 640, height: 360) : PictureSize(width: 1280, height: 720))
    if kind == .mp4 || kind == .webm, size.width % 2 + size.height % 2 > 0 {
      throw FileError(place: "--size", ".\(kind.rawValue) needs even numbers, is \(size.width)x\(size.height)")
    }
    // A .gif counts time in hundredths of a second, of which 25 frames a second take four each.
    var (playable, frames) = try playing.load(scene.name(), framesPerSecond: kind.isSmall ? 25 : nil)
    if let at {
      guard (0...SceneLimits.seconds).contains(at) else {
        throw FileError(place: "--at", "must be in [0, 1e6], is \(NumberText.short(at))")
      }
      do { try playable.limit(seconds: at + 1 / playable.scene.framesPerSecond) } catch {
        throw FileError(place: "--at", error.reason)
      }
      try playable.checkLength()
      frames = 0..<playable.frameCount
    }
    let render = SceneRender(
      playable: playable, kernels: try playing.kernels(), kind: kind, size: size, theme: theme, frames: frames,
      isQuiet: output.quiet, outputPath: path)
    let summary = try render.write(at: at, sheet: sheet)
    try output.print(summary.text, json: summary.report)
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
