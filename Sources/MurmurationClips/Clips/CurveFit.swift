// SPDX-License-Identifier: MIT
#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A unit curve as cubic pieces over progress in time, 0 to 1.
package struct CurveFit: Sendable {
  /// n + 1 boundaries, from 0 to 1.
  package let times: [Double]
  /// The pieces: each gives the value from the progress since its start.
  package let pieces: [SIMD4<Double>]
  /// Bounds of the errors, as shares of the way.
  let valueError: Double
  let velocityError: Double
  /// The steepest slope, and the greatest rate at which the slope changes.
  private(set) var speed = 0.0
  private(set) var acceleration = 0.0
  /// The largest coefficients of squares and of cubes.
  private(set) var square = 0.0
  private(set) var cube = 0.0
  /// The length of the shortest piece.
  private(set) var shortest = Double.infinity
  /// Whether a boundary belongs to the later piece, as where the curve jumps.
  package let boundariesBelongToLater: Bool
  /// Whether the first piece begins beside 0, which the curve shows at its very start, and whether the last ends beside 1.
  package private(set) var startsWithJump = false
  private(set) var endsWithJump = false

  private init(
    times: [Double], pieces: [SIMD4<Double>], valueError: Double, velocityError: Double,
    boundariesBelongToLater: Bool = false
  ) {
    (self.times, self.pieces, self.boundariesBelongToLater) = (times, pieces, boundariesBelongToLater)
    (self.valueError, self.velocityError) = (valueError, velocityError)
    for (index, piece) in pieces.enumerated() {
      let length = times[index + 1] - times[index]
      speed = max(speed, piece.steepest(during: length))
      acceleration = max(acceleration, piece.mostBent(during: length))
      square = max(square, piece.z.magnitude)
      cube = max(cube, piece.w.magnitude)
      shortest = min(shortest, length)
    }
  }
}

// MARK: - Fitting

extension CurveFit {
  /// The most pieces that a curve may take.
  static let maximumCount = 1 << 16

  /// Seconds in which a piece across a whole distance still has coefficients that fit Float.
  static func shortestPiece(over distance: Double) -> Double { max(cbrt(distance), 0x1p-7) * 0x1p-38 }

  /// The pieces of a curve with an error of at most `tolerance`; nil if its numbers are not finite, or if it would take
  /// more than ``maximumCount`` pieces.
  init?(_ curve: UnitCurve, tolerance: Double) {
    switch curve.shape {
    case .identity:
      self.init(times: [0, 1], pieces: [SIMD4(0, 1, 0, 0)], valueError: 0, velocityError: 0)
    case .named(let ease):
      self.init(ease, tolerance: tolerance)
    case .bezier(let bezier):
      self.init(bezier, tolerance: tolerance)
    case .steps:
      guard let corners = curve.corners else { return nil }
      self.init(straight: curve, corners: corners)
    case .piecewiseLinear(let line):
      guard let corners = curve.corners, (line.inputs + line.outputs).allSatisfy({ $0.isFinite }) else { return nil }
      self.init(straight: curve, corners: corners)
    }
  }

  /// The curve of fits that follow each other, at least one; nil if one could not be made. Before the first and after the last
  /// the curve stays at 0 and at 1.
  private init?(_ fits: [CubicFit<Double>?]) {
    guard var fit = fits[0] else { return nil }
    for next in fits.dropFirst() {
      guard let next else { return nil }
      fit.append(next)
    }
    guard fit.valueError.isFinite else { return nil }
    var pieces = fit.pieces.map { SIMD4($0.c0, $0.c1, $0.c2, $0.c3) }
    if fit.times[0] > 0 {
      fit.times.insert(0, at: 0)
      pieces.insert(.zero, at: 0)
    }
    if fit.times[pieces.count] < 1 {
      fit.times.append(1)
      pieces.append(SIMD4(1, 0, 0, 0))
    }
    // A curve that swings far beyond 0…1 has larger rounding errors, here and in its definition.
    let height = pieces.reduce(1) { max($0, $1.x.magnitude) }
    self.init(
      times: fit.times, pieces: pieces, valueError: fit.valueError + 64 * 0x1p-53 * height,
      velocityError: fit.velocityError)
  }

