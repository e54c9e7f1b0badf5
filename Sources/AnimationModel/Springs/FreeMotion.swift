// SPDX-License-Identifier: MIT
#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A motion about zero under a spring, and the last time at which its size is above a limit.
///
/// With α the slower rate (d, if not overdamped) and κ the oscillation's frequency (or the difference of both rates), every
/// motion is e^(−αt)·(value·P(t) + drift·R(t)), where drift = velocity + α·value and (P, R) is (cos κt, sin(κt)/κ)
/// underdamped, (1, t) critical, (1, (1 − e^(−κt))/κ) overdamped. An envelope bounds the search from above. From there
/// the turning points of the size lead back to the one falling piece that contains the last crossing.
struct FreeMotion<V: VectorArithmetic> {
  /// The quantity that moves: the displacement of a spring's motion, or its velocity, which obeys the same equation.
  enum Quantity {
    case displacement
    case velocity
  }

  private let spring: Spring
  private let quantity: Quantity
  private let displacement: V
  private let initialVelocity: V

  /// The quantity at the start.
  private let value: V

  /// The quantity's rate of change at the start.
  private let velocity: V

  /// The displacement or velocity of the spring's motion from the given start.
  init(_ quantity: Quantity, of spring: Spring, displacement: V, initialVelocity: V) {
    self.spring = spring
    self.quantity = quantity
    self.displacement = displacement
    self.initialVelocity = initialVelocity
    switch quantity {
    case .displacement: (value, velocity) = (displacement, initialVelocity)
    case .velocity:
      let acceleration =
        displacement.scaled(by: -spring.naturalFrequency * spring.naturalFrequency)
        - initialVelocity.scaled(by: 2 * spring.decayConstant)
      (value, velocity) = (initialVelocity, acceleration)
    }
  }

  /// α, the rate in 1/s at which the motion decays in the end.
  private var decay: Double { spring.angularFrequency < 0 ? spring.decayRates.slow : spring.decayConstant }

  /// The rate in 1/s at which the other part of an overdamped motion decays; α otherwise.
  private var fastDecay: Double { spring.angularFrequency < 0 ? spring.decayRates.fast : spring.decayConstant }

  /// κ, in 1/s.
  private var spread: Double {
    spring.angularFrequency < 0 ? fastDecay - decay : spring.angularFrequency
  }

  /// The last time at which the size exceeds `limit`: 0 if it never does, infinite if it always does so again.
  func lastTime(above limit: Double) -> Double {
    let drift = velocity + value.scaled(by: decay)
    if value.magnitudeSquared == 0 && velocity.magnitudeSquared == 0 { return 0 }
    guard limit > 0 else { return limit.isNaN ? .nan : .infinity }
    guard decay > 0 else { return neverAbove(limit, drift: drift) ? 0 : .infinity }
    // A limit that is a hair lower, so that rounding cannot leave the motion above the given one.
    let limit = limit * (1 - 1e-12)
    let bound = upperBound(limit: limit, drift: drift)
    guard bound > 0 else { return 0 }
    var end = bound
    for time in turningPoints(before: bound, drift: drift) {
      if size(at: time) > limit { return crossing(from: time, to: end, limit: limit) }
      end = time
    }
    return size(at: 0) > limit ? crossing(from: 0, to: end, limit: limit) : 0
  }

  /// The size `time` seconds after the start.
  private func size(at time: Double) -> Double {
    let basis = spring.basis(at: time)
    // The velocity has its own row of the basis: through the acceleration an overdamped spring would lose all digits.
    return switch quantity {
    case .displacement:
      (displacement.scaled(by: basis.valueFromDisplacement)
        + initialVelocity.scaled(by: basis.valueFromVelocity)).magnitude
    case .velocity:
      (displacement.scaled(by: basis.velocityFromDisplacement)
        + initialVelocity.scaled(by: basis.velocityFromVelocity)).magnitude
    }
  }

  /// Whether a motion that does not decay never exceeds the limit, as a small undamped one does not.
  private func neverAbove(_ limit: Double, drift: V) -> Bool {
    guard decay == 0, spread != 0 else { return decay == 0 && drift.magnitude == 0 && value.magnitude <= limit }
    return value.magnitude + drift.magnitude / spread <= limit
  }
}

// MARK: - Envelope

extension FreeMotion {
  /// A time from which on the size is at most `limit`: close to the last crossing, or up to half an oscillation after
  /// it.
  ///
  /// There are two envelopes: the amplitude's, and a straight line's, |R| ≤ t, for motions near critical damping, where
  /// the amplitude has no meaning. The earlier time counts.
  private func upperBound(limit: Double, drift: V) -> Double {
    let (start, slope) = (value.magnitude, drift.magnitude)
    let amplitude = spread == 0 ? .infinity : amplitude(drift: drift)
    // Differences of logarithms: a size divided by the smallest limits would be infinite.
    let logOfLimit = log(limit)
    let byAmplitude = (log(amplitude) - logOfLimit) / decay
    // e^(−αt)·start and e^(−αt)·slope·t are each at most half the limit; in the second, t·e^(−αt/2) ≤ 2/(eα).
    let byStart = (log(2 * start) - logOfLimit) / decay
    let byLine = 2 * (log(4 * slope / (exp(1.0) * decay)) - logOfLimit) / decay
    return max(0, min(byAmplitude, max(byStart, byLine))) * (1 + 1e-12)
  }

