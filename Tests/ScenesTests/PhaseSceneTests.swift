// SPDX-License-Identifier: MIT
import Formats
import Murmuration
import SceneReference
import Testing

@testable import Scenes

struct PhaseSceneTests {
  /// Phases for ever, with a jump, and phases at triggers that meet tracks on their way.
  static let small = """
    {
      "murmuration": 1, "dimensions": 2, "duration": 5, "framesPerSecond": 24, "seed": 2,
      "groups": [
        {"count": 40, "phases": [
            {"target": [0, 10], "spring": "bouncy"}, {"target": [4, -3], "spring": {"duration": 0.3, "bounce": -0.4}},
            {"target": [4, 8]}, {"target": [-2, 1], "spring": {"duration": 0.25}}
          ],
          "stagger": {"over": 1.5, "from": "random"}, "offsets": {"shape": "box", "size": 5}},
        {"count": 40, "phases": [
            {"target": [0, 0], "spring": "smooth"}, {"target": [3, 1], "spring": "snappy"},
            {"target": [3, 1], "spring": "snappy"}, {"target": [5, -1], "spring": {"duration": 0.2, "bounce": 0.3}}
          ],
          "triggers": [
            {"at": 0.25, "waves": {"count": 8, "over": 0.5}, "from": "center", "columns": "square"}, {"at": 0.9}, {"at": 0.9},
            {"at": 3.01, "waves": {"count": 3, "over": 0.5}}
          ]}
      ]
    }
    """

  private func playable(_ text: String = small) throws -> PlayableScene { try PlayableScene(text: text) }

  @Test(arguments: KernelSet.available) func framesAreWithinTheBoundOfTheModel(_ kernels: KernelSet) throws {
    let result = try playable().checked(kernels)
    #expect(result.passed, "\(result.value) \(result.velocity)")
    #expect(result.tracks == 80 && result.comparisons == 80 * 2 * 120)
    #expect(result.value.share > 0.01 && result.velocity.share > 0.01, "nothing was compared")
  }

  @Test(arguments: [1e-4, -1e-4]) func aReferenceThatIsWrongFails(_ perturbation: Double) throws {
    #expect(try !playable().checked(perturbation: perturbation).passed)
    // A player that plays other triggers is noticed too.
    let other = try playable(Self.small.replacing("\"at\": 3.01", with: "\"at\": 3.02"))
    #expect(try other.isFoundWrong(at: 3.2, against: playable()))
  }

  @Test func tracksWaitForTheirTriggers() throws {
    let text = """
      {"murmuration": 1, "duration": 9, "groups": [{"count": 4, "offsets": {"values": [[0], [1], [2], [3]]},
        "phases": [
          {"target": [10]}, {"target": [20], "spring": {"duration": 1}}, {"target": [30], "spring": {"duration": 1}}],
        "triggers": [{"at": 1, "waves": {"count": 2, "over": 2}}]}]}
      """
    var player = try ScenePlayer(playable(text))
    #expect(try player.column(0) == [10, 11, 12, 13])
    #expect(player.phaseTracks == 4 && player.springTracks == 0)
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

  @Test(arguments: [
    ("\"target\": [4, 8]", "\"target\": [4]", "groups[0].phases[2].target: must hold 2 numbers, one a dimension"),
    ("\"target\": [4, 8]", "\"target\": [4, 1e15]", "groups[0].phases[2].target[1]: must be within ±1e14"),
    ("\"target\": [4, 8]", "\"spring\": \"smooth\"", "groups[0].phases[2].target: is missing"),
    ("{\"target\": [4, 8]}", "7", "groups[0].phases[2]: must be an object, is a number"),
    ("\"spring\": \"bouncy\"", "\"animation\": \"bouncy\"", "groups[0].phases[0]: unknown key \"animation\""),
    ("\"spring\": \"bouncy\"", "\"spring\": \"springy\"", "groups[0].phases[0].spring: unknown spring \"springy\""),
    ("\"triggers\"", "\"stagger\": {\"over\": 1}, \"triggers\"", "groups[1].stagger: does not go with triggers"),
    ("\"triggers\"", "\"events\": [], \"triggers\"", "groups[1].events: does not go with phases"),
    ("{\"at\": 0.9}", "{\"at\": 0.7}", "groups[1].triggers[1].at: must not be before the end of the trigger before it"),
    ("{\"at\": 0.9}", "{\"at\": -1}", "groups[1].triggers[1].at: must be in [0, 1e6], is -1"),
    ("\"count\": 8", "\"count\": 20000", "groups[1].triggers[0].waves.count: must be a whole number from 1 to 10000"),
    ("\"center\"", "\"middle\"", "groups[1].triggers[0].from: unknown place \"middle\""),
    ("\"columns\": \"square\"", "\"order\": \"ripple\"", "groups[1].triggers[0]: unknown key \"order\""),
    ("\"phases\"", "\"spring\": \"smooth\", \"phases\"", "groups[0]: must have one of the keys"),
  ])
  func mistakesAreNamed(_ old: String, _ new: String, _ expected: String) {
    expectMistake(old, new, in: Self.small, expected)
  }

  @Test func roundsWithoutEndAreRefused() {
    let text = """
      {"murmuration": 1, "duration": 1e6, "framesPerSecond": 1, "groups": [{"count": 1,
        "phases": [{"target": [1]}, {"target": [0], "spring": {"duration": 1e-3}}]}]}
      """
    #expect(fileError { try SceneSource.decode(Array(text.utf8)) }?.reason.hasPrefix("changes targets") == true)
    let none = "{\"murmuration\": 1, \"duration\": 1, \"groups\": [{\"count\": 1, \"phases\": []}]}"
    #expect(
      fileError { try SceneSource.decode(Array(none.utf8)) }?.description.hasPrefix(
        "groups[0].phases: must hold 1 to 1000 phases") == true)
  }
}
