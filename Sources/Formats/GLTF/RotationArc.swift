// SPDX-License-Identifier: MIT
import Kernels

/// The way of a rotation between two keys: a great circle, or a spline that is normalised.
///
/// Cubics follow it piece by piece, all pieces of the same length. Each cubic meets the way at four points, the ends and
/// two between them: the zeros of the Chebyshev polynomial of degree 4, stretched so that its outer zeros are the ends. No
/// cubics that join come much closer. The error is at most (3 − 2√2)/384 of the fourth derivative over a piece.
struct RotationArc {
  private enum Kind {
    /// A great circle from one rotation to one at right angles to it, through `angle` (of the four-dimensional
    /// vectors).
    case circle(from: SIMD4<Double>, towards: SIMD4<Double>, angle: Double)
    /// A cubic in the share of the way, to be normalised.
    case spline(SIMD4<Double>, SIMD4<Double>, SIMD4<Double>, SIMD4<Double>)
  }

  private let kind: Kind
  private let duration: Double

  /// Pieces fitted to an arc: `pieces[component][piece]`, and the bounds of their errors.
  struct Fit {
    var pieces: [[SIMD4<Double>]]
    var valueError: Double
    var velocityError: Double
  }

  /// The most pieces between two keys.
  static let pieceLimit = 4096

  /// The shortest spline that still has a direction; shorter ones turn faster than pieces can follow.
  private static let shortest = 0x1p-20

  /// The way from one key to the next, `duration` seconds later.
  init(_ sampler: GLTFAnimation.Sampler, from first: Int, to last: Int, duration: Double) {
    self.duration = duration
    let start = sampler.rotation(first)
    let end = sampler.rotation(last)
    if sampler.interpolation == .cubicSpline {
      let leaving = sampler.rotation(first, part: 2) * duration
      let arriving = sampler.rotation(last, part: 0) * duration
      kind = .spline(start, leaving, 3 * (end - start) - 2 * leaving - arriving, leaving + arriving - 2 * (end - start))
    } else {
      // Keys have unit length and lie on the same side, so their difference and their sum are the legs of a right triangle
      // with half the angle.
      let angle = 2 * RotationArc.angle(opposite: (end - start).length, adjacent: (end + start).length)
      let across = end - (end * start).sum() * start
      let length = across.length
      kind = .circle(from: start, towards: length > 0 ? across / length : .zero, angle: length > 0 ? angle : 0)
    }
  }

  /// The rotation at a share of the way, 0 to 1, and its derivative by that share; nil if a spline has no direction
  /// there.
  private func point(_ share: Double) -> (value: SIMD4<Double>, derivative: SIMD4<Double>)? {
    switch kind {
    case .circle(let from, let towards, let angle):
      let (sine, cosine) = ReproducibleMath.sineAndCosine(quarterTurns: angle * share * (2 / .pi))
      return (cosine * from + sine * towards, angle * (cosine * towards - sine * from))
    case .spline(let a, let b, let c, let d):
      let spline = a + share * (b + share * (c + share * d))
      let length = spline.length
      guard length >= RotationArc.shortest else { return nil }
      let direction = spline / length
      let change = 2 * c + share * 3 * d
      let slope = (b + share * change) / length
      return (direction, slope - (slope * direction).sum() * direction)
    }
  }

  /// The angle of a right triangle, from 0 to an eighth of a turn, with the same bits on every machine.
  ///
  /// Each step to θ + sin(φ − θ) cubes the error, up to a factor: from an error of at most 0.08, three steps are exact.
  private static func angle(opposite: Double, adjacent: Double) -> Double {
    let longest = (opposite * opposite + adjacent * adjacent).squareRoot()
    let (y, x) = (opposite / longest, adjacent / longest)
    var angle = y
    for _ in 0..<3 {
      let (sine, cosine) = ReproducibleMath.sineAndCosine(quarterTurns: angle * (2 / .pi))
      angle += y * cosine - x * sine
    }
    return angle
  }

  // MARK: - Counting

  /// The largest error of a piece, as a share of the fourth derivative times the fourth power of its length.
  private static let errorShare = (3 - 2 * 2.0.squareRoot()) / 384

  /// The number of pieces that come within `tolerance` of the arc, as vectors; nil if it exceeds `pieceLimit`.
  func pieces(tolerance: Double) -> Int? {
    switch kind {
    case .circle(_, _, let angle):
      let count = (angle / (tolerance / RotationArc.errorShare).squareRoot().squareRoot()).rounded(.up)
      return count <= Double(RotationArc.pieceLimit) ? max(1, Int(count)) : nil
    case .spline:
      var count = 1
      while count <= RotationArc.pieceLimit {
        guard let error = measuredErrors(pieces: count)?.value else { return nil }
        if error <= tolerance { return count }
        // The error falls with the fourth power of the length, once the pieces are short enough.
        let factor = (error / tolerance).squareRoot().squareRoot()
        count = max(count + 1, Int((Double(count) * min(factor, 2)).rounded(.up)))
      }
      return nil
    }
  }

