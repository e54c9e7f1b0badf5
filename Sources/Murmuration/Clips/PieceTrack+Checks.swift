// SPDX-License-Identifier: MIT

extension PieceTrack {
  /// Checks the shape, the times and the coefficients.
  func check(index: Int, dimensions: Int) throws(ClipError) {
    guard !components.isEmpty, times.count > 1 else { throw .emptyTrack(track: index) }
    guard pieces.count == components.count else {
      throw .wrongCount(of: "lists of pieces", track: index, expected: components.count, got: pieces.count)
    }
    var seen = Set<Int>(minimumCapacity: components.count)
    for component in components {
      guard component >= 0, component < dimensions, seen.insert(component).inserted else {
        throw .invalidComponent(track: index, component: component)
      }
    }
    for (key, time) in times.enumerated() {
      guard time >= 0, time <= Clip.maximumDuration, key > 0 || time == 0 else {
        throw .invalidTime(track: index, key: key, time: time)
      }
      guard key == 0 || time >= times[key - 1] else { throw .unsortedTimes(track: index, key: key) }
    }
    for (component, list) in pieces.enumerated() {
      guard list.count == pieceCount else {
        throw .wrongCount(
          of: "pieces of component \(component)", track: index, expected: pieceCount, got: list.count)
      }
      for (piece, coefficients) in list.enumerated() {
        try coefficients.check(
          duration: times[piece + 1] - times[piece], track: index, key: piece, component: component)
      }
    }
  }

  /// Checks that the pieces fit Float in the units of a clip.
  func check(_ scale: TickScale, index: Int) throws(ClipError) {
    guard scale.ticksPerSecond > 0 else { return }
    for piece in 0..<pieceCount where !scale.isMoment(times[piece], times[piece + 1]) {
      let length = times[piece + 1] - times[piece]
      for (component, list) in pieces.enumerated() {
        try list[piece].check(duration: length, unit: scale.unit, track: index, key: piece, component: component)
      }
    }
  }
}

extension SIMD4<Double> {
  /// The largest magnitude of a coefficient or of a sum of terms: Float's largest number, with room for sums.
  fileprivate static var limit: Double { Double(Float.greatestFiniteMagnitude) / 16 }

  /// Checks that the cubic with these coefficients, and its derivative, can be evaluated in Float during `duration`
  /// seconds.
  func check(duration: Double, track: Int, key: Int, component: Int) throws(ClipError) {
    let (a, b, c, d) = (x.magnitude, y.magnitude, z.magnitude, w.magnitude)
    let reach = a + duration * (b + duration * (c + duration * d))
    let speed = b + duration * (2 * c + duration * (3 * d))
    let last = cubicValue(at: duration)
    let steepest = Swift.max(Swift.max(reach, speed), Swift.max(b, Swift.max(c, d)))
    let isSmall = a <= Clip.maximumMagnitude && last.magnitude <= Clip.maximumMagnitude
    if isSmall, reach <= Self.limit, speed <= Self.limit, steepest <= Self.limit { return }
    for scalar in 0..<4 where !self[scalar].isFinite {
      throw .invalidValue(track: track, key: key, component: component, value: self[scalar])
    }
    let value = a > Clip.maximumMagnitude ? x : last.magnitude > Clip.maximumMagnitude ? last : steepest
    throw .overflow(track: track, key: key, component: component, value: value)
  }
}

extension SIMD4<Double> {
  /// Checks that the cubic fits Float when it is measured from anywhere within its `duration`, in units of `unit`. A
  /// cubic of no duration is a constant.
  fileprivate func check(
    duration: Double, unit: Double, track: Int, key: Int, component: Int
  ) throws(ClipError) {
    guard duration > 0 else { return }
    let (b, c, d) = (y.magnitude, z.magnitude, w.magnitude)
    let slope = (b + duration * (2 * c + duration * (3 * d))) * unit
    let bend = (c + duration * (3 * d)) * unit * unit
    let steepest = Swift.max(slope, Swift.max(bend, d * unit * unit * unit))
    guard steepest <= Self.limit else {
      throw .overflow(track: track, key: key, component: component, value: steepest)
    }
  }
}

// MARK: - Visible pieces

extension PieceTrack {
  /// The track without pieces that never show, and with a last piece that holds its last value up to `duration`.
  func visible(until duration: Double) -> PieceTrack {
    var track = self
    let count = pieceCount
    let kept = (0..<count).filter { piece in
      if times[piece + 1] > times[piece] { return true }
      // A piece of no length shows after the end, or, where boundaries belong to the earlier piece, at the start.
      if boundariesBelongToLater { return piece == count - 1 }
      return piece == 0 || piece == count - 1
    }
    if kept.count < count {
      track.times = kept.map { times[$0] } + [times[count]]
      track.earlyBoundaries = kept.indices.filter { earlyBoundaries.contains(kept[$0]) }
      for component in track.pieces.indices { track.pieces[component] = kept.map { pieces[component][$0] } }
    }
    guard duration > times[count] else { return track }
    let last = track.pieceCount - 1
    if track.times[last + 1] == track.times[last] && last > 0 {
      // The last piece is a single moment; its value holds from there on.
      track.times[last + 1] = duration
      for component in track.pieces.indices {
        track.pieces[component][last] = SIMD4(track.pieces[component][last].x, 0, 0, 0)
      }
    } else {
      for component in track.pieces.indices {
        let end = track.pieces[component][last].cubicValue(at: track.times[last + 1] - track.times[last])
        track.pieces[component].append(SIMD4(end, 0, 0, 0))
      }
      track.times.append(duration)
    }
    return track
  }
}
