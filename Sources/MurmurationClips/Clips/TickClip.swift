// SPDX-License-Identifier: MIT
import Kernels

/// A clip in ticks. All dimensions are in tracks, also those that keep a value.
package struct TickClip {
  package let tracks: [TickTrack]
  package let scale: TickScale

  /// A clip whose tracks with the same boundaries become one track, with their dimensions in order.
  package init(_ clip: Clip) {
    let scale = TickScale(duration: clip.duration)
    let hasMargins = clip.duration == 0 || clip.tracks.contains { $0.needsMargins }
    let tracks = clip.tracks.count > 1 ? Self.merged(clip.tracks) : clip.tracks
    let (still, outer) = (clip.dimensionsWithoutTrack, Self.outerTicks(of: clip))
    self.tracks =
      tracks.map { TickTrack($0, scale, hasMargins: hasMargins, outer: outer) }
      + (still.isEmpty
        ? [] : [TickTrack(constants: still.map { (dimension: $0, value: clip.initialValues[$0]) })])
    self.scale = scale
  }

  /// The ticks at which instances are held before the start and after the end: those of the start and the end, unless the
  /// clip has other values there.
  package static func outerTicks(of clip: Clip) -> (before: Int32, after: Int32) {
    let hasLength = clip.duration > 0
    return (
      hasLength && !clip.tracks.contains { $0.showsStart } ? ClipTick.start : ClipTick.before,
      hasLength && !clip.tracks.contains { $0.showsEnd } ? ClipTick.end : ClipTick.after
    )
  }

  private static func merged(_ tracks: [PieceTrack]) -> [PieceTrack] {
    let groups = Dictionary(grouping: tracks) { track in
      var boundaries = track
      (boundaries.components, boundaries.pieces) = ([], [])
      return boundaries
    }
    return groups.map { boundaries, group in
      let columns = group.flatMap { zip($0.components, $0.pieces) }.sorted { $0.0 < $1.0 }
      var track = boundaries
      (track.components, track.pieces) = (columns.map { $0.0 }, columns.map { $0.1 })
      return track
    }
    .sorted { $0.components[0] < $1.components[0] }
  }
}

/// The conversion from the seconds of a clip to ticks.
package struct TickScale {
  /// 0 for a clip of no length.
  package let ticksPerSecond: Double

  /// - duration: The clip's duration in seconds.
  init(duration: Double) { ticksPerSecond = duration > 0 ? ClipTick.count / duration : 0 }

  /// Seconds of the unit of time of pieces, in a clip of some length.
  var unit: Double { ClipTick.unit / ticksPerSecond }

  /// The tick of an instant of the clip.
  func tick(_ seconds: Double) -> Int32 {
    Int32(clamping: Int64(ClipTick.start) + Int64((seconds * ticksPerSecond).rounded()))
  }

  /// The time of a tick.
  func seconds(_ tick: Int32) -> Double { (Double(tick) - Double(ClipTick.start)) / ticksPerSecond }

  /// Whether so few ticks lie between two instants that at most one tick belongs to the time between them.
  func isMoment(_ start: Double, _ end: Double) -> Bool { Int64(tick(end)) - Int64(tick(start)) <= 1 }
}

