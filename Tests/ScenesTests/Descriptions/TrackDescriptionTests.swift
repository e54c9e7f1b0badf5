// SPDX-License-Identifier: MIT
import AnimationModel
@testable import Formats
import Scenes
import Testing

/// Keyframe tracks in JSON.
struct TrackDescriptionTests {
  private let whole = """
    [{"type": "linear", "to": 10, "duration": 0.2, "timingCurve": "easeInOut"},
     {"type": "cubic", "to": 0, "duration": 0.2, "startVelocity": 5, "endVelocity": -1},
     {"type": "spring", "to": 4, "duration": 0.3, "spring": {"duration": 0.4, "bounce": 0.3}, "startVelocity": 2},
     {"type": "move", "to": 1}]
    """

  @Test func aTrackIsTheModelsTimeline() throws {
    let track: TrackDescription = try described(whole).get()
    let described = track.timeline(initialValue: 3)
    let written = KeyframeTimeline(initialValue: 3.0) {
      KeyframeTrack {
        LinearKeyframe(10, duration: 0.2, timingCurve: .easeInOut)
        CubicKeyframe(0, duration: 0.2, startVelocity: 5, endVelocity: -1)
        SpringKeyframe(4, duration: 0.3, spring: Spring(duration: 0.4, bounce: 0.3), startVelocity: 2)
        MoveKeyframe(1)
      }
    }
    #expect(described.duration == written.duration)
    for step in -5...90 {
      let time = Double(step) / 100
      #expect(described.value(time: time) == written.value(time: time))
      #expect(described.velocity(time: time) == written.velocity(time: time))
    }
  }

  @Test func whatIsLeftOutOrNullIsTheModelsDefault() throws {
    for text in [
      #"[{"type": "spring", "to": 10, "duration": null, "startVelocity": null}]"#, #"[{"type": "spring", "to": 10}]"#,
    ] {
      let track: TrackDescription = try described(text).get()
      let settling = Spring().settlingDuration(target: 10, initialVelocity: 0, epsilon: 0.0001)
      #expect(track.timeline(initialValue: 0).duration == settling)
    }
    let cubic: TrackDescription = try described(
      #"[{"type": "cubic", "to": 1, "duration": 2, "endVelocity": null}]"#
    ).get()
    #expect(cubic.timeline(initialValue: 0).value(time: 1) == 0.5)
  }

  @Test func anEmptyTrackKeepsTheInitialValue() throws {
    let track: TrackDescription = try described("[]").get()
    #expect(track.timeline(initialValue: 7).value(time: 1) == 7)
    #expect(track.timeline(initialValue: 7).duration == 0)
  }

  @Test func aSpringOfNoDurationJumpsAndHolds() throws {
    let track: TrackDescription = try described(
      #"[{"type": "spring", "to": 5, "duration": 0.3, "spring": {"duration": 0}}, {"type": "spring", "to": 6, "spring": {"duration": 0}}]"#
    ).get()
    let timeline = track.timeline(initialValue: 1)
    #expect(timeline.duration == 0.3)
    #expect([0, 0.1, 0.3, 0.4].map { timeline.value(time: $0) } == [1, 5, 5, 6])
  }

  @Test(arguments: [
    ("{}", "must be an array of keyframes, is an object"),
    ("[3]", "[0]: must be an object, is a number"),
    ("[{}]", "[0].type: is missing"),
    (#"[{"type": "hop", "to": 1}]"#, "[0].type: unknown keyframe \"hop\" (known: linear, cubic, spring, move)"),
    (#"[{"type": "move"}]"#, "[0].to: is missing"),
    (#"[{"type": "move", "to": 1, "duration": 1}]"#, "[0]: unknown key \"duration\" (known: type, to)"),
    (#"[{"type": "move", "to": 1e16}]"#, "[0].to: must be within ±1e15, is 1e+16"),
    (#"[{"type": "linear", "to": 1}]"#, "[0].duration: is missing"),
    (#"[{"type": "linear", "to": 1, "duration": -1}]"#, "[0].duration: must be in [0, 1e6], is -1"),
    (#"[{"type": "linear", "to": 1, "duration": 1, "startVelocity": 1}]"#, "[0]: unknown key \"startVelocity\""),
    (
      #"[{"type": "linear", "to": 1, "duration": 1, "timingCurve": {"bezier": [2, 0, 1, 1]}}]"#,
      "[0].timingCurve.bezier[0]: must be in [0, 1], is 2"
    ),
    (
      #"[{"type": "move", "to": 1}, {"type": "cubic", "to": 1, "duration": 1, "startVelocity": "fast"}]"#,
      "[1].startVelocity: must be a number, is a string"
    ),
    (#"[{"type": "spring", "to": 1, "spring": {"bounce": 3}}]"#, "[0].spring.bounce: must be in (−1, 1], is 3"),
    (
      #"[{"type": "spring", "to": 1, "spring": {"bounce": 1}}]"#,
      "[0]: needs a duration, since its spring never settles"
    ),
  ])
  func badTracksAreRefusedWithPlaceAndReason(text: String, message: String) {
    expectComplaint(text, as: TrackDescription.self, message)
  }

  @Test func everyPrefixIsASyntaxErrorAtItsEndOrBefore() {
    let bytes = Array(whole.utf8)
    for length in 0..<bytes.count {
      let result = described(String(decoding: bytes.prefix(length), as: UTF8.self), as: TrackDescription.self)
      guard case .failure(.syntax(let error)) = result else {
        Issue.record("\(length) bytes: \(result)")
        continue
      }
      #expect(error.offset <= length)
    }
  }
}
