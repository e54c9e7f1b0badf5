// SPDX-License-Identifier: MIT

/// An estimate of velocity from the last three samples of a value, as SwiftUI makes it while a finger drags.
///
/// With three samples the older difference weighs three times the newer one: the newest sample of a touch is the noisiest.
/// The weights are those SwiftUI was measured to use.
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
    if (time - newest.time).magnitude < max(time.ulp, newest.time.ulp) {
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
    (end.value - start.value).scaled(by: 1 / (end.time - start.time))
  }
}

extension VelocitySampler.Sample: Sendable where Value: Sendable {}
extension VelocitySampler: Sendable where Value: Sendable {}