  // MARK: - Fitting

  /// The arc as `count` pieces.
  func fit(pieces count: Int) -> Fit {
    var pieces = [[SIMD4<Double>]](repeating: [], count: 4)
    for piece in 0..<count {
      guard let cubic = cubic(piece, of: count) else { continue }
      let rate = Double(count) / duration
      for component in 0..<4 {
        let (c0, c1, c2, c3) = (cubic.0[component], cubic.1[component], cubic.2[component], cubic.3[component])
        pieces[component].append(SIMD4(c0, c1 * rate, c2 * rate * rate, c3 * rate * rate * rate))
      }
    }
    let errors = errors(pieces: count)
    return Fit(pieces: pieces, valueError: errors.value, velocityError: errors.velocity / duration)
  }

  private typealias Cubic = (SIMD4<Double>, SIMD4<Double>, SIMD4<Double>, SIMD4<Double>)

  /// The inner points at which a piece meets the arc, as shares of the piece.
  private static let inner = (1 - 0.5.squareRoot(), 0.5.squareRoot())

  /// The cubic, in shares of the piece, that meets the arc at the ends and the inner points of a piece.
  private func cubic(_ piece: Int, of count: Int) -> Cubic? {
    func value(_ share: Double) -> SIMD4<Double>? { point((Double(piece) + share) / Double(count))?.value }
    let (s, t) = RotationArc.inner
    guard let p0 = value(0), let p1 = value(s), let p2 = value(t), let p3 = value(1) else { return nil }
    // Newton's divided differences, then powers.
    let (d01, d12, d23) = ((p1 - p0) / s, (p2 - p1) / (t - s), (p3 - p2) / (1 - t))
    let (d012, d123) = ((d12 - d01) / t, (d23 - d12) / (1 - s))
    let d0123 = d123 - d012
    return (p0, d01 - s * d012 + s * t * d0123, d012 - (s + t) * d0123, d0123)
  }

  // MARK: - Errors

  /// Bounds of the errors in value and in velocity by the share of the way.
  private func errors(pieces count: Int) -> (value: Double, velocity: Double) {
    switch kind {
    case .circle(_, _, let angle):
      // On a circle the length of the n-th derivative is the n-th power of the angle.
      let step = angle / Double(count)
      let fourth = step * step * step * step
      let value = fourth * RotationArc.errorShare
      // The error is f[…]·ω; its derivative f[…]·ω′ + f[…]′·ω, with |ω′| at most 0.2072 at the ends of a piece.
      let velocity = (fourth / 24 * 0.2072 + fourth * step / 120 * 24 * RotationArc.errorShare) * Double(count)
      return (value + 0x1p-50, velocity + 0x1p-46 * Double(count))
    case .spline:
      return measuredErrors(pieces: count) ?? (.infinity, .infinity)
    }
  }

  /// The largest errors at points within each piece, with a margin for the points between them; nil if a spline has no
  /// direction somewhere.
  private func measuredErrors(pieces count: Int) -> (value: Double, velocity: Double)? {
    let samples = 16
    var (value, velocity) = (0.0, 0.0)
    for piece in 0..<count {
      guard let cubic = cubic(piece, of: count) else { return nil }
      for sample in 0...samples {
        let u = Double(sample) / Double(samples)
        guard let exact = point((Double(piece) + u) / Double(count)) else { return nil }
        let fitted = cubic.0 + u * (cubic.1 + u * (cubic.2 + u * cubic.3))
        let change = 2 * cubic.2 + u * 3 * cubic.3
        let slope = (cubic.1 + u * change) * Double(count)
        value = max(value, (fitted - exact.value).length)
        velocity = max(velocity, (slope - exact.derivative).length)
      }
    }
    return (value * 1.25 + 0x1p-50, velocity * 1.25 + 0x1p-46 * Double(count))
  }
}

extension GLTFAnimation.Sampler {
  /// The four numbers of a key.
  fileprivate func rotation(_ key: Int, part: Int = 1) -> SIMD4<Double> {
    let start = position(key: key, part: part)
    return SIMD4(values[start], values[start + 1], values[start + 2], values[start + 3])
  }
}

extension SIMD4<Double> {
  fileprivate var length: Double { (self * self).sum().squareRoot() }
}
