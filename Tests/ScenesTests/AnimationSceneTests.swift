// SPDX-License-Identifier: MIT
import Formats
import Murmuration
import SceneReference
import Testing

@testable import Scenes

/// Groups that events send to targets with animations.
struct AnimationSceneTests {
  /// Curves, springs, modifiers, ranges and staggers; events that come while tracks wait and move.
  static let small = """
    {
      "murmuration": 1, "dimensions": 2, "duration": 4, "framesPerSecond": 25, "seed": 3,
      "groups": [
        {"count": 40, "start": {"shape": "box", "size": 20}, "restTolerance": 0.01,
          "animation": {"curve": "easeInOut", "duration": 0.75, "speed": 1.25}, "stagger": {"over": 1.5, "from": "random"},
          "events": [
            {"at": 0.25, "target": {"shape": "box", "size": 90}},
            {"at": 1.2, "target": {"shape": "line", "size": 50}, "animation": "bouncy", "stagger": {"each": 0.01}},
            {"at": 2, "target": {"shape": "point"}, "animation": {"curve": {"bezier": [0.3, 0, 0.1, 1.4]}, "delay": 0.125},
              "stagger": {"over": 0.5, "from": [2, 1], "columns": 7, "ease": "easeOutQuad"}}
          ]},
        {"count": 30, "animation": {
            "curve": "easeOut", "duration": [0.3, 0.8], "speed": [0.5, 1], "delay": [-0.1, 0.4], "repeats": "forever",
            "autoreverses": true
          },
          "events": [{"at": 0, "target": {"shape": "box", "size": 50}}]},
        {"count": 30, "animation": {"spring": "snappy", "repeats": 3},
          "events": [{"at": 0.5, "target": {"shape": "line", "size": 50}}, {"at": 3, "target": {"shape": "point"}}]}
      ]
    }
    """

  private func playable(_ text: String = small) throws -> PlayableScene { try PlayableScene(text: text) }

  @Test(arguments: KernelSet.available) func framesAreWithinTheBoundOfTheModel(_ kernels: KernelSet) throws {
    let step = kernels == .portable ? 1 : 5
    let result = try playable().checked(kernels, every: step)
    #expect(result.passed, "\(result.value) \(result.velocity)")
    #expect(result.tracks == 100 && result.comparisons == 100 * 2 * 100 / step)
    #expect(result.value.share > 0.01 && result.velocity.share > 0.01, "nothing was compared")
  }

  @Test(arguments: [1e-3, -1e-3]) func aReferenceThatIsWrongFails(_ perturbation: Double) throws {
    #expect(try !playable().checked(perturbation: perturbation).passed)
    var other = try playable()
    other.setSeed(4)
    #expect(try other.isFoundWrong(at: 1, against: playable()))
  }

  /// The values of five tracks that go from 0 to 100, each a time after the one before. The group or its event has the
  /// animation and the stagger; the group's are others then.
  private func values(
    _ animation: String, each seconds: Double = 0, inEvent: Bool = false, at time: Double
  ) throws -> [Float] {
    let own = #""animation": \#(animation), "stagger": {"each": \#(seconds)}"#
    let group = inEvent ? #""animation": "smooth", "stagger": {"over": 3}"# : own
    let text = """
      {"murmuration": 1, "duration": 9, "groups": [{"count": 5, \(group),
        "events": [{"at": 1, "target": {"shape": "point", "center": [100]}\(inEvent ? ", " + own : "")}]}]}
      """
    var player = try ScenePlayer(playable(text))
    try player.advance(to: time)
    return try player.column()
  }