  /// Fits a curve by its parameter: there is no equation to solve, and a vertical end is smooth.
  private init?(_ bezier: CubicBezier, tolerance: Double) {
    let (x, y) = bezier.coefficients
    let (first, last) = (bezier.velocity(at: 0), bezier.velocity(at: 1))
    guard y.x.isFinite, y.y.isFinite, y.z.isFinite, x.x.isFinite, x.y.isFinite, x.z.isFinite else { return nil }
    // Only the curve of (1, …) and (0, …) is vertical inside, at its middle.
    let middle = bezier.start.x == 1 && bezier.end.x == 0 ? 0.5 : nil
    // Where a curve is vertical at times about 1, neighbouring times are at least 2⁻²⁶ apart in its parameter. Double tells
    // times about 0 apart much better.
    let shortest = bezier.start.x == 0 && bezier.end.x < 1 ? 0x1p-44 : 0x1p-28
    let settings = CubicFit<Double>.Settings(tolerance: tolerance, longest: 0.5, shortest: shortest)
    func arc(from: Double, to: Double) -> CubicFit<Double>? {
      CubicFit(from: from, to: to, settings) { s in
        let r = 1 - s
        // The half that is nearer to the end is computed from the end, so that its last digits count.
        let time = s <= 0.5 ? s * (x.z + s * (x.y + s * x.x)) : 1 - r * Self.mirrored(x, at: r)
        let value = s <= 0.5 ? s * (y.z + s * (y.y + s * y.x)) : 1 - r * Self.mirrored(y, at: r)
        let run = x.z + s * (2 * x.y + s * (3 * x.x))
        let rise = y.z + s * (2 * y.y + s * (3 * y.x))
        let velocity = s == 0 ? first : s == 1 ? last : s == middle ? .infinity : rise / run
        return CubicFit<Double>.Point(time: time, value: value, velocity: velocity)
      }
    }
    self.init(middle.map { [arc(from: 0, to: $0), arc(from: $0, to: 1)] } ?? [arc(from: 0, to: 1)])
  }

  /// (1 − p(1 − r))/r for p(s) = s(c + s(b + s·a)) with p(1) = 1.
  @inline(__always)
  private static func mirrored(_ p: SIMD3<Double>, at r: Double) -> Double {
    p.z + 2 * p.y + 3 * p.x - r * (p.y + 3 * p.x - r * p.x)
  }

  /// Fits a named ease between its corners, where its formula changes. An ease that is upright somewhere is fitted by another
  /// parameter, in which it is smooth there: an inverse by its value, and a circle by its angle.
  private init?(_ ease: NamedEase, tolerance: Double) {
    let isCircle = ease.family == .circ
    let corners = isCircle ? [] : [0] + ease.corners + [1]
    let spans =
      isCircle
      ? Array(repeating: (0, .pi / 2), count: ease.direction == .inOut ? 2 : 1)
      : Array(zip(corners, corners.dropFirst()))
    // Most eases have a fourth derivative of one sign between their corners.
    let settings = CubicFit<Double>.Settings(
      tolerance: tolerance, longest: isCircle ? 0.5 : ease.family == .elastic ? 0x1p-4 : 1, shortest: 0x1p-44)
    self.init(
      spans.enumerated().map { index, span in
        CubicFit(from: span.0, to: span.1, settings) { x in
          isCircle ? Self.circle(ease.direction, quarter: index, at: x) : Self.point(of: ease, at: x, between: span)
        }
      })
    (startsWithJump, endsWithJump) = (ease.startsWithJump, ease.endsWithJump)
  }

  /// A point of an ease that is no circle; of an inverse by its value.
  private static func point(
    of ease: NamedEase, at x: Double, between span: (start: Double, end: Double)
  ) -> CubicFit<Double>.Point {
    if ease.isInverse {
      let forward = ease.inverse
      return CubicFit<Double>.Point(time: forward.limit(at: x), value: x, velocity: 1 / forward.velocity(at: x))
    }
    // At a corner the slope of this side.
    let inside = min(max(x, span.start + 0x1p-50), span.end - 0x1p-50)
    return CubicFit<Double>.Point(time: x, value: ease.limit(at: x), velocity: ease.velocity(at: inside))
  }

  /// A point of a quarter of a circle. Its angle starts at the end at which times are small, so that they keep their digits.
  private static func circle(
    _ direction: NamedEase.Direction, quarter: Int, at angle: Double
  ) -> CubicFit<Double>.Point {
    let isFlatFirst = direction == .in || direction == .inOut && quarter == 0
    let (scale, origin) = direction == .inOut ? (0.5, Double(quarter) / 2) : (1, 0)
    let (sine, cosine) = (sin(angle), cos(angle))
    let height = 2 * sin(angle / 2) * sin(angle / 2)
    let isLast = angle >= .pi / 2
    let (time, value) = isLast ? (1, 1) : isFlatFirst ? (sine, height) : (height, sine)
    let slope = isLast ? (isFlatFirst ? .infinity : 0) : isFlatFirst ? sine / cosine : cosine / sine
    return CubicFit<Double>.Point(time: origin + scale * time, value: origin + scale * value, velocity: slope)
  }

