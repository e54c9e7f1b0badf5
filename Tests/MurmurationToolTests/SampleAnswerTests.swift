// SPDX-License-Identifier: MIT
import AnimationModel
@testable import Formats
import Foundation
import TestSupport
import Testing
import Text

@testable import MurmurationTool

/// The answers of `sample` to requests for springs and a track. (`BatchEngineTests` draws curves and timelines.)
struct SampleAnswerTests {
  private struct Unexpected: Error {
    var answer: SampleAnswer
  }

  /// The answer of an engine to a request in JSON.
  private func samples(_ request: String, _ engine: SampleEngineName = .reference) throws -> SampleAnswer.Samples {
    let answer = try engine.engine().answer(try JSONDocument.decode(from: Array(request.utf8)))
    guard case .samples(let samples) = answer else { throw Unexpected(answer: answer) }
    return samples
  }

  private func settling(_ more: String) throws -> Double {
    let request = #"{"kind": "settling", "spring": \#(more)}"#
    let answer = ReferenceEngine().answer(try JSONDocument.decode(from: Array(request.utf8)))
    guard case .settling(let duration) = answer else { throw Unexpected(answer: answer) }
    return duration
  }

  /// A spring of each regime, which sets out from elsewhere than 0 with a velocity.
  @Test(arguments: [-0.9, -0.2, 0, 0.3, 0.95, 1]) func springsAreTheModels(_ bounce: Double) throws {
    let spring = Spring(duration: 0.7, bounce: bounce)
    let times = [0, 0.01, 0.3, 2, 1, 60]
    let request = """
      {"kind": "spring", "spring": {"duration": 0.7, "bounce": \(bounce)}, "from": 1, "target": 3, "velocity": -2,
       "times": \(times)}
      """
    let (answer, batch) = (try samples(request), try samples(request, .simd))
    #expect(batch.duration == answer.duration && answer.times == times)
    for (index, time) in times.enumerated() {
      let value = 1 + spring.value(target: 2.0, initialVelocity: -2, time: time)
      #expect(isClose(answer.values[index], value, absolute: 1e-13), "at \(time)")
      // S = max(|3 − 1|, 2/ω₀) = 2, and half a unit in the last place of the target.
      #expect(isClose(batch.values[index], value, absolute: 8 * 0x1p-24 * 2 + 0x1p-23), "at \(time)")
      let velocity = spring.velocity(target: 2.0, initialVelocity: -2, time: time)
      #expect(isClose(answer.velocities[index], velocity, absolute: 1e-12), "at \(time)")
    }
  }

  @Test func theDurationOfASpringIsOfItsOwnDistanceAndVelocity() throws {
    let answer = try samples(
      #"{"kind": "spring", "spring": "bouncy", "from": 3, "target": -5, "velocity": 7, "times": []}"#)
    #expect(try answer.duration == settling(#""bouncy", "target": -8, "velocity": 7"#))
    #expect(answer.values.isEmpty && answer.velocities.isEmpty)
    #expect(try settling(#"{"duration": 0}"#) == 0 && settling(#"{"bounce": 1}"#) == .infinity)
  }

  @Test func aJumpIsAtItsTargetAsSoonAsTimePasses() throws {
    let jump = #""spring": {"duration": 0}, "from": 3, "target": 5, "velocity": 2"#
    let answer = try samples(#"{"kind": "spring", \#(jump), "times": [-1, 0, 1e-9, 1]}"#)
    #expect(answer.values == [3, 3, 5, 5] && answer.velocities == [2, 2, 0, 0])
  }
}
