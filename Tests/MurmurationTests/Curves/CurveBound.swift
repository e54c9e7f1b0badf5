// SPDX-License-Identifier: MIT
import AnimationModel
import Synchronization

@testable import Murmuration

/// How far what a curve batch shows may be from the exact motion; u is 2⁻²⁴.
struct CurveBound {
  private static let u = 0x1p-24

  /// What the value and the velocity may be off.
  private(set) var value: Double
  private(set) var velocity: Double

  /// The bound of a track that a kernel evaluates, along one curve.
  ///
  /// The fit is off by its own error; the piece is evaluated as that of a clip is, within 8 u of the sum M of its terms and
  /// half a tick of its slope; its factor, the way, is rounded to a Float, and so are the place where the leg begins and the
  /// result. A slope has 3 roundings in the terms of its polynomial, 3 in what these are made of, 3 in the factors, and one
  /// more: 10 u of the sum of its terms.
  init?(_ animation: Animation, way: Double, largest: Double, tolerance: Double) {
    guard let progress = Progress(animation), case .curve(let curve, let duration) = progress.base,
      let fit = CurveFitCache.fit(curve, tolerance: tolerance), let reach = Self.reach(curve, fit)
    else { return nil }
    var rate = 1 / duration
    for case .speed(let speed) in progress.modifiers {
      rate *= speed
    }
    let (size, slope) = reach
    let ulp = Double(Float(largest).ulp)
    value = abs(way) * (fit.valueError + 9 * Self.u * size + slope * 0x1p-33) + ulp
    velocity = abs(way) * rate * (fit.velocityError + 10 * Self.u * slope + fit.acceleration * 0x1p-33)
  }

  /// The bound of a track that is computed on its own, in Double: what it shows is rounded to a Float, and so is the place
  /// from which each spring took over.
  ///
  /// - Parameters:
  ///   - largest: The largest value that was shown.
  ///   - fastest: The largest natural frequency of those springs, and their largest velocity.
  init(takeovers: Int, largest: Double, fastest: Double, speed: Double) {
    let rounding = Double(Float(largest).ulp) / 2
    // Double has 29 digits more, and hardly loses ten of them.
    value = Double(takeovers + 1) * rounding + 1e-12 * largest
    velocity = Double(takeovers) * rounding * fastest + Double(Float(speed).ulp) / 2 + 1e-12 * speed
  }

  /// The reaches of the clips that fits were made to, by curve and error.
  private static let reaches = Mutex<[UnitCurve: [Double: (Double, Double)]]>([:])

  private static func reach(_ curve: UnitCurve, _ fit: CurveFit) -> (Double, Double)? {
    if let known = reaches.withLock({ $0[curve]?[fit.valueError] }) { return known }
    let track = PieceTrack(
      components: [0], times: fit.times, pieces: [fit.pieces],
      boundariesBelongToLater: fit.boundariesBelongToLater)
    guard let clip = try? Clip(dimensions: 1, initialValues: [0], tracks: [track]) else { return nil }
    let reach = clip.reach
    reaches.withLock { $0[curve, default: [:]][fit.valueError] = reach }
    return reach
  }
}
