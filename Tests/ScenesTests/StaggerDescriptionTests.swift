// SPDX-License-Identifier: MIT
@testable import Formats
import Murmuration
import Testing

@testable import Scenes

/// Staggers of scenes.
struct StaggerDescriptionTests {
  private let random = SceneRandom(seed: 5, purpose: .stagger, group: 0)

  private func delays(_ text: String, count: Int) throws -> [Double] {
    let description: StaggerDescription = try described(text).get()
    return description.delays(count: count, random: random)
  }

  /// Every key reaches the stagger of the library, which `StaggerTests` hold.
  @Test(arguments: [
    (#"{"over": 2}"#, Stagger.over(2)), (#"{"each": 0.5}"#, .each(0.5)),
    (#"{"over": 2, "from": "first"}"#, .over(2)), (#"{"over": 2, "from": "last"}"#, .over(2, from: .last)),
    (#"{"each": 0.1, "from": "center"}"#, .each(0.1, from: .center)),
    (#"{"over": 2, "from": "edges", "columns": 4}"#, .over(2, from: .edges, columns: 4)),
    (#"{"over": 2, "from": "center", "columns": "square"}"#, .over(2, from: .center, columns: 5)),
    (#"{"over": 2, "from": 2.5}"#, .over(2, from: .position(2.5))),
    (#"{"each": 1, "from": [1, 2.5], "columns": 7}"#, .each(1, from: .point(column: 1, row: 2.5), columns: 7)),
    (#"{"over": 2, "ease": "easeOutBack"}"#, .over(2, ease: .easeOutBack)),
    (#"{"each": 0.1, "from": "last", "ease": {"bezier": [0.4, 0, 1, 1]}}"#, .each(0.1, from: .last, ease: bezier)),
  ])
  func everyFormIsTheLibrarys(_ text: String, _ stagger: Stagger) throws {
    #expect(try delays(text, count: 23) == stagger.delays(count: 23))
    #expect(try delays(text, count: 1) == [0])
  }

  private static let bezier = UnitCurve.bezier(
    startControlPoint: UnitPoint(x: 0.4, y: 0), endControlPoint: UnitPoint(x: 1, y: 1))

  @Test func aRandomOrderFollowsFromTheSeed() throws {
    let delays = try delays(#"{"over": 9, "from": "random"}"#, count: 10)
    #expect(delays.sorted() == (0..<10).map(Double.init) && delays != delays.sorted())
    let description = StaggerDescription(9, from: .random(seed: 0))
    #expect(description.delays(count: 10, random: random) == delays)
    let other = SceneRandom(seed: 6, purpose: .stagger, group: 0)
    #expect(description.delays(count: 10, random: other) != delays)
  }

  @Test(arguments: [
    ("{}", "must have one of the keys each and over"),
    (#"{"each": 1, "over": 1}"#, "must have one of the keys each and over"),
    (#"{"over": 1, "order": "ripple"}"#, "unknown key \"order\""),
    (#"{"over": -1}"#, "over: must be in [0, 1e6], is -1"),
    (#"{"each": 1e7}"#, "each: must be in [0, 1e6], is 10000000"),
    (#"{"over": 1, "from": "middle"}"#, "from: unknown place \"middle\" (known: first, last, center, edges, random)"),
    (#"{"over": 1, "from": true}"#, "from: must be a name, a position or [column, row]"),
    (#"{"over": 1, "from": [1], "columns": 2}"#, "from: must be a name, a position or [column, row]"),
    (#"{"over": 1, "from": [1, 1e16], "columns": 2}"#, "from[1]: must be within ±1e15"),
    (#"{"over": 1, "from": [1, 2]}"#, "from: a column and a row need columns"),
    (#"{"over": 1, "columns": "round"}"#, "columns: must be a number, is a string"),
    (#"{"over": 1, "columns": 2.5}"#, "columns: must be a whole number from 1 to 16777216, is 2.5"),
    (#"{"over": 1, "ease": "easeUp"}"#, "ease: unknown curve \"easeUp\""),
  ])
  func mistakesAreNamed(_ text: String, _ message: String) {
    expectComplaint(text, as: StaggerDescription.self, message)
  }

  /// Delays before the start of a scene, or after the longest one, are refused with the group.
  @Test(arguments: [
    (#""over": 2, "ease": "easeInBack""#, 20, "groups[0].stagger: a delay must be in [0, 1e6], is -0.2"),
    (#""each": 1000"#, 20, nil), (#""each": 1000"#, 2000, "groups[0].stagger: a delay must be in [0, 1e6], is 1999000"),
  ])
  func delaysAreWithinAScene(_ stagger: String, _ count: Int, _ message: String?) {
    let text = """
      {"murmuration": 1, "duration": 1, "groups": [{"count": \(count), "stagger": {\(stagger)},
        "phases": [{"target": [0], "spring": "smooth"}]}]}
      """
    let error = fileError { try SceneSource.decode(Array(text.utf8)) }
    #expect(error.map { "\($0)" }?.contains(message ?? "nothing") ?? (message == nil), "\(String(describing: error))")
  }
}
