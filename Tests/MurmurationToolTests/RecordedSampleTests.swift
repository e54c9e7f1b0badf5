// SPDX-License-Identifier: MIT
@testable import Formats
import Foundation
import Scenes
import Testing
import TestSupport
import Text

@testable import MurmurationTool

/// The answers of `sample` to requests from recorded vectors, and to requests of our own.
struct RecordedSampleTests {
  /// The answer of an engine to a request in JSON.
  private func samples(_ request: String, _ engine: SampleEngineName = .reference) throws -> SampleAnswer.Samples {
    let answer = try engine.engine().answer(try JSONDocument.decode(from: Array(request.utf8)))
    guard case .samples(let samples) = answer else { throw Unexpected(answer: answer, request: request) }
    return samples
  }

  private func settling(_ request: String) throws -> Double {
    let answer = ReferenceEngine().answer(try JSONDocument.decode(from: Array(request.utf8)))
    guard case .settling(let duration) = answer else { throw Unexpected(answer: answer, request: request) }
    return duration
  }

  private struct Unexpected: Error {
    var answer: SampleAnswer
    var request: String
  }

  /// JSON text of a recorded value, as it stands in the file.
  private func text(_ value: JSONValue?) throws -> String {
    switch try #require(value) {
    case .null: return "null"
    case .bool(let bool): return "\(bool)"
    case .number(let number): return NumberText.json(number)
    case .string(let string): return NumberText.jsonString(string)
    case .array(let elements): return "[" + (try elements.map(text)).joined(separator: ", ") + "]"
    case .object(let members):
      let pairs = try members.sorted { $0.key < $1.key }.map {
        "\(NumberText.jsonString($0.key)): \(try text($0.value))"
      }
      return "{" + pairs.joined(separator: ", ") + "}"
    }
  }

  private func list(_ numbers: [Double]) -> String { "[" + numbers.map(NumberText.json).joined(separator: ", ") + "]" }

  /// The vectors of one kind, and their number.
  private func vectors(_ kind: String, _ count: Int) throws -> [RecordedVector] {
    let vectors = try RecordedVectors.load(kind: kind)
    #expect(vectors.count == count)
    return vectors
  }

  @Test func recordedTimelines() throws {
    for vector in try vectors("keyframe-timeline", 10) {
      let rows = try #require(vector.json.samples).elements.map(\.numbers)
      let request = """
        {"kind": "timeline", "initialValue": \(try text(vector.json.initialValue)),
         "track": \(try text(vector.json.track)), "times": \(list(rows.map { $0[0] }))}
        """
      for engine in SampleEngineName.allCases {
        let answer = try samples(request, engine)
        let tolerance = try #require(vector.tolerance)
        #expect(answer.values.count == rows.count)
        for (row, value) in zip(rows, answer.values) {
          #expect(isClose(value, row[1], absolute: tolerance), "\(vector) at \(row[0]), \(engine)")
        }
        #expect(isClose(try #require(answer.duration), try #require(vector.json.duration?.number), absolute: tolerance))
      }
    }
  }

  @Test func recordedSprings() throws {
    for vector in try vectors("spring", 4) {
      let value = try #require(vector.json.value)
      let spring = try text(vector.json.spring)
      for engine in SampleEngineName.allCases {
        let answer = try samples(
          """
          {"kind": "spring", "spring": \(spring), "target": \(try text(value.target)),
           "velocity": \(try text(value.initialVelocity)), "times": [\(try text(value.time))]}
          """, engine)
        let expected = try #require(value.expected?.number)
        let tolerance = try #require(value.tolerance?.number)
        #expect(isClose(answer.values[0], expected, absolute: tolerance), "\(vector), \(engine)")
      }
      let duration = try settling("{\"kind\": \"settling\", \"spring\": \(spring)}")
      let settled = try #require(vector.json.settlingDuration?.number)
      #expect(isClose(duration, settled, absolute: try #require(vector.json.settlingTolerance?.number)), "\(vector)")
    }
  }

  @Test func assertedSprings() throws {
    for vector in try vectors("spring-eval", 2) {
      let spring = try text(vector.json.spring)
      // A row is target, initial velocity, time and the expected number.
      for (name, column) in [("value", \SampleAnswer.Samples.values), ("velocity", \.velocities)] {
        guard let row = vector.json[name]?.numbers, row.count == 4 else { continue }
        let answer = try samples(
          """
          {"kind": "spring", "spring": \(spring), "target": \(row[0]), "velocity": \(row[1]), "times": [\(row[2])]}
          """)
        #expect(isClose(answer[keyPath: column][0], row[3], relative: 1e-12), "\(vector) \(name)")
      }
      let expected = try #require(vector.json.settlingDuration?.number)
      let duration = try settling("{\"kind\": \"settling\", \"spring\": \(spring)}")
      #expect(isClose(duration, expected, relative: 1e-12), "\(vector)")
    }
  }

  @Test func recordedCurves() throws {
    for vector in try vectors("unit-curve", 6) {
      let curve = try #require(vector.json.curve)
      let points = (curve.p1?.numbers ?? []) + (curve.p2?.numbers ?? [])
      let description = points.isEmpty ? try text(curve) : "{\"bezier\": \(list(points))}"
      for row in try #require(vector.json.samples).elements.map(\.elements) {
        for engine in SampleEngineName.allCases {
          let answer = try samples(
            "{\"kind\": \"curve\", \"curve\": \(description), \"times\": [\(try text(row[0]))]}", engine)
          let tolerance = try #require(vector.tolerance)
          #expect(isClose(answer.values[0], try #require(row[1].number), absolute: tolerance), "\(vector), \(engine)")
          // SwiftUI's velocity at the end of easeIn comes of 0/0, and ours is the limit.
          guard let velocity = row[2].number, vector.id != "UC-easeIn" || row[0].number != 1 else { continue }
          // The pieces of a clip are never vertical.
          if engine == .simd, velocity.isInfinite { continue }
          #expect(
            answer.velocities[0] == velocity || isClose(answer.velocities[0], velocity, absolute: tolerance),
            "\(vector), \(engine)")
        }
      }
    }
  }

  @Test func computedSteps() throws {
    for vector in try vectors("css-steps", 3) {
      let rows = try #require(vector.json.samples).elements.map(\.numbers)
      for engine in SampleEngineName.allCases {
        let answer = try samples(
          """
          {"kind": "curve", "times": \(list(rows.map { $0[0] })),
           "curve": {"steps": \(try text(vector.json.n)), "position": \(try text(vector.json.position))}}
          """, engine)
        // A height that is not a binary fraction is rounded to Float.
        let heights = rows.map { engine == .simd ? Double(Float($0[1])) : $0[1] }
        #expect(answer.values == heights, "\(vector), \(engine)")
        #expect(answer.velocities.allSatisfy { $0 == 0 })
      }
    }
  }

  // MARK: - Of our own

  @Test func springsOfEveryRegimeFollowTheirClosedForms() throws {
    // Duration 2π makes ω₀ = 1. From 3 to 5 with velocity 2, so that y₀ = −2.
    let times = [0, 0.25, 1, 4]
    for (bounce, form) in [
      // ζ = 0.6, ω = 0.8: 5 + e^{−0.6t}(−2·cos 0.8t + (2 − 1.2)/0.8·sin 0.8t).
      ("0.4", { 5 + exp(-0.6 * $0) * (-2 * cos(0.8 * $0) + sin(0.8 * $0)) }),
      // Critical: 5 + e^{−t}(−2 + (2 − 2)t).
      ("0", { 5 - 2 * exp(-$0) }),
      // ζ = 1/(1 − 0.2) = 1.25, β = 0.75: rates 0.5 and 2, amplitudes −4/3 and −2/3.
      ("-0.2", { 5 - 4 / 3 * exp(-0.5 * $0) - 2 / 3 * exp(-2 * $0) }),
      // Undamped: 5 − 2·cos t + 2·sin t.
      ("1", { 5 - 2 * cos($0) + 2 * sin($0) }),
    ] as [(String, (Double) -> Double)] {
      let answer = try samples(
        """
        {"kind": "spring", "spring": {"duration": \(2 * Double.pi), "bounce": \(bounce)}, "from": 3, "target": 5,
         "velocity": 2, "times": \(list(times))}
        """)
      for (time, value) in zip(times, answer.values) {
        #expect(isClose(value, form(time), absolute: 1e-13), "bounce \(bounce) at \(time)")
      }
      #expect(isClose(answer.velocities[0], 2, absolute: 1e-15))
    }
  }

  @Test func theDurationOfASpringIsOfItsOwnDistanceAndVelocity() throws {
    let answer = try samples(
      #"{"kind": "spring", "spring": "bouncy", "from": 3, "target": -5, "velocity": 7, "times": []}"#)
    let asked = try settling(#"{"kind": "settling", "spring": "bouncy", "target": -8, "velocity": 7}"#)
    #expect(answer.duration == asked)
    #expect(answer.values.isEmpty && answer.velocities.isEmpty)
    #expect(try settling(#"{"kind": "settling", "spring": {"duration": 0}}"#) == 0)
    #expect(try settling(#"{"kind": "settling", "spring": {"bounce": 1}}"#) == .infinity)
  }

  /// `{}` is SwiftUI's `Spring()`: critical, with ω₀ = 4π, so 1 − e^{−ω₀t}(1 + ω₀t).
  @Test(arguments: SampleEngineName.allCases) func anEmptySpringIsTheDefaultOne(_ engine: SampleEngineName) throws {
    let times = [0, 0.05, 0.125, 0.5]
    let answer = try samples(#"{"kind": "spring", "spring": {}, "times": \#(list(times))}"#, engine)
    let tolerance = engine == .simd ? 8 * 0x1p-24 + 0x1p-25 : 1e-14
    for (time, value) in zip(times, answer.values) {
      let phase = 4 * Double.pi * time
      #expect(isClose(value, 1 - exp(-phase) * (1 + phase), absolute: tolerance), "\(time) s")
    }
    let said = try samples(
      #"{"kind": "spring", "spring": {"duration": 0.5, "bounce": 0}, "times": \#(list(times))}"#, engine)
    #expect(answer == said)
    let settled = try settling(#"{"kind": "settling", "spring": {"duration": 0.5, "bounce": 0}}"#)
    #expect(try settling(#"{"kind": "settling", "spring": {}}"#) == settled)
  }

  @Test func aJumpIsAtItsTargetAsSoonAsTimePasses() throws {
    let answer = try samples(
      #"{"kind": "spring", "spring": {"duration": 0}, "from": 3, "target": 5, "velocity": 2, "times": [-1, 0, 1e-9, 1]}"#
    )
    #expect(answer.values == [3, 3, 5, 5])
    #expect(answer.velocities == [2, 2, 0, 0])
  }

  @Test func aTrackMovesBetweenItsKeyframes() throws {
    for engine in SampleEngineName.allCases {
      let answer = try samples(
        """
        {"kind": "timeline", "initialValue": 2, "times": [-1, 0, 0.5, 1, 1.5, 2, 2.5, 9],
         "track": [{"type": "linear", "to": 4, "duration": 1}, {"type": "move", "to": 8},
                   {"type": "linear", "to": 0, "duration": 1}]}
        """, engine)
      let tolerance = engine == .simd ? 8 * 0x1p-24 * 8 : 0
      for (index, value) in [2.0, 2, 3, 4, 4, 0, 0, 0].enumerated() {
        #expect(isClose(answer.values[index], value, absolute: tolerance), "\(engine)")
      }
      for (index, velocity) in [0.0, 2, 2, 2, -8, -8, 0, 0].enumerated() {
        #expect(isClose(answer.velocities[index], velocity, absolute: tolerance), "\(engine)")
      }
      #expect(answer.duration == 2)
    }
  }

  @Test func theBatchAgreesWithTheModelWithinItsPromise() throws {
    let engine = try SampleEngineName.simd.engine()
    for bounce in [-0.9, -0.2, 0, 0.3, 0.95, 1] {
      let request: SampleRequest = try JSONDocument.decode(
        from: Array(
          """
          {"kind": "spring", "spring": {"duration": 0.7, "bounce": \(bounce)}, "from": 1, "target": 3, "velocity": -2,
           "times": [0, 0.01, 0.3, 2, 1, 60]}
          """.utf8))
      guard case .samples(let batch) = engine.answer(request),
        case .samples(let model) = ReferenceEngine().answer(request)
      else {
        Issue.record("no samples")
        continue
      }
      // S = max(|3 − 1|, 2/ω₀) = 2, and half a unit in the last place of the target.
      for (value, expected) in zip(batch.values, model.values) {
        #expect(isClose(value, expected, absolute: 8 * 0x1p-24 * 2 + 0x1p-23), "bounce \(bounce)")
      }
      #expect(batch.duration == model.duration)
    }
  }
}
