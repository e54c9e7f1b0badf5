// SPDX-License-Identifier: MIT
@testable import Formats
import Murmuration
import Testing

@testable import Scenes

struct SceneDecodingTests {
  /// A small scene that uses most keys.
  static let small = sceneText("small")

  private func decode(_ text: String) throws(FileError) -> Scene { try SceneSource.decode(Array(text.utf8)) }

  private func preset(_ name: String) throws -> SpringDescription {
    try JSONDocument.decode(SpringDescription.self, from: Array("\"\(name)\"".utf8))
  }

  @Test func manyWavesAreRefusedBeforeTheyTakeLong() {
    let wave = #"{"at": 1, "target": {"shape": "point"}, "waves": {"count": 10000, "over": 0}}"#
    let events = Array(repeating: wave, count: 1001).joined(separator: ", ")
    expectRefusal("groups[0]: changes targets") {
      try decode(
        #"{"murmuration": 1, "duration": 2, "groups": [{"count": 1, "spring": "smooth", "events": [\#(events)]}]}"#)
    }
  }

  @Test func everyKeyIsRead() throws {
    let scene = try decode(Self.small)
    #expect(scene.name == "small" && scene.components == ["left", "right"] && scene.seed == 5)
    #expect(scene.frameCount == 60 && scene.trackCount == 59)
    guard case .springs(let first) = scene.groups[0].motion, case .events(let events) = first.course else {
      return #expect(Bool(false), "group 0 is not springs with events")
    }
    #expect(try first.velocity == [1, -1] && scene.groups[0].rest == RestTolerances(value: 0.01, velocity: 0.5))
    #expect(scene.groups[1].rest == RestTolerances() && first.start?.values == [[0, 0], [1, 1], [2, 2]])
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
}
