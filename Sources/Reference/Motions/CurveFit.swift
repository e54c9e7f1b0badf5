// SPDX-License-Identifier: MIT
import Murmuration
import Synchronization

/// A curve as a batch fits it with cubic pieces: how far the pieces are from it, and how large they are.
struct CurveFit {
  private let valueError: Double
  private let velocityError: Double
  private let reach: ClipReach

  /// The error of going along the curve, over a way, so many times a second.
  ///
  /// The fit is off by its own error; the piece is evaluated as that of a clip is, within 8 u of the sum of its terms and half
  /// a tick of its slope; its factor, the way, is rounded to a Float. A slope has 3 roundings in the terms of its polynomial,
  /// 3 in what these are made of, 3 in the factors, and one more: 10 u of the sum of its terms.
  func bound(way: Double, rate: Double) -> ErrorBound {
    let unit = ErrorBound.unit
    return ErrorBound(
      value: way * (valueError + 9 * unit * reach.value + reach.slope * 0x1p-33),
      velocity: way * rate * (velocityError + 10 * unit * reach.slope + reach.acceleration * 0x1p-33))
  }

  // MARK: - The fits of all curves

  private struct Key: Hashable {
    let curve: UnitCurve
    let tolerance: Double
  }

  private static let fits = Mutex<[Key: CurveFit]>([:])

  /// The fit of a curve within a tolerance; nil if it has none, and no kernel evaluates it.
  static func of(_ curve: UnitCurve, tolerance: Double) -> CurveFit? {
    let key = Key(curve: curve, tolerance: tolerance)
    if let known = fits.withLock({ $0[key] }) { return known }
    guard let clip = try? Clip(curve: curve, tolerance: tolerance) else { return nil }
    let fit = CurveFit(
      valueError: clip.report.valueErrorBound, velocityError: clip.report.velocityErrorBound, reach: ClipReach(clip))
    fits.withLock { $0[key] = fit }
    return fit
  }
}

extension Animation {
  /// The error of evaluating this animation in Float, over a way: of the curve that it goes along, or of its spring; that of
  /// rounding alone for one that is called. Nil for a curve that has no fit.
  func bound(way: Double, tolerance: Double, rate: Double = 1) -> ErrorBound? {
    switch structure {
    case .curve(let curve, let duration):
      return CurveFit.of(curve, tolerance: tolerance)?.bound(way: way, rate: rate / duration)
    case .spring(let spring): return Self.bound(spring, 0, way: way, rate: rate)
    case .interpolatingSpring(let spring, let velocity): return Self.bound(spring, velocity, way: way, rate: rate)
    case .speed(let base, let speed): return base.bound(way: way, tolerance: tolerance, rate: rate * abs(speed))
    case .delay(let base, _), .repeat(let base, _, _), .logicallyComplete(let base, _):
      return base.bound(way: way, tolerance: tolerance, rate: rate)
    case .custom: return ErrorBound()
    }
  }

  /// - Parameter velocity: In fractions of the way per second.
  private static func bound(_ spring: Spring, _ velocity: Double, way: Double, rate: Double) -> ErrorBound {
    let error = ErrorBound.perMotion * way * max(1, abs(velocity) / spring.naturalFrequency)
    let frequency = spring.naturalFrequency
    return ErrorBound(value: error, velocity: frequency.isFinite ? error * rate * frequency : 0)
  }
}
