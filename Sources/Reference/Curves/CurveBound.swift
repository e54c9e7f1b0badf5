// SPDX-License-Identifier: MIT
package import Murmuration
import Synchronization

/// How far what a curve batch shows may be from the exact motion; u is 2⁻²⁴.
package struct CurveBound {
  private static let u = 0x1p-24

  /// What the value and the velocity may be off.
  package private(set) var value: Double
  package private(set) var velocity: Double

  /// The bound of a track that a kernel evaluates, along one curve; nil if the animation is none.
  ///
  /// The fit is off by its own error; the piece is evaluated as that of a clip is, within 8 u of the sum M of its terms and
  /// half a tick of its slope; its factor, the way, is rounded to a Float, and so are the place where the leg begins and the
  /// result. A slope has 3 roundings in the terms of its polynomial, 3 in what these are made of, 3 in the factors, and one
  /// more: 10 u of the sum of its terms.
  package init?(_ animation: Animation, way: Double, largest: Double, tolerance: Double) {
    guard let (curve, rate) = Self.curve(animation), let fit = Self.fit(curve, tolerance) else { return nil }
    let ulp = Double(Float(largest).ulp)
    value = abs(way) * (fit.valueError + 9 * Self.u * fit.reach.value + fit.reach.slope * 0x1p-33) + ulp
    velocity =
      abs(way) * rate * (fit.velocityError + 10 * Self.u * fit.reach.slope + fit.reach.acceleration * 0x1p-33)
  }

  /// The bound of a track that is computed on its own, in Double: what it shows is rounded to a Float, and so is the place
  /// from which each spring took over.
  ///
  /// - Parameters:
  ///   - largest: The largest value that was shown.
  ///   - fastest: The largest natural frequency of those springs, and their largest velocity.
  package init(takeovers: Int, largest: Double, fastest: Double, speed: Double) {
    let rounding = Double(Float(largest).ulp) / 2
    // Double has 29 digits more, and hardly loses ten of them.
    value = Double(takeovers + 1) * rounding + 1e-12 * largest
    velocity = Double(takeovers) * rounding * fastest + Double(Float(speed).ulp) / 2 + 1e-12 * speed
  }

  /// The curve that an animation goes along, and how many times a second.
  private static func curve(_ animation: Animation) -> (curve: UnitCurve, rate: Double)? {
    switch animation.structure {
    case .curve(let curve, let duration): (curve, 1 / duration)
    case .speed(let next, let speed): curve(next).map { ($0.curve, $0.rate * speed) }
    case .delay(let next, _), .repeat(let next, _, _), .logicallyComplete(let next, _): curve(next)
    case .spring, .interpolatingSpring, .custom: nil
    }
  }

  /// A curve as it was fitted: its errors, as shares of the way, and the size of its pieces.
  private struct Fit {
    let valueError: Double
    let velocityError: Double
    let reach: ClipReach
  }

  private struct Key: Hashable {
    let curve: UnitCurve
    let tolerance: Double
  }

  private static let fits = Mutex<[Key: Fit]>([:])

  private static func fit(_ curve: UnitCurve, _ tolerance: Double) -> Fit? {
    let key = Key(curve: curve, tolerance: tolerance)
    if let known = fits.withLock({ $0[key] }) { return known }
    // Without a fit no kernel evaluates the track, and this bound is not asked for.
    guard let clip = try? Clip(curve: curve, tolerance: tolerance) else { return nil }
    let (valueError, velocityError) = (clip.report.valueErrorBound, clip.report.velocityErrorBound)
    let fit = Fit(valueError: valueError, velocityError: velocityError, reach: ClipReach(clip))
    fits.withLock { $0[key] = fit }
    return fit
  }
}
