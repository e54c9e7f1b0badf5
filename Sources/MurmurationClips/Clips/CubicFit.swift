// SPDX-License-Identifier: MIT

/// A smooth motion as cubic pieces that meet it at their ends, in value and in velocity.
///
/// Pieces are found from the first to the last, each about as long as its tolerance allows: the error of a cubic grows
/// with the fourth power of its length, so one or two trials settle it. The error of a piece is measured at nine points
/// between its ends and counts with a margin of a quarter. That makes it a bound for motions that are smooth on the
/// scale of ``Settings/longest``: if the next derivative has a constant sign the error peaks at the middle, and if it
/// changes sign between the ends, at 0.28 and 0.72, next to the measured points.
///
/// A motion can be given by a parameter other than time. A motion that is vertical somewhere (its velocity is infinite)
/// must be given in this way, by a parameter in which it is smooth. The piece there starts (or ends) with three times its
/// mean velocity, which keeps it from running backwards. Pieces towards such a point get shorter in proportion to the
/// square of the tolerance. The bound holds in value; in velocity it is infinite.
struct CubicFit<Value: FitValue>: Sendable {
  /// One piece: c₀ + u(c₁ + u(c₂ + u·c₃)), u in the unit of time since its start.
  struct Piece: Sendable {
    var c0, c1, c2, c3: Value

    /// Component by component.
    func coefficients(of index: Int) -> SIMD4<Double> {
      SIMD4(c0.component(index), c1.component(index), c2.component(index), c3.component(index))
    }
  }

  /// A motion at one moment.
  struct Point: Sendable {
    var time: Double
    var value: Value
    /// Units of the value per unit of time.
    var velocity: Value
  }

  /// The requirements of a fit.
  struct Settings: Sendable {
    /// The largest error of any component, in its unit.
    var tolerance: Double
    /// The longest piece, in the parameter: the motion must be smooth on that scale.
    var longest: Double
    /// The shortest piece, in the parameter: it is taken as it is, even with a larger error.
    var shortest: Double
    /// The largest number of pieces.
    var maximumCount = 1 << 16
  }

  /// n + 1 boundaries of n pieces, ascending.
  var times: [Double]
  var pieces: [Piece]
  /// The bound of the error in value, in the components' unit; above the tolerance only where a piece has the shortest
  /// length.
  var valueError = 0.0
  /// The bound of the error in velocity.
  var velocityError = 0.0
  /// The start of the piece with the largest error in value.
  var worstTime: Double

  /// The factor by which measured errors count.
  static var margin: Double { 1.25 }
}

// MARK: - Fitting

extension CubicFit {
  /// The pieces of a motion between two parameters; nil if there would be more than `maximumCount`.
  ///
  /// - Parameters:
  ///   - from: The first parameter.
  ///   - to: The last parameter, which lies after the first.
  ///   - snap: Moves a boundary's parameter to one that the caller can represent.
  ///   - motion: The motion by its parameter; times must not fall. Velocities may be infinite at the ends.
  @inline(__always)
  init?(
    from: Double, to: Double, _ settings: Settings, snap: (Double) -> Double = { $0 }, motion: (Double) -> Point
  ) {
    // Even the longest pieces would be too many: none is tried.
    guard to - from <= max(settings.longest, settings.shortest) * Double(settings.maximumCount) else { return nil }
    var (parameter, start) = (from, motion(from))
    times = [start.time]
    pieces = []
    worstTime = start.time
    times.reserveCapacity(9)
    pieces.reserveCapacity(8)
    let target = settings.tolerance / Self.margin
    var length = min(settings.longest, to - from)
    while parameter < to {
      guard pieces.count < settings.maximumCount else { return nil }
      var trial: Trial
      var next: Double
      var end: Point
      while true {
        next = snap(parameter + length)
        // What is left would be shorter than the shortest piece.
        if !(next > parameter && to - next >= settings.shortest) { next = to }
        end = motion(next)
        // A piece of the shortest length is taken as it is, so its error must be measured to its end.
        let isShortest = length <= settings.shortest
        trial = Trial(
          from: start, to: end, parameters: (parameter, next), limit: isShortest ? .infinity : 4 * target,
          motion: motion)
        if trial.valueError <= target || isShortest { break }
        length = max(settings.shortest, min(length, next - parameter) * Self.shrinking(trial.valueError, to: target))
      }
      if end.time > start.time {
        pieces.append(trial.piece)
        times.append(end.time)
      }
      if !(trial.valueError * Self.margin <= valueError) {
        valueError = trial.valueError * Self.margin
        worstTime = start.time
      }
      if !(trial.velocityError * Self.margin <= velocityError) { velocityError = trial.velocityError * Self.margin }
      length = (next - parameter) * Self.growing(trial.valueError, to: target)
      length = min(settings.longest, max(settings.shortest, length))
      // Where a motion hardly rises in time, rounded times may fall by a hair.
      end.time = max(end.time, start.time)
      (parameter, start) = (next, end)
    }
  }