/// A track of a clip in ticks: its pieces, and where needed one before them and one after them, for the very start and
/// the very end, or for other values that are held there.
@usableFromInline
package struct TickTrack {
  /// The clip's dimensions.
  package let components: [Int32]
  /// The last tick of each piece; for the last piece, the last tick there is.
  package private(set) var lasts: [Int32] = []
  /// The tick from which each piece is measured.
  package private(set) var centers: [Int32] = []
  /// [component][piece], the constant coefficient first, in units of ``ClipTick/unit`` ticks from the centre.
  @usableFromInline private(set) var coefficients: [[SIMD4<Float>]]

  /// A track that ends when its clip does.
  ///
  /// - Parameters:
  ///   - scale: The scale of the clip.
  ///   - hasMargins: Whether the start and the end, and what is before and after, have pieces of their own.
  ///   - outer: The ticks at which lanes are held before the start and after the end.
  init(_ track: PieceTrack, _ scale: TickScale, hasMargins: Bool, outer: (before: Int32, after: Int32)) {
    components = track.components.map(Int32.init)
    coefficients = track.components.map { _ in [] }
    let earlier: Int32 = track.boundariesBelongToLater ? 1 : 0
    let early = Set(track.earlyBoundaries)
    let inner = scale.ticksPerSecond > 0 ? track.innerPieces : 0..<0
    if hasMargins {
      if outer.before != ClipTick.start {
        // A clip of no length shows its start for an instant; its pieces may have lengths that are too short to count.
        let hasLength = scale.ticksPerSecond > 0
        let start =
          !hasLength ? ClipTick.start : track.showsStart ? ClipTick.start - earlier : ClipTick.start - 1
        append(last: start) { SIMD4(track.value(component: $0, at: -1), 0, 0, 0) }
      }
      if let first = inner.first, !track.showsStart {
        append(instantOf: track, first, at: 0, scale, tick: ClipTick.start, last: ClipTick.start)
      }
    }
    for piece in inner {
      let isFirst = piece == inner.lowerBound
      let isLast = piece == inner.upperBound - 1
      let first = scale.tick(track.times[piece])
      let end = isLast ? ClipTick.end : scale.tick(track.times[piece + 1])
      let center = isFirst && !hasMargins ? first : isLast && !hasMargins ? end : Int32((Int64(first) + Int64(end)) / 2)
      let length = track.times[piece + 1] - track.times[piece]
      let distance = center == end ? length : scale.seconds(center) - track.times[piece]
      let isMoment = scale.isMoment(track.times[piece], track.times[piece + 1])
      let isEarly = early.contains(piece + 1)
      let boundary = end - (isEarly ? 1 : earlier)
      // The tick of the end belongs to the last piece, however short that is.
      let inside = min(boundary, ClipTick.end - 1)
      let last = !isLast ? inside : !hasMargins ? .max : track.showsEnd ? end - earlier : end - 1
      append(last: last, center: center) { component in
        let cubic = track.pieces[component][piece]
        return isMoment
          ? cubic.chord(
            length: length, ticks: Int64(end) - Int64(first),
            startsAtCenter: center == first && (!isLast || first < end), unit: scale.unit)
          : cubic.recentered(at: distance, unit: scale.unit)
      }
    }
    if hasMargins {
      let isApart = outer.after != ClipTick.end
      if let piece = inner.last, !track.showsEnd {
        let length = track.times[piece + 1] - track.times[piece]
        append(instantOf: track, piece, at: length, scale, tick: ClipTick.end, last: isApart ? ClipTick.end : .max)
      }
      if isApart { append(last: .max) { SIMD4(track.value(component: $0, at: .infinity), 0, 0, 0) } }
    }
  }

  /// A track whose dimensions keep a value each.
  init(constants: [(dimension: Int, value: Double)]) {
    components = constants.map { Int32($0.dimension) }
    coefficients = constants.map { _ in [] }
    append(last: .max) { SIMD4(constants[$0].value, 0, 0, 0) }
  }

  /// Goes through the coefficients of all pieces.
  @inlinable @inline(__always)
  package func forEachCoefficient(
    _ body: (_ component: Int, _ piece: Int, _ power: Int, _ coefficient: Float) -> Void
  ) {
    for (component, pieces) in coefficients.enumerated() {
      for (index, piece) in pieces.enumerated() {
        for power in 0..<4 { body(component, index, power, piece[power]) }
      }
    }
  }

  /// The records of buckets that a lookup in memory reads; see ``Kernels/PieceTable``.
  func records(of buckets: TickBuckets) -> [Int32] {
    buckets.firsts.flatMap { first in
      let next = min(Int(first) + 1, centers.count - 1)
      return [first, lasts[Int(first)], centers[Int(first)], centers[next]]
    }
  }

  /// Appends a piece for one end of the clip, measured from there: so the value is exact. It shows at one tick alone, so
  /// the slope is all that it needs besides.
  private mutating func append(
    instantOf track: PieceTrack, _ piece: Int, at distance: Double, _ scale: TickScale, tick: Int32, last: Int32
  ) {
    append(last: last, center: tick) { component in
      let cubic = track.pieces[component][piece]
      let slope = cubic.cubicSlope(at: distance) * scale.unit
      return SIMD4(cubic.cubicValue(at: distance), slope.magnitude < 0x1p+120 ? slope : 0, 0, 0)
    }
  }

  /// Appends a piece of each component, which is rounded to Float here. Only a piece that is not constant needs a centre.
  private mutating func append(last: Int32, center: Int32 = 0, _ piece: (_ component: Int) -> SIMD4<Double>) {
    for component in components.indices { coefficients[component].append(SIMD4<Float>(piece(component))) }
    lasts.append(max(last, lasts.last ?? .min))
    centers.append(center)
  }
}

