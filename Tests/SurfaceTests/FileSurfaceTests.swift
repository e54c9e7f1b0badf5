// SPDX-License-Identifier: MIT
import CSurface
import Foundation
import Murmuration
import Scenes
import Testing

/// Scenes and glTF files through the C functions.
@Suite struct FileSurfaceTests {
  private static let corpora = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Fixtures/Corpora")

  private static func path(_ name: String) -> String { corpora.appendingPathComponent(name).path }

  // MARK: - Scenes

  /// A scene of the surface, which frees itself.
  private final class CScene {
    let id: murmuration_scene

    init(_ name: String, tracks: Int32? = nil, frames: Int64? = nil) throws {
      var id: murmuration_scene = 0
      try #require(murmuration_scene_open(name, &id) == ok, "\(words())")
      self.id = id
      var settings = murmuration_scene_settings()
      if let tracks { (settings.track_count, settings.flags) = (tracks, Int32(MURMURATION_SET_TRACK_COUNT)) }
      if let frames { (settings.frame_count, settings.flags) = (frames, settings.flags | 2) }
      try #require(murmuration_scene_set(id, &settings) == ok, "\(words())")
    }

    deinit { _ = murmuration_scene_free(id) }

    var info: murmuration_scene_info {
      var info = murmuration_scene_info()
      #expect(murmuration_scene_describe(id, &info) == ok)
      return info
    }

    func text(_ what: Int, _ index: Int32 = 0) -> String? {
      var text: UnsafePointer<CChar>?
      guard murmuration_scene_text(id, Int32(what), index, &text) == ok else { return nil }
      return text.map { String(cString: $0) }
    }

    /// The bits of baked values, and of velocities if they are wanted.
    func bake(
      _ frames: Range<Int>, _ tracks: Range<Int>, threads: Int32 = 1, velocities: Bool = true
    ) -> (values: [UInt32], velocities: [UInt32]) {
      let count = frames.count * tracks.count * Int(info.dimensions)
      var values = [Float](repeating: 7, count: count)
      var speeds = [Float](repeating: 7, count: velocities ? count : 0)
      let status = speeds.withUnsafeMutableBufferPointer { speeds in
        murmuration_scene_bake(
          id, Int64(frames.lowerBound), Int64(frames.count), Int32(tracks.lowerBound), Int32(tracks.count), threads,
          &values, velocities ? speeds.baseAddress : nil, Int64(count))
      }
      #expect(status == ok, "\(words())")
      return (values.map(\.bitPattern), speeds.map(\.bitPattern))
    }
  }

