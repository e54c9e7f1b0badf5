// SPDX-License-Identifier: MIT
import Murmuration
import MurmurationReference
import Testing

@testable import SceneReference
@testable import Scenes

struct TimelineSceneTests {
  /// Tracks that are taken and let go, tracks that begin anew in motion, and tracks that turn round.
  static let small = """
    {
      "murmuration": 1, "dimensions": 2, "duration": 6, "framesPerSecond": 25, "seed": 3,
      "groups": [
        {"count": 40, "timelines": [
            {"initialValue": 1, "track": [
              {"type": "cubic", "to": 5, "duration": 0.5}, {"type": "spring", "to": -2, "duration": 0.75, "spring": "bouncy"},
              {"type": "linear", "to": 0, "duration": 0.25, "timingCurve": "easeInOut"}]},
            {"initialValue": 100, "track": [
              {"type": "spring", "to": 130, "duration": 0.5, "spring": "smooth"}, {"type": "move", "to": 90},
              {"type": "cubic", "to": 100, "duration": 1, "startVelocity": -3, "endVelocity": 2}]}
          ],
          "stagger": {"over": 2, "from": "random"}, "offsets": {"shape": "box", "size": 20},
          "playback": {"speed": [0.5, 1.5], "repeats": "forever"},
          "grab": {"at": 2.3, "hold": 0.5, "drag": [3, -7], "waves": {"count": 7, "over": 1}, "from": "center",
            "columns": "square"}},
        {"count": 30, "timelines": [
            {"track": [{"type": "cubic", "to": 5, "duration": 0.5}, {"type": "cubic", "to": 0, "duration": 1}]},
            {"track": [{"type": "spring", "to": 8, "duration": 0.7, "spring": "snappy"}]}
          ],
          "playback": {"speed": 1.5, "repeats": 3, "autoreverses": true}, "stagger": {"over": 3},
          "grab": {"at": 2.71, "waves": {"count": 3, "over": 0.5}}},
        {"count": 30, "timelines": [
            {"track": [{"type": "linear", "to": 2, "duration": 0.5}, {"type": "spring", "to": 0}]},
            {"initialValue": 3, "track": [{"type": "move", "to": 4}, {"type": "linear", "to": 1, "duration": 0.3}]}
          ],
          "repeatEvery": 1.7, "playback": {"speed": -2, "repeats": 4}, "stagger": {"over": 2, "from": "first"}}
      ]
    }
    """

  private func playable(_ text: String = small) throws -> PlayableScene { try PlayableScene(text: text) }

  @Test(arguments: KernelSet.available) func framesAreWithinTheBoundOfTheModel(_ kernels: KernelSet) throws {
    // Other sets have the bits of the portable one.
    let step = kernels == .portable ? 1 : 5
    let result = try playable().checked(kernels, every: step)
    #expect(result.passed, "\(result.value) \(result.velocity)")
    #expect(result.tracks == 100 && result.comparisons == 100 * 2 * 150 / step)
    #expect(result.value.share > 0.01 && result.velocity.share > 0.01, "nothing was compared")
  }

  @Test(arguments: [1e-4, -1e-4]) func aReferenceThatIsWrongFails(_ perturbation: Double) throws {
    #expect(try !playable().checked(perturbation: perturbation).passed)
    // Other starts, speeds and offsets are noticed too.
    var other = try playable()
    other.setSeed(4)
    #expect(try other.isFoundWrong(at: 1, against: playable()))
  }

