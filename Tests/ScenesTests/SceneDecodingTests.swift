// SPDX-License-Identifier: MIT
@testable import Formats
import Murmuration
import Testing

@testable import Scenes

struct SceneDecodingTests {
  /// A small scene that uses most keys.
  static let small = """
    {
      "murmuration": 1, "name": "small", "description": "d", "dimensions": 2, "components": ["left", "right"],
      "framesPerSecond": 30, "duration": 2, "seed": 5,
      "groups": [
        {"name": "a", "count": 3, "spring": {"duration": 0.5, "bounce": 0.25}, "velocity": [1, -1],
          "restTolerance": 0.01, "restVelocity": 0.5,
          "start": {"values": [[0, 0], [1, 1], [2, 2]]},
          "events": [
            {"at": 0.5, "target": {"shape": "grid", "center": [1, 2], "size": [3, 4], "turn": 0.25, "shuffled": true}},
            {"at": 1, "target": {"shape": "point"}, "spring": "bouncy", "waves": {"count": 2, "over": 0.5}}
          ]},
        {"count": 2, "springs": {"duration": [0.2, 0.4], "bounce": 0.1},
          "wander": {"every": 0.25, "waves": 2, "reach": 5, "pace": 0.5, "around": {"shape": "disc"}}},
        {"count": 4, "timelines": [
            {"initialValue": 1, "track": [{"type": "linear", "to": 2, "duration": 0.5}]},
            {"track": [{"type": "move", "to": 3}]}
          ],
          "stagger": {"over": 1, "from": "random"}, "repeatEvery": 1},
        {"count": 50, "spring": "smooth", "start": {"shape": "grid", "size": 10},
          "pointer": {
            "radius": 2, "pull": 0.75, "twist": 0.5, "reach": 5, "pace": 0.5, "movesPerSecond": 30, "spring": "snappy"
          },
          "bursts": [
            {"at": 0.25, "share": 0.1, "from": [1, 2], "speed": 3, "target": {"shape": "disc"}, "spring": "bouncy"},
            {"at": 0.5, "share": 0.001, "from": [1, 2], "speed": [3, 4], "target": {"shape": "point"},
              "springs": {"bounce": 0.5}}
          ]}
      ]
    }
    """

  private func decode(_ text: String) throws(FileError) -> Scene { try SceneSource.decode(Array(text.utf8)) }

  private func preset(_ name: String) throws -> SpringDescription {
    try JSONDocument.decode(SpringDescription.self, from: Array("\"\(name)\"".utf8))
  }

  @Test(arguments: [
    #""wander": {"every": 1e-4, "waves": 10000, "reach": 1, "around": {"shape": "point"}}"#,
    #""pointer": {"radius": 1, "reach": 1, "movesPerSecond": 10000}"#,
    #""events": [\#(Array(repeating: wavy, count: 1001).joined(separator: ", "))]"#,
  ])
  func coursesThatChangeTargetsWithoutEndAreRefused(_ course: String) {
    let text =
      #"{"murmuration": 1, "dimensions": 2, "duration": 1e6, "framesPerSecond": 1, "groups": [{"count": 1, "spring": "smooth", "#
    let error = fileError { try SceneSource.decode(Array((text + course + "}]}").utf8)) }
    #expect(error?.place == "groups[0]" && error?.reason.hasPrefix("changes targets") == true, "\(error as Any)")
  }

  private static let wavy = #"{"at": 1, "target": {"shape": "point"}, "waves": {"count": 10000, "over": 0}}"#

