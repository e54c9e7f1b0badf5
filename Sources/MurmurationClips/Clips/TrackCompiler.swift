// SPDX-License-Identifier: MIT

/// Compiles the keyframes of one track to pieces.
struct TrackCompiler {
  /// The index of the track in its timeline, for errors.
  let track: Int
  let tolerance: Double

  /// The pieces so far. Its components are those of the path.
  private var result: PieceTrack
  /// The bounds of each component's errors so far.
  private(set) var valueErrors: [Double]
  private(set) var velocityErrors: [Double]

  /// One keyframe: its index, and the ends of each component.
  private typealias Key = (index: Int, segment: ComponentPath.Segment, ends: ArraySlice<ComponentPath.Ends>)

  /// Compiles a path.
  init(_ path: ComponentPath, track: Int, tolerance: Double) throws(ClipError) {
    self.track = track
    self.tolerance = tolerance
    result = PieceTrack(components: [], times: [0], pieces: Array(repeating: [], count: path.width))
    valueErrors = Array(repeating: 0, count: path.width)
    velocityErrors = valueErrors
    result.times.reserveCapacity(path.segments.count + 1)
    for component in 0..<path.width { result.pieces[component].reserveCapacity(path.segments.count) }
    for (component, value) in path.initialValue.enumerated() {
      guard value.isFinite else { throw .invalidValue(track: track, key: 0, component: component, value: value) }
    }
    for (index, segment) in path.segments.enumerated() {
      let key = (index, segment, path.ends[index * path.width..<(index + 1) * path.width])
      try check(key)
      // A move, or a keyframe too short for the clock to tell, shows only through the keyframe that follows it.
      if segment.end > segment.start { try append(key) }
    }
    try close(path)
  }

  /// The compiled track, for the given dimensions of a clip.
  func pieceTrack(components: [Int]) -> PieceTrack {
    var track = result
    track.components = components
    return track
  }

  private func check(_ key: Key) throws(ClipError) {
    guard key.segment.duration < .infinity else { throw .endless(track: track, key: key.index) }
    guard key.segment.end <= Clip.maximumDuration else {
      throw .invalidTime(track: track, key: key.index, time: key.segment.end)
    }
    for (component, end) in key.ends.enumerated() {
      for value in [end.from, end.to] where !(value.magnitude <= Clip.maximumMagnitude) {
        if value.isFinite { throw .overflow(track: track, key: key.index, component: component, value: value) }
        throw .invalidValue(track: track, key: key.index, component: component, value: value)
      }
      for velocity in [end.startVelocity, end.endVelocity] where !velocity.isFinite {
        throw .invalidValue(track: track, key: key.index, component: component, value: velocity)
      }
    }
  }
}

// MARK: - Segments

extension TrackCompiler {
  private mutating func append(_ key: Key) throws(ClipError) {
    let duration = key.segment.duration
    switch key.segment.way {
    case .move: break
    case .linear(let curve):
      if case .identity = curve.shape {
        try append(key) { SIMD4($0.from, ($0.to - $0.from) / duration, 0, 0) }
      } else {
        try append(curve, key)
      }
    case .cubic: try append(key) { $0.cubic(duration: duration) }
    case .spring(let spring): try append(spring, key)
    }
  }

  /// Appends an exact piece for each component. Its errors are its rounding, and its overshoot where the clock is too
  /// coarse for the duration.
  private mutating func append(_ key: Key, cubic: (ComponentPath.Ends) -> SIMD4<Double>) throws(ClipError) {
    let segment = key.segment
    let length = segment.end - segment.start
    let lateness = (segment.duration - length).magnitude
    for (component, end) in key.ends.enumerated() {
      let piece = cubic(end)
      try piece.check(duration: length, track: track, key: key.index, component: component)
      result.pieces[component].append(piece)
      let speed = max(piece.steepest(during: length), end.startVelocity.magnitude, end.endVelocity.magnitude)
      let size = end.from.magnitude + end.to.magnitude + speed * segment.duration
      note(
        component, value: 32 * 0x1p-53 * size + lateness * speed,
        velocity: 64 * 0x1p-53 * speed + lateness * piece.mostBent(during: length))
    }
    result.times.append(segment.end)
  }

