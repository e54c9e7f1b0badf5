// SPDX-License-Identifier: MIT
import Formats
import Foundation
import Murmuration
import SceneReference
import Scenes

// The fuzzer compiles the sources of `sample` with these; the tests of the corpora, which read this file through a link,
// find them in the tool.
#if !FUZZ
  @testable import MurmurationTool
#endif

/// A kind of file that the tool reads, and what the tool does with such a file.
enum FuzzTarget: String, CaseIterable, Sendable {
  case scene, sample, gltf, glb, bvh, npy, npz, csv, css

  /// Treats `bytes` as the tool treats a file that holds them: reads them, and plays or answers what they describe.
  ///
  /// The readers see the bytes first without a file, because most inputs of a fuzzer are refused there.
  /// - Parameter folder: The folder that holds the file, beside what ``prepare(_:)`` has put there.
  /// - Throws: `FileError` where the tool refuses the file.
  func read(_ bytes: [UInt8], in folder: String) throws(FileError) {
    switch self {
    case .sample: return try FuzzTarget.answer(bytes)
    case .scene: _ = try SceneSource.decode(bytes)
    case .gltf, .glb: _ = try GLTFScene(GLTFDocument(bytes, folder: folder))
    case .bvh: _ = try Recording(bvh: bytes)
    case .npy: _ = try Recording(npy: bytes)
    case .npz: _ = try Recording(npz: bytes)
    case .css: return try FuzzTarget.readCSS(bytes)
    case .csv: _ = try Recording(csv: bytes)
    }
    let path = "\(folder)/input.\(self == .scene ? "json" : rawValue)"
    guard FileManager.default.createFile(atPath: path, contents: Data(bytes)) else {
      preconditionFailure("\(path) cannot be written")
    }
    try FuzzTarget.writeBack(self, bytes)
    let playable = try SceneSource.load(path)
    try FuzzTarget.bakeNodes(of: playable)
    try FuzzPlay(playable).play()
    try FuzzPlay(playable).bake()
  }

  /// Puts files in the folder that scenes and glTF files can name: `walk.csv`, `walk.npy` and `data.bin`.
  static func prepare(_ folder: String) {
    let files = [
      "walk.csv": Data("x,y,z\n0,1,2\n3,4,5\n-6,7.5,8e3\n".utf8),
      "data.bin": Data((0..<256).map { UInt8($0) }),
    ]
    for (name, data) in files {
      guard FileManager.default.createFile(atPath: "\(folder)/\(name)", contents: data) else {
        preconditionFailure("\(folder)/\(name) cannot be written")
      }
    }
  }

  /// Answers the requests with both engines and writes the answers in both formats.
  /// - Throws: `FileError` where there are no requests, and where the model has no answer to one of them.
  private static func answer(_ bytes: [UInt8]) throws(FileError) {
    let document: SampleDocument
    do { document = try JSONDocument.decode(from: bytes) } catch { throw FileError("\(error)") }
    var refusal: String?
    var output = StandardOutput(descriptor: nowhere)
    for name in SampleEngineName.allCases {
      for (index, request) in document.requests.enumerated() {
        guard case .success(let request) = request else {
          refusal = "request \(index) is wrong"
          continue
        }
        do {
          let answer = try name.engine().answer(request)
          if name == .reference, case .error(let reason) = answer { refusal = reason }
          try answer.writeJSON(to: &output)
          try answer.writeCSV(request: index, to: &output)
        } catch {
          preconditionFailure("\(error)")
        }
      }
    }
    if let refusal { throw FileError(refusal) }
  }

  private static let nowhere = open("/dev/null", O_WRONLY)
}

/// A scene played as `run --verify` and `bake --velocities` play it, but for its size and length.
///
/// A scene within the limits of the product may take minutes. These limits keep each input short: more values than
/// ``values`` are played with ``tracks`` tracks, as `--tracks` does; a few frames are shown instead of all; a run that has
/// changed its targets ``changes`` times ends; frames that the model reaches in more than ``steps`` steps of phases are
/// not compared; and networks of more than ``points`` points are not played.
struct FuzzPlay {
  private static let values = 4096
  private static let tracks = 48
  private static let changes = 2000
  private static let steps = 20_000.0
  private static let points = 100
  /// Frames that are baked at each end of a scene.
  private static let bakedFrames = 20

  private let playable: PlayableScene
  private let isTooLarge: Bool

  init(_ playable: PlayableScene) throws(FileError) {
    var playable = playable
    if playable.scene.trackCount * playable.scene.dimensions > FuzzPlay.values {
      try playable.setTracks(max(FuzzPlay.tracks, playable.scene.groups.count))
    }
    try playable.checkLength()
    isTooLarge = playable.scene.groups.contains { group in
      if case .networks(let networks) = group.motion { networks.network.points > FuzzPlay.points } else { false }
    }
    self.playable = playable
  }