  /// Any frames of any tracks, in any order and with any number of threads, have the bits of one call for all.
  @Test(arguments: BuiltInScene.all.map(\.name)) func partsOfAScene(_ name: String) throws {
    // Long enough for the networks of `cloths` to be pulled and let go.
    let scene = try CScene(name, tracks: 120, frames: 160)
    let info = scene.info
    let (frames, tracks, dimensions) = (Int(info.frame_count), Int(info.track_count), Int(info.dimensions))
    let whole = scene.bake(0..<frames, 0..<tracks)
    let parts: [(Range<Int>, Range<Int>, Int32, Bool)] = [
      (0..<frames, 0..<tracks, 2, true), (60..<75, 10..<60, 2, true), (0..<1, 0..<tracks, 2, false),
      (159..<160, 119..<120, 2, true), (30..<61, 0..<1, 1, false), (110..<160, 0..<tracks, 1, true),
    ]
    for (part, columns, threads, velocities) in parts {
      let baked = scene.bake(part, columns, threads: threads, velocities: velocities)
      for (row, frame) in part.enumerated() {
        let start = (frame * tracks + columns.lowerBound) * dimensions
        let (from, to) = (row * columns.count * dimensions, (row + 1) * columns.count * dimensions)
        let range = start..<start + columns.count * dimensions
        #expect(baked.values[from..<to] == whole.values[range], "\(name), frame \(frame) of \(part) × \(columns)")
        if velocities { #expect(baked.velocities[from..<to] == whole.velocities[range], "\(name), frame \(frame)") }
      }
    }
  }

  @Test func aSceneIsWhatTheToolPlays() throws {
    let scene = try CScene("shapes")
    let playable = try SceneSource.load("shapes")
    let info = scene.info
    #expect(info.track_count == playable.scene.trackCount && info.dimensions == playable.scene.dimensions)
    #expect(info.frame_count == playable.frameCount && info.frames_per_second == playable.scene.framesPerSecond)
    #expect(info.duration == playable.scene.duration && info.seed == playable.scene.seed)
    #expect(scene.text(MURMURATION_NAME) == playable.scene.name)
    #expect(scene.text(MURMURATION_DESCRIPTION) == playable.scene.description)
    #expect(scene.text(MURMURATION_COMPONENT_NAME, 1) == "y" && scene.text(MURMURATION_COMPONENT_NAME, 2) == nil)
    #expect(words() == "index must be within 0..<2, is 2")
    var first: Int32 = 0
    for (index, group) in playable.scene.groups.enumerated() {
      var about = murmuration_group_info()
      #expect(murmuration_scene_group(scene.id, Int32(index), &about) == ok)
      #expect(about.first_track == first && about.track_count == group.count)
      #expect(scene.text(MURMURATION_GROUP_NAME, Int32(index)) == group.name)
      first += about.track_count
    }
    #expect(first == info.track_count)

    var player = try ScenePlayer(playable)
    let block = try player.bake(3..<6, tracks: 5..<9, velocities: false)
    #expect(scene.bake(3..<6, 5..<9, velocities: false).values == block.numbers.map(\.bitPattern))
  }

  @Test func settingsAreAllAcceptedOrNone() throws {
    let scene = try CScene("shapes", tracks: 100, frames: 60)
    let (before, baked) = (scene.info, scene.bake(0..<3, 0..<100))
    var settings = murmuration_scene_settings()
    for (rate, frames, tracks, expected) in [
      (0, 10, 50, "frames_per_second: must be in [0.001, 10000], is 0"), (60, 10, -1, "track_count: must be"),
      (60, -5, 9, "frame_count: must be"),
    ] as [(Double, Int64, Int32, String)] {
      settings = .init(frames_per_second: rate, frame_count: frames, seed: 9, track_count: tracks, flags: 15)
      #expect(murmuration_scene_set(scene.id, &settings) == MURMURATION_FILE_ERROR && words().hasPrefix(expected))
    }
    settings.flags = 16
    #expect(murmuration_scene_set(scene.id, &settings) == MURMURATION_INVALID_CODE)
    #expect(scene.info.frame_count == before.frame_count && scene.info.seed == before.seed)
    #expect(scene.bake(0..<3, 0..<100).values == baked.values)

    settings = murmuration_scene_settings(frames_per_second: 30, frame_count: 10, seed: 9, track_count: 50, flags: 15)
    #expect(murmuration_scene_set(scene.id, &settings) == ok)
    #expect(scene.info.frames_per_second == 30 && scene.info.frame_count == 10)
    #expect(scene.info.seed == 9 && scene.info.track_count == 50)
    #expect(scene.bake(1..<3, 0..<50).values != Array(baked.values[..<200]))
  }

  @Test func bakesOutOfRangeAreErrors() throws {
    let scene = try CScene("shapes", tracks: 10, frames: 5)
    var output = [Float](repeating: 7, count: 100)
    func bake(_ first: Int64, _ frames: Int64, _ track: Int32, _ tracks: Int32, _ count: Int64) -> String {
      name(murmuration_scene_bake(scene.id, first, frames, track, tracks, 1, &output, nil, count))
    }
    #expect(bake(5, 1, 0, 10, 20) == "invalidCount" && bake(-1, 1, 0, 10, 20) == "invalidCount")
    #expect(bake(0, .max, 0, 10, 20) == "invalidCount" && bake(.max, .max, 0, 10, 20) == "invalidCount")
    #expect(bake(0, -1, 0, 10, 20) == "invalidCount" && bake(.min, .min, 0, 1, 2) == "invalidCount")
    #expect(bake(0, 1, 5, 6, 12) == "trackOutOfRange" && bake(0, 1, -1, 1, 2) == "trackOutOfRange")
    #expect(bake(0, 1, .max, .max, 2) == "trackOutOfRange" && bake(0, 1, 0, -1, 2) == "trackOutOfRange")
    #expect(bake(0, 5, 0, 10, 99) == "invalidCount" && words() == "number_count must be 100, is 99")
    #expect(bake(0, 5, 0, 10, 101) == "invalidCount" && output.allSatisfy { $0 == 7 })
    #expect(bake(5, 0, 10, 0, 0) == "ok" && bake(0, 5, 0, 10, 100) == "ok")
  }

  @Test func filesAndTextsThatAreNoScene() throws {
    var id: murmuration_scene = 7
    for (name, words) in [
      ("shapess", "there is no such file, and no such built-in scene"), ("", "there is no such file"),
      ("/no/such.json", "cannot be opened"), ("/dev", "is a directory"), ("/dev/null", "is not a regular file"),
      (Self.path("npy/refused-cut.npy"), "refused-cut.npy"), (Self.path("glb/refused-cut.glb"), "refused-cut.glb"),
    ] {
      #expect(murmuration_scene_open(name, &id) == MURMURATION_FILE_ERROR, "\(name)")
      #expect(SurfaceTests.words().contains(words), "\(name): \(SurfaceTests.words())")
    }
    #expect(murmuration_scene_open_json("{}", -1, &id) == MURMURATION_INVALID_COUNT)
    #expect(murmuration_scene_open_json("{}", .max, &id) == MURMURATION_INVALID_COUNT && id == 7)
    // Truncated at every byte, it is no scene any more.
    let text = Array(BuiltInScene.all[0].json.utf8CString)
    let end = Int64(text.count - 1)
    for count in 0..<end { #expect(murmuration_scene_open_json(text, count, &id) == MURMURATION_FILE_ERROR) }
    #expect(id == 7 && murmuration_scene_open_json(text, end, &id) == ok && murmuration_scene_free(id) == ok)
    #expect(murmuration_scene_free(id) == MURMURATION_UNKNOWN_OBJECT)
    let following =
      #"{"murmuration": 1, "duration": 1, "groups": [{"count": 1, "springs": {"follow": {"file": "a.csv"}}}]}"#
    #expect(murmuration_scene_open_json(following, Int64(following.utf8.count), &id) == MURMURATION_FILE_ERROR)
  }

  // MARK: - glTF

  /// (`Tests/Python/test_native.py` plays a file, and asks for its names.)
  @Test func whatAGLTFFileHasNotIsRefused() throws {
    let swift = try GLTFScene(path: Self.path("glb/turning.glb"))
    var (gltf, count): (murmuration_gltf, Int32) = (0, 0)
    try #require(murmuration_gltf_open(Self.path("glb/turning.glb"), &gltf) == ok, "\(words())")
    defer { #expect(murmuration_gltf_free(gltf) == ok) }
    #expect(murmuration_gltf_count(gltf, &count) == ok && Int(count) == swift.parts.count)
    var info = murmuration_gltf_animation_info()
    for (index, part) in swift.parts.enumerated() {
      var text: UnsafePointer<CChar>?
      #expect(murmuration_gltf_describe(gltf, Int32(index), &info) == ok)
      #expect(info.duration == part.clip.duration && Int(info.dimensions) == part.clip.dimensions)
      #expect(murmuration_gltf_text(gltf, 2, Int32(index), info.dimensions - 1, &text) == ok)
      #expect(text.map { String(cString: $0) } == part.labels.last)
      #expect(murmuration_gltf_text(gltf, 2, Int32(index), info.dimensions, &text) == MURMURATION_INVALID_COUNT)
      #expect(murmuration_gltf_text(gltf, 1, Int32(index), 0, &text) == MURMURATION_INVALID_CODE)
      let other = try CBatch(dimensions: info.dimensions + 1)
      var clip = murmuration_clip()
      #expect(murmuration_gltf_load_clip(gltf, Int32(index), other.id, &clip, nil) == MURMURATION_WRONG_DIMENSIONS)
    }
    for index in [count, -1] { #expect(murmuration_gltf_describe(gltf, index, &info) == MURMURATION_INVALID_COUNT) }
  }

  @Test func wrongGLTFFilesAreRefused() throws {
    var gltf: murmuration_gltf = 7
    for name in ["glb/refused-cut.glb", "glb/refused-nan.glb", "gltf/refused-scheme.gltf", "csv/edges.csv", "no.gltf"] {
      #expect(murmuration_gltf_open(Self.path(name), &gltf) == MURMURATION_FILE_ERROR, "\(name)")
      #expect(words().contains(Self.path(name)), "\(words())")
    }
    // Bytes have no folder from which side files could be read.
    let side = Array(try Data(contentsOf: URL(fileURLWithPath: Self.path("gltf/side-file.gltf"))))
    #expect(murmuration_gltf_open_bytes(side, Int64(side.count), &gltf) == MURMURATION_FILE_ERROR)
    let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: Self.path("glb/small.glb"))))
    for count in 0..<bytes.count {
      // Memory of exactly that length, so that a step beyond it can be seen.
      #expect(murmuration_gltf_open_bytes(Array(bytes[..<count]), Int64(count), &gltf) == MURMURATION_FILE_ERROR)
    }
    #expect(murmuration_gltf_open_bytes(bytes, -1, &gltf) == MURMURATION_INVALID_COUNT && gltf == 7)
    #expect(murmuration_gltf_open_bytes(bytes, Int64(bytes.count), &gltf) == ok && murmuration_gltf_free(gltf) == ok)
  }
}
