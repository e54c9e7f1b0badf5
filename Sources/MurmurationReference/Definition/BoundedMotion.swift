// SPDX-License-Identifier: MIT
import Murmuration

/// A track that slides within bounds, in Double, with the error that a batch may show beside it.
///
/// A batch evaluates the same formulas, from the state that it shows. An error of that state is one of the whole motion, which
/// neither the slide nor the spring lets grow to more than four times its size.
struct BoundedMotion: ReferenceMotion {
  let slides: [BoundedSlide]
  private let start: Double
  /// The largest error of the start, as a distance.
  let endError: Double
  /// Errors in value that become errors in velocity.
  private let frequency: Double
  /// Seconds after which a batch may have all components at rest, and after which it must.
  private let rest: ClosedRange<Double>
  /// Whether a batch may have a component meet its bound, and whether it must.
  let mayMeetBound, meetsBound: Bool
  private let parts: Parts

  /// What it was made of.
  private struct Parts {
    var samples: [MotionSample]
    var deceleration: Deceleration
    let bounds: SlideBounds
    var spring: Spring
  }

  init(
    _ deceleration: Deceleration, from samples: [MotionSample], within bounds: SlideBounds, at time: Double,
    _ tolerance: RestTolerances
  ) {
    let parts = Parts(samples: samples, deceleration: deceleration, bounds: bounds, spring: bounds.spring)
    self.init(parts, at: time) { slides, error in
      func last(_ tolerance: Double, _ velocity: Double?) -> Double {
        slides.map { $0.restTime(tolerance: tolerance, velocityTolerance: velocity) }.max() ?? 0
      }
      let (near, slow) = (Double(tolerance.value), tolerance.velocity.map(Double.init))
      let k = deceleration.decayConstant
      let first = last(near + error, slow.map { $0 + k * error })
      let latest = last(max(near - error, near / 1e3), slow.map { max($0 - k * error, $0 / 1e3) })
      return first <= latest ? first...latest : 0 ... .infinity
    }
  }

  private init(
    _ parts: Parts, at time: Double, rest: (_ slides: [BoundedSlide], _ error: Double) -> ClosedRange<Double>
  ) {
    let k = parts.deceleration.decayConstant
    let slowest = parts.spring.jumps ? k : min(k, parts.spring.naturalFrequency)
    frequency = parts.spring.jumps ? k : max(k, parts.spring.naturalFrequency)
    slides = parts.samples.indices.map {
      let sample = parts.samples[$0]
      return BoundedSlide(
        from: sample.value, velocity: sample.velocity, by: parts.deceleration, within: parts.bounds[$0], parts.spring)
    }
    let error = parts.samples.map { $0.bound.value + $0.bound.velocity / slowest }.max() ?? 0
    var (may, must) = (false, false)
    for (dimension, sample) in parts.samples.enumerated() {
      let bounds = parts.bounds[dimension]
      for value in [
        sample.value, parts.deceleration.projectedEnd(from: sample.value, initialVelocity: sample.velocity),
      ] {
        may = may || value - error < bounds.lowerBound || value + error > bounds.upperBound
        must = must || value + error < bounds.lowerBound || value - error > bounds.upperBound
      }
    }
    (start, endError, mayMeetBound, meetsBound, self.parts) = (time, error, may, must, parts)
    self.rest = rest(slides, error)
  }

  func samples(at time: Double) -> [MotionSample] {
    let age = max(0, time - start)
    return slides.enumerated().map { dimension, slide in
      var sample = MotionSample(value: slide.value(at: age), velocity: slide.velocity(at: age))
      let way = abs(slide.start - slide.end) + abs(parts.samples[dimension].velocity) / frequency
      let error = 4 * endError + ErrorBound.rounding(of: max(abs(sample.value), abs(slide.end))) + 0x1p-40 * way
      sample.bound = ErrorBound(value: error, velocity: error * frequency + ErrorBound.rounding(of: sample.velocity))
      let end = MotionSample(value: slide.end, bound: ErrorBound(value: error))
      if age > rest.upperBound { return end }
      return age >= rest.lowerBound - slack ? [sample].allowing([end])[0] : sample
    }
  }

  /// Rounding of moments, and by how much a contact may come early or late. At a bound, an undamped spring never rests.
  private var slack: Double {
    let lag = zip(parts.samples, slides).map { sample, slide in
      let end = parts.deceleration.projectedEnd(from: sample.value, initialVelocity: sample.velocity)
      return endError == 0 ? 0 : endError / abs(parts.deceleration.decayConstant * (end - slide.end))
    }
    return 1e-9 * min(rest.lowerBound, 1e10) + 8 * start.ulp + lag.reduce(0) { $1 < 1 ? max($0, $1) : $0 }
  }

  func standing(at time: Double, _ tolerance: RestTolerances) -> Standing {
    let age = time - start
    return age > rest.upperBound + slack ? .stands : age >= rest.lowerBound - slack ? .unknown : .moves
  }

  /// When a batch may report it as complete and at rest.
  var completion: ClosedRange<Double> { start + rest.lowerBound - slack...start + rest.upperBound + slack }

  func paced(by ratio: Double, at time: Double) -> BoundedMotion {
    var parts = parts
    parts.samples = parts.samples.map { $0.paced(by: ratio) }
    parts.deceleration = Deceleration(decayConstant: parts.deceleration.decayConstant * ratio)
    parts.spring = parts.spring.paced(by: ratio)
    return BoundedMotion(parts, at: time.paced(start, by: ratio)) { _, _ in
      rest.lowerBound / ratio...rest.upperBound / ratio
    }
  }
}