  @Test func boundsAreNarrow() throws {
    let playable = try playable()
    guard case .timelines(let group) = playable.scene.groups[0].motion else { return #expect(Bool(false), "group 0") }
    var reference = try TimelineReference(group, index: 0, tracks: [0, 5, 39], playable, slowing: 0)
    try reference.play(to: 5)
    for position in 0..<3 {
      #expect(reference.sample(position, 0, at: 5).bound.value < 1e-3)
      #expect(reference.sample(position, 1, at: 5).bound.value < 1e-2)
    }
  }

  @Test func bakedFramesAreTheFrames() throws {
    var baking = try ScenePlayer(playable())
    var playing = try ScenePlayer(playable())
    let block = try baking.bake(80..<82, tracks: 0..<100, velocities: true)
    try playing.advance(toFrame: 81)
    let values = try playing.column(1, group: 2)
    let velocities = try playing.velocities(1, group: 2)
    let numbers = block.numbers[((100 + 70) * 4)...]
    #expect(values.indices.allSatisfy { numbers[numbers.startIndex + 4 * $0 + 1] == values[$0] })
    #expect(values.indices.allSatisfy { numbers[numbers.startIndex + 4 * $0 + 3] == velocities[$0] })
    #expect(velocities.contains { $0 != 0 })
  }

  @Test func aHandTakesDrawsAndLetsGo() throws {
    let text = """
      {"murmuration": 1, "duration": 4, "groups": [{"count": 2,
        "timelines": [{"track": [{"type": "linear", "to": 8, "duration": 2}]}],
        "offsets": {"values": [[0], [100]]}, "grab": {"at": 1, "hold": 1, "drag": [10]}}]}
      """
    var player = try ScenePlayer(playable(text))
    for (time, expected) in [(0.5, 2.0), (1, 4), (1.5, 9), (2, 14), (3, 11), (4, 8)] {
      try player.advance(to: time)
      for (track, value) in try player.column(0).enumerated() {
        #expect(abs(Double(value) - expected - 100 * Double(track)) < 1e-4, "\(time)")
      }
    }
    try player.advance(to: 4.5)
    #expect(player.timelineClock.changes == 4)
    #expect(player.timelineClock.completions == 2)
  }

  @Test func aHandThatHoldsForNoTimeKeepsTheVelocity() throws {
    let text = """
      {"murmuration": 1, "duration": 4, "groups": [{"count": 1, "grab": {"at": 1},
        "timelines": [{"track": [
          {"type": "cubic", "to": 8, "duration": 2, "endVelocity": 4}, {"type": "cubic", "to": 0, "duration": 1}]}]}]}
      """
    var player = try ScenePlayer(playable(text))
    try player.advance(to: 1 - 0x1p-20)
    let before = try player.withVelocities(group: 0, component: 0) { $0[0] }
    try player.advance(to: 1 + 0x1p-20)
    let after = try player.withVelocities(group: 0, component: 0) { $0[0] }
    #expect(before > 3 && abs(before - after) < 1e-3)
  }

  @Test func laterRoundsBeginWhereTheTimelinesDo() throws {
    func text(_ playback: String) -> String {
      """
      {"murmuration": 1, "duration": 9, "groups": [{"count": 1, "grab": {"at": 1, "hold": 0.5, "drag": [50]},
        "timelines": [{"track": [{"type": "linear", "to": 8, "duration": 2}]}], "playback": {\(playback)}}]}
      """
    }
    // At 54 it is let go, after 1.5 s; the round from there ends after 3.5 s, and the next one after 5.5 s.
    for (playback, later) in [
      ("\"repeats\": 2", [4.0, 8, 8]), ("\"repeats\": \"forever\"", [4.0, 2, 6]),
      ("\"repeats\": 3, \"autoreverses\": true", [31.0, 42.5, 8]),
    ] {
      let playable = try playable(text(playback))
      var player = try ScenePlayer(playable)
      for (time, expected) in zip([2.5, 4.5, 6, 9], [31] + later) {
        try player.advance(to: time)
        let value = try Double(player.column(0)[0])
        #expect(abs(value - expected) < 1e-4, "\(playback) at \(time) s: \(value)")
      }
      #expect(try playable.checked().passed)
    }
  }

  @Test(arguments: [
    ("\"repeats\": 3", "\"repeats\": 0", "groups[1].playback.repeats: must be a whole number from 1"),
    ("\"repeats\": 3", "\"repeats\": \"often\"", "groups[1].playback.repeats: unknown number of repeats \"often\""),
    ("\"repeats\": 3", "\"repeats\": 2.5", "groups[1].playback.repeats: must be a whole number from 1"),
    ("\"repeats\": 3", "\"count\": 3", "groups[1].playback: unknown key \"count\""),
    ("[0.5, 1.5]", "[0, 1.5]", "groups[0].grab: needs tracks that play forwards"),
    ("[0.5, 1.5]", "[1.5, 0.5]", "groups[0].playback.speed: must hold the lower end first"),
    ("\"speed\": -2", "\"speed\": 1e7", "groups[2].playback.speed: must be within ±1e6"),
    ("\"duration\": 0.75, ", "", "groups[0].grab: needs springs that have a duration"),
    ("[3, -7]", "[3]", "groups[0].grab.drag: must hold 2 numbers, one a dimension, holds 1"),
    ("\"hold\": 0.5, ", "", "groups[0].grab.drag: needs a hold of more than 0 s"),
    ("\"hold\": 0.5", "\"hold\": -1", "groups[0].grab.hold: must be in [0, 1e6], is -1"),
    ("\"columns\": \"square\"", "\"columns\": \"round\"", "groups[0].grab.columns: must be a number, is a string"),
    ("\"columns\": \"square\"", "\"columns\": 0", "groups[0].grab.columns: must be a whole number from 1 to"),
    ("\"shape\": \"box\"", "\"shape\": \"torus\"", "groups[0].offsets.shape: \"torus\" needs 3 dimensions"),
    ("\"offsets\"", "\"start\"", "groups[0].start: does not go with timelines"),
    ("\"repeatEvery\": 1.7", "\"repeatEvery\": 0.4", "groups[2].repeatEvery: must not be shorter than the timelines"),
  ])
  func mistakesAreNamed(_ old: String, _ new: String, _ expected: String) {
    expectMistake(old, new, in: Self.small, expected)
  }
}
