// SPDX-License-Identifier: MIT
@testable import Formats
import Murmuration
import TestSupport
import Testing

@testable import MurmurationTool

/// Answers of `sample --engine simd` are those of the reference engine. (`ClipSamplerTests` and `RandomSceneTests` hold what
/// kernels make of a clip.)
struct BatchEngineTests {
  private struct Unexpected: Error {
    var answer: SampleAnswer
  }

  private func samples(_ engine: some SampleEngine, _ request: SampleRequest) throws -> SampleAnswer.Samples {
    let answer = engine.answer(request)
    guard case .samples(let samples) = answer else { throw Unexpected(answer: answer) }
    return samples
  }

  private func request(_ text: String) throws -> SampleRequest { try JSONDocument.decode(from: Array(text.utf8)) }

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
    let reference = try samples(ReferenceEngine(), request)
    for set in KernelSet.available {
      let played = try samples(BatchEngine(kernels: set), request)
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
