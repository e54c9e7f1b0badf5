// SPDX-License-Identifier: MIT
import AnimationModel
import Foundation
import Murmuration
import Testing

@testable import Formats
@testable import Scenes

/// The value that a text describes.
private func described<T: Decodable>(_ text: String) throws(JSONDocumentError) -> T {
  try JSONDocument.decode(from: Array(text.utf8))
}

/// Unit curves in JSON. (Refusals of all descriptions are in the table of mistakes.)
struct CurveDescriptionTests {
  private func curve(_ text: String) throws -> UnitCurve {
    let description: CurveDescription = try described(text)
    return description.curve
  }

  @Test func namesAreTheModels() throws {
    let names: [(String, UnitCurve)] = [
      ("linear", .linear), ("easeIn", .easeIn), ("easeOut", .easeOut), ("easeInOut", .easeInOut),
      ("circularEaseIn", .circularEaseIn), ("circularEaseOut", .circularEaseOut),
      ("circularEaseInOut", .circularEaseInOut), ("easeInQuad", .easeInQuad), ("ease-out-back", .easeOutBack),
      ("EaseInOutElastic", .easeInOutElastic), ("easeOutCirc", .circularEaseOut),
    ]
    for (name, expected) in names + UnitCurve.named.map({ ($0.name, $0.curve) }) {
      #expect(try curve("\"\(name)\"") == expected)
    }
  }

  /// As `Formats` reads them; names that both have are the same curves.
  @Test(arguments: [
    "ease", "ease-in", "ease-out", "ease-in-out", "linear", "step-start", "step-end", "cubic-bezier(0.3, -1, 0.1, 2)",
    "steps(4)", "steps(3, jump-none)", "steps(3, jump-both)", "steps(2, start)", "linear(0, 0.5 20% 40%, 1)",
    "linear(0, 0.9, 0.9 50%, 1.2, 1)", "linear(0.5)", "CUBIC-BEZIER(0,0,1,1)",
  ])
  func easingFunctionsOfCSSAreRead(_ text: String) throws {
    #expect(try curve("\"\(text)\"") == UnitCurve(css: text))
    let animation: AnimationDescription = try described("\"\(text)\"")
    #expect(animation.animation == .timingCurve(try UnitCurve(css: text), duration: 0.35))
  }

