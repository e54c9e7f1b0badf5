// SPDX-License-Identifier: MIT
import AnimationModel
import Testing

/// A timeline that SwiftUI was recorded to play, and the numbers that it printed.
struct RecordedTimeline: Sendable, CustomTestStringConvertible {
  let name: String
  let timeline: KeyframeTimeline<Double>
  let duration: Double
  let samples: [(time: Double, value: Double)]
  var testDescription: String { name }

  init(
    _ name: String, duration: Double, _ samples: [(time: Double, value: Double)],
    @KeyframesBuilder<Double> content: () -> some Keyframes<Double>
  ) {
    self.name = name
    self.duration = duration
    self.samples = samples
    timeline = KeyframeTimeline(initialValue: 0, content: content)
  }
}

/// The numbers that SwiftUI itself printed, with three decimals, for timelines that start at zero.
///
/// Source: mburger89/MetalUI @ba672bea, docs/probes/swiftui-controls-looks.swift, printed on macOS 27.0.1. The names K1 to
/// K9 are from `Tests/Fixtures/swiftui_recorded.json`.
@Suite struct RecordedKeyframeTests {
  /// The tolerance: half of the last printed decimal, and a rounding.
  static let tolerance = 0.000_500_1

  static let recordings = [
    RecordedTimeline(
      "K1 linear", duration: 0.6,
      [(-0.1, 0), (0, 0), (0.05, 2.5), (0.2, 10), (0.25, 5), (0.35, -5), (0.4, -10), (0.5, -5), (0.6, 0), (1.5, 0)]
    ) {
      LinearKeyframe(10, duration: 0.2)
      LinearKeyframe(-10, duration: 0.2)
      LinearKeyframe(0, duration: 0.2)
    },
    RecordedTimeline(
      "K2 linear easeInOut", duration: 0.4,
      [
        (-0.1, 0), (0.05, 0.311), (0.1, 1.292), (0.15, 2.928), (0.2, 5), (0.3, 8.708), (0.35, 9.689), (0.4, 10),
        (1, 10),
      ]
    ) { LinearKeyframe(10, duration: 0.4, timingCurve: .easeInOut) },
    RecordedTimeline(
      "K3 cubic", duration: 0.6,
      [
        (-0.1, 0), (0, 0), (0.05, 1.797), (0.1, 5.625), (0.15, 9.141), (0.2, 10), (0.25, 6.406), (0.3, 0),
        (0.35, -6.406), (0.4, -10), (0.5, -5.625), (0.6, 0), (1.5, 0),
      ]
    ) {
      CubicKeyframe(10, duration: 0.2)
      CubicKeyframe(-10, duration: 0.2)
      CubicKeyframe(0, duration: 0.2)
    },
    RecordedTimeline(
      "K3b one cubic", duration: 0.4,
      [(0.05, 0.43), (0.1, 1.562), (0.15, 3.164), (0.2, 5), (0.25, 6.836), (0.3, 8.437), (0.35, 9.57), (0.4, 10)]
    ) { CubicKeyframe(10, duration: 0.4) },
    RecordedTimeline(
      "K3d cubic between linears", duration: 0.6,
      [(0.15, 7.5), (0.2, 10), (0.25, 9.609), (0.3, 5.625), (0.35, 1.328), (0.4, 0), (0.5, 2.5)]
    ) {
      LinearKeyframe(10, duration: 0.2)
      CubicKeyframe(0, duration: 0.2)
      LinearKeyframe(5, duration: 0.2)
    },
    RecordedTimeline(
      "K3e cubic with velocities", duration: 0.4,
      [(0.05, 2.344), (0.1, 4.375), (0.2, 7.5), (0.3, 9.375), (0.35, 9.844)]
    ) { CubicKeyframe(10, duration: 0.4, startVelocity: 50, endVelocity: 0) },
    RecordedTimeline(
      "K3h cubic before a flat linear", duration: 0.6, [(0.25, 15.234), (0.3, 21.875), (0.35, 27.578)]
    ) {
      CubicKeyframe(10, duration: 0.2)
      CubicKeyframe(30, duration: 0.2)
      LinearKeyframe(30, duration: 0.2)
    },
    RecordedTimeline(
      "K4 spring cut short", duration: 0.4,
      [
        (-0.1, 0), (0, 0), (0.05, 1.86), (0.1, 4.656), (0.15, 6.819), (0.2, 8.21), (0.25, 9.029), (0.3, 9.487),
        (0.35, 9.734), (0.4, 9.864), (1.5, 9.864),
      ]
    ) { SpringKeyframe(10, duration: 0.4, spring: Spring(duration: 0.4, bounce: 0)) },
    RecordedTimeline(
      "K4b spring without duration", duration: 1.273,
      [
        (0.05, 2.105), (0.1, 5.614), (0.15, 8.343), (0.2, 9.841), (0.25, 10.396), (0.3, 10.44), (0.35, 10.298),
        (0.4, 10.145), (0.5, 9.993), (0.6, 9.982), (0.8, 10.001), (1, 10), (1.5, 10),
      ]
    ) { SpringKeyframe(10, spring: Spring(duration: 0.4, bounce: 0.3)) },
    RecordedTimeline(
      "K5 move", duration: 0.4, [(0.15, 7.5), (0.2, 10), (0.25, -3.75), (0.3, -2.5), (0.35, -1.25), (0.4, 0), (1.5, 0)]
    ) {
      LinearKeyframe(10, duration: 0.2)
      MoveKeyframe(-5)
      LinearKeyframe(0, duration: 0.2)
    },
  ]