  /// Appends a keyframe along a curve: the curve's fit, stretched.
  private mutating func append(_ curve: UnitCurve, _ key: Key) throws(ClipError) {
    let (start, end, duration) = (key.segment.start, key.segment.end, key.segment.duration)
    guard let fit = CurveFitCache.fit(curve, tolerance: tolerance) else {
      throw curve.isFinite
        ? .tooManyPieces(track: track, key: key.index, time: start) : .invalidCurve(track: track, key: key.index)
    }
    let longest = key.ends.reduce(0) { max($0, ($1.to - $1.from).magnitude) }
    if !fit.boundariesBelongToLater, !fit.isDistinct(from: start, during: duration, distance: longest) {
      return try appendLate(
        curve, key, distance: longest, isUpright: fit.velocityError == .infinity, endsWithJump: fit.endsWithJump)
    }
    let count = fit.pieces.count
    let lead = fit.boundariesBelongToLater ? Self.lead(before: end) : 0
    for index in 1...count {
      let time = index < count || lead > 0 ? start + fit.times[index] * duration - lead : end
      result.times.append(max(result.times[result.times.count - 1], time))
      if lead > 0 { result.earlyBoundaries.append(result.times.count - 1) }
    }
    if lead > 0 { result.times.append(end) }
    if fit.endsWithJump { jump(at: end) }
    let late = fit.lateness(
      from: start, during: duration, by: 4 * end.ulp + (end - start - duration).magnitude, lead: lead)
    let inverse = 1 / duration
    let scales = SIMD4(1, inverse, inverse * inverse, inverse * inverse * inverse)
    for (component, end) in key.ends.enumerated() {
      let distance = end.to - end.from
      let (stretch, origin) = (scales * distance, SIMD4(end.from, 0, 0, 0))
      try append(fit.pieces.map { $0 * stretch + origin }, fit.times, scale: duration, to: component, key)
      if lead > 0 || fit.endsWithJump {
        result.pieces[component].append(SIMD4(end.to, distance * curve.velocity(at: 1) * inverse, 0, 0))
      }
      let speed = fit.speed * distance.magnitude * inverse
      note(
        component, value: (fit.valueError + late.value) * distance.magnitude + end.rounding,
        velocity: (fit.velocityError + late.velocity) * distance.magnitude * inverse + 64 * 0x1p-53 * speed)
    }
  }

  /// Appends a keyframe along a curve without jumps inside that is so short, or so late, that the clock cannot tell all pieces
  /// of the curve's fit apart. It is fitted in the clock's own time, between its corners.
  private mutating func appendLate(
    _ curve: UnitCurve, _ key: Key, distance: Double, isUpright: Bool, endsWithJump: Bool
  ) throws(ClipError) {
    let (start, duration, ulp) = (key.segment.start, key.segment.duration, key.segment.end.ulp)
    let length = key.segment.end - start
    let shortest = CurveFit.shortestPiece(over: distance)
    let settings = CubicFit<Double>.Settings(
      tolerance: tolerance, longest: length / 8, shortest: max(32 * ulp, max(shortest, length * 0x1p-44)))
    let corners = [0] + (curve.corners ?? []) + [1]
    var whole: CubicFit<Double>?
    var first = 0.0
    for (from, to) in zip(corners, corners.dropFirst()) {
      // The last moment up to the corner: from the next one on the clock shows what comes after it.
      let corner = start + to * duration
      let last = to < 1 ? ((corner - start) / duration > to ? corner.nextDown : corner) - start : length
      guard last > first else { continue }
      let fit = CubicFit<Double>(from: first, to: last, settings, snap: { (start + $0) - start }) { time in
        let progress = min(max(time / duration, from), to)
        // The clock's end may come before the keyframe's, where an upright curve still has a velocity: a large one.
        var velocity = curve.velocity(at: time < length ? progress : 1)
        // At a corner the slope of this side, unless it is upright there.
        if progress == from, from > 0, velocity.isFinite { velocity = curve.velocity(at: from + 0x1p-50) }
        if progress == to, to < 1, velocity.isFinite { velocity = curve.velocity(at: to - 0x1p-50) }
        return CubicFit<Double>.Point(time: time, value: curve.limit(at: progress), velocity: velocity / duration)
      }
      guard let fit else { throw .tooManyPieces(track: track, key: key.index, time: start) }
      if whole == nil { whole = fit } else { whole?.append(fit) }
      first = last
    }
    guard let fit = whole else { throw .tooManyPieces(track: track, key: key.index, time: start) }
    for time in fit.times.dropFirst() { result.times.append(start + time) }
    if endsWithJump { jump(at: key.segment.end) }
    // Where the clock's end comes before the keyframe's, the value held after it is not quite the target.
    let rest = length < duration && !endsWithJump ? (1 - curve.value(at: length / duration)).magnitude : 0
    for (component, end) in key.ends.enumerated() {
      let distance = end.to - end.from
      let origin = SIMD4(end.from, 0, 0, 0)
      try append(fit.pieces.map { $0.coefficients(of: 0) * distance + origin }, fit.times, to: component, key)
      if endsWithJump {
        result.pieces[component].append(SIMD4(end.to, distance * curve.velocity(at: 1) / duration, 0, 0))
      }
      // Pieces may be as short as the clock allows; so their measured errors count twice.
      note(
        component, value: (2 * fit.valueError + rest) * distance.magnitude + end.rounding,
        velocity: isUpright
          ? .infinity * distance.magnitude
          : 2 * fit.velocityError * distance.magnitude + end.rounding / max(duration, ulp))
    }
  }

