// SPDX-License-Identifier: MIT

extension Clip {
  /// The clip of functions of time, of which only the values are known.
  ///
  /// - Parameters:
  ///   - dimensions: The number of functions.
  ///   - duration: Seconds.
  ///   - boundaries: Ascending times right after which functions may jump or bend.
  ///   - tolerance: The largest error as a share of the range of a function.
  ///   - initialValues: The values of dimensions where there is nothing to fit.
  ///   - remake: Makes the clip anew from other values.
  ///   - function: Writes the values at a time, which may lie after the end, one number for each dimension.
  /// - Throws: `ClipError.tooManyPieces` with the first dimension of the group of four that could not be fitted.
  init(
    dimensions: Int, duration: Double, boundaries: [Double], tolerance: Double, initialValues: [Double],
    remake: Remake?, _ function: (Double, inout [Double]) -> Void
  ) throws(ClipError) {
    var tracks: [PieceTrack] = []
    var valueErrors = [Double](repeating: 0, count: dimensions)
    var velocityErrors = valueErrors
    var values = valueErrors
    for first in stride(from: 0, to: dimensions, by: 4) {
      let components = Array(first..<min(first + 4, dimensions))
      func value(_ time: Double) -> SIMD4<Double> {
        function(time, &values)
        var value = SIMD4<Double>.zero
        for (lane, component) in components.enumerated() { value[lane] = values[component] }
        return value
      }
      let scale = Self.ranges(duration: duration, boundaries: boundaries, value)
      let (start, end) = (value(0), value(duration))
      // A function that ends at no number would be fitted by ever shorter pieces.
      for (lane, component) in components.enumerated()
      where !(start[lane].isFinite && scale[lane].isFinite && end[lane].isFinite) {
        let value = start[lane].isFinite ? end[lane] : start[lane]
        throw .invalidValue(track: 0, key: 0, component: component, value: value)
      }
      let fit = OpaqueFit(from: 0, to: duration, boundaries: boundaries, tolerance: tolerance) {
        (value($0) - start) / scale
      }
      guard let fit, fit.valueError <= tolerance else {
        throw .tooManyPieces(track: first, key: 0, time: fit?.worstTime ?? 0)
      }
      var track = PieceTrack(components: components, times: fit.times, pieces: [])
      for (lane, component) in components.enumerated() {
        track.pieces.append(
          fit.pieces.map { $0.coefficients(of: lane) * scale[lane] + SIMD4(start[lane], 0, 0, 0) })
        let rounding = 64 * 0x1p-53 * (start[lane].magnitude + scale[lane])
        valueErrors[component] = fit.valueError * scale[lane] + rounding
        velocityErrors[component] = fit.velocityError * scale[lane]
      }
      track.close(start: start, end: value(2 * duration + 1))
      try track.check(index: first, dimensions: dimensions)
      tracks.append(track)
    }
    try self.init(
      checkedTracks: tracks, initialValues: initialValues, duration: duration, valueErrorBounds: valueErrors,
      velocityErrorBounds: velocityErrors, remake: remake)
  }

  /// The range of each of four functions, from 1 024 samples and 16 more between each two boundaries; at least its
  /// rounding.
  private static func ranges(
    duration: Double, boundaries: [Double], _ value: (Double) -> SIMD4<Double>
  ) -> SIMD4<Double> {
    let start = value(0)
    var (low, high) = (start, start)
    func look(from: Double, to: Double, places: Int) {
      for index in 1...places {
        let value = value(from + (to - from) * (Double(index) / Double(places)))
        low = pointwiseMin(low, value)
        high = pointwiseMax(high, value)
      }
    }
    look(from: 0, to: duration, places: 1024)
    for (from, to) in zip([0] + boundaries, boundaries + [duration]) { look(from: from, to: to, places: 16) }
    let size = pointwiseMax(pointwiseMax(high, -low), SIMD4(repeating: 0x1p-500))
    return pointwiseMax(high - low, size * 0x1p-30)
  }
}

extension PieceTrack {
  /// Adds pieces for the start alone and for the time after the end, where they differ from the moving pieces.
  fileprivate mutating func close(start: SIMD4<Double>, end: SIMD4<Double>) {
    let lanes = components.indices
    if lanes.contains(where: { pieces[$0].first?.x != start[$0] }) { insert(lanes.map { SIMD4(start[$0], 0, 0, 0) }) }
    let last = pieceCount - 1
    if lanes.contains(where: { pieces[$0][last].cubicValue(at: times[last + 1] - times[last]) != end[$0] }) {
      append(lanes.map { SIMD4(end[$0], 0, 0, 0) }, until: times[last + 1])
    }
  }
}

/// The pieces of a function of time, of which only the values are known.
///
/// Each stretch between boundaries is sampled 1 024 times. A leap between two samples is searched for a jump, which becomes
/// a boundary. Between jumps the velocity is measured by differences, and the function is fitted as a motion that is smooth
/// on the scale of a 16th of the stretch. Bends without a jump take more pieces, which are fitted in value alone.
struct OpaqueFit {
  /// Four functions are fitted together.
  typealias Value = SIMD4<Double>
  typealias Fit = CubicFit<Value>

  /// n + 1 boundaries, ascending. A jump lies right after a boundary, at the next greater number.
  private(set) var times: [Double]
  private(set) var pieces: [Fit.Piece] = []
  private(set) var valueError = 0.0
  private(set) var velocityError = 0.0
  /// The time of the largest error in value.
  private(set) var worstTime: Double

  /// The number of samples of a stretch.
  private static let places = 1024

