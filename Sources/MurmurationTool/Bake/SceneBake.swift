// SPDX-License-Identifier: MIT
import Formats
import Murmuration
import Scenes
import Text

/// One bake of a scene: blocks of frames to a file, and a line that summarises the output.
struct SceneBake {
  let playable: PlayableScene
  let kernels: KernelSet
  let frames: Range<Int>
  let tracks: Range<Int>
  let velocities: Bool
  let isTrackMajor: Bool
  let isQuiet: Bool
  let outputPath: String
  /// Whether arrays of .npz are deflated.
  let isCompressed: Bool
  /// The largest error of lines in CSS, as a share of a component's range; nil for 0.001.
  let tolerance: Double?
  /// Whether `tracks` are those that were asked for. Otherwise the animations of a glTF file are the tracks of CSS.
  let hasChosenTracks: Bool

  /// The number of values that are baked before they are written: 16 MiB.
  private static let numbersAtOnce = 1 << 22
  /// The most bytes of a bake that is track-major or deflated: it is held in memory as a whole.
  private static let memoryLimit = 1 << 32

  private var linesTolerance: Double { tolerance ?? 0.001 }

  private var width: Int { playable.scene.dimensions * (velocities ? 2 : 1) }

  /// Bakes and writes everything, and returns the outcome. On failure no output is left.
  func write() throws -> BakeReport {
    Interruption.watch()
    let kind = Recording.fileExtension(of: outputPath)
    guard ["npy", "npz", "glb", "css"].contains(kind) else {
      throw FileError(file: outputPath, "a baked output is .npy, .npz, .glb or .css by its name")
    }
    guard !isCompressed || kind == "npz" else { throw FileError(place: "--compress", "goes with .npz") }
    guard !isTrackMajor || kind.hasPrefix("np") else {
      throw FileError(place: "--track-major", "goes with .npy and .npz")
    }
    guard tolerance == nil || kind == "css" else { throw FileError(place: "--tolerance", "goes with .css") }
    let shape =
      isTrackMajor
      ? FrameShape(frames: tracks.count, tracks: frames.count, dimensions: width)
      : FrameShape(frames: frames.count, tracks: tracks.count, dimensions: width)
    guard !(isTrackMajor || isCompressed) || shape.byteCount <= Self.memoryLimit else {
      throw FileError(
        place: isTrackMajor ? "--track-major" : "--compress",
        "takes \(shape.byteCount >> 20) MiB of memory; the limit is \(Self.memoryLimit >> 20)")
    }
    let start = ContinuousClock.now
    let times = frames.map { playable.time(ofFrame: $0) }
    // An animation begins at 0.
    let moments = times.map { $0 - times[0] }
    switch kind {
    case "npy": try write(to: NPYWriter(outputPath, shape: shape))
    case "npz":
      try write(
        to: NPZFrameWriter(
          outputPath, shape: shape, hasVelocities: velocities, times: times, isCompressed: isCompressed))
    case "css":
      if let rigs = playable.rigs, !hasChosenTracks {
        let shape = FrameShape(frames: frames.count, tracks: rigs.parts.count, dimensions: width)
        var writer = try CSSFrameWriter(
          outputPath, shape: shape, components: rigs.labels, hasVelocities: velocities, times: moments,
          tolerance: linesTolerance)
        writer.write(
          try rigs.frames(at: times, velocities: velocities, kernels: kernels) { Interruption.isNoted })
        try Interruption.check()
        try writer.finish()
        return report(of: shape, since: start)
      }
      try write(
        to: CSSFrameWriter(
          outputPath, shape: shape, components: playable.scene.components, hasVelocities: velocities, times: moments,
          tolerance: linesTolerance))
    default:
      if let rigs = playable.rigs { return try write(rigs, at: times, since: start) }
      try write(
        to: GLBFrameWriter(
          outputPath, shape: shape, components: playable.columnNames, hasVelocities: velocities, times: moments))
    }
    return report(of: shape, since: start)
  }

