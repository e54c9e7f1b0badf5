// SPDX-License-Identifier: MIT
@testable import Formats
import Murmuration
import Rigs
import SceneReference
import TestSupport
import Testing

@testable import Scenes

struct BuiltInSceneTests {
  /// All scenes; without the package's trait, all that do not need it.
  static let playable = BuiltInScene.all.map(\.name).filter { $0 != "cloths" || BLAS.configuration != nil }

  @Test(arguments: playable)
  func everyBuiltInScenePlaysWithinTheBound(_ name: String) throws {
    var playable = try SceneSource.load(name)
    #expect(playable.scene.name == name && !playable.scene.description.isEmpty)
    try playable.setTracks(Effort.draws(quick: 50, soak: 200))
    try playable.setFramesPerSecond(12)
    let check = try playable.checked()
    #expect(check.passed, "\(check.value) \(check.velocity)")
  }

  @Test func theScenesAreTheOnesThatArePromised() throws {
    let shapes = try SceneSource.load("shapes")
    #expect(shapes.shape == FrameShape(frames: 720, tracks: 100_000, dimensions: 2))
    let hearts = try SceneSource.load("hearts")
    #expect(hearts.shape == FrameShape(frames: 420, tracks: 10_000, dimensions: 4))
    #expect(hearts.scene.components == ["scale", "stretch", "translation", "rotation"])
    #expect(hearts.scene.groups.allSatisfy { if case .timelines = $0.motion { true } else { false } })
  }

  @Test func everyHeartEndsAsItBegan() throws {
    var playable = try SceneSource.load("hearts")
    try playable.setTracks(64)
    var player = try ScenePlayer(playable)
    try player.advance(toFrame: playable.frameCount - 1)
    for (component, rest) in [Float(1), 1, 0, 0].enumerated() {
      let column = try player.column(component)
      #expect(column.allSatisfy { abs($0 - rest) < 1e-3 }, "component \(component)")
    }
  }

  @Test func dataStandBesideTheSceneFile() throws {
    let folder = try TemporaryFolder()
    let scene = """
      {"murmuration": 1, "duration": 1, "groups": [{"count": 2, "spring": "smooth", "follow": {"file": "data.csv"}}]}
      """
    let path = folder.write("scene.json", scene.utf8)
    #expect(
      fileError { try SceneSource.load(path) }?.description
        == "\(path): groups[0].follow.file: \(folder.path("data.csv")): cannot be opened: No such file or directory")
    folder.write("data.csv", "1,2\n3,x\n".utf8)
    #expect(fileError { try SceneSource.load(path) }?.description.contains("data.csv: line 2, column 2: “x”") == true)
    folder.write("data.csv", "1,2\n3,4\n".utf8)
    #expect(try SceneSource.load(path).recordings.first??.values == [1, 2, 3, 4])
  }

  @Test func aRecordingIsFollowedByAsManySpringsAsItHasChannels() throws {
    let folder = try TemporaryFolder()
    let bytes = NPYFixture(shape: [30, 5], values: (0..<150).map(Double.init)).bytes
    let playable = try SceneSource.load(folder.write("data.NPY", bytes))
    #expect(playable.shape == FrameShape(frames: 30, tracks: 5, dimensions: 1))
    #expect(fileError { try SceneSource.load(folder.write("bad.npy", bytes.dropLast())) } != nil)
  }
}
