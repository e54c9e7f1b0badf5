// SPDX-License-Identifier: MIT
@testable import Formats
import Murmuration
import Rigs
import Testing

@testable import Scenes

struct SceneLookTests {
  static func scene(_ look: String, group: String = "{}") throws -> Scene {
    let text = """
      {"murmuration": 1, "dimensions": 2, "duration": 2, "look": \(look), "groups": [
        {"count": 40, "spring": "smooth", "start": {"shape": "grid", "size": 10}, "look": \(group)}]}
      """
    return try SceneSource.decode(Array(text.utf8))
  }

  @Test func aLookIsRead() throws {
    let look = try Self.scene(
      """
      {"camera": {"bounds": [[-5, -6, -7], [5, 6, 7]], "azimuth": 10, "elevation": 20, "lens": 30, "turns": 0.5},
       "background": {"dark": ["#010203", "#040506"], "light": ["#ffffff"], "ink": true}, "trail": 0.25, "still": 1}
      """
    ).look
    #expect(look.camera?.bounds == [[-5, -6, -7], [5, 6, 7]] && look.camera?.lens == 30 && look.camera?.turns == 0.5)
    let background = BackgroundDescription(
      dark: [[1, 2, 3], [4, 5, 6]], light: [[255, 255, 255]], isInked: true)
    #expect(look.background == background && look.trail == 0.25 && look.still == 1)
    let group = try Self.scene(
      "{}", group: ##"{"mark": "heart", "colors": ["#Ff0080"], "axes": {"turn": "y", "x": "x"}}"##
    )
    .groups[0].look
    #expect(group.mark == .heart && group.colours == [[255, 0, 128]] && group.axes == [.turn: "y", .x: "x"])
  }

  @Test func placesThatAreGivenOneByOneKeepTheirNumber() throws {
    let values = (0..<40).map { "[\($0), 0, 0]" }.joined(separator: ", ")
    var playable = try PlayableScene(try Self.scene("{}", group: "{\"place\": {\"values\": [\(values)]}}"))
    #expect(fileError { try playable.setTracks(39) }?.description.contains("must hold 39 values") == true)
  }

  /// The box of a scene whose frame is found by playing holds the marks of every frame.
  @Test func theFrameOfAPictureHoldsTheMarks() throws {
    let text = """
      {"murmuration": 1, "dimensions": 2, "duration": 3, "framesPerSecond": 20, "groups": [
        {"count": 300, "spring": "bouncy", "start": {"shape": "grid", "size": 10},
         "events": [{"at": 0.5, "target": {"shape": "circle", "size": 80, "center": [30, 5]}}]}]}
      """
    let playable = try PlayableScene(text: text)
    let stage = try SceneStage(playable)
    var player = try ScenePlayer(playable)
    var marks = SceneMarks()
    for frame in 0..<playable.frameCount {
      try player.advance(toFrame: frame)
      try stage.groups[0].fill(&marks, group: 0, from: player, velocities: true)
      #expect(marks.x.count == 300 && marks.velocityX.count == 300 && marks.shade.count == 300)
      #expect(marks.x.allSatisfy { (stage.bounds.low.x...stage.bounds.high.x).contains(Double($0)) }, "frame \(frame)")
      #expect(marks.y.allSatisfy { (stage.bounds.low.y...stage.bounds.high.y).contains(Double($0)) }, "frame \(frame)")
    }
  }

  @Test(arguments: BuiltInSceneTests.playable)
  func everyBuiltInSceneHasALookThatShowsItsMarks(_ name: String) throws {
    var playable = try SceneSource.load(name)
    try playable.setTracks(name == "cloths" ? 1600 : 300)
    let stage = try SceneStage(playable)
    var player = try ScenePlayer(playable)
    try player.advance(to: playable.scene.look.still ?? 1)
    var marks = SceneMarks()
    for (index, group) in stage.groups.enumerated() {
      try group.fill(&marks, group: index, from: player, velocities: group.mark == .point)
      #expect(marks.x.count == playable.scene.groups[index].count && marks.x.contains { $0.isFinite })
      #expect(marks.shade.allSatisfy { (0...1).contains($0) || $0.isNaN })
    }
  }

  @Test func aNetworkIsJoinedInRowsAndColumns() throws {
    guard BLAS.configuration != nil else { return }
    let text = """
      {"murmuration": 1, "dimensions": 3, "duration": 1, "groups": [
        {"count": 24, "network": {"form": "grid", "columns": 4, "rows": 3, "stiffness": 100}}]}
      """
    let stage = try SceneStage(try PlayableScene(text: text))
    // Two networks of 3 rows of 3 links, and 2 rows of 4 links between them.
    #expect(stage.groups[0].links.count == 2 * (9 + 8) && stage.groups[0].mark == .line && stage.isSolid)
  }

  @Test func otherSpringsChangeEverySpringOfAScene() throws {
    let scene = try BuiltInScene.named("shapes")!.scene()
    var change = SpringChange()
    #expect(scene.changingSprings(change) == scene)
    change.durationFactor = 2
    change.bounce = -0.2
    let changed = scene.changingSprings(change)
    guard case .springs(let before) = scene.groups[0].motion, case .springs(let after) = changed.groups[0].motion,
      case .shared(let old) = before.springs, case .shared(let new) = after.springs
    else { return #expect(Bool(false), "no springs") }
    #expect(abs(new.spring.duration - 2 * old.spring.duration) < 1e-12)
    #expect(abs(new.spring.bounce - (old.spring.bounce - 0.2)) < 1e-12)
    // However far it goes, a scene can play it.
    for (factor, bounce) in [(1e9, 5.0), (1e-9, -5)] {
      (change.durationFactor, change.bounce) = (factor, bounce)
      for name in ["shapes", "burst", "meadow", "murmuration"] {
        var playable = try SceneSource.load(name)
        try playable.setTracks(200)
        _ = try ScenePlayer(playable.changingSprings(change))
      }
    }
  }
}