  /// By how much a jump comes early, as it belongs to the piece after it: by as little as pairs of Floats can tell.
  private static func lead(before end: Double) -> Double { max(end.ulp, 0x1p-44 * end) }

  /// Lets the last piece so far end a little early, as its curve jumps at its end. Another piece, up to the end, follows.
  private mutating func jump(at end: Double) {
    let last = result.times.count - 1
    result.times[last] = max(result.times[last - 1], end - Self.lead(before: end))
    result.earlyBoundaries.append(last)
    result.times.append(end)
  }

  private mutating func append(_ spring: Spring, _ key: Key) throws(ClipError) {
    let (start, end) = (key.segment.start, key.segment.end)
    if spring.jumps || spring.standsStill {
      return result.append(key.ends.map { SIMD4(spring.jumps ? $0.to : $0.from, 0, 0, 0) }, until: end)
    }
    let fit = SpringFit(
      spring, ends: key.ends, start: start, end: end, duration: key.segment.duration, tolerance: tolerance)
    guard let fit else { throw .tooManyPieces(track: track, key: key.index, time: start) }
    for time in fit.times.dropFirst() { result.times.append(start + time) }
    for (component, end) in key.ends.enumerated() {
      let target = SIMD4(end.to, 0, 0, 0)
      try append(fit.pieces[component].map { $0 + target }, fit.times, to: component, key)
      note(component, value: fit.valueErrors[component] + end.rounding, velocity: fit.velocityErrors[component])
    }
  }

  /// Appends fitted pieces, whose boundaries count in units of `scale` seconds.
  private mutating func append(
    _ fitted: [SIMD4<Double>], _ times: [Double], scale: Double = 1, to component: Int, _ key: Key
  ) throws(ClipError) {
    for (index, piece) in fitted.enumerated() {
      let duration = (times[index + 1] - times[index]) * scale
      try piece.check(duration: duration, track: track, key: key.index, component: component)
    }
    result.pieces[component] += fitted
  }

  private mutating func note(_ component: Int, value: Double, velocity: Double) {
    valueErrors[component] = max(valueErrors[component], value)
    // Over no distance nothing moves infinitely fast.
    velocityErrors[component] = max(velocityErrors[component], velocity.isNaN ? 0 : velocity)
  }
}

// MARK: - Ends

extension TrackCompiler {
  /// Adds pieces for the start alone, before a first jump, and for the time after the end, after a last jump.
  private mutating func close(_ path: ComponentPath) throws(ClipError) {
    // Also for a jump to the value that is there already: it shows that nothing moves yet.
    let startsWithAMove = path.segments.first.map { !($0.end > 0) } ?? true
    let components = 0..<path.width
    if startsWithAMove || components.contains(where: { result.pieces[$0].first?.x != path.initialValue[$0] }) {
      result.insert(
        components.map { SIMD4(path.initialValue[$0], startsWithAMove ? 0 : result.pieces[$0][0].y, 0, 0) })
    }
    // Keyframes without length at the end.
    guard let last = path.segments.indices.last, !(path.segments[last].end > path.segments[last].start) else { return }
    let holds = components.map {
      SIMD4(path.segments[last].endValue(of: path.ends[last * path.width + $0]), 0, 0, 0)
    }
    for (component, piece) in holds.enumerated() {
      try piece.check(duration: 0, track: track, key: last, component: component)
    }
    result.append(holds, until: result.times[result.times.count - 1])
  }
}

extension UnitCurve {
  /// Whether all numbers that define the curve are finite.
  var isFinite: Bool {
    switch shape {
    case .bezier(let curve): [curve.start.x, curve.start.y, curve.end.x, curve.end.y].allSatisfy { $0.isFinite }
    case .piecewiseLinear(let line): line.inputs.allSatisfy { $0.isFinite } && line.outputs.allSatisfy { $0.isFinite }
    default: true
    }
  }
}

extension ComponentPath.Segment {
  /// Where the segment ends, in seconds from the start of the track.
  var end: Double { start + duration }

  /// The value that a component ends with: a spring that was cut short has not reached its target.
  func endValue(of ends: ComponentPath.Ends) -> Double {
    guard case .spring(let spring) = way, !(spring.jumps && duration > 0) else { return ends.to }
    return ends.from
      + spring.value(target: ends.to - ends.from, initialVelocity: ends.startVelocity, time: duration)
  }
}

extension ComponentPath.Ends {
  /// The rounding of values between these ends.
  fileprivate var rounding: Double { 64 * 0x1p-53 * (from.magnitude + to.magnitude) }

  /// The coefficients of the cubic with these values and velocities.
  func cubic(duration: Double) -> SIMD4<Double> {
    let slope = (to - from) / duration
    return SIMD4(
      from, startVelocity, (3 * slope - 2 * startVelocity - endVelocity) / duration,
      (startVelocity + endVelocity - 2 * slope) / duration / duration)
  }
}