  @Test func otherCurvesAreWhatTheySay() throws {
    #expect(try curve(#"{"bezier": [0.42, 0, 0.58, 1]}"#) == .easeInOut)
    #expect(try curve(#"{"bezier": [0, -3, 1, 4]}"#).value(at: 0.5) == 0.5)
    // floor(4 · 0.3)/4, and one step more for a jump at the start.
    #expect(try curve(#"{"steps": 4}"#).value(at: 0.3) == 0.25)
    for (position, expected) in [
      ("jump-end", 0.25), ("end", 0.25), ("jump-start", 0.5), ("start", 0.5), ("jump-both", 0.4),
      ("jump-none", 1.0 / 3),
    ] {
      #expect(try curve("{\"steps\": 4, \"position\": \"\(position)\"}").value(at: 0.3) == expected, "\(position)")
    }
    let line = try curve(#"{"linear": [[0, 0], [0.25, 1], [0.25, 0.5], [1, 1]]}"#)
    #expect(line.value(at: 0.125) == 0.5 && line.value(at: 0.25) == 0.5)
  }
}

/// Springs in JSON: every form and its defaults.
struct SpringDescriptionTests {
  @Test(arguments: [
    ("{}", Spring()), (#"{"duration": 0.7}"#, Spring(duration: 0.7)), (#"{"bounce": -0.4}"#, Spring(bounce: -0.4)),
    (#"{"duration": 0.4, "bounce": 1}"#, Spring(duration: 0.4, bounce: 1)),
    (#"{"response": 0.4, "dampingRatio": 1.8}"#, Spring(response: 0.4, dampingRatio: 1.8)),
    (#"{"mass": 2, "stiffness": 100, "damping": 90}"#, Spring(mass: 2, stiffness: 100, damping: 90)),
    (
      #"{"mass": 2, "stiffness": 100, "damping": 90, "allowOverDamping": true}"#,
      Spring(mass: 2, stiffness: 100, damping: 90, allowOverDamping: true)
    ),
    (#"{"stiffness": 100, "damping": 10}"#, Spring(stiffness: 100, damping: 10)),
    (#"{"settlingDuration": 3, "dampingRatio": 0.25}"#, Spring(settlingDuration: 3, dampingRatio: 0.25)),
    (
      #"{"settlingDuration": 3, "dampingRatio": 0.25, "epsilon": 0.01}"#,
      Spring(settlingDuration: 3, dampingRatio: 0.25, epsilon: 0.01)
    ),
    (#""smooth""#, .smooth), (#""snappy""#, .snappy), (#""bouncy""#, .bouncy),
    // The ends of the ranges.
    (#"{"bounce": -0.999999}"#, Spring(bounce: -0.999999)),
    (#"{"duration": 1e-4, "bounce": 1}"#, Spring(duration: 1e-4, bounce: 1)),
    (#"{"duration": 1000000, "bounce": 1}"#, Spring(duration: 1e6, bounce: 1)),
  ])
  func eachFormIsTheModels(_ text: String, _ spring: Spring) throws {
    let description: SpringDescription = try described(text)
    #expect(description.spring == spring && !description.isJump)
  }

  @Test(arguments: [#"{"duration": 0}"#, #"{"duration": -0.0}"#, #"{"response": 0, "dampingRatio": 1}"#])
  func aDurationOfZeroJumps(_ text: String) throws {
    let description: SpringDescription = try described(text)
    #expect(description.isJump)
  }
}

/// Keyframe tracks in JSON.
struct TrackDescriptionTests {
  private let whole = """
    [{"type": "linear", "to": 10, "duration": 0.2, "timingCurve": "easeInOut"},
     {"type": "cubic", "to": 0, "duration": 0.2, "startVelocity": 5, "endVelocity": -1},
     {"type": "spring", "to": 4, "duration": 0.3, "spring": {"duration": 0.4, "bounce": 0.3}, "startVelocity": 2},
     {"type": "move", "to": 1}]
    """

  private func timeline(_ text: String, from value: Double = 0) throws -> KeyframeTimeline<Double> {
    let track: TrackDescription = try described(text)
    return track.timeline(initialValue: value)
  }

  @Test func aTrackIsTheModelsTimeline() throws {
    let described = try timeline(whole, from: 3)
    let written = KeyframeTimeline(initialValue: 3.0) {
      KeyframeTrack {
        LinearKeyframe(10, duration: 0.2, timingCurve: .easeInOut)
        CubicKeyframe(0, duration: 0.2, startVelocity: 5, endVelocity: -1)
        SpringKeyframe(4, duration: 0.3, spring: Spring(duration: 0.4, bounce: 0.3), startVelocity: 2)
        MoveKeyframe(1)
      }
    }
    #expect(described.duration == written.duration)
    for time in (-5...90).map({ Double($0) / 100 }) {
      #expect(described.value(time: time) == written.value(time: time))
      #expect(described.velocity(time: time) == written.velocity(time: time))
    }
  }

  @Test func whatIsLeftOutOrNullIsTheModelsDefault() throws {
    let settling = Spring().settlingDuration(target: 10, initialVelocity: 0, epsilon: 0.0001)
    for nulls in ["", #", "duration": null, "startVelocity": null"#] {
      #expect(try timeline(#"[{"type": "spring", "to": 10\#(nulls)}]"#).duration == settling)
    }
    let cubic = try timeline(#"[{"type": "cubic", "to": 1, "duration": 2, "endVelocity": null}]"#)
    #expect(cubic.value(time: 1) == 0.5)
    let empty = try timeline("[]", from: 7)
    #expect(empty.value(time: 1) == 7 && empty.duration == 0)
  }

  @Test func aSpringOfNoDurationJumpsAndHolds() throws {
    let jump = #""spring": {"duration": 0}"#
    let timeline = try timeline(
      #"[{"type": "spring", "to": 5, "duration": 0.3, \#(jump)}, {"type": "spring", "to": 6, \#(jump)}]"#, from: 1)
    #expect(timeline.duration == 0.3 && [0, 0.1, 0.3, 0.4].map { timeline.value(time: $0) } == [1, 5, 5, 6])
  }
}

/// Staggers of scenes.
struct StaggerDescriptionTests {
  private let random = SceneRandom(seed: 5, purpose: .stagger, group: 0)

  private func delays(_ text: String, count: Int) throws -> [Double] {
    let description: StaggerDescription = try described(text)
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
    #expect(try delays(text, count: 23) == stagger.delays(count: 23) && delays(text, count: 1) == [0])
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
}