  @Test func everyKeyIsRead() throws {
    let scene = try decode(Self.small)
    #expect(scene.name == "small")
    #expect(scene.components == ["left", "right"])
    #expect(scene.frameCount == 60)
    #expect(scene.trackCount == 59)
    #expect(scene.seed == 5)
    guard case .springs(let first) = scene.groups[0].motion, case .events(let events) = first.course else {
      return #expect(Bool(false), "group 0 is not springs with events")
    }
    #expect(first.velocity == [1, -1])
    #expect(try scene.groups[0].rest == RestTolerances(value: 0.01, velocity: 0.5))
    #expect(scene.groups[1].rest == RestTolerances())
    #expect(first.start?.values == [[0, 0], [1, 1], [2, 2]])
    #expect(events.map(\.time) == [0.5, 1])
    #expect(events[0].target == Layout(.grid, center: [1, 2], size: [3, 4], turn: 0.25, isShuffled: true))
    #expect(events[1].waves == SceneEvent.Waves(count: 2, over: 0.5))
    guard case .springs(let second) = scene.groups[1].motion else { return #expect(Bool(false), "group 1") }
    #expect(second.springs == .drawn(SpringRanges(duration: 0.2...0.4, bounce: 0.1...0.1)))
    #expect(second.course == .wander(Wander(every: 0.25, waves: 2, reach: 5, pace: 0.5, around: Layout(.disc))))
    guard case .timelines(let third) = scene.groups[2].motion else { return #expect(Bool(false), "group 2") }
    #expect(third.stagger == StaggerDescription(1, from: .random(seed: 0)))
    #expect(third.timelines.map(\.initialValue) == [1, 0])
    let pointer = Pointer(
      radius: 2, pull: 0.75, twist: 0.5, reach: 5, pace: 0.5, movesPerSecond: 30, spring: try preset("snappy"))
    let bursts = [
      ParticleBurst(
        at: 0.25, share: 0.1, from: [1, 2], speed: 3...3, target: Layout(.disc),
        springs: .shared(try preset("bouncy"))),
      ParticleBurst(
        at: 0.5, share: 0.001, from: [1, 2], speed: 3...4, target: Layout(.point),
        springs: .drawn(SpringRanges(duration: 0.5...0.5, bounce: 0.5...0.5))),
    ]
    guard case .springs(let fourth) = scene.groups[3].motion else { return #expect(Bool(false), "group 3") }
    #expect(fourth.course == .particles(Particles(pointer: pointer, bursts: bursts)))
  }

  @Test func everyProperPrefixIsRefusedWithItsPlace() {
    expectPrefixesAreRefused(Array(Self.small.utf8), at: "line") { try SceneSource.decode($0) }
  }

  /// A scene of one group, with a part replaced.
  private func replacing(_ old: String, _ new: String) -> String {
    let text = """
      {"murmuration": 1, "dimensions": 2, "duration": 2, "framesPerSecond": 30, "seed": 5, "groups": [
        {"count": 4, "spring": {"bounce": 0.5}, "start": {"shape": "grid", "size": 2},
          "events": [{"at": 1, "target": {"shape": "disc"}}, {"at": 1.5, "target": {"shape": "line"}}]}]}
      """
    let result = text.replacing(old, with: new)
    #expect(result != text, "“\(old)” is not in the scene")
    return result
  }

  @Test(arguments: [
    (#""murmuration": 1"#, #""murmuration": 2"#, "murmuration: is version 2 of the format"),
    (#""murmuration": 1"#, #""murmuration": "1""#, "murmuration: must be the number 1"),
    (#""murmuration": 1, "#, "", "murmuration: is missing"),
    (#""duration": 2, "#, "", "duration: is missing"),
    (#""duration": 2"#, #""duration": -2"#, "duration: must be in [1e-4, 1e6], is -2"),
    (#""duration": 2"#, #""duration": 0"#, "duration: must be in"),
    (#""duration": 2"#, #""duration": 1e999"#, "duration: must be a number that a Double can hold"),
    (#""duration": 2"#, #""duration": NaN"#, "a value cannot start here"),
    (#""duration": 2"#, #""duration": "NaN""#, "duration: must be a number, is a string"),
    (#""duration": 2"#, #""duration": 1e6"#, "duration: makes 30000000 frames; the limit is 10000000"),
    (#""duration": 2"#, #""duration": 2, "duration": 3"#, #"the key "duration" stands twice"#),
    (#""duration": 2"#, #""length": 2"#, #"unknown key "length""#),
    (#""dimensions": 2"#, #""dimensions": 5"#, "dimensions: must be a whole number from 1 to 4, is 5"),
    (#""dimensions": 2"#, #""dimensions": 1"#, #"groups[0].start.shape: "grid" needs 2 dimensions, the scene has 1"#),
    (#""dimensions": 2"#, #""dimensions": 2, "components": ["x"]"#, "components: must hold 2 names"),
    (#""dimensions": 2"#, #""dimensions": 2, "components": ["x", "y,z"]"#, "components[1]: must be a word"),
    (#""framesPerSecond": 30"#, #""framesPerSecond": 0"#, "framesPerSecond: must be in [0.001, 10000], is 0"),
    (#""seed": 5"#, #""seed": -5"#, "seed: must be a whole number"),
    (#""count": 4"#, #""count": 1e12"#, "groups[0].count: must be a whole number from 1 to 16777216"),
    (#""count": 4"#, #""count": -5"#, "groups[0].count: must be a whole number from 1 to 16777216"),
    (#""count": 4"#, #""count": 3.5"#, "groups[0].count: must be a whole number from 1 to 16777216"),
    (#""count": 4"#, #""count": 1e30"#, "groups[0].count: must be a whole number from 1 to 16777216"),
    (#""count": 4"#, #""count": "4""#, "groups[0].count: must be a number, is a string"),
    (#""count": 4"#, #""count": null"#, "groups[0].count: must be a number, is null"),
    (#"{"bounce": 0.5}"#, #"{"bounce": 3}"#, "groups[0].spring.bounce: must be in (−1, 1], is 3"),
    (#"{"bounce": 0.5}"#, #"{"bounce": -1}"#, "groups[0].spring.bounce: must be in (−1, 1], is -1"),
    (#"{"bounce": 0.5}"#, #"{"duration": -1}"#, "groups[0].spring.duration: must be 0 or in"),
    (#"{"bounce": 0.5}"#, #""floppy""#, #"groups[0].spring: unknown spring "floppy""#),
    (#""spring": {"bounce": 0.5}"#, #""springs": {"bounce": [0.5, 0.1]}"#, "springs.bounce: must hold the lower end"),
    (#""spring": {"bounce": 0.5}"#, #""springs": {"duration": [0, 1]}"#, "springs.duration[0]: must be in [1e-4"),
    (#""spring": {"bounce": 0.5}"#, #""springs": {"duration": [1]}"#, "springs.duration: must be a number or an array"),
    (#""spring": {"bounce": 0.5}"#, #""name": "x""#, "groups[0]: must have one of the keys spring, springs"),
    (#""spring": {"bounce": 0.5}"#, #""timelines": []"#, "groups[0].start: does not go with timelines"),
    (#""events""#, #""stagger": {"over": 1}, "events""#, "groups[0].stagger: does not go with spring"),
    (#""events""#, #""follow": {"file": "x"}, "events""#, "groups[0]: has events and follow"),
    (#""events""#, #""velocity": [1], "events""#, "groups[0].velocity: must hold 2 numbers"),
    (#""events""#, #""restTolerance": 0, "events""#, "groups[0].restTolerance: must be in [1e-30, 1e15], is 0"),
    (#""events""#, #""restTolerance": "big", "events""#, "groups[0].restTolerance: must be a number, is a string"),
    (#""events""#, #""restVelocity": 1e31, "events""#, "groups[0].restVelocity: must be in [1e-30, 1e30], is 1e+31"),
    (#""at": 1.5"#, #""at": 0.5"#, "groups[0].events[1].at: must not be before the event before it, at 1, is 0.5"),
    (
      #""at": 1,"#, #""at": 1, "waves": {"count": 2, "over": 1},"#,
      "groups[0].events[1].at: must not be before the waves"
    ),
    (#""at": 1,"#, #""at": -1,"#, "groups[0].events[0].at: must be in [0, 1e6], is -1"),
    (#""shape": "disc""#, #""shape": "dics""#, #"groups[0].events[0].target.shape: unknown shape "dics""#),
    (#""shape": "disc""#, #""shape": "sphere""#, #"groups[0].events[0].target.shape: "sphere" needs 3 dimensions"#),
    (#""size": 2"#, #""size": [1, 2, 3]"#, "groups[0].start.size: must be a number or hold 2"),
    (#""size": 2"#, #""size": -2"#, "groups[0].start.size: must be in [0, 1e14], is -2"),
    (#""size": 2"#, #""size": {}"#, "groups[0].start.size: must be an array of numbers, is an object"),
    (#""size": 2"#, #""center": [0, 1e15]"#, "groups[0].start.center[1]: must be within ±1e14"),
    (#""shape": "grid", "size": 2"#, #""values": [[0, 0]]"#, "groups[0].start.values: must hold 4 values, one a track"),
    (#""shape": "grid""#, #""values": []"#, "groups[0].start.size: does not go with values"),
    (#""groups": ["#, #""groups": [7, "#, "groups[0]: must be an object, is a number"),
  ])
  func mistakesAreNamed(_ old: String, _ new: String, _ expected: String) {
    expectRefusal(expected) { try decode(replacing(old, new)) }
  }

  @Test(arguments: [
    (#""radius": 2"#, #""radius": 0"#, "pointer.radius: must be in (0, 1e14], is 0"),
    (#""radius": 2, "#, "", "pointer.radius: is missing"),
    (#""pull": 0.75"#, #""pull": 1.5"#, "pointer.pull: must be in [0, 1], is 1.5"),
    (#""twist": 0.5"#, #""turn": 0.5"#, #"pointer: unknown key "turn""#),
    (#""movesPerSecond": 30"#, #""movesPerSecond": 0"#, "pointer.movesPerSecond: must be in [0.001, 10000], is 0"),
    (#""at": 0.5, "share""#, #""at": 0.1, "share""#, "bursts[1].at: must not be before the burst before it, at 0.25"),
    (#""share": 0.1"#, #""share": 0"#, "bursts[0].share: must be in (0, 1), is 0"),
    (#""share": 0.1"#, #""share": 0.99"#, "count: is 50, and the bursts take 50 of that; a track must be left"),
    (#""from": [1, 2], "speed": 3"#, #""from": [1], "speed": 3"#, "bursts[0].from: must hold 2 numbers"),
    (#""speed": [3, 4]"#, #""speed": [4, 3]"#, "bursts[1].speed: must hold the lower end first"),
    (#""speed": [3, 4]"#, #""speed": -1"#, "bursts[1].speed: must be in [0, 1e14], is -1"),
    (#""spring": "bouncy"}"#, #""spring": "bouncy", "springs": {}}"#, "bursts[0]: has both spring and springs"),
    (#""count": 50, "spring": "smooth""#, #""count": 50, "springs": {}"#, "pointer: does not go with springs"),
    (#""bursts": ["#, #""events": [], "bursts": ["#, "groups[3]: has events and pointer; one of them moves"),
  ])
  func mistakesAboutParticlesAreNamed(_ old: String, _ new: String, _ expected: String) {
    // The group of particles is the last one; some of its words stand before it too.
    let first = "{\"count\": 50"
    let parts = Self.small.split(separator: first)
    let particles = first + parts[1]
    let changed = particles.replacing(old, with: new)
    #expect(changed != particles, "“\(old)” is not there")
    expectRefusal(expected) { try decode(parts[0] + changed) }
  }

  @Test func aPointerNeedsAPlane() {
    let text = """
      {"murmuration": 1, "duration": 1, "groups": [
        {"count": 9, "spring": "smooth", "start": {"shape": "line"}, "pointer": {"radius": 1, "reach": 1}}]}
      """
    #expect(fileError { try decode(text) }?.description == "groups[0].pointer: needs 2 dimensions, the scene has 1")
  }

  @Test(arguments: ["../x.csv", "/etc/passwd", "a/b.csv", "..", ".", "", "a\\\\b.csv", "a\\u0000.csv"])
  func onlyPlainNamesAreFollowed(_ name: String) {
    let text = """
      {"murmuration": 1, "duration": 1, "groups": [{"count": 1, "spring": "smooth", "follow": {"file": "\(name)"}}]}
      """
    #expect(fileError { try decode(text) }?.place == "groups[0].follow.file")
  }

  @Test func textThatIsNotJSONIsRefusedWithItsPlace() {
    let bom: [UInt8] = [0xEF, 0xBB, 0xBF] + Array(Self.small.utf8)
    let wide = Self.small.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    let bomb = Array(String(repeating: "[", count: 1_000_000).utf8)
    let deep = Array("{\"murmuration\": 1, \"groups\": \(String(repeating: "[", count: 600))".utf8)
    var random = SceneRandom(seed: 1, purpose: .sample, group: 0)
    let junk = (0..<4096).map { _ in UInt8(truncatingIfNeeded: random.next()) }
    for bytes in [[], bom, wide, [0xFF, 0xFE] + wide, bomb, deep, junk] {
      #expect(fileError { try SceneSource.decode(bytes) }?.place.isEmpty == false)
    }
  }

  @Test func aMillionTracksInManyGroupsAreCountedTogether() {
    let group = "{\"count\": 16777216, \"spring\": \"smooth\"}"
    let text = "{\"murmuration\": 1, \"duration\": 1, \"groups\": [\(group), \(group)]}"
    #expect(fileError { try decode(text) }?.description.hasPrefix("groups[1].count: makes more than") == true)
  }

  @Test func timelinesAreOneADimensionAndEndBeforeTheyRepeat() {
    func scene(_ timelines: String, _ rest: String = "") -> String {
      "{\"murmuration\": 1, \"duration\": 1, \"groups\": [{\"count\": 1, \"timelines\": [\(timelines)]\(rest)}]}"
    }
    let one = "{\"track\": [{\"type\": \"linear\", \"to\": 1, \"duration\": 0.5}]}"
    #expect(throws: Never.self) { try decode(scene(one, ", \"repeatEvery\": 0.5")) }
    #expect(
      fileError { try decode(scene("\(one), \(one)")) }?.description
        == "groups[0].timelines: must hold 1 timelines, one a dimension, holds 2")
    #expect(
      fileError { try decode(scene(one, ", \"repeatEvery\": 0.4")) }?.place == "groups[0].repeatEvery")
    #expect(
      fileError { try decode(scene(one.replacing("0.5", with: "-0.5"))) }?.place
        == "groups[0].timelines[0].track[0].duration")
  }
}