extension PieceTrack {
  /// Whether the first piece shows at time 0 alone.
  var showsStart: Bool { pieceCount > 1 && times[1] == 0 }

  /// Whether the last piece shows after the end alone.
  var showsEnd: Bool { pieceCount > 1 && times[pieceCount - 1] == times[pieceCount] }

  /// The pieces that last for some time.
  fileprivate var innerPieces: Range<Int> { (showsStart ? 1 : 0)..<(showsEnd ? pieceCount - 1 : pieceCount) }

  /// Whether the start and the end need pieces of their own. They do if the values before and after differ from the pieces
  /// next to them; if there is just one piece, which is exact at one end only; if a piece next to an end takes about half
  /// of the clip, so that the distance from its end does not fit an integer; or if such a piece is so short that it may
  /// share its tick with its neighbour.
  package var needsMargins: Bool {
    guard !showsStart, !showsEnd, let first = innerPieces.first, let last = innerPieces.last else {
      return true
    }
    if first == last {
      return pieces.contains { $0[first] != SIMD4($0[first].x, 0, 0, 0) }
    }
    let (firstLength, lastLength) = (times[first + 1] - times[first], times[last + 1] - times[last])
    return max(firstLength, lastLength) > 0.49 * times[pieceCount]
      || min(firstLength, lastLength) < 0x1p-30 * times[pieceCount]
  }
}

extension SIMD4<Double> {
  /// The line from the start to the end of a cubic that takes at most one tick, measured from one of its ends.
  ///
  /// The values in between, which may be steeper than Float can hold, never show. A piece of a single tick has the
  /// slope of its start, unless that is too steep.
  fileprivate func chord(length: Double, ticks: Int64, startsAtCenter: Bool, unit: Double) -> SIMD4<Double> {
    let end = cubicValue(at: length)
    let slope = y.magnitude * unit < 0x1p+120 ? y * unit : 0
    return SIMD4(startsAtCenter ? x : end, ticks == 0 ? slope : (end - x) * ClipTick.unit / Double(ticks), 0, 0)
  }

  /// The same cubic, counted from `distance` on in units of `unit`.
  fileprivate func recentered(at distance: Double, unit: Double) -> SIMD4<Double> {
    SIMD4(
      cubicValue(at: distance), cubicSlope(at: distance) * unit, (z + 3 * w * distance) * unit * unit,
      w * unit * unit * unit)
  }
}

/// The piece at which the search for a tick begins, found by the tick's upper bits.
struct TickBuckets {
  /// The piece of each bucket's first tick.
  let firsts: [Int32]
  /// Buckets are 2^shift ticks wide.
  let shift: Int32
  /// The most pieces that begin within one bucket.
  let steps: Int

  /// The fewest buckets in each of which at most one piece begins. Where the lengths of pieces differ widely, there are 8 to
  /// 16 buckets for each piece.
  init(lasts: [Int32]) {
    self.init(bits: 5, lasts: lasts)
    while steps > 1, firsts.count < 8 * lasts.count { self = TickBuckets(bits: 33 - Int(shift), lasts: lasts) }
  }

  /// 2^bits buckets.
  init(bits: Int, lasts: [Int32]) {
    shift = Int32(32 - bits)
    let width = Int64(1) << Int64(shift)
    var firsts: [Int32] = []
    var (piece, steps) = (0, 0)
    for bucket in 0..<Int64(1) << Int64(bits) {
      let first = Int64(Int32.min) + bucket * width
      while lasts[piece] < first { piece += 1 }
      firsts.append(Int32(piece))
      var last = piece
      while lasts[last] < first + width - 1 { last += 1 }
      steps = max(steps, last - piece)
    }
    self.firsts = firsts
    self.steps = steps
  }
}