  /// The pieces of `function` between two times. The first time itself does not count: its value belongs to the motion
  /// before.
  ///
  /// - Parameter boundaries: Ascending times in between, right after each of which the function may jump or bend.
  /// - Returns: nil if it would take more than 65 536 pieces.
  init?(from: Double, to: Double, boundaries: [Double], tolerance: Double, _ function: (Double) -> Value) {
    times = [from]
    worstTime = from
    var start = from
    for boundary in boundaries + [to] where boundary > start && boundary <= to {
      for end in Self.jumps(from: start.nextUp, to: boundary, limit: tolerance, function) + [boundary] {
        guard append(from: start, to: end, tolerance: tolerance, function) else { return nil }
        start = end
      }
    }
  }

  private mutating func append(
    from: Double, to: Double, tolerance: Double, _ function: (Double) -> Value
  ) -> Bool {
    guard to > from else { return true }
    let first = min(from.nextUp, to)
    let length = to - first
    let step = length * 0x1p-16
    guard step > 64 * to.ulp else {
      // Too short to fit: the value at its end holds.
      let value = function(to)
      pieces.append(Fit.Piece(c0: value, c1: value * 0, c2: value * 0, c3: value * 0))
      times.append(to)
      note(error: (value - function(first)).largest, velocity: .infinity, time: from)
      return true
    }
    var settings = Fit.Settings(
      tolerance: tolerance, longest: length / 16, shortest: max(length * 0x1p-28, 1024 * to.ulp))
    for attempt in 0..<4 {
      let fit = Fit(from: first, to: to, settings) { time in
        Fit.Point(
          time: time, value: function(time),
          velocity: Self.slope(at: time, within: first...to, step: step, function))
      }
      guard let fit, pieces.count + fit.pieces.count <= 1 << 16 else { return false }
      // Swings that the pieces stepped over show at the sampled times.
      let missed = fit.largestMiss(from: first, to: to, places: Self.places, function)
      if missed > max(tolerance, fit.valueError), attempt < 3 {
        settings.longest /= 8
        continue
      }
      pieces += fit.pieces
      times += fit.times.dropFirst()
      note(error: max(fit.valueError, missed), velocity: fit.velocityError, time: fit.worstTime)
      break
    }
    return true
  }

  private mutating func note(error: Double, velocity: Double, time: Double) {
    if !(error <= valueError) { (valueError, worstTime) = (error, time) }
    if !(velocity <= velocityError) { velocityError = velocity }
  }

  /// The derivative by the five-point difference, one-sided near the ends: its error is of fourth order in the step.
  private static func slope(
    at time: Double, within range: ClosedRange<Double>, step: Double, _ function: (Double) -> Value
  ) -> Value {
    let middle = min(max(time, range.lowerBound + 2 * step), range.upperBound - 2 * step)
    // The derivative of the polynomial through the five samples, at an offset of s steps from the middle one.
    let s = (time - middle) / step
    let weights = (
      (2 * s * s * s - 3 * s * s - s + 1) / 12, (-4 * s * s * s + 3 * s * s + 8 * s - 4) / 6,
      (2 * s * s * s - 5 * s) / 2,
      (-4 * s * s * s - 3 * s * s + 8 * s + 4) / 6, (2 * s * s * s + 3 * s * s - s - 1) / 12
    )
    let outer = function(middle - 2 * step) * weights.0 + function(middle + 2 * step) * weights.4
    let inner = function(middle - step) * weights.1 + function(middle + step) * weights.3
    return (outer + inner + function(middle) * weights.2) * (1 / step)
  }

  /// The times right before a jump of more than `limit`.
  private static func jumps(
    from: Double, to: Double, limit: Double, _ function: (Double) -> Value
  ) -> [Double] {
    var found: [Double] = []
    var (time, value) = (from, function(from))
    var lastLeap = 0.0
    for index in 1...places {
      let next = index == places ? to : from + (to - from) * (Double(index) / Double(places))
      guard next > time else { continue }
      let nextValue = function(next)
      let leap = (nextValue - value).largest
      if leap > limit, leap > 2 * lastLeap, let jump = jump(between: time, next, function), jump.size > limit {
        found.append(jump.time)
      } else {
        lastLeap = leap
      }
      (time, value) = (next, nextValue)
    }
    return found
  }

  /// The time between two others at which a function changes most, by halving down to neighbouring numbers.
  private static func jump(
    between low: Double, _ high: Double, _ function: (Double) -> Value
  ) -> (time: Double, size: Double)? {
    var (low, high) = (low, high)
    var (lowValue, highValue) = (function(low), function(high))
    while true {
      let middle = low + (high - low) / 2
      guard middle > low, middle < high else { return (low, (highValue - lowValue).largest) }
      let value = function(middle)
      if (value - lowValue).largest > (highValue - value).largest {
        (high, highValue) = (middle, value)
      } else {
        (low, lowValue) = (middle, value)
      }
    }
  }
}

extension OpaqueFit.Fit {
  /// The largest difference from a function at evenly spaced times.
  fileprivate func largestMiss(from: Double, to: Double, places: Int, _ function: (Double) -> SIMD4<Double>) -> Double {
    var (piece, largest) = (0, 0.0)
    for index in 1..<places {
      let time = from + (to - from) * (Double(index) / Double(places))
      while piece + 1 < pieces.count, times[piece + 1] < time { piece += 1 }
      let (c, u) = (pieces[piece], time - times[piece])
      let value = c.c0 + (c.c1 + (c.c2 + c.c3 * u) * u) * u
      let miss = (value - function(time)).largest
      if !(miss <= largest) { largest = miss }
    }
    return largest
  }
}
