// SPDX-License-Identifier: MIT
import Formats
import ModalMotion
import Murmuration
import MurmurationReference
import Rigs
import Testing

@testable import SceneReference
@testable import Scenes

/// Groups that events send to targets with animations.
struct AnimationSceneTests {
  /// Curves, springs, modifiers, ranges and staggers; events that come while tracks wait and move.
  static let small = sceneText("animations")

  private func playable(_ text: String = small) throws -> PlayableScene { try PlayableScene(text: text) }

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

  @Test func staggersOfManyEventsAreRefusedBeforeTheyTakeLong() {
    let event = #"{"at": 1, "target": {"shape": "point"}, "stagger": {"over": 1}}"#
    let events = Array(repeating: event, count: 1000).joined(separator: ", ")
    let text = """
      {"murmuration": 1, "duration": 1, "groups": [{"count": 1000000, "animation": "easeIn", "events": [\(events)]}]}
      """
    #expect(fileError { try SceneSource.decode(Array(text.utf8)) }?.place == "groups[0].events")
  }
}

/// Groups of timelines that hands take and leave to springs, of phases, and of networks.
struct GroupSceneTests {
  private func playable(_ text: String = sceneText("timelines")) throws -> PlayableScene {
    try PlayableScene(text: text)
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

  /// (The model walks the course of the same hand, and would not see it.)
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

  /// Two tracks that go from 0 and 100 by 8 within two seconds, a hand, and values of the first at times.
  private static let hands: [(grab: String, playback: String, values: [(Double, Double)])] = [
    (#""hold": 1, "drag": [10]"#, "", [(0.5, 2), (1, 4), (1.5, 9), (2, 14), (3, 11), (4, 8)]),
    // At 54 it is let go, after 1.5 s; the round from there ends after 3.5 s, and the next one after 5.5 s.
    (#""hold": 0.5, "drag": [50]"#, #""repeats": 2"#, [(2.5, 31), (4.5, 4), (6, 8), (9, 8)]),
    (#""hold": 0.5, "drag": [50]"#, #""repeats": "forever""#, [(2.5, 31), (4.5, 4), (6, 2), (9, 6)]),
    (#""hold": 0.5, "drag": [50]"#, #""repeats": 3, "autoreverses": true"#, [(2.5, 31), (4.5, 31), (6, 42.5), (9, 8)]),
    // Taken up again after 2.5 s; the round from there ends after 4.5 s, and the next one after 6.5 s.
    (released, #""repeats": 2"#, [(5.5, 4), (7, 8), (20, 8)]),
    (released, #""repeats": "forever""#, [(5.5, 4), (7, 2), (20, 6)]),
    (released, #""repeats": 5, "autoreverses": true"#, []),
  ]
  private static let released = #""hold": 1, "drag": [10], "release": {"spring": "smooth", "resume": 0.5}"#

  @Test(arguments: hands.indices) func aHandTakesDrawsAndLetsGo(_ index: Int) throws {
    let (grab, playback, values) = Self.hands[index]
    let playable = try playable(
      """
      {"murmuration": 1, "duration": 20, "groups": [{"count": 2, "grab": {"at": 1, \(grab)}, "playback": {\(playback)},
        "timelines": [{"track": [{"type": "linear", "to": 8, "duration": 2}]}], "offsets": {"values": [[0], [100]]}}]}
      """)
    var player = try ScenePlayer(playable)
    for (time, expected) in values {
      try player.advance(to: time)
      let column = try player.column(0)
      let isRight = (0..<2).allSatisfy { abs(Double(column[$0]) - expected - 100 * Double($0)) < 1e-4 }
      #expect(isRight, "\(column) at \(time) s")
    }
    if index == 0 {
      try player.advance(to: 4.5)
      #expect(player.timelineClock.changes == 4 && player.timelineClock.completions == 2)
    }
    #expect(try playable.checked().passed)
  }

  // MARK: - Hands that leave tracks to springs

  private func motion(_ player: borrowing ScenePlayer, _ track: Int = 0) throws -> (value: Double, velocity: Double) {
    (
      try player.withValues(group: 0, component: 0) { Double($0[track]) },
      try player.withVelocities(group: 0, component: 0) { Double($0[track]) }
    )
  }

  /// Two tracks, 100 apart, drawn from 4 to 14 between 1 s and 2 s, where they are let go at 15 per second.
  private func drawn(_ release: String, _ playback: String = "", first: String = "linear") -> String {
    """
    {"murmuration": 1, "duration": 20, "groups": [{"count": 2,
      "timelines": [{"track": [{"type": "\(first)", "to": 8, "duration": 2}]}], "playback": {\(playback)},
      "offsets": {"values": [[0], [100]]}, "grab": {"at": 1, "hold": 1, "drag": [10], "release": {\(release)}}}]}
    """
  }

  @Test(arguments: [0, 0.25]) func theSpringTakesTheValueAndTheVelocityOfTheHand(_ glide: Double) throws {
    let release = "\"spring\": {\"duration\": 0.5, \"bounce\": 0.3}, \"glide\": \(glide)"
    var player = try ScenePlayer(playable(drawn(release)))
    // The way of a hand that lets go in motion, s² (3 − s) / 2.
    for (time, expected) in [(0.5, 2.0), (1, 4), (1.5, 4 + 10 * 0.3125), (2, 14)] {
      try player.advance(to: time)
      for track in 0..<2 { #expect(abs(try motion(player, track).value - expected - 100 * Double(track)) < 1e-4) }
    }
    let spring = Spring(duration: 0.5, bounce: 0.3)
    let target = 14 + glide * 15
    for age in [0, 0.01, 0.1, 0.25, 0.7] {
      try player.advance(to: 2 + age)
      var (value, velocity) = (14.0, 15.0)
      spring.update(value: &value, velocity: &velocity, target: target, deltaTime: age)
      for track in 0..<2 {
        let shown = try motion(player, track)
        #expect(abs(shown.value - value - 100 * Double(track)) < 1e-4, "after \(age) s")
        #expect(abs(shown.velocity - velocity) < 1e-3, "after \(age) s")
      }
    }
    try player.advance(to: 15)
    #expect(try motion(player) == (Double(Float(target)), 0) && player.timelineClock.changes == 4)
  }

  // MARK: - Phases

  @Test func otherTriggersAreFound() throws {
    let other = try playable(sceneText("phases").replacing("\"at\": 3.01", with: "\"at\": 3.02"))
    #expect(try other.isFoundWrong(at: 3.2, against: playable(sceneText("phases"))))
  }

  @Test func tracksWaitForTheirTriggers() throws {
    let text = """
      {"murmuration": 1, "duration": 9, "groups": [{"count": 4, "offsets": {"values": [[0], [1], [2], [3]]},
        "phases": [
          {"target": [10]}, {"target": [20], "spring": {"duration": 1}}, {"target": [30], "spring": {"duration": 1}}],
        "triggers": [{"at": 1, "waves": {"count": 2, "over": 2}}]}]}
      """
    var player = try ScenePlayer(playable(text))
    #expect(try player.column(0) == [10, 11, 12, 13] && player.phaseTracks == 4 && player.springTracks == 0)
    try player.advance(to: 2)
    let values = try player.column(0)
    #expect(values[0] > 19 && values[1] > 20 && values[2...] == [12, 13])
    // Back at the first phase at once, two seconds after each set out.
    try player.advance(to: 3.001)
    #expect(try player.column(0)[0] == 10)
    try player.advance(to: 6)
    #expect(try player.column(0) == [10, 11, 12, 13])
    #expect(player.phaseClock.changes == 4 && player.phaseClock.completions == 4 && player.phaseClock.turns == 12)
  }

  // MARK: - Networks

  @Test(.enabled(if: BLAS.configuration != nil)) func pointsStandAndMove() throws {
    var player = try ScenePlayer(playable(sceneText("networks")))
    #expect(try player.networkTracks == 160 && player.springTracks == 20 && player.column(2).allSatisfy { $0 == 0 })
    // The first cloth's first row, from left to right; the middle of the second cloth is the origin.
    #expect(try player.column(0)[..<8].map { $0 + 20 } == [-3.5, -2.5, -1.5, -0.5, 0.5, 1.5, 2.5, 3.5])
    #expect(try player.column(1)[0] == 3.5 && player.column(1)[63] == -3.5)
    #expect(try player.column(0)[64...127].reduce(0, +) == 0)
    try player.advance(to: 2)
    let moved = try player.column(2)
    #expect(moved.count == 160 && moved.contains { abs($0) > 0.1 } && moved.allSatisfy { abs($0) < 10 })
    // Corners are fixed.
    #expect([0, 7, 56, 63, 64, 128].allSatisfy { moved[$0] == 0 } && player.networkClock.gestures > 3)
    var one = try playable(sceneText("networks"))
    try one.setTracks(2)
    #expect(try ScenePlayer(one).networkTracks == 1)
  }

  @Test func aNetworkNeedsOpenBLAS() {
    let error = fileError { _ = try ScenePlayer(try playable(sceneText("networks"))) }
    if BLAS.configuration != nil {
      #expect(error == nil)
    } else {
      #expect(error?.place == "groups[0].network" && error?.reason.contains("OpenBLAS") == true)
    }
    #if !OpenBLAS
      #expect(error?.reason.contains("trait OpenBLAS") == true)
    #endif
  }
}
