// SPDX-License-Identifier: MIT
import Murmuration
import Synchronization

/// A curve, or the way of a spring, as a batch fits it with cubic pieces: the error of the pieces, and their sizes.
struct CurveFit {
  private let valueError: Double
  private let velocityError: Double
  private let reach: ClipReach
  /// Half a tick, in the time of the curve or in seconds of the spring.
  private let halfTick: Double

  private init(_ clip: Clip) {
    (valueError, velocityError) = (clip.report.valueErrorBound, clip.report.velocityErrorBound)
    reach = ClipReach(clip)
    halfTick = 0x1p-33 * clip.duration
  }

  /// The error of moving along the curve over a way, at a rate per second.
  ///
  /// The fit has its own error. A piece is evaluated as a clip's piece is, within 8 u of the sum of its terms and half
  /// a tick of its slope; its factor, the way, is rounded to a Float. A slope has 3 roundings in the terms of its
  /// polynomial, 3 in their coefficients, 3 in the factors, and one more: 10 u of the sum of its terms.
  func bound(way: Double, rate: Double) -> ErrorBound {
    let unit = ErrorBound.unit
    return ErrorBound(
      value: way * (valueError + 9 * unit * reach.value + reach.slope * halfTick),
      velocity: way * rate * (velocityError + 10 * unit * reach.slope + reach.acceleration * halfTick))
  }

  // MARK: - The fits of all curves

  private struct Key: Hashable {
    enum Way: Hashable {
      case curve(UnitCurve)
      case spring(Spring, initialVelocity: Double, end: Double)
    }

    let way: Way
    let tolerance: Double
  }

  private static let fits = Mutex<[Key: CurveFit]>([:])

  /// The fit of a curve within a tolerance; nil without one. Then no kernel evaluates the curve.
  static func of(_ curve: UnitCurve, tolerance: Double) -> CurveFit? {
    fit(Key(way: .curve(curve), tolerance: tolerance)) { try? Clip(curve: curve, tolerance: tolerance) }
  }

  /// The fit of the way of a spring from 0 to 1 until it ends; nil without one.
  static func of(_ spring: Spring, initialVelocity: Double, end: Double, tolerance: Double) -> CurveFit? {
    let way = Key.Way.spring(spring, initialVelocity: initialVelocity, end: end)
    return fit(Key(way: way, tolerance: tolerance)) {
      let keyframe = SpringKeyframe(1.0, duration: end, spring: spring, startVelocity: initialVelocity)
      return try? Clip(KeyframeTimeline(initialValue: 0.0) { KeyframeTrack { keyframe } }, tolerance: tolerance)
    }
  }

  private static func fit(_ key: Key, _ clip: () -> Clip?) -> CurveFit? {
    if let known = fits.withLock({ $0[key] }) { return known }
    guard let fit = clip().map(CurveFit.init) else { return nil }
    fits.withLock { $0[key] = fit }
    return fit
  }
}

extension Animation {
  /// The error of evaluating this animation in Float, over a way: the error of its curve, or of the way of its spring.
  /// A called animation has rounding errors alone. Nil for a curve without a fit.
  func bound(way: Double, tolerance: Double, rate: Double = 1) -> ErrorBound? {
    switch structure {
    case .curve(let curve, let duration):
      return CurveFit.of(curve, tolerance: tolerance)?.bound(way: way, rate: rate / duration)
    case .spring(let spring): return bound(spring, 0, way: way, tolerance: tolerance, rate: rate)
    case .interpolatingSpring(let spring, let velocity):
      return bound(spring, velocity, way: way, tolerance: tolerance, rate: rate)
    case .speed(let base, let speed): return base.bound(way: way, tolerance: tolerance, rate: rate * abs(speed))
    case .delay(let base, _), .repeat(let base, _, _), .logicallyComplete(let base, _):
      return base.bound(way: way, tolerance: tolerance, rate: rate)
    case .custom: return ErrorBound()
    }
  }

  /// - Parameter velocity: In fractions of the way per second.
  private func bound(
    _ spring: Spring, _ velocity: Double, way: Double, tolerance: Double, rate: Double
  ) -> ErrorBound {
    let end = endTime(value: 1.0, context: AnimationContext())
    if let fit = CurveFit.of(spring, initialVelocity: velocity, end: end, tolerance: tolerance) {
      return fit.bound(way: way, rate: rate)
    }
    let error = ErrorBound.perMotion * way * max(1, abs(velocity) / spring.naturalFrequency)
    let frequency = spring.naturalFrequency
    return ErrorBound(value: error, velocity: frequency.isFinite ? error * rate * frequency : 0)
  }
}
