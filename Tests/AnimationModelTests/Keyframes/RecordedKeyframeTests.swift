// SPDX-License-Identifier: MIT
import AnimationModel
import TestSupport
import Testing

/// The numbers that SwiftUI itself printed, with three decimals.
///
/// Source: mburger89/MetalUI @ba672bea, docs/probes/swiftui-controls-looks.swift, printed on macOS 27.0.1. The names K1 to
/// K9 are from `Tests/Fixtures/swiftui_recorded.json`.
@Suite struct RecordedKeyframeTests {
  /// The tolerance: half of the last printed decimal, and a rounding.
  static let tolerance = 0.000_500_1

  /// A keyframe as a vector spells it, built at run time: a loop in the builder takes it.
  private static func sequence(_ track: [JSONValue]) -> KeyframeSequence<Double> {
    KeyframeSequence {
      for keyframe in track {
        let to = keyframe.to?.number ?? .nan
        let duration = keyframe.duration?.number
        switch keyframe.type?.string {
        case "linear":
          LinearKeyframe(
            to, duration: duration ?? .nan,
            timingCurve: keyframe.timingCurve?.string == "easeInOut" ? .easeInOut : .linear)
        case "cubic":
          CubicKeyframe(
            to, duration: duration ?? .nan, startVelocity: keyframe.startVelocity?.number,
            endVelocity: keyframe.endVelocity?.number)
        case "spring":
          SpringKeyframe(
            to, duration: duration,
            spring: Spring(
              duration: keyframe.spring?.duration?.number ?? .nan, bounce: keyframe.spring?.bounce?.number ?? .nan),
            startVelocity: keyframe.startVelocity?.number)
        default:
          MoveKeyframe(to)
        }
      }
    }
  }

  /// K1 to K5.
  @Test("Recorded timelines hold to three decimals") func recordedValues() throws {
    let vectors = try RecordedVectors.load(kind: "keyframe-timeline")
    #expect(vectors.count == 10)
    for vector in vectors {
      let timeline = KeyframeTimeline(initialValue: vector.json.initialValue?.number ?? .nan) {
        Self.sequence(vector.json.track?.elements ?? [])
      }
      #expect(vector.tolerance == Self.tolerance)
      #expect(abs(timeline.duration - (vector.json.duration?.number ?? .nan)) <= Self.tolerance, "\(vector)")
      let samples = vector.json.samples?.elements.map(\.numbers) ?? []
      #expect(!samples.isEmpty)
      for sample in samples {
        #expect(abs(timeline.value(time: sample[0]) - sample[1]) <= Self.tolerance, "\(vector) at \(sample[0]) s")
      }
    }
  }

  /// K6: a shorter track holds its last value, and a property without a track keeps its initial value.
  @Test func tracksRunSideBySide() throws {
    struct Pose { var x = 0.0, s = 1.0, name = 7 }
    let tracks = try #require(RecordedVectors.load(kind: "keyframe-timeline-two-tracks").first).json
    let timeline = KeyframeTimeline(initialValue: Pose()) {
      KeyframeTrack(\.x) { Self.sequence(tracks.tracks?.x?.elements ?? []) }
      KeyframeTrack(\.s) { Self.sequence(tracks.tracks?.s?.elements ?? []) }
    }
    #expect(timeline.duration == tracks.duration?.number)
    let samples = tracks.samples?.elements.map(\.numbers) ?? []
    #expect(samples.count == 15)
    for sample in samples {
      let pose = timeline.value(time: sample[0])
      #expect(abs(pose.x - sample[1]) <= Self.tolerance && abs(pose.s - sample[2]) <= Self.tolerance && pose.name == 7)
    }
  }

  /// K9: progress in place of time.
  @Test func progressIsAShareOfTheDuration() throws {
    let progress = try #require(RecordedVectors.load(kind: "keyframe-timeline-progress").first).json
    let line = KeyframeTimeline(initialValue: 0.0) { Self.sequence(progress.track?.elements ?? []) }
    #expect(progress.progress?.numbers.map { line.value(progress: $0) } == progress.values?.numbers)
  }
}
