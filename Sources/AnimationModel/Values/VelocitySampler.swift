// SPDX-License-Identifier: MIT

/// An estimate of velocity from the last three samples of a value, as SwiftUI makes it while a finger drags.
///
/// With three samples the older difference weighs three times the newer one: the newest sample of a touch is the noisiest.
/// These weights were measured in SwiftUI. Samples less than 10⁻²² s apart, which only clocks near 0 can show, count as
/// 10⁻²² s apart.
public struct VelocitySampler<Value: VectorArithmetic> {
  fileprivate struct Sample {
    var value: Value
    var time: Double
  }

  private var oldest: Sample?
  private var middle: Sample?
  private var newest: Sample?

  /// A sampler that has seen nothing yet.
  public init() {}

  /// The time of the newest sample in seconds, or nil before the first.
  public var lastTime: Double? { newest?.time }

  /// The value of the newest sample, or nil before the first.
  public var lastValue: Value? { newest?.value }

  /// Takes a sample of the value at `time` seconds.
  ///
  /// A sample at the time of the newest one (closer than one unit in the last place) replaces it.
  ///
  /// - Returns: false, and nothing has changed, if the time is before the newest sample's or not a number.
  @discardableResult
  public mutating func addSample(_ value: Value, time: Double) -> Bool {
    let sample = Sample(value: value, time: time)
    guard let newest else {
      guard !time.isNaN else { return false }
      self.newest = sample
      return true
    }
    if time.isSampleTime(newest.time) {
      self.newest = sample
      return true
    }
    guard time > newest.time else { return false }
    (oldest, middle, self.newest) = (middle, newest, sample)
    return true
  }

  /// Forgets all samples.
  public mutating func reset() { self = VelocitySampler() }

  /// The estimated velocity in value units per second; zero before the second sample.
  public var velocity: Value {
    guard let newest, let middle else { return .zero }
    let recent = slope(from: middle, to: newest)
    guard let oldest else { return recent }
    return recent.scaled(by: 0.25) + slope(from: oldest, to: middle).scaled(by: 0.75)
  }

  private func slope(from start: Sample, to end: Sample) -> Value {
    (end.value - start.value).scaled(by: 1 / max(end.time - start.time, VelocityFading.shortestSpan))
  }
}

// MARK: - Fading

extension VelocitySampler {
  /// The estimated velocity at `time` seconds, which fades while no more samples come; in value units per second.
  ///
  /// Up to the newest sample's time it is ``velocity``; from there it decays as ``Deceleration/normal`` does, by 0.998 each
  /// millisecond. After more than 2 s without a sample, or if the time is not a number, it is zero. In SwiftUI,
  /// transactions that track velocity hand this velocity to a spring when a finger lets go.
  public func velocity(at time: Double) -> Value {
    guard let lastTime, time - lastTime <= VelocityFading.lifetime else { return .zero }
    return VelocityFading.motion.velocity(initialVelocity: velocity, time: max(0, time - lastTime))
  }

  /// Where the value is heading if it is let go at `time` seconds, or nil before the first sample.
  ///
  /// It is the newest sample's value plus the distance of a quarter of a second at the velocity of that time. SwiftUI's
  /// drags predict the same: their velocity is four times the distance to their predicted end.
  public func predictedEnd(at time: Double) -> Value? {
    lastValue.map { $0 + velocity(at: time).scaled(by: 0.25) }
  }
}

/// Constants of estimated velocities, which fade without new samples.
package enum VelocityFading {
  /// The decay of the velocity.
  package static let motion = Deceleration.normal
  /// The seconds after which the velocity is zero.
  package static let lifetime = 2.0
  /// The least span between two samples, in seconds, that differs from 0: with it and the largest values of a batch, a
  /// velocity is a finite Float. Only clocks within 10⁻⁶ s of 0 have shorter ones.
  package static let shortestSpan = 1e-22
}

extension Double {
  /// Whether samples at this time and at `other` count as one: the times are closer than one unit in the last place.
  package func isSampleTime(_ other: Double) -> Bool {
    (self - other).magnitude < max(ulp, other.ulp)
  }
}

extension VelocitySampler.Sample: Sendable where Value: Sendable {}
extension VelocitySampler: Sendable where Value: Sendable {}