  /// The greatest size that value·P + drift·R can have. Underdamped it is the longer half axis of an ellipse.
  private func amplitude(drift: V) -> Double {
    let side = drift.scaled(by: 1 / spread)
    guard spring.angularFrequency > 0 else { return value.magnitude + side.magnitude }
    let (a, b) = (value.magnitudeSquared, side.magnitudeSquared)
    guard b.isFinite else { return .infinity }
    let product = Self.dot(value, side)
    let squared = (a + b + ((a - b) * (a - b) + 4 * product * product).squareRoot()) / 2
    return squared.squareRoot() * (1 + 1e-12)
  }

  /// The dot product, from magnitudes, which are all that a vector space offers. Both operands are scaled to length 1
  /// first, so that neither swamps the other.
  private static func dot(_ first: V, _ second: V) -> Double {
    let (a, b) = (first.magnitude, second.magnitude)
    guard a > 0, b > 0 else { return 0 }
    let (u, v) = (first.scaled(by: 1 / a), second.scaled(by: 1 / b))
    return ((u + v).magnitudeSquared - (u - v).magnitudeSquared) / 4 * a * b
  }
}

// MARK: - Turning points

extension FreeMotion {
  /// The times after 0 and before `bound` at which the size turns, the latest first; for an oscillation, the last few.
  ///
  /// The size turns where value(t)·velocity(t) = 0, which is a quadratic form in (P, R):
  /// value·velocity·P² + (drift·velocity − value·turn)·PR − drift·turn·R² = 0 with turn = fast·velocity + ω₀²·value.
  private func turningPoints(before bound: Double, drift: V) -> [Double] {
    let stiffness = spring.naturalFrequency * spring.naturalFrequency
    let turn = velocity.scaled(by: fastDecay) + value.scaled(by: stiffness)
    let a = Self.dot(value, velocity)
    let b = Self.dot(drift, velocity) - Self.dot(value, turn)
    let c = -Self.dot(drift, turn)
    // The two directions of (P, R) at a turn: the roots of the form, without a division by a term that may be 0.
    let root = max(b * b - 4 * a * c, 0).squareRoot()
    let sum = b < 0 ? b - root : b + root
    let directions = [(p: -2 * c, r: sum), (p: sum, r: -2 * a)]
    let turns = directions.flatMap { times(p: $0.p, r: $0.r, before: bound) }
    return turns.filter { $0 > 0 && $0 < bound }.sorted(by: >)
  }

  /// The times at which (P, R) points in a direction or against it.
  private func times(p: Double, r: Double, before bound: Double) -> [Double] {
    let ratio = r / p
    if spread == 0 { return [ratio] }
    if spring.angularFrequency < 0 { return [-log1p(-spread * ratio) / spread] }
    // The amplitude's envelope is touched in each half oscillation, so the last crossing is at most a few turns back.
    let phase = atan2(spread * r, p)
    let last = ((spread * bound - phase) / .pi).rounded(.down)
    return (-1..<4).map { (phase + (last - Double($0)) * .pi) / spread }
  }

  /// The time at which the size falls below `limit`, between `start`, where it is above, and `end`, where it is not: the
  /// size is not above the limit there, and above it one rounding earlier.
  ///
  /// The logarithm of the size is nearly a straight line. So each step looks where the line through both ends of the
  /// interval meets the limit; an end that stays twice counts half (the Illinois method). Rounding would lead a step to an
  /// end itself, so it keeps a distance: a rounding, and twice as much whenever the same end moves again. After twenty steps,
  /// each step looks at the middle of the interval.
  private func crossing(from start: Double, to end: Double, limit: Double) -> Double {
    var (above, below) = (start, end)
    var (excess, lack) = (log(size(at: start) / limit), log(limit / size(at: end)))
    var (wasAbove, roundings, steps) = (true, 1.0, 0)
    while true {
      let middle = above + (below - above) / 2
      guard middle > above && middle < below else { return below }
      let distance = roundings * below.ulp
      let crossing = above + (below - above) * (excess / (excess + lack))
      let guess = min(max(crossing, above + distance), below - distance)
      let time = steps < 20 && guess > above && guess < below ? guess : middle
      let size = size(at: time)
      let isAbove = size > limit
      if isAbove { (above, excess) = (time, log(size / limit)) } else { (below, lack) = (time, log(limit / size)) }
      if isAbove == wasAbove {
        if isAbove { lack /= 2 } else { excess /= 2 }
        roundings *= 2
      } else {
        roundings = 1
      }
      (wasAbove, steps) = (isAbove, steps + 1)
    }
  }
}
