// SPDX-License-Identifier: MIT
@testable import Formats
import Murmuration
import TestSupport
import Testing

@testable import MurmurationTool

/// The answers of `sample`: those of the model, and with `--engine simd` those of kernels. (`ClipSamplerTests` and
/// `RandomSceneTests` hold what kernels make of a clip.)
struct SampleAnswerTests {
  private struct Unexpected: Error {
    var answer: SampleAnswer
  }

  private func request(_ text: String) throws -> SampleRequest { try JSONDocument.decode(from: Array(text.utf8)) }

  private func samples(of engine: any SampleEngine, _ request: SampleRequest) throws -> SampleAnswer.Samples {
    let answer = engine.answer(request)
    guard case .samples(let samples) = answer else { throw Unexpected(answer: answer) }
    return samples
  }

  /// The answer of an engine to a request in JSON.
  private func samples(_ text: String, _ engine: SampleEngineName = .reference) throws -> SampleAnswer.Samples {
    try samples(of: engine.engine(), request(text))
  }

  private func settling(_ more: String) throws -> Double {
    let answer = ReferenceEngine().answer(try request(#"{"kind": "settling", "spring": \#(more)}"#))
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

  // MARK: - Kernels

  /// At a moment between two values that jump, the clip may have either.
  @Test(arguments: 0..<8) func clipsOfCurvesAreWithinTheirBound(_ part: UInt64) throws {
    var draw = RandomTimeline(seed: part)
    for _ in 0..<Effort.draws(quick: 20, soak: 40) {
      let curve = draw.curve()
      let clip = try BatchEngine.clip(of: curve)
      for _ in 0..<100 {
        let time = draw.random.unit()
        let sides = [time - 1e-9, time, time + 1e-9]
        let value = sides.map { abs(clip.value(dimension: 0, at: time) - curve.value(at: $0)) }.min() ?? .infinity
        #expect(value <= clip.report.valueErrorBound + 1e-13, "\(curve) at \(time): \(value)")
        let slopes = sides.map { curve.velocity(at: $0) }.filter(\.isFinite)
        let slope = slopes.map { abs(clip.velocity(dimension: 0, at: time) - $0) }.min() ?? 0
        let largest = slopes.map(abs).max() ?? 0
        #expect(slope <= clip.report.velocityErrorBound + 1e-9 * (1 + largest), "\(curve) at \(time): \(slope)")
      }
    }
  }

  /// Boundaries that fall exactly on ticks: there the right value needs no bound.
  @Test(arguments: TextTable.rows(of: "requests with boundaries", in: "inputs.txt").map { $0[0] })
  func boundariesBelongToTheSameSideAsInTheModel(_ text: String) throws {
    let request = try request(text)
    let reference = try samples(of: ReferenceEngine(), request)
    for set in KernelSet.available {
      let played = try samples(of: BatchEngine(kernels: set), request)
      for (index, time) in reference.times.enumerated() {
        let (value, velocity) = (reference.values[index], reference.velocities[index])
        #expect(abs(played.values[index] - value) <= 0x1p-23 * max(1, abs(value)), "\(set) at \(time)")
        #expect(abs(played.velocities[index] - velocity) <= 0x1p-21 * max(1, abs(velocity)), "\(set) at \(time)")
      }
    }
  }

  @Test func whatCannotBePlayedIsAnErrorWithItsReason() throws {
    let engine = BatchEngine(kernels: .portable)
    func error(_ text: String) throws -> String? {
      guard case .error(let reason) = engine.answer(try request(text)) else { return nil }
      return reason
    }
    #expect(try error(#"{"kind": "curve", "curve": {"steps": 65537}, "times": [0]}"#)?.contains("too rough") == true)
    #expect(try error(#"{"kind": "curve", "curve": "linear"}"#) == "times: is missing")
    #expect(try error(#"{"kind": "timeline", "track": []}"#) == "times: is missing")
    #expect(try error(#"{"kind": "spring", "spring": {}, "times": [-1]}"#)?.contains("-1") == true)
    let steep = #"[{"type": "cubic", "to": 1e15, "duration": 1e-30, "startVelocity": 1e15}]"#
    #expect(try error(#"{"kind": "timeline", "track": \#(steep), "times": [0]}"#) != nil)
  }

  @Test func settlingIsTheModelsWithEitherEngine() throws {
    let request = try request(#"{"kind": "settling", "spring": {"duration": 0.4, "bounce": 0.3}, "target": 7}"#)
    #expect(BatchEngine(kernels: .portable).answer(request) == ReferenceEngine().answer(request))
  }
}
