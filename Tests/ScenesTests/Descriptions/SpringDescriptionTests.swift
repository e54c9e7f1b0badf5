// SPDX-License-Identifier: MIT
import AnimationModel
@testable import Formats
import Scenes
import Testing

/// Springs in JSON: every form, its defaults and its refusals.
struct SpringDescriptionTests {
  private func spring(_ text: String) throws -> SpringDescription { try described(text).get() }

  @Test func eachFormIsTheModelsInitialiser() throws {
    #expect(try spring("{}").spring == Spring())
    #expect(try spring(#"{"duration": 0.7}"#).spring == Spring(duration: 0.7))
    #expect(try spring(#"{"bounce": -0.4}"#).spring == Spring(bounce: -0.4))
    #expect(try spring(#"{"duration": 0.4, "bounce": 1}"#).spring == Spring(duration: 0.4, bounce: 1))
    let response = try spring(#"{"response": 0.4, "dampingRatio": 1.8}"#).spring
    #expect(response == Spring(response: 0.4, dampingRatio: 1.8))
    let physical = #"{"mass": 2, "stiffness": 100, "damping": 90"#
    #expect(try spring(physical + "}").spring == Spring(mass: 2, stiffness: 100, damping: 90))
    #expect(
      try spring(physical + #", "allowOverDamping": true}"#).spring
        == Spring(mass: 2, stiffness: 100, damping: 90, allowOverDamping: true))
    #expect(try spring(#"{"stiffness": 100, "damping": 10}"#).spring == Spring(stiffness: 100, damping: 10))
    #expect(
      try spring(#"{"settlingDuration": 3, "dampingRatio": 0.25}"#).spring
        == Spring(settlingDuration: 3, dampingRatio: 0.25))
    #expect(
      try spring(#"{"settlingDuration": 3, "dampingRatio": 0.25, "epsilon": 0.01}"#).spring
        == Spring(settlingDuration: 3, dampingRatio: 0.25, epsilon: 0.01))
  }

  @Test func presetsHaveTheirNames() throws {
    #expect(try spring(#""smooth""#).spring == .smooth)
    #expect(try spring(#""snappy""#).spring == .snappy)
    #expect(try spring(#""bouncy""#).spring == .bouncy)
    expectComplaint(#""stiff""#, as: SpringDescription.self, "unknown spring \"stiff\" (known: smooth,")
  }

  @Test func theEndsOfTheRangesAreAccepted() throws {
    for duration in ["1e-4", "1e6", "0.0001", "1000000"] {
      #expect(try spring("{\"duration\": \(duration), \"bounce\": 1}").isJump == false)
    }
    #expect(try spring(#"{"bounce": -0.999999}"#).spring == Spring(bounce: -0.999999))
  }

  @Test func aDurationOfZeroJumps() throws {
    for text in [#"{"duration": 0}"#, #"{"duration": -0.0}"#, #"{"response": 0, "dampingRatio": 1}"#] {
      #expect(try spring(text).isJump, "\(text)")
    }
  }

  @Test(arguments: [
    (#"{"bounce": 3}"#, "bounce: must be in (−1, 1], is 3"),
    (#"{"bounce": -1}"#, "bounce: must be in (−1, 1], is -1"),
    (#"{"duration": -0.5}"#, "duration: must be 0 or in [1e-4, 1e6], is -0.5"),
    (#"{"duration": 9.9e-5}"#, "duration: must be 0 or in [1e-4, 1e6], is 9.9e-05"),
    (#"{"duration": 1000001}"#, "duration: must be 0 or in [1e-4, 1e6], is 1000001"),
    (#"{"duration": 1e999}"#, "duration: must be a number that a Double can hold"),
    (#"{"duration": "0.5"}"#, "duration: must be a number, is a string"),
    (#"{"duration": null}"#, "duration: must be a number, is null"),
    (#"{"duration": {}}"#, "duration: must be a number, is an object"),
    (#"{"duration": [1]}"#, "duration: must be a number, is an array"),
    (#"{"duration": true}"#, "duration: must be a number, is true or false"),
    (#"{"duration": 1, "boune": 0}"#, "unknown key \"boune\" (known: duration, bounce, response, "),
    (#"{"duration": 1, "response": 1}"#, "mixes duration, response, which belong to different forms"),
    (#"{"bounce": 0, "mass": 1}"#, "mixes bounce, mass, which belong to different forms"),
    (#"{"dampingRatio": 1}"#, "needs response or settlingDuration beside dampingRatio"),
    (#"{"response": 1}"#, "dampingRatio: is missing"),
    (#"{"response": 1, "dampingRatio": -0.1}"#, "dampingRatio: must be in [0, 1e15], is -0.1"),
    (#"{"response": 1, "dampingRatio": 1e300}"#, "dampingRatio: must be in [0, 1e15], is 1e+300"),
    (#"{"mass": 1, "damping": 1}"#, "stiffness: is missing"),
    (#"{"stiffness": 1}"#, "damping: is missing"),
    (#"{"mass": 0, "stiffness": 1, "damping": 1}"#, "mass: must be in (0, 1e15], is 0"),
    (#"{"stiffness": -5, "damping": 1}"#, "stiffness: must be in (0, 1e15], is -5"),
    (#"{"stiffness": 1, "damping": -1}"#, "damping: must be in [0, 1e15], is -1"),
    (#"{"stiffness": 1, "damping": 1, "allowOverDamping": null}"#, "allowOverDamping: must be true or false, is null"),
    (#"{"stiffness": 1, "damping": 1, "allowOverDamping": 1}"#, "allowOverDamping: must be true or false, is a number"),
    (#"{"mass": 1e15, "stiffness": 1e-15, "damping": 1}"#, "must have a duration in [1e-4, 1e6], has "),
    (#"{"mass": 1e-15, "stiffness": 1e15, "damping": 1}"#, "must have a duration in [1e-4, 1e6], has "),
    (#"{"settlingDuration": 0, "dampingRatio": 1}"#, "settlingDuration: must be in (0, 1e6], is 0"),
    (#"{"settlingDuration": 1, "dampingRatio": 1, "epsilon": 0}"#, "epsilon: must be in (0, 1), is 0"),
    ("7", "must be a name or an object, is a number"),
    ("[]", "must be a name or an object, is an array"),
    ("null", "must be a name or an object, is null"),
  ])
  func badSpringsAreRefusedWithPlaceAndReason(text: String, message: String) {
    expectComplaint(text, as: SpringDescription.self, message)
  }
}