  /// Adds the pieces of a fit that goes on where this one ends.
  mutating func append(_ other: CubicFit) {
    times += other.times.dropFirst()
    pieces += other.pieces
    if !(other.valueError <= valueError) { (valueError, worstTime) = (other.valueError, other.worstTime) }
    velocityError = max(velocityError, other.velocityError)
  }
}

// MARK: - Measuring

extension CubicFit {
  /// The factor for the length of a piece with too large an error.
  @inline(__always)
  private static func shrinking(_ error: Double, to target: Double) -> Double {
    max(0.125, min(0.95 * (target / error).squareRoot().squareRoot(), 0.875))
  }

  /// The factor from the length of a piece to that of its successor.
  @inline(__always)
  private static func growing(_ error: Double, to target: Double) -> Double {
    error > 0 ? max(0.5, min(0.95 * (target / error).squareRoot().squareRoot(), 2)) : 2
  }

  /// A piece with its measured errors. Once an error in value exceeds a limit, the others are not measured.
  private struct Trial {
    var piece: Piece
    var valueError = 0.0
    var velocityError = 0.0

    @inline(__always)
    init(
      from start: Point, to end: Point, parameters: (Double, Double), limit: Double, motion: (Double) -> Point
    ) {
      let length = end.time - start.time
      let rise = end.value - start.value
      guard length > 0 else {
        // Between two equal times nothing shows but the jump itself.
        piece = Piece(c0: start.value, c1: rise * 0, c2: rise * 0, c3: rise * 0)
        valueError = rise.largest
        if valueError > 0 { velocityError = .infinity }
        return
      }
      let slope = rise * (1 / length)
      let (first, last) = (start.velocity.finite(or: slope * 3), end.velocity.finite(or: slope * 3))
      piece = Piece(
        c0: start.value, c1: first, c2: (slope * 3 - first * 2 - last) * (1 / length),
        c3: (first + last - slope * 2) * (1 / length) * (1 / length))
      if !(start.velocity - end.velocity).largest.isFinite { velocityError = .infinity }
      for index in 0..<9 {
        let share = places[index]
        let point = motion(parameters.0 + (parameters.1 - parameters.0) * share)
        let u = point.time - start.time
        let value = piece.c0 + (piece.c1 + (piece.c2 + piece.c3 * u) * u) * u
        let velocity = piece.c1 + (piece.c2 * 2 + piece.c3 * (3 * u)) * u
        let (valueMiss, velocityMiss) = ((value - point.value).largest, (velocity - point.velocity).largest)
        if !(valueMiss <= valueError) { valueError = valueMiss }
        if !(velocityMiss <= velocityError) { velocityError = velocityMiss }
        // Beyond the limit, or not a number: the rest need not be known.
        if !(valueError <= limit) { return }
      }
    }
  }
}

/// The points at which a piece is measured, as shares of its length; the middle, where most errors peak, comes first.
private let places: [Double] = [0.5, 0.25, 0.75, 0.125, 0.375, 0.625, 0.875, 0.03125, 0.96875]

/// A value that is fitted: one number, or several that share their piece boundaries.
protocol FitValue: Sendable {
  static func + (lhs: Self, rhs: Self) -> Self
  static func - (lhs: Self, rhs: Self) -> Self
  static func * (lhs: Self, rhs: Double) -> Self

  /// The largest magnitude of a component; NaN if a component is NaN.
  var largest: Double { get }

  /// This value, with each component that is not finite replaced by the other value's.
  func finite(or other: Self) -> Self

  /// The component at an index, from 0 on.
  func component(_ index: Int) -> Double
}

extension Double: FitValue {
  @inline(__always)
  var largest: Double { magnitude }

  @inline(__always)
  func finite(or other: Double) -> Double { isFinite ? self : other }

  func component(_ index: Int) -> Double { self }
}

extension FitValue where Self: SIMD, Scalar == Double {
  var largest: Double {
    var largest = 0.0
    for index in indices {
      let size = self[index].magnitude
      if !(size <= largest) { largest = size }
      if largest.isNaN { return largest }
    }
    return largest
  }

  func finite(or other: Self) -> Self {
    var result = self
    for index in indices where !self[index].isFinite { result[index] = other[index] }
    return result
  }

  func component(_ index: Int) -> Double { self[index] }
}

extension SIMD2<Double>: FitValue {}
extension SIMD4<Double>: FitValue {}
