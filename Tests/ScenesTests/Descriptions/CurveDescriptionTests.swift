// SPDX-License-Identifier: MIT
import AnimationModel
@testable import Formats
import Scenes
import Testing

/// Unit curves in JSON.
struct CurveDescriptionTests {
  private func curve(_ text: String) throws -> UnitCurve {
    let description: CurveDescription = try described(text).get()
    return description.curve
  }

  @Test func namesAreTheModels() throws {
    let names: [(String, UnitCurve)] = [
      ("linear", .linear), ("easeIn", .easeIn), ("easeOut", .easeOut), ("easeInOut", .easeInOut),
      ("circularEaseIn", .circularEaseIn), ("circularEaseOut", .circularEaseOut),
      ("circularEaseInOut", .circularEaseInOut), ("easeInQuad", .easeInQuad), ("ease-out-back", .easeOutBack),
      ("EaseInOutElastic", .easeInOutElastic), ("easeOutCirc", .circularEaseOut),
    ]
    for (name, expected) in names { #expect(try curve("\"\(name)\"") == expected) }
    for (name, expected) in UnitCurve.named { #expect(try curve("\"\(name)\"") == expected) }
  }

  /// As `Formats` reads them; names that both have are the same curves.
  @Test(arguments: [
    "ease", "ease-in", "ease-out", "ease-in-out", "linear", "step-start", "step-end", "cubic-bezier(0.3, -1, 0.1, 2)",
    "steps(4)", "steps(3, jump-none)", "steps(3, jump-both)", "steps(2, start)", "linear(0, 0.5 20% 40%, 1)",
    "linear(0, 0.9, 0.9 50%, 1.2, 1)", "linear(0.5)", "CUBIC-BEZIER(0,0,1,1)",
  ])
  func easingFunctionsOfCSSAreRead(_ text: String) throws {
    #expect(try curve("\"\(text)\"") == UnitCurve(css: text))
    let animation: AnimationDescription = try described("\"\(text)\"").get()
    #expect(animation.animation == .timingCurve(try UnitCurve(css: text), duration: 0.35))
  }

  @Test func otherCurvesAreWhatTheySay() throws {
    let bezier = try curve(#"{"bezier": [0.42, 0, 0.58, 1]}"#)
    #expect(bezier == .easeInOut)
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
    #expect(line.value(at: 0.125) == 0.5)
    #expect(line.value(at: 0.25) == 0.5)
  }

  @Test(arguments: [
    (#""easy""#, "unknown curve \"easy\" (known: linear, easeIn, "),
    (#""cubic-bezier(2, 0, 1, 1)""#, "byte 13: must be in [0, 1], is 2"),
    (#""steps(0)""#, "byte 6: must be a whole number from 1 to 1e9, is 0"),
    (#""cubic(1)""#, "byte 0: unknown easing function"),
    ("{}", "must have exactly one of the keys bezier, steps and linear"),
    (#"{"steps": 2, "bezier": [0, 0, 1, 1]}"#, "must have exactly one of the keys bezier, steps and linear"),
    (#"{"bezier": [0, 0, 1, 1], "position": "end"}"#, "position: stands beside steps only"),
    (#"{"bezier": [1.1, 0, 1, 1]}"#, "bezier[0]: must be in [0, 1], is 1.1"),
    (#"{"bezier": [0, 0, -0.1, 1]}"#, "bezier[2]: must be in [0, 1], is -0.1"),
    (#"{"bezier": [0, 0, 1, 1e16]}"#, "bezier[3]: must be within ±1e15, is 1e+16"),
    (#"{"bezier": [0, 0, 1]}"#, "bezier: must be four numbers [x1, y1, x2, y2], are 3"),
    (#"{"bezier": [0, 0, 1, "1"]}"#, "bezier[3]: must be a number, is a string"),
    (#"{"bezier": [0, 0, 1, 1e999]}"#, "bezier[3]: must be a number that a Double can hold"),
    (#"{"bezier": 1}"#, "bezier: must be an array of numbers, is a number"),
    (#"{"steps": 0}"#, "steps: must be a whole number from 1 to 1000000000, is 0"),
    (#"{"steps": -5}"#, "steps: must be a whole number from 1 to 1000000000, is -5"),
    (#"{"steps": 1e12}"#, "steps: must be a whole number from 1 to 1000000000, is 1000000000000"),
    (#"{"steps": 1e30}"#, "steps: must be a whole number from 1 to 1000000000, is 1e+30"),
    (#"{"steps": 2.5}"#, "steps: must be a whole number from 1 to 1000000000, is 2.5"),
    (#"{"steps": 1, "position": "jump-none"}"#, "steps: must be a whole number from 2 to 1000000000, is 1"),
    (#"{"steps": 1, "position": "middle"}"#, "position: unknown position \"middle\""),
    (#"{"linear": [[0, 0]]}"#, "linear: must be two points or more, are 1"),
    (#"{"linear": [[0, 0], [1]]}"#, "linear[1]: must be a pair [input, output], has 1 numbers"),
    (#"{"linear": [[0, 0], [1, 2, 3]]}"#, "linear[1]: must be a pair [input, output], has 3 numbers"),
    (#"{"linear": [[1, 0], [0, 1]]}"#, "linear[1]: its input is less than the one before it"),
    (#"{"linear": [[0, 0], [1, 1e16]]}"#, "linear[1][1]: must be within ±1e15, is 1e+16"),
    (#"{"linear": [[0, 0], 1]}"#, "linear[1]: must be an array"),
    (#"{"linear": [[0, 0], [1, null]]}"#, "linear[1][1]: must be a number, is null"),
  ])
  func badCurvesAreRefusedWithPlaceAndReason(text: String, message: String) {
    expectComplaint(text, as: CurveDescription.self, message)
  }
}