  /// A curve that is straight between corners, where it may jump; its end shows 1 in any case.
  private init(straight curve: UnitCurve, corners: [Double]) {
    var times = [0.0]
    for corner in corners where corner > times[times.count - 1] { times.append(corner) }
    times.append(1)
    let pieces = (0..<times.count - 1).map { index in
      let middle = times[index] + (times[index + 1] - times[index]) / 2
      let slope = curve.velocity(at: middle)
      return SIMD4(curve.value(at: middle) - slope * (middle - times[index]), slope, 0, 0)
    }
    // The rounding of the corners' heights counts with the larger corner.
    let height = pieces.reduce(1) { max($0, max($1.x.magnitude, $1.y.magnitude)) }
    self.init(
      times: times, pieces: pieces, valueError: 16 * 0x1p-53 * height, velocityError: 0, boundariesBelongToLater: true)
  }
}

// MARK: - Stretching

extension CurveFit {
  /// Whether all pieces, stretched to `duration` seconds from `start` on, are longer than 32 units in the last place of the
  /// times there, and have coefficients that fit Float when they cover `distance`.
  func isDistinct(from start: Double, during duration: Double, distance: Double) -> Bool {
    let limit = 1e36 * duration * duration
    guard square * distance <= limit, cube * distance <= limit * duration else { return false }
    if shortest * duration > 32 * (start + duration).ulp { return true }
    return pieces.indices.allSatisfy { index in
      (times[index + 1] - times[index]) * duration > 32 * (start + times[index + 1] * duration).ulp
    }
  }

  /// The error of a stretched curve whose times are rounded, as a share of the way and of the mean velocity.
  ///
  /// - Parameters:
  ///   - delay: How late its end can be, in seconds; earlier boundaries are less late, as their times are smaller.
  ///   - lead: How early all boundaries are, in seconds.
  func lateness(
    from start: Double, during duration: Double, by delay: Double, lead: Double
  ) -> (value: Double, velocity: Double) {
    let most = (delay + lead) / duration
    let all = (value: most * speed, velocity: most * acceleration)
    // In most cases this is tiny beside the fit's own errors.
    if all.value <= 0x1p-10 * valueError, all.velocity <= 0x1p-10 * velocityError { return all }
    let precision = delay / (start + duration)
    var late = (value: 0.0, velocity: 0.0)
    for (index, piece) in pieces.enumerated() {
      let length = times[index + 1] - times[index]
      let share = (precision * (start + times[index + 1] * duration) + lead) / duration
      late.value = max(late.value, share * piece.steepest(during: length))
      late.velocity = max(late.velocity, share * piece.mostBent(during: length))
    }
    return late
  }
}

extension SIMD4<Double> {
  /// A bound of the slope of the cubic with these coefficients.
  func steepest(during length: Double) -> Double {
    y.magnitude + length * (2 * z.magnitude + length * (3 * w.magnitude))
  }

  /// A bound of the rate at which that slope changes.
  func mostBent(during length: Double) -> Double { 2 * z.magnitude + length * (6 * w.magnitude) }
}

extension UnitCurve {
  /// The inputs between 0 and 1 at which the curve jumps or bends sharply, ascending; nil if there are more than a fit
  /// may have pieces.
  package var corners: [Double]? {
    switch shape {
    case .steps(let steps):
      guard steps.count <= CurveFit.maximumCount else { return nil }
      return (0..<steps.count).dropFirst().map { Double($0) / Double(steps.count) }
    case .piecewiseLinear(let line):
      guard line.inputs.count <= CurveFit.maximumCount else { return nil }
      return line.inputs.filter { $0 > 0 && $0 < 1 }
    case .named(let ease): return ease.corners
    case .identity, .bezier: return []
    }
  }
}

/// The fits of curves that were asked for, shared by the whole process: most timelines use a handful of curves.
package enum CurveFitCache {
  private struct Key: Hashable {
    let curve: UnitCurve
    let tolerance: Double
  }

  /// The largest number of fits kept. When it is reached all fits are dropped, and fits in use are made again.
  static let capacity = 1024

  /// The largest number of pieces of a fit that is kept, so that the cache stays below a few megabytes in most uses.
  private static let largestFit = 256

  private static let fits = SharedValue<[Key: CurveFit]>([:])

  /// The fit of a curve; nil without one, see `CurveFit.init(_:tolerance:)`.
  package static func fit(_ curve: UnitCurve, tolerance: Double) -> CurveFit? {
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