  @Test("Recorded timelines hold to three decimals", arguments: recordings)
  func recordedValues(_ recording: RecordedTimeline) {
    #expect(abs(recording.timeline.duration - recording.duration) <= Self.tolerance)
    for (time, value) in recording.samples {
      #expect(abs(recording.timeline.value(time: time) - value) <= Self.tolerance, "at \(time) s")
    }
  }

  /// A cut spring hands over the value that it has reached, not its target.
  @Test func keyframeAfterACutSpringStartsWhereItWas() {
    let timeline = KeyframeTimeline(initialValue: 0.0) {
      SpringKeyframe(10, duration: 0.2, spring: Spring(duration: 0.4, bounce: 0))
      LinearKeyframe(0, duration: 0.2)
    }
    #expect(abs(timeline.value(time: 0.2) - 8.21) <= Self.tolerance)
    #expect(abs(timeline.value(time: 0.3) - 4.105) <= Self.tolerance)
  }

  /// K6: a shorter track holds its last value, and a property without a track keeps its initial value.
  @Test func tracksRunSideBySide() {
    struct Pose { var x = 0.0, scale = 1.0, name = 7 }
    let timeline = KeyframeTimeline(initialValue: Pose()) {
      KeyframeTrack(\.x) {
        LinearKeyframe(10, duration: 0.2)
        LinearKeyframe(0, duration: 0.2)
      }
      KeyframeTrack(\.scale) { LinearKeyframe(2, duration: 0.6) }
    }
    #expect(timeline.duration == 0.6)
    for (time, x, scale) in [
      (-0.1, 0, 1), (0.05, 2.5, 1.083), (0.2, 10, 1.333), (0.35, 2.5, 1.583), (0.5, 0, 1.833), (1, 0, 2),
    ] {
      let pose = timeline.value(time: time)
      #expect(abs(pose.x - x) <= Self.tolerance && abs(pose.scale - scale) <= Self.tolerance && pose.name == 7)
    }
  }

  /// K9: progress in place of time.
  @Test func progressIsAShareOfTheDuration() {
    let timeline = KeyframeTimeline(initialValue: 0.0) { LinearKeyframe(10, duration: 0.4) }
    #expect([0, 0.5, 1, 1.5].map { timeline.value(progress: $0) } == [0, 5, 10, 10])
  }

  /// K8 is NaN at time zero in SwiftUI: 0/0. Here a keyframe without length is a move.
  @Test func keyframeWithoutLengthIsAMove() {
    let timeline = KeyframeTimeline(initialValue: 4.0) { LinearKeyframe(4, duration: 0) }
    #expect(timeline.value(time: 0) == 4)
    #expect(timeline.value(time: 0.1) == 4)
    #expect(timeline.duration == 0)
  }
}
