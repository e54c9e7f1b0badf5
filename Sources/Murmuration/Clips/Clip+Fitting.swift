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
      let start = value(0)
      for (lane, component) in components.enumerated() where !(start[lane].isFinite && scale[lane].isFinite) {
        throw .invalidValue(track: 0, key: 0, component: component, value: start[lane])
      }
      let fit = OpaqueFit<SIMD4<Double>>(
        from: 0, to: duration, boundaries: boundaries, tolerance: tolerance
      ) { (value($0) - start) / scale }
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
    if lanes.contains(where: { pieces[$0].first?.x != start[$0] }) {
      times.insert(0, at: 0)
      for lane in lanes { pieces[lane].insert(SIMD4(start[lane], 0, 0, 0), at: 0) }
    }
    let last = pieceCount - 1
    guard lanes.contains(where: { pieces[$0][last].cubicValue(at: times[last + 1] - times[last]) != end[$0] }) else {
      return
    }
    times.append(times[last + 1])
    for lane in lanes { pieces[lane].append(SIMD4(end[lane], 0, 0, 0)) }
  }
}
