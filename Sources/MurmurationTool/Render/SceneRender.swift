// SPDX-License-Identifier: MIT
import Formats
import Murmuration
import Render
import ScenePictures
import Scenes
import Text

/// One rendering of a scene: frames to a picture or a moving picture, and a summary.
struct SceneRender {
  let playable: PlayableScene
  let kernels: KernelSet
  let kind: PictureKind
  let size: PictureSize
  let theme: Theme
  let frames: Range<Int>
  let isQuiet: Bool
  let outputPath: String

  /// The most moments of a contact sheet.
  static let sheetLimit = 400

  /// Draws everything, writes the file, and returns the summary. On failure no output is left.
  ///
  /// - Parameters:
  ///   - time: The moment of a single picture; nil for the scene's choice.
  ///   - count: The number of moments of a contact sheet; nil for a single picture.
  func write(at time: Double?, sheet count: Int?) throws -> RenderSummary {
    Interruption.watch()
    // The file is opened first, so that a missing folder is noticed before any work.
    var file = try OutputFile(outputPath)
    guard kind == .png else { return try writeMovingPicture(to: file) }
    var drawn: [Picture] = []
    var summary: RenderSummary
    let picture: Picture
    if let count {
      guard 1...Self.sheetLimit ~= count else {
        throw FileError(place: "--sheet", "must be from 1 to \(Self.sheetLimit), is \(count)")
      }
      let sheet = ContactSheet(count: count, width: size.width, height: size.height)
      let moments = (0..<count).map { frames.lowerBound + (2 * $0 + 1) * frames.count / (2 * count) }
      var ground = RGB.zero
      summary = try draw(moments, width: sheet.width, height: sheet.height, ground: &ground) { drawn.append($0) }
      picture = sheet.lay(drawn, on: ground)
    } else {
      var ground = RGB.zero
      summary = try draw([moment(at: time)], width: size.width, height: size.height, ground: &ground) {
        drawn.append($0)
      }
      picture = drawn[0]
    }
    let bytes: [UInt8]
    do { bytes = try picture.png() } catch { throw FileError(file: outputPath, error.description) }
    try file.write(bytes)
    try file.finish()
    (summary.width, summary.height) = (picture.width, picture.height)
    return summary
  }

  private func writeMovingPicture(to file: consuming OutputFile) throws -> RenderSummary {
    let encoder = try FrameEncoder(
      kind, to: file.temporaryPath, width: size.width, height: size.height,
      framesPerSecond: playable.scene.framesPerSecond)
    var ground = RGB.zero
    let summary = try draw(Array(frames), width: size.width, height: size.height, ground: &ground) {
      try encoder.write($0)
    }
    try encoder.finish()
    try file.finish()
    return summary
  }

  /// The frame that a single picture shows: the one in the middle if the scene's choice is not among the frames.
  private func moment(at time: Double?) -> Int {
    let middle = frames.lowerBound + frames.count / 2
    let length = Double(playable.frameCount) / playable.scene.framesPerSecond
    guard let time = time ?? playable.scene.look.still.flatMap({ $0 < length ? $0 : nil }) else { return middle }
    let frame = min(playable.frameCount - 1, Int((time * playable.scene.framesPerSecond).rounded()))
    return frames.contains(frame) ? frame : middle
  }

  /// Draws frames in ascending order, each with the trails of the frames before it, and hands over their pictures.
  private func draw(
    _ wanted: [Int], width: Int, height: Int, ground: inout RGB, to body: (Picture) throws -> Void
  ) throws -> RenderSummary {
    let note = StartNote(playable)
    if !isQuiet { note.show() }
    let stage = try SceneStage(playable, kernels: kernels) { Interruption.isNoted }
    var player = try ScenePlayer(playable, kernels: kernels)
    note.clear()
    try Interruption.check()
    ground = ScenePainter.ground(stage, theme: theme)
    var painter = ScenePainter(stage, theme: theme, width: width, height: height)
    let step = 1 / playable.scene.framesPerSecond
    let trail = Int(min(1e6, (painter.trailLength / step).rounded(.up)))
    var progress = ProgressBar(total: wanted.count, isShown: !isQuiet)
    defer { progress.clear() }
    let last = playable.time(ofFrame: wanted.last ?? 0)
    var summary = RenderSummary(self, frames: wanted.count, until: last, width: width, height: height)
    var (next, clock) = (0, ContinuousClock.now)
    for (number, frame) in wanted.enumerated() {
      // The frames whose trails show in this one; a frame that was drawn already is not drawn again.
      for earlier in max(next, frame - trail)..<max(next, frame + 1) {
        clock = .now
        try player.advance(toFrame: earlier) { Interruption.isNoted }
        try Interruption.check()
        summary.playing.add(since: clock)
        clock = .now
        try painter.paint(player, at: playable.time(ofFrame: earlier), step: step)
        summary.drawing.add(since: clock)
      }
      next = frame + 1
      clock = .now
      let picture = painter.picture
      summary.drawing.add(since: clock)
      clock = .now
      try body(picture)
      summary.encoding.add(since: clock)
      progress.update(number + 1)
    }
    return summary
  }
}

/// The counts and times of a rendering, for its report.
struct RenderSummary {
  /// Seconds, summed up.
  struct Seconds {
    private(set) var total = 0.0

    mutating func add(since start: ContinuousClock.Instant) {
      total += (ContinuousClock.now - start).seconds
    }
  }

  private let render: SceneRender
  private let frames: Int
  /// The moment of the last frame.
  private let end: Double
  var width: Int
  var height: Int
  /// Playing the scene from its start to the last frame.
  var playing = Seconds()
  /// Drawing the frames, and the earlier frames whose trails show in them.
  var drawing = Seconds()
  var encoding = Seconds()

  init(_ render: SceneRender, frames: Int, until end: Double, width: Int, height: Int) {
    (self.render, self.frames, self.end, self.width, self.height) = (render, frames, end, width, height)
  }

  private func milliseconds(_ seconds: Seconds) -> Double { seconds.total * 1e3 / Double(max(1, frames)) }

  /// A line for people.
  var text: String {
    func number(_ milliseconds: Double) -> String { NumberText.fixed(milliseconds, decimals: 2) }
    return "\(render.outputPath): \(width) × \(height), \(frames) \(frames == 1 ? "frame" : "frames") of "
      + "\(render.playable.shape.tracks) tracks; playing the first \(number(end)) s took \(number(playing.total * 1e3)) ms, "
      + "drawing \(number(milliseconds(drawing))) ms a frame\n"
  }

  /// An object for programs.
  struct Report: Encodable {
    let output: String
    let width: Int
    let height: Int
    let frames: Int
    let framesPerSecond: Double
    let tracks: Int
    let playedSeconds: Double
    let playMilliseconds: Double
    let drawMillisecondsPerFrame: Double
    let encodeMillisecondsPerFrame: Double
  }

  /// The summary for programs.
  var report: Report {
    Report(
      output: render.outputPath, width: width, height: height, frames: frames,
      framesPerSecond: render.playable.scene.framesPerSecond, tracks: render.playable.shape.tracks,
      playedSeconds: end, playMilliseconds: playing.total * 1e3, drawMillisecondsPerFrame: milliseconds(drawing),
      encodeMillisecondsPerFrame: milliseconds(encoding))
  }
}
