// SPDX-License-Identifier: MIT
@testable import Formats
import Murmuration
import Testing

@testable import Scenes

/// `plot` draws the phases that a batch plays.
struct PhaseMotionTests {
  private func group(_ phases: String, triggered: Bool) throws -> (PhaseGroup, PlayableScene) {
    let text = """
      {"murmuration": 1, "dimensions": 2, "duration": 9, "groups": [{"count": 1, "phases": [\(phases)]
        \(triggered ? ", \"triggers\": [{\"at\": 0}]" : "")}]}
      """
    let playable = try PlayableScene(SceneSource.decode(Array(text.utf8)))
    guard case .phases(let group) = playable.scene.groups[0].motion else { throw FileError("no phases") }
    return (group, playable)
  }

  private static let mixed = """
    {"target": [1, 0], "spring": "smooth"}, {"target": [2, 0], "spring": {"duration": 0.25, "bounce": 0.5}},
    {"target": [2, 30]}, {"target": [-1, 30], "spring": {"duration": 0.5, "bounce": -0.5}},
    {"target": [-1, 30], "spring": "bouncy"}, {"target": [0, -5], "spring": "snappy"}
    """

  @Test(arguments: [
    (mixed, true), (mixed, false), ("{\"target\": [4, 5], \"spring\": \"smooth\"}", false),
    ("{\"target\": [0, 0]}, {\"target\": [1, 2]}", false), ("{\"target\": [0, 0]}, {\"target\": [1, 2]}", true),
    ("{\"target\": [1, 2], \"spring\": \"smooth\"}, {\"target\": [1, 2], \"spring\": \"smooth\"}", false),
    ("{\"target\": [0, 0]}, {\"target\": [9, -9], \"spring\": \"bouncy\"}", false),
    // The last step leads to the track's current target, and leaves it its spring.
    (
      """
      {"target": [4, 5], "spring": {"duration": 2}}, {"target": [0, 9], "spring": "smooth"},
      {"target": [4, 5], "spring": {"duration": 0.5, "bounce": 0.8}}
      """, true
    ),
  ])
  func itIsWhatABatchShows(_ phases: String, triggered: Bool) throws {
    let (group, playable) = try group(phases, triggered: triggered)
    let motion = PhaseMotion(group, until: 8)
    var player = try ScenePlayer(playable)
    // At rest the batch shows the target, which is nearer than 0.001. Before that, at most eight consecutive motions still
    // matter, with 8 · 2⁻²⁴ · S each; S is below 40. Velocities: times the largest ω₀.
    let (bound, fastest) = (0.001 + 8 * 8 * 0x1p-24 * 40, 2 * Double.pi / 0.25)
    // Moments between frames: at a jump itself the batch is there already.
    for step in 0..<200 {
      let time = Double(step) / 25 + 0.0037
      try player.advance(to: time)
      for component in 0..<2 {
        let value = try player.withValues(group: 0, component: component) { Double($0[0]) }
        let velocity = try player.withVelocities(group: 0, component: component) { Double($0[0]) }
        #expect(abs(motion.value(component, at: time) - value) <= bound, "\(component) at \(time)")
        #expect(abs(motion.velocity(component, at: time) - velocity) <= bound * fastest, "\(component) at \(time)")
      }
    }
  }

  @Test func stepsFollowTheDurations() throws {
    let (triggered, _) = try group(Self.mixed, triggered: true)
    let motion = PhaseMotion(triggered, until: 100)
    #expect(motion.steps.map(\.phase) == [1, 2, 3, 4, 5, 0])
    #expect(motion.steps.map(\.start) == [0, 0.25, 0.25, 0.75, 0.75, 1.25])
    #expect(motion.cycle == 1.75 && motion.length > 1.75 && motion.length < 4)
    let (endless, _) = try group(Self.mixed, triggered: false)
    #expect(PhaseMotion(endless, until: 3.5).steps.map(\.start).last == 3.5)
    #expect(PhaseMotion(endless, until: 3.5).length == .infinity)
    #expect(PhaseMotion.stepCount(endless, until: 1e9) > 3e9)
  }

  @Test func aRoundWithoutDurationEnds() throws {
    let (jumps, _) = try group("{\"target\": [0, 0]}, {\"target\": [1, 2]}, {\"target\": [3, 3]}", triggered: false)
    let motion = PhaseMotion(jumps, until: 1e9)
    #expect(motion.steps.count == 3 && motion.cycle == 0 && motion.length == 0)
    #expect(motion.value(0, at: 5) == 0 && motion.velocity(0, at: 5) == 0)
  }
}
