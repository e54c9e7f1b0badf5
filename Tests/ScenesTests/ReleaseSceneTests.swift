// SPDX-License-Identifier: MIT
import Murmuration
import SceneReference
import Testing

@testable import Scenes

/// Tracks of timelines that a hand takes and leaves to springs; some take their timelines up again.
struct ReleaseSceneTests {
  /// Tracks that stay with their springs, others that begin anew while the spring still moves them, others at once.
  static let small = """
    {
      "murmuration": 1, "dimensions": 2, "duration": 6, "framesPerSecond": 25, "seed": 5,
      "groups": [
        {"count": 40, "timelines": [
            {"initialValue": 1, "track": [{"type": "spring", "to": 5}, {"type": "cubic", "to": 1, "duration": 1}]},
            {"initialValue": 100, "track": [{"type": "linear", "to": 130, "duration": 0.9}]}
          ],
          "stagger": {"over": 2, "from": "random"}, "offsets": {"shape": "box", "size": 20},
          "playback": {"speed": [-1.5, 1.5], "repeats": "forever"},
          "grab": {"at": 1.3, "hold": 0.5, "drag": [3, -70], "waves": {"count": 7, "over": 1},
            "from": "center", "columns": "square",
            "release": {"spring": {"duration": 0.6, "bounce": 0.4}, "glide": 0.25}}},
        {"count": 40, "timelines": [
            {"initialValue": 1, "track": [
              {"type": "cubic", "to": 5, "duration": 0.5}, {"type": "cubic", "to": 1, "duration": 0.7}]},
            {"initialValue": 100, "track": [
              {"type": "spring", "to": 130, "duration": 0.8, "spring": "bouncy"}, {"type": "linear", "to": 90, "duration": 0.4}]}
          ],
          "stagger": {"over": 2, "from": "random"}, "offsets": {"shape": "box", "size": 20},
          "playback": {"speed": [0.5, 1.5], "repeats": "forever"},
          "grab": {"at": 1.7, "hold": 0.4, "drag": [-2, 40], "waves": {"count": 5, "over": 1}, "from": "random",
            "release": {"spring": "smooth", "glide": 0.1, "resume": 0.3}}},
        {"count": 20, "timelines": [
            {"track": [{"type": "cubic", "to": 5, "duration": 0.5}, {"type": "cubic", "to": 0, "duration": 1}]},
            {"track": [{"type": "spring", "to": 8, "duration": 0.7, "spring": "snappy"}]}
          ],
          "playback": {"speed": 1.5, "repeats": 3, "autoreverses": true}, "stagger": {"over": 3},
          "grab": {"at": 2.71, "hold": 0.2, "release": {"spring": {"duration": 0.3, "bounce": -0.5}, "resume": 0}}}
      ]
    }
    """

  private func playable(_ text: String = small) throws -> PlayableScene { try PlayableScene(text: text) }

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
    // Springs alone are noticed as well: the timelines are over before the hand comes.
    let early = try playable(drawn("\"spring\": \"bouncy\"", "\"speed\": 3"))
    #expect(try early.checked().passed && !early.checked(perturbation: perturbation).passed)
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
    #expect(try motion(player) == (Double(Float(target)), 0))
    #expect(player.timelineClock.changes == 4)
  }

  @Test(arguments: [0, 0.125, 3]) func aTourIsTakenUpAgainFromTheValueAndTheVelocityOfTheSpring(_ resume: Double) throws
  {
    let release = "\"spring\": {\"duration\": 0.5, \"bounce\": 0.3}, \"glide\": 0.5, \"resume\": \(resume)"
    var player = try ScenePlayer(playable(drawn(release, first: "cubic")))
    let spring = Spring(duration: 0.5, bounce: 0.3)
    var (value, velocity) = (14.0, 15.0)
    try player.advance(to: 2)
    value = try motion(player).value
    spring.update(value: &value, velocity: &velocity, target: value + 7.5, deltaTime: resume)
    try player.advance(to: 2 + resume + 0x1p-16)
    let shown = try motion(player)
    // A spring at rest for a while is at its target, and the first keyframe sets out from there.
    #expect(abs(shown.value - value) < 2e-3)
    #expect(abs(shown.velocity - velocity) < 2e-2)
    try player.advance(to: 2 + resume + 2.5)
    #expect(abs(try motion(player).value - 8) < 1e-4)
    #expect(player.timelineClock.changes == 6)
  }

  @Test func laterRoundsBeginWhereTheTimelinesDo() throws {
    let release = "\"spring\": \"smooth\", \"resume\": 0.5"
    for (playback, later) in [
      // Taken up again after 2.5 s; the round from there ends after 4.5 s, and the next one after 6.5 s.
      ("\"repeats\": 2", [4.0, 8, 8]), ("\"repeats\": \"forever\"", [4.0, 2, 6]),
    ] {
      let playable = try playable(drawn(release, playback))
      var player = try ScenePlayer(playable)
      for (time, expected) in zip([5.5, 7, 20], later) {
        try player.advance(to: time)
        let value = try motion(player).value
        #expect(abs(value - expected) < 1e-4, "\(playback) at \(time) s: \(value)")
      }
      #expect(try playable.checked().passed)
    }
    let turning = try playable(drawn(release, "\"repeats\": 5, \"autoreverses\": true"))
    #expect(try turning.checked().passed)
  }

  @Test(arguments: [
    (#""spring": "smooth", "#, "", "groups[1].grab.release.spring: is missing"),
    (#""spring": "smooth""#, #""spring": "soft""#, #"groups[1].grab.release.spring: unknown spring "soft""#),
    (#""spring": "smooth""#, #""spring": {"duration": 0}"#, "groups[1].grab.release.spring: needs a duration of more"),
    (#""glide": 0.1"#, #""glide": -1"#, "groups[1].grab.release.glide: must be in [0, 100], is -1"),
    (#""glide": 0.1"#, #""glide": 1e3"#, "groups[1].grab.release.glide: must be in [0, 100], is 1000"),
    (#""resume": 0.3"#, #""resume": -1"#, "groups[1].grab.release.resume: must be in [0, 1e6], is -1"),
    (#""resume": 0.3"#, #""again": 1"#, #"groups[1].grab.release: unknown key "again""#),
    (#"{"spring": "smooth", "glide": 0.1, "resume": 0.3}"#, #""smooth""#, "groups[1].grab.release: must be an object"),
    (#""hold": 0.2, "#, "", "groups[2].grab.release: needs a hold of more than 0 s"),
    (#""glide": 0.25"#, #""resume": 1"#, "groups[0].grab: needs tracks that play forwards"),
    (#""duration": 0.8, "#, "", "groups[1].grab: needs springs that have a duration"),
  ])
  func mistakesAreNamed(_ old: String, _ new: String, _ expected: String) {
    expectMistake(old, new, in: Self.small, expected)
  }
}