  /// Shows the first frames, one in the middle and the last, and compares them with the model.
  func play() throws(FileError) {
    guard !isTooLarge else { return }
    var player = try ScenePlayer(playable)
    var check = try SceneCheck(playable, watching: player)
    var writer = FrameCounter()
    var budget = FuzzPlay.changes
    let count = playable.frameCount
    for frame in Set([0, 1, 2, 3, count / 2, count - 1]).filter({ $0 < count }).sorted() {
      try player.advance(toFrame: frame) {
        budget -= 1
        return budget < 0
      }
      if budget < 0 { break }
      try player.write(to: &writer)
      let time = playable.time(ofFrame: frame)
      if modelSteps(to: time) > FuzzPlay.steps { break }
      try check.compare(player, frame: frame, time: time)
    }
  }

  /// The approximate number of steps of phases up to a time, over all tracks. The model takes each of them.
  private func modelSteps(to time: Double) -> Double {
    playable.scene.groups.reduce(0) { sum, group in
      if case .phases(let phases) = group.motion { sum + Double(group.count) * phases.changes(in: time) } else { sum }
    }
  }

  /// Bakes the first frames and the last ones.
  func bake() throws(FileError) {
    guard !isTooLarge else { return }
    var player = try ScenePlayer(playable)
    var budget = FuzzPlay.changes
    let count = playable.frameCount
    let first = min(count, FuzzPlay.bakedFrames)
    for frames in [0..<first, max(first, count - FuzzPlay.bakedFrames)..<count] where !frames.isEmpty {
      _ = try player.bake(frames, tracks: 0..<playable.scene.trackCount, velocities: true) {
        budget -= 1
        return budget < 0
      }
      if budget < 0 { break }
    }
  }
}

/// A writer that discards its frames.
private struct FrameCounter: ~Copyable, FrameWriter {
  mutating func write(_ values: [Float]) {}
  mutating func endFrame() {}
  consuming func finish() {}
}

// MARK: - Writing

/// What the fuzzer does with files beyond playing them: it reads CSS, and writes what it has read and reads that back.
extension FuzzTarget {
  /// Reads an easing function, or else a transition, and writes the curve as a curve that is read as the same.
  fileprivate static func readCSS(_ bytes: [UInt8]) throws(FileError) {
    let text = String(decoding: bytes, as: UTF8.self)
    guard let curve = try? UnitCurve(css: text) else {
      _ = try Animation(css: text)
      return
    }
    let read = try UnitCurve(css: curve.css)
    for progress in [-1, 0, 0.1, 0.25, 1.0 / 3, 0.5, 0.9, 1, 2] {
      let (value, other) = (curve.value(at: progress), read.value(at: progress))
      precondition(value == other || value.isNaN && other.isNaN, "the text differs from its curve")
    }
  }

  /// Bakes the animations of a glTF file to its nodes, unless these are no tree, and reads them back.
  fileprivate static func bakeNodes(of playable: PlayableScene) throws(FileError) {
    for velocities in [false, true] {
      let times = [0.1, 0.2, 0.4, 5]
      if let rigs = playable.rigs, let kernels = KernelSet.available.first,
        let writer = try? rigs.baked(at: times, before: 6, velocities: velocities, kernels: kernels, unless: { false })
      {
        _ = try GLTFDocument(writer.glb()).hierarchy()
      }
    }
  }

  /// Writes a file that has been read, and reads it back.
  fileprivate static func writeBack(_ target: FuzzTarget, _ bytes: [UInt8]) throws(FileError) {
    switch target {
    case .bvh:
      let recording = try Recording(bvh: bytes)
      // Channels in another order than the joints' are refused.
      if let text = try? recording.bvh() {
        let read = try Recording(bvh: text)
        precondition(read.values == recording.values, "the motion capture differs")
      }
    case .gltf, .glb:
      guard let document = try? GLTFDocument(bytes) else { return }
      var writer = GLTFWriter()
      for node in document.nodes { try writer.add(GLTFWriter.Node(name: node.name ?? "")) }
      for animation in document.animations {
        guard (try? writer.add(animation)) != nil else { return }
      }
      let read = try GLTFDocument(writer.glb())
      precondition(read.animations.map(\.labels) == document.animations.map(\.labels), "the animations differ")
      if let clip = try? document.animations[0].clip() {
        _ = try GLTFAnimation.Sampler(clip, dimensions: Array(0..<clip.dimensions))
      }
    default: break
    }
  }
}
