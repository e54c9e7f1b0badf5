// SPDX-License-Identifier: MIT
import Synchronization

/// The fits of curves that were asked for, shared by the whole process: most timelines use a handful of curves.
enum CurveFitCache {
  private struct Key: Hashable {
    let curve: UnitCurve
    let tolerance: Double
  }

  /// The largest number of fits kept. When it is reached all fits are dropped, and fits in use are made again.
  static let capacity = 1024

  /// The largest number of pieces of a fit that is kept, so that the cache stays below a few megabytes in most uses.
  private static let largestFit = 256

  private static let fits = Locked<[Key: CurveFit]>([:])

  /// The fit of a curve; nil without one, see `CurveFit.init(_:tolerance:)`.
  static func fit(_ curve: UnitCurve, tolerance: Double) -> CurveFit? {
    let key = Key(curve: curve, tolerance: tolerance)
    if let known = fits.withLock({ $0[key] }) { return known }
    // The fit is made outside the lock: two threads may make the same fit, but neither waits for the other.
    guard let fit = CurveFit(curve, tolerance: tolerance) else { return nil }
    guard fit.pieces.count <= largestFit else { return fit }
    fits.withLock { fits in
      if fits.count >= capacity { fits.removeAll(keepingCapacity: true) }
      fits[key] = fit
    }
    return fit
  }

  /// The number of fits kept.
  static var count: Int { fits.withLock { $0.count } }
}
