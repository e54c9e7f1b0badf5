// SPDX-License-Identifier: MIT

/// The motion of a spring during a keyframe as cubic pieces, from its closed form.
///
/// One component is fitted as it moves. Several components share boundaries: every motion of the spring is a sum of two
/// functions, one for the distance and one for the velocity, and these two are fitted. A damped spring's energy never
/// grows, so once it is small enough the rest is one straight piece.
struct SpringFit {
  /// Values of the two functions, or of the one motion and zero.
  typealias Fit = CubicFit<SIMD2<Double>>

  /// Boundaries in seconds from the start of the keyframe.
  private(set) var times: [Double] = []
  /// The pieces of each component, as differences from the target.
  private(set) var pieces: [[SIMD4<Double>]] = []
  /// The bounds of each component's errors.
  private(set) var valueErrors: [Double] = []
  private(set) var velocityErrors: [Double] = []

  /// - Parameters:
  ///   - spring: The spring, which neither jumps nor stands still.
  ///   - ends: Start, target and start velocity of each component.
  ///   - start: When the keyframe starts, in seconds from the start of its track.
  ///   - end: When it ends; boundaries lie on numbers that Double can tell apart at that time.
  ///   - duration: Its length, which is `end` − `start` up to rounding; beyond it the value holds.
  ///   - tolerance: The largest error as a share of the distance, or of velocity / ω₀ if that is more.
  /// - Returns: nil if it would take more than 65 536 pieces.
  init?(
    _ spring: Spring, ends: ArraySlice<ComponentPath.Ends>, start: Double, end: Double, duration: Double,
    tolerance: Double
  ) {
    let ω = spring.naturalFrequency
    let sizes = ends.map { max(($0.to - $0.from).magnitude, $0.startVelocity.magnitude / ω) }
    let isSingle = ends.count == 1
    let (first, size) = (ends[ends.startIndex], max(sizes[0], .leastNormalMagnitude))
    // The motion is −distance·P + velocity·S, divided by its size.
    let (p, s) = isSingle ? (-(first.to - first.from) / size, first.startVelocity / size) : (-1, ω)
    let needsVelocity = !isSingle && ends.contains { $0.startVelocity != 0 }
    func point(_ time: Double) -> Fit.Point {
      let basis = spring.basis(at: min(time, duration))
      let distance = SIMD2(basis.valueFromDisplacement, basis.velocityFromDisplacement) * p
      let speed = SIMD2(basis.valueFromVelocity, basis.velocityFromVelocity) * s
      let (first, second) = (isSingle ? distance + speed : distance, needsVelocity ? speed : .zero)
      return Fit.Point(time: time, value: SIMD2(first.x, second.x), velocity: SIMD2(first.y, second.y))
    }
    let length = end - start
    let share = needsVelocity ? tolerance / 2 : tolerance
    let calm = Self.calmTime(of: point, spring: spring, length: length, limit: share / 2)
    let settings = Fit.Settings(
      tolerance: share, longest: .pi / 2 / ω, shortest: max(length * 0x1p-30, 256 * end.ulp))
    let tail = calm < length ? (start + calm) - start : length
    guard tail > 0,
      var fit = Fit(
        from: 0, to: tail, settings, snap: { (start + $0) - start }, motion: point)
    else { return nil }
    if tail < length { fit.appendLine(from: point(tail), to: point(length), ω: ω) }
    times = fit.times
    let (e, v) = (fit.valueError, fit.velocityError)
    for (index, component) in ends.enumerated() {
      let distance = component.to - component.from
      let first = isSingle ? size : distance
      let second = isSingle ? 0 : component.startVelocity / ω
      pieces.append(fit.pieces.map { $0.coefficients(of: 0) * first + $0.coefficients(of: 1) * second })
      let scale = isSingle ? size : distance.magnitude + second.magnitude
      let rounding = (64 + 8 * ω * length) * 0x1p-52 * sizes[index]
      // Where the clock's end comes before the keyframe's, the energy bounds how far the spring still goes.
      let rest = max(0, duration - length) * 2 * ω * sizes[index]
      valueErrors.append(e * scale + rounding + rest)
      velocityErrors.append(v * scale + rounding * ω)
    }
  }

  /// A time from which on the motion stays below `limit`; the whole length if it never does.
  private static func calmTime(
    of point: (Double) -> Fit.Point, spring: Spring, length: Double, limit: Double
  ) -> Double {
    let ω = spring.naturalFrequency
    func isCalm(_ time: Double) -> Bool {
      let point = point(time)
      let (x, v) = (point.value, point.velocity * (1 / ω))
      // The energy of each function on its own.
      return (x * x + v * v).max() <= limit * limit
    }
    guard spring.decayConstant > 0, isCalm(length) else { return length }
    var (low, high) = (0.0, length)
    for _ in 0..<20 {
      let middle = (low + high) / 2
      if isCalm(middle) { high = middle } else { low = middle }
    }
    return high
  }
}

extension CubicFit<SIMD2<Double>> {
  /// Adds a straight piece in place of a motion whose energy only falls from its start on.
  fileprivate mutating func appendLine(from start: Point, to end: Point, ω: Double) {
    let slope = (end.value - start.value) * (1 / (end.time - start.time))
    pieces.append(Piece(c0: start.value, c1: slope, c2: .zero, c3: .zero))
    times.append(end.time)
    let energy = start.value * start.value + start.velocity * start.velocity * (1 / (ω * ω))
    let amplitude = energy.max().squareRoot()
    valueError = max(valueError, 2 * amplitude)
    velocityError = max(velocityError, ω * amplitude + slope.largest)
  }
}
