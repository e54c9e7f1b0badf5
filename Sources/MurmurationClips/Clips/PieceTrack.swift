// SPDX-License-Identifier: MIT

/// One track of a clip as cubic pieces: components that share their piece boundaries. All numbers are Double.
///
/// A piece's coefficients count the time from its own start, in seconds, so they are as good late in a long track as at
/// its beginning. Before the first boundary the start of the first piece holds, after the last one the end of the last
/// piece.
public struct PieceTrack: Sendable, Hashable {
  /// The clip's dimensions that the track gives values to, each once.
  public var components: [Int]

  /// n + 1 boundaries in seconds for n pieces, ascending; the first is 0.
  ///
  /// The first two may both be 0: then the first piece shows at time 0 only, as the value before a move at the start
  /// does. The last two may be equal too: then the last piece shows after the end only, as the value after a move there
  /// does.
  public var times: [Double]

  /// The pieces of each component: `pieces[component][piece]` is c with value(u) = c.x + u(c.y + u(c.z + u·c.w)), u in
  /// seconds since the piece's start.
  public var pieces: [[SIMD4<Double>]]

  /// Whether a boundary instant belongs to the later piece (imported tracks of key times) instead of the earlier (timelines).
  public var boundariesBelongToLater = false

  /// The indices in ``times`` of boundaries that stand a little before a jump, where the jump belongs to the later
  /// piece. In ticks both are one instant, which belongs to the later piece.
  package var earlyBoundaries: [Int] = []

  /// A track of the given pieces; a ``Clip`` checks them.
  public init(
    components: [Int], times: [Double], pieces: [[SIMD4<Double>]], boundariesBelongToLater: Bool = false
  ) {
    self.components = components
    self.times = times
    self.pieces = pieces
    self.boundariesBelongToLater = boundariesBelongToLater
  }
}

// MARK: - Ends

extension PieceTrack {
  /// Adds a piece of each component before the first one, which shows at time 0 alone.
  package mutating func insert(_ starts: [SIMD4<Double>]) {
    times.insert(0, at: 0)
    for index in earlyBoundaries.indices { earlyBoundaries[index] += 1 }
    for (component, piece) in starts.enumerated() { pieces[component].insert(piece, at: 0) }
  }

  /// Adds a piece of each component after the last one.
  mutating func append(_ ends: [SIMD4<Double>], until time: Double) {
    times.append(time)
    for (component, piece) in ends.enumerated() { pieces[component].append(piece) }
  }
}

// MARK: - Evaluation

extension PieceTrack {
  /// The number of pieces of each component.
  package var pieceCount: Int { max(0, times.count - 1) }

  /// The piece that a time belongs to; the first one before the first boundary, and the last one after the last.
  ///
  /// - Complexity: O(log n) in the number of pieces.
  package func piece(at time: Double) -> Int {
    // The number of inner boundaries before the time, or at it where they belong to the later piece.
    (1..<max(1, pieceCount)).endOfPrefix { boundariesBelongToLater ? times[$0] <= time : times[$0] < time } - 1
  }

  /// The value of a component (by its index in `components`) at a time: the reference in Double for the tables.
  package func value(component: Int, at time: Double) -> Double {
    let piece = piece(at: time)
    return pieces[component][piece].cubicValue(at: elapsed(at: time, in: piece))
  }

  /// The rate of change of a component at a time, per second; zero outside the track's time.
  package func velocity(component: Int, at time: Double) -> Double {
    guard time >= 0, time <= times[pieceCount] else { return 0 }
    let piece = piece(at: time)
    return pieces[component][piece].cubicSlope(at: elapsed(at: time, in: piece))
  }

  /// The seconds of a piece that have passed at a time.
  private func elapsed(at time: Double, in piece: Int) -> Double {
    // In this order a time that is not a number counts as the start.
    min(max(times[piece], time), times[piece + 1]) - times[piece]
  }
}

extension SIMD4<Double> {
  /// The cubic with these coefficients, the constant one first.
  package func cubicValue(at u: Double) -> Double { x + u * (y + u * (z + u * w)) }

  /// The derivative of the cubic with these coefficients.
  package func cubicSlope(at u: Double) -> Double { y + u * (2 * z + u * (3 * w)) }
}

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
      return piece == count - 1 || piece == 0 && !boundariesBelongToLater
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
      let length = track.times[last + 1] - track.times[last]
      track.append(track.pieces.map { SIMD4($0[last].cubicValue(at: length), 0, 0, 0) }, until: duration)
    }
    return track
  }
}

extension Range<Int> {
  /// The first index that does not satisfy a condition, or the end of the range. All that satisfy it come first.
  ///
  /// - Complexity: O(log n).
  @inlinable @inline(__always)
  package func endOfPrefix(while holds: (Int) -> Bool) -> Int {
    var (low, high) = (lowerBound, upperBound)
    while low < high {
      let middle = low + (high - low) / 2
      if holds(middle) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
