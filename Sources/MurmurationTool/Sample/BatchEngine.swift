// SPDX-License-Identifier: MIT
import Murmuration
import Scenes

/// Answers from batches: single precision, with the kernels of this machine or of `MURMURATION_ISA`.
///
/// - A spring is one track of an ``AnimationBatch`` that starts at time 0, with the batch's clock set to each of the times.
/// - A timeline is compiled to a ``Clip``, which a ``ClipSampler`` plays: the bits are the same as for a track of an
///   ``AnimationBatch``.
/// - A curve is played in the same way from 0 to 1. Outside, where kernels hold its ends, the answer is the model's as
///   a Float: a clamped curve holds, and CSS `steps()` and `linear()` go on.
///
/// The error of curves and timelines is at most the sum of three: the error of compiling, ``tolerance`` of the distance of
/// each keyframe; 8 · 2⁻²⁴ of the size of the clip's pieces; and the distance that the motion covers in 2⁻³³ of the clip's
/// duration. A jump may come early or late by 2⁻³² of that duration. A velocity that is infinite in the model, where a
/// curve is vertical, is finite and large.
///
/// Durations and settling times belong to planning, not to playing: both engines return the model's.
struct BatchEngine: SampleEngine {
  /// The instruction set whose kernels play.
  let kernels: KernelSet

  /// The largest error of compiling a keyframe, as a share of its distance.
  static let tolerance = 0x1p-24
  /// The tolerance of the second try, if the pieces for ``tolerance`` are too short for Float to hold their
  /// coefficients.
  static let coarseTolerance = 0x1p-16

  func answer(_ request: SampleRequest) -> SampleAnswer {
    do {
      switch request {
      case .spring(let sample):
        guard let times = sample.times else { return .timesMissing }
        return .checked(try play(sample, at: times), number: "a Float")
      case .curve(let description, let times):
        guard let times else { return .timesMissing }
        return .checked(try play(description.curve, at: times), number: "a Float")
      case .timeline(let track, let initialValue, let times):
        guard let times else { return .timesMissing }
        let timeline = track.timeline(initialValue: initialValue)
        return .checked(try play(timeline, at: times), number: "a Float")
      case .settling(let question): return .settling(question.answer)
      }
    } catch {
      return .error("\(error)")
    }
  }
}

// MARK: - Springs

extension BatchEngine {
  private func play(_ sample: SpringSample, at times: [Double]) throws -> SampleAnswer.Samples {
    var batch = try AnimationBatch<Float>(reservingCapacity: 1, kernels: kernels)
    // With so small a tolerance no sample counts as at rest: each is of the motion itself.
    batch.restTolerance = try RestTolerances(value: 1e-30)
    let track = try batch.add(
      Float(sample.from), velocity: Float(sample.velocity), to: Float(sample.target), sample.spring.spring)
    var samples = SampleAnswer.Samples(times: times, duration: sample.settlingDuration)
    for time in times {
      try batch.advance(to: time)
      guard let value = batch[track], let velocity = batch.velocity(of: track) else { continue }
      samples.values.append(Double(value))
      samples.velocities.append(Double(velocity))
    }
    return samples
  }
}

// MARK: - Curves and timelines

extension BatchEngine {
  /// The clip of a curve from 0 to 1.
  static func clip(of curve: UnitCurve) throws(ClipError) -> Clip {
    try compiled { tolerance throws(ClipError) in try Clip(within: curve, tolerance: tolerance) }
  }

  /// The clip of a timeline.
  static func clip(of timeline: KeyframeTimeline<Double>) throws(ClipError) -> Clip {
    try compiled { tolerance throws(ClipError) in try Clip(timeline, tolerance: tolerance) }
  }

  private static func compiled(_ compile: (Double) throws(ClipError) -> Clip) throws(ClipError) -> Clip {
    do {
      return try compile(tolerance)
    } catch {
      // If the tolerance was not the cause, this throws the same error.
      return try compile(coarseTolerance)
    }
  }

  private func play(_ curve: UnitCurve, at times: [Double]) throws -> SampleAnswer.Samples {
    var sampler = try ClipSampler(Self.clip(of: curve), kernels: kernels)
    var samples = SampleAnswer.Samples(times: times)
    for time in times {
      if curve.isWithin(time) {
        try sampler.append(time, to: &samples)
      } else {
        samples.values.append(Double(Float(curve.value(at: time))))
        samples.velocities.append(Double(Float(curve.velocity(at: time))))
      }
    }
    return samples
  }

  private func play(_ timeline: KeyframeTimeline<Double>, at times: [Double]) throws -> SampleAnswer.Samples {
    var sampler = try ClipSampler(Self.clip(of: timeline), kernels: kernels)
    var samples = SampleAnswer.Samples(times: times, duration: timeline.duration)
    for time in times {
      // Before the start and after the end the same value holds at all times.
      try sampler.append(min(max(time, -1), sampler.duration.nextUp), to: &samples)
    }
    return samples
  }
}

extension UnitCurve {
  /// Whether kernels play the curve at a progress. CSS curves may jump at 1, so their end belongs to the value after
  /// it.
  fileprivate func isWithin(_ progress: Double) -> Bool {
    switch shape {
    case .steps, .piecewiseLinear: progress >= 0 && progress < 1
    case .identity, .named, .bezier: progress >= 0 && progress <= 1
    }
  }
}

extension ClipSampler {
  /// Appends the value and the velocity of a clip of one dimension at a time.
  fileprivate mutating func append(_ time: Double, to samples: inout SampleAnswer.Samples) throws(BatchError) {
    try sample(at: time)
    samples.values.append(withValues { Double($0[0]) })
    samples.velocities.append(withVelocities { Double($0[0]) })
  }
}