  private func report(of shape: FrameShape, since start: ContinuousClock.Instant) -> BakeReport {
    BakeReport(
      output: outputPath, shape: [shape.frames, shape.tracks, shape.dimensions],
      order: isTrackMajor ? "track-major" : "time-major", firstFrame: frames.lowerBound, firstTrack: tracks.lowerBound,
      velocities: velocities, wallSeconds: (ContinuousClock.now - start).seconds)
  }

  /// Writes the nodes of a glTF file with its animations at the times of frames, each played once.
  private func write(
    _ rigs: RigFile, at times: [Double], since start: ContinuousClock.Instant
  ) throws -> BakeReport {
    for target in rigs.unwrittenTargets {
      writeToStandardError("Warning: \(target.printable) is no property of a node, and is left out")
    }
    let writer = try rigs.baked(
      at: times, before: playable.time(ofFrame: frames.upperBound), velocities: velocities, kernels: kernels
    ) { Interruption.isNoted }
    try Interruption.check()
    try writer.write(to: outputPath)
    return report(
      of: FrameShape(frames: frames.count, tracks: rigs.parts.count, dimensions: rigs.labels.count), since: start)
  }

  private func write<Writer: FrameWriter & ~Copyable>(to writer: consuming Writer) throws {
    if isTrackMajor {
      try writeTracks(to: &writer)
    } else {
      try writeFrames(to: &writer)
    }
    try writer.finish()
  }

  private func writeFrames<Writer: FrameWriter & ~Copyable>(to writer: inout Writer) throws {
    var blocks = try BakedBlocks(self)
    let row = tracks.count * width
    while let block = try blocks.next() {
      for frame in 0..<block.frames.count {
        try writer.write(Array(block.numbers[frame * row..<(frame + 1) * row]))
        try writer.endFrame()
      }
    }
  }

  private func writeTracks<Writer: FrameWriter & ~Copyable>(to writer: inout Writer) throws {
    var blocks = try BakedBlocks(self)
    var numbers = [Float](repeating: 0, count: frames.count * tracks.count * width)
    let row = frames.count * width
    while let block = try blocks.next() {
      let offset = (block.frames.lowerBound - frames.lowerBound) * width
      for track in 0..<tracks.count {
        for frame in 0..<block.frames.count {
          let from = (frame * tracks.count + track) * width
          let to = track * row + offset + frame * width
          for number in 0..<width { numbers[to + number] = block.numbers[from + number] }
        }
      }
    }
    for track in 0..<tracks.count {
      try writer.write(Array(numbers[track * row..<(track + 1) * row]))
      try writer.endFrame()
    }
  }

  /// The frames of a bake, some at a time, with a bar on the terminal while that takes long.
  private struct BakedBlocks: ~Copyable {
    private let bake: SceneBake
    private var player: ScenePlayer
    private var progress: ProgressBar
    private var nextFrame: Int

    init(_ bake: SceneBake) throws {
      self.bake = bake
      player = try ScenePlayer(bake.playable, kernels: bake.kernels)
      progress = ProgressBar(total: bake.frames.count, isShown: !bake.isQuiet)
      nextFrame = bake.frames.lowerBound
    }

    /// The next frames, or nil after the last.
    mutating func next() throws -> BakedBlock? {
      guard nextFrame < bake.frames.upperBound else {
        return nil
      }
      let length = max(1, SceneBake.numbersAtOnce / (bake.tracks.count * bake.width))
      let part = nextFrame..<min(bake.frames.upperBound, nextFrame + length)
      let block = try player.bake(part, tracks: bake.tracks, velocities: bake.velocities) { Interruption.isNoted }
      try Interruption.check()
      nextFrame = part.upperBound
      progress.update(part.upperBound - bake.frames.lowerBound)
      return block
    }

    deinit { progress.clear() }
  }
}

/// The outcome of a bake, as text or as JSON.
struct BakeReport: Encodable {
  let output: String
  let shape: [Int]
  let order: String
  let firstFrame: Int
  let firstTrack: Int
  let velocities: Bool
  let wallSeconds: Double

  /// A line for people.
  var text: String {
    "\(output): \(shape) float32, \(order), in \(NumberText.fixed(wallSeconds, decimals: 2)) s\n"
  }
}
