// SPDX-License-Identifier: MIT
import Kernels

/// The factors of the differences between samples, whose weighted sum is a velocity at some time.
///
/// A single difference counts alone. Of two, the newest counts a quarter and the older one three quarters, as in
/// ``VelocitySampler``. Time spans and fading are in the weights, so that lanes have no divisions.
struct VelocityWeights {
  /// The factor of the newest difference where it is the only one.
  var alone: Float = 0
  /// The factor of the newest difference where there is an older one.
  var newer: Float = 0
  /// The factor of the older difference.
  var older: Float = 0

  /// The least span between two samples, in seconds, that differs from 0: with it and the largest values, a velocity is
  /// a finite Float. Only clocks within 10⁻⁶ s of 0 have shorter ones.
  static let shortestSpan = 1e-22

  /// 1000·log₂ 0.998, the exponent by which a velocity fades in a second.
  private static let fadingExponent = -2.8882793248265118

  /// The weights when `elapsed` seconds have passed since the newest sample; all are 0 once the velocity has faded.
  init(newerSpan: Double, olderSpan: Double, elapsed: Double) {
    guard elapsed <= VelocityFading.lifetime else { return }
    let left = ReproducibleMath.exp2OfNegative(Self.fadingExponent * elapsed)
    alone = Float(left / max(newerSpan, Self.shortestSpan))
    newer = Float(0.25 * left / max(newerSpan, Self.shortestSpan))
    older = Float(0.75 * left / max(olderSpan, Self.shortestSpan))
  }

  /// The velocities of one tile from its samples and histories; zero for a track with fewer than two samples.
  @inline(__always)
  func velocities(
    histories: VelocitySamples.Bits, newest: VelocitySamples.Floats, middle: VelocitySamples.Floats,
    oldest: VelocitySamples.Floats
  ) -> VelocitySamples.Floats {
    // All bits of a lane are set where there are two samples, and where there are three.
    let hasNewer = 0 &- ((histories &>> 1) & 1)
    let hasOlder = 0 &- ((histories &>> 2) & 1)
    let alone = VelocitySamples.Bits(repeating: alone.bitPattern)
    let newer = (alone ^ ((alone ^ newer.bitPattern) & hasOlder)) & hasNewer
    let older = older.bitPattern & hasOlder
    return unsafe unsafeBitCast(newer, to: VelocitySamples.Floats.self) * (newest - middle)
      + unsafeBitCast(older, to: VelocitySamples.Floats.self) * (middle - oldest)
  }
}