  /// Animations, and their values after some seconds.
  private static let formulas: [(String, @Sendable (Double) -> Double)] = [
    (#"{"curve": "easeOut", "duration": 2}"#, { 100 * UnitCurve.easeOut.value(at: min($0 / 2, 1)) }),
    (#""easeIn""#, { 100 * UnitCurve.easeIn.value(at: min($0 / 0.35, 1)) }),
    (#"{"curve": "linear", "duration": 1, "speed": 0.5}"#, { min(50 * $0, 100) }),
    (#"{"curve": "linear", "duration": 1, "delay": 0.25}"#, { min(max(100 * ($0 - 0.25), 0), 100) }),
    (#"{"curve": "linear", "duration": 1, "delay": -0.25}"#, { min(100 * ($0 + 0.25), 100) }),
    (#"{"curve": "linear", "duration": 1, "repeats": 2}"#, { $0 < 1 ? 100 * $0 : min(100 * ($0 - 1), 100) }),
    (
      #"{"curve": "linear", "duration": 1, "repeats": "forever", "autoreverses": true}"#,
      { 100 * (1 - abs($0.truncatingRemainder(dividingBy: 2) - 1)) }
    ),
    (#"{"spring": "bouncy"}"#, { Spring.bouncy.value(target: 100, time: $0) }),
  ]

  /// Every key has the meaning that its formula says, of the seconds since a track set out.
  @Test(arguments: formulas.indices, [false, true])
  func everyModifierIsTheModels(_ index: Int, inEvent: Bool) throws {
    let (animation, value) = Self.formulas[index]
    for time in [0.5, 1.125, 1.4, 1.75, 2.3, 3.6] {
      let shown = try values(animation, each: 0.25, inEvent: inEvent, at: time)
      for (track, shown) in shown.enumerated() {
        let since = time - 1 - 0.25 * Double(track)
        let expected = since < 0 ? 0 : value(since)
        #expect(abs(Double(shown) - expected) < 2e-3, "\(animation), track \(track) at \(time) s")
      }
    }
  }

  @Test func rangesGiveEachTrackItsOwn() throws {
    for key in ["duration", "speed", "delay"] {
      let others = key == "duration" ? "" : #", "duration": 2"#
      let drawn = try values(#"{"curve": "linear"\#(others), "\#(key)": [0.5, 1]}"#, at: 1.6)
      let low = try values(#"{"curve": "linear"\#(others), "\#(key)": 0.5}"#, at: 1.6)[0]
      let high = try values(#"{"curve": "linear"\#(others), "\#(key)": 1}"#, at: 1.6)[0]
      #expect(Set(drawn).count > 1 && drawn.allSatisfy { min(low, high)...max(low, high) ~= $0 }, "\(key): \(drawn)")
    }
  }

  @Test func bakedFramesAreTheFrames() throws {
    var baking = try ScenePlayer(playable())
    var playing = try ScenePlayer(playable())
    let block = try baking.bake(0..<100, tracks: 0..<100, velocities: false)
    for frame in 0..<100 {
      try playing.advance(toFrame: frame)
      for (group, first) in [(0, 0), (1, 40), (2, 70)] {
        for (track, value) in try playing.column(1, group: group).enumerated() {
          let baked = block.numbers[(frame * 100 + first + track) * 2 + 1]
          #expect(abs(baked - value) < 1e-3, "frame \(frame), group \(group), track \(track)")
        }
      }
    }
  }

  @Test func staggersOfManyEventsAreRefusedBeforeTheyTakeLong() {
    let event = #"{"at": 1, "target": {"shape": "point"}, "stagger": {"over": 1}}"#
    let events = Array(repeating: event, count: 1000).joined(separator: ", ")
    let text = """
      {"murmuration": 1, "duration": 1, "groups": [{"count": 1000000, "animation": "easeIn", "events": [\(events)]}]}
      """
    #expect(fileError { try SceneSource.decode(Array(text.utf8)) }?.place == "groups[0].events")
  }

  @Test(arguments: [
    ("\"curve\": \"easeOut\"", "\"curve\": \"easeUp\"", "groups[1].animation.curve: unknown curve \"easeUp\""),
    (
      "\"animation\": \"bouncy\"", "\"animation\": \"floppy\"",
      "groups[0].events[1].animation: unknown animation \"floppy\""
    ),
    ("[0.3, 0.8]", "[0.8, 0.3]", "groups[1].animation.duration: must hold the lower end first"),
    ("[0.3, 0.8]", "[0.3, -1]", "groups[1].animation.duration[1]: must be in [0, 1e6], is -1"),
    ("[0.5, 1]", "0", "groups[1].animation.speed: must be in (0, 1e6], is 0"),
    ("[-0.1, 0.4]", "1e7", "groups[1].animation.delay: must be within ±1e6, is 10000000"),
    ("\"forever\"", "\"often\"", "groups[1].animation.repeats: unknown number of repeats \"often\""),
    ("\"repeats\": \"forever\",", "", "groups[1].animation.autoreverses: goes with repeats"),
    ("\"repeats\": 3", "\"repeat\": 3", "groups[2].animation: unknown key \"repeat\""),
    (
      "\"spring\": \"snappy\"", "\"curve\": {\"linear\": [[0, 0], [1e-9, 100]]}",
      "groups[2].animation: the value at the end of the curve must be finite and within ±1e10"
    ),
    ("\"over\": 0.5", "\"over\": -0.5", "groups[0].events[2].stagger.over: must be in [0, 1e6], is -0.5"),
    ("{\"each\": 0.01}", "{\"over\": 1, \"ease\": \"easeInBack\"}", "groups[0].events[1].stagger: a delay must be in"),
    ("\"stagger\": {\"each\"", "\"waves\": {\"each\"", "groups[0].events[1]: unknown key \"waves\""),
    ("\"at\": 1.2", "\"at\": 0.2", "groups[0].events[1].at: must not be before the event before it, at 0.25, is 0.2"),
    ("\"shape\": \"point\"", "\"shape\": \"torus\"", "groups[0].events[2].target.shape: \"torus\" needs 3 dimensions"),
    ("\"start\"", "\"velocity\"", "groups[0].velocity: does not go with animation"),
    ("\"restTolerance\": 0.01", "\"restTolerance\": 0", "groups[0].restTolerance: must be in [1e-30, 1e15], is 0"),
    (
      "\"restTolerance\": 0.01", "\"spring\": \"smooth\"",
      "groups[0]: must have one of the keys spring, springs, animation"
    ),
  ])
  func mistakesAreNamed(_ old: String, _ new: String, _ expected: String) {
    expectMistake(old, new, in: Self.small, expected)
  }
}
