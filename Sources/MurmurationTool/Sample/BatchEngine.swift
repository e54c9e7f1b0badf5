// SPDX-License-Identifier: MIT
import Murmuration
import Scenes

/// Answers from the batches: single precision, with the kernels of this machine or of `MURMURATION_ISA`.
///
/// A spring is one track of a ``SpringBatch`` that starts at time 0, with the batch's clock set to each of the times.
/// Durations are planning, not playing: they are the model's with either engine.
struct BatchEngine: SampleEngine {
  /// The instruction set whose kernels play.
  let kernels: KernelSet

  func answer(_ request: SampleRequest) -> SampleAnswer {
    switch request {
    case .spring(let sample):
      guard let times = sample.times else { return .timesMissing }
      do {
        return .samples(try play(sample, at: times))
      } catch {
        return .error("\(error)")
      }
    case .settling(let question): return .settling(question.answer)
    case .curve: return .error("the simd engine has no batch for curves yet; use --engine reference")
    case .timeline: return .error("the simd engine has no batch for timelines yet; use --engine reference")
    }
  }

  private func play(_ sample: SpringSample, at times: [Double]) throws -> SampleAnswer.Samples {
    var batch = try SpringBatch(reservingCapacity: 1, kernels: kernels)
    // Samples are of the motion itself, which never ends.
    batch.restTolerance = try RestTolerances(value: 1e-30)
    let track = try batch.add(
      sample.spring.spring, value: Float(sample.from), target: Float(sample.target), velocity: Float(sample.velocity))
    var samples = SampleAnswer.Samples(times: times, duration: sample.settlingDuration)
    for time in times {
      try batch.advance(to: time)
      samples.values.append(Double(try batch.value(of: track, as: Float.self)))
      samples.velocities.append(Double(try batch.velocity(of: track, as: Float.self)))
    }
    return samples
  }
}
