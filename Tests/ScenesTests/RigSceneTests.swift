// SPDX-License-Identifier: MIT
import Formats
import Foundation
import Murmuration
import SceneReference
import TestSupport
import Testing

@testable import Scenes

/// Instances of the animations of glTF files, played by batches.
struct RigSceneTests {
  /// A file with two animations. The first has two translations. The second has all properties, with jumps, a rotation
  /// whose signs take the longer way, and two keys at one time.
  private static let two = Fixtures.path("Scenes/two.gltf")

  static func playable() throws -> PlayableScene {
    var playable = try SceneSource.load(two)
    try playable.setTracks(40)
    try playable.setFramesPerSecond(32)
    return playable
  }

  @Test(arguments: KernelSet.available)
  func framesAreWithinTheBoundOfTheSpecification(_ kernels: KernelSet) throws {
    let result = try Self.playable().checked(kernels)
    #expect(result.passed, "\(result.value)")
    #expect(result.tracks == 40 && result.comparisons == 40 * 20 * (6 + 12))
    #expect(result.value.share > 0.01, "nothing was compared")
    #expect(result.value.bound < 1e-4 && !result.comparesVelocities)
  }

  @Test func everyAnimationHasTheColumnsOfAll() throws {
    let scene = try Self.playable()
    let names = scene.scene.components
    let properties = [
      ("n1.translation", "xyz"), ("n0.translation", "xyz"), ("n1.rotation", "xyzw"), ("n2.scale", "xyz"),
    ]
    #expect(Array(names[..<13]) == properties.flatMap { name, letters in letters.map { "\(name).\($0)" } })
    #expect(names[13...] == ["n3.weights[0]", "n3.weights[1]"] && scene.shape.dimensions == 15)
    #expect(scene.scene.groups.map(\.name) == ["slides", "all"] && scene.scene.groups.map(\.count) == [20, 20])
    var player = try ScenePlayer(scene)
    try player.advance(to: 0.5)
    for component in 0..<15 {
      let (slides, all) = (try player.column(component, group: 0), try player.column(component, group: 1))
      #expect(slides.count == 20 && slides.allSatisfy { $0.isNaN == (component >= 6) }, "\(component)")
      #expect(all.count == 20 && all.allSatisfy { $0.isNaN == (component < 3) }, "\(component)")
    }
  }

  /// Names of a file are printed on terminals, which obey control characters.
  @Test func namesHoldNoControlCharacters() throws {
    var fixture = GLTFFixture.small()
    fixture.nodes[0] = #"{"name": "a\u001B[31m\n"}"#
    let text = fixture.json(uri: nil).replacing("\"channels\":", with: #""name": "b\u001B[2J", "channels":"#)
    let file = try GLTFScene(GLTFDocument(GLTFFixture.binary(json: text, buffer: fixture.buffer)))
    let scene = try RigFile(file).scene(name: "c")
    #expect(scene.groups[0].name == "b\u{FFFD}[2J" && scene.components[0] == "a\u{FFFD}[31m\u{FFFD}.translation.x")
    #expect(file.parts[0].name == "b\u{1B}[2J")
  }

  @Test func instancesHaveClocksOfTheirOwnAndRepeat() throws {
    let scene = try Self.playable()
    var player = try ScenePlayer(scene)
    try player.advance(to: 0.4)
    let first = try player.column(3, group: 0)
    #expect(Set(first).count > 10)
    try player.advance(to: 0.4 + 3 * 1.25)
    let later = try player.column(3, group: 0)
    #expect(zip(first, later).allSatisfy { abs($0 - $1) < 1e-5 })
    #expect(player.rigTracks == 40 && player.rigClock.repeats > 40 && player.rigClock.values == 2 * 20 * (6 + 12))
  }

  @Test func velocitiesAreThoseOfTheMotion() throws {
    var player = try ScenePlayer(try Self.playable())
    try player.advance(to: 0.5)
    let velocities = try player.velocities(3)
    // 1 holds until 0.25 s; 8 a second until 0.5 s, then back.
    for slope: Float in [0, 8, -16 / 3] {
      #expect(velocities.contains { abs($0 - slope) < 1e-5 }, "\(slope)")
    }
    #expect(velocities.allSatisfy { abs($0) < 1e-5 || abs($0 - 8) < 1e-5 || abs($0 + 16 / 3) < 1e-5 })
    let absent = try player.withVelocities(group: 0, component: 8) { $0[0] }
    #expect(absent.isNaN)
  }

  @Test func tracksAreInstances() throws {
    var scene = try SceneSource.load(Self.two)
    #expect(scene.shape.tracks == 1000 && scene.scene.duration == 1.25 && scene.frameCount == 75)
    try scene.setTracks(7)
    #expect(scene.scene.groups.map(\.count) == [3, 4] || scene.scene.groups.map(\.count) == [4, 3])
    #expect(fileError { try scene.setTracks(1) }?.description.contains("must be at least 2") == true)
    #expect(
      fileError { try scene.setTracks(16_000_000) }?.description
        == "--tracks: must be at most 4473924 with 15 values a track, is 16000000")
  }

  @Test func namesOfColumnsHoldNoSeparators() throws {
    let text = try Fixtures.text("Scenes/two.gltf").replacing("\"n1\"", with: "\"left, \\\"upper\\\"\\n\"")
    let folder = try TemporaryFolder()
    let scene = try SceneSource.load(folder.write("two.gltf", text))
    #expect(
      scene.columnNames[0] == "left_ _upper_\u{FFFD}.translation.x." && scene.columnNames[3] == "n0.translation.x.")
  }

  /// An animation of one key at time 0 is a pose.
  @Test func aPoseStandsStill() throws {
    let fixture = GLTFFixture("scale", nil, [0], [1, 2, 3], "VEC3")
    let folder = try TemporaryFolder()
    var scene = try SceneSource.load(fixture.write(.binary, to: folder))
    try scene.setTracks(3)
    #expect(try scene.frameCount == 60 && scene.checked().passed)
    var player = try ScenePlayer(scene)
    try player.advance(to: 5)
    #expect(try player.column(1, group: 0) == [2, 2, 2])
  }

  @Test func moreAnimationsThanGroupsAreRefused() throws {
    let fixture = GLTFFixture("scale", nil, [0], [1, 2, 3], "VEC3")
    let one = """
      {"channels": [{"sampler": 0, "target": {"node": 0, "path": "scale"}}], "samplers": [{"input": 0, "output": 1}]}
      """
    let uri = "data:application/octet-stream;base64,\(Data(fixture.buffer).base64EncodedString())"
    let folder = try TemporaryFolder()
    for (count, expected) in [(1024, nil), (1025, "holds 1025 animations; 1024 is the limit")] {
      let more = String(repeating: one + ", ", count: count - 1)
      let text = fixture.json(uri: uri).replacing("\"animations\": [", with: "\"animations\": [\(more)")
      let path = folder.write("many.gltf", text.utf8)
      #expect(fileError { try SceneSource.load(path) }?.reason == expected)
    }
  }
}

/// Real files.
struct RigAssetTests {
  @Test(arguments: ["animated_triangle.gltf", "box_animated.gltf", "rigged_simple.gltf", "fox.gltf", "Fox.glb"])
  func framesAreWithinTheBoundOfTheSpecification(_ name: String) throws {
    var playable = try SceneSource.load(Fixtures.path(name))
    try playable.setTracks(12)
    try playable.limit(frames: 30)
    let check = try playable.checked()
    #expect(check.passed && check.value.share > 1e-3, "\(check.value)")
  }
}
