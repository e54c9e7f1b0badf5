// SPDX-License-Identifier: MIT
import Murmuration
import Scenes

/// Something that answers sample requests.
protocol SampleEngine {
  /// The answer; a request that the engine cannot compute is answered with an error, never with a trap.
  func answer(_ request: SampleRequest) -> SampleAnswer
}

/// The engines by their names on the command line.
enum SampleEngineName: String, CaseIterable, Sendable {
  /// The scalar model in Double.
  case reference
  /// The batches: single precision, the kernels of this machine.
  case simd

  /// The engine of this name; throws if the instruction set that was asked for is missing.
  func engine() throws -> any SampleEngine {
    switch self {
    case .reference: return ReferenceEngine()
    case .simd: return BatchEngine(kernels: try KernelSet.selected)
    }
  }
}

/// Answers from the model alone: scalar, in Double, the reference of every batch.
struct ReferenceEngine: SampleEngine {
  func answer(_ request: SampleRequest) -> SampleAnswer {
    switch request {
    case .spring(let sample):
      guard let times = sample.times else { return .timesMissing }
      return .checked(
        SampleAnswer.Samples(
          times: times, values: times.map(sample.value), velocities: times.map(sample.velocity),
          duration: sample.settlingDuration))
    case .curve(let description, let times):
      guard let times else { return .timesMissing }
      let curve = description.curve
      return .checked(
        SampleAnswer.Samples(
          times: times, values: times.map { curve.value(at: $0) }, velocities: times.map { curve.velocity(at: $0) }))
    case .timeline(let track, let initialValue, let times):
      guard let times else { return .timesMissing }
      let timeline = track.timeline(initialValue: initialValue)
      return .checked(
        SampleAnswer.Samples(
          times: times, values: times.map { timeline.value(time: $0) },
          velocities: times.map { timeline.velocity(time: $0) }, duration: timeline.duration))
    case .settling(let question):
      return .settling(question.answer)
    }
  }
}

// MARK: - The model's answers

extension SpringSample {
  /// The value at `time` seconds after the start; times before it are evaluated as the formula stands.
  func value(time: Double) -> Double {
    if spring.isJump { return time > 0 ? target : from }
    return spring.spring.value(fromValue: from, toValue: target, initialVelocity: velocity, time: time)
  }

  /// The velocity at `time` seconds after the start, in units per second.
  func velocity(time: Double) -> Double {
    if spring.isJump { return time > 0 ? 0 : velocity }
    return spring.spring.velocity(fromValue: from, toValue: target, initialVelocity: velocity, time: time)
  }

  /// SwiftUI's `settlingDuration(target: target − from, initialVelocity: velocity)` with its tolerance of 0.001.
  var settlingDuration: Double {
    spring.isJump ? 0 : spring.spring.settlingDuration(target: target - from, initialVelocity: velocity)
  }
}

extension SettlingQuestion {
  /// SwiftUI's `settlingDuration(target:initialVelocity:epsilon:)`; infinite for an undamped spring.
  var answer: Double {
    guard !spring.isJump else { return 0 }
    return spring.spring.settlingDuration(target: target, initialVelocity: velocity, epsilon: epsilon)
  }
}
