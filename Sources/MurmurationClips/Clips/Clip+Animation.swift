// SPDX-License-Identifier: MIT

extension Clip {
  /// The clip of a unit curve over a duration: one dimension.
  ///
  /// At its end the clip shows 1, whatever the curve does, as keyframes and animations along the curve do.
  ///
  /// - Parameters:
  ///   - curve: The curve.
  ///   - duration: Seconds; positive.
  ///   - tolerance: The largest error in value.
  /// - Throws: ``ClipError``.
  public init(curve: UnitCurve, duration: Double = 1, tolerance: Double = 0x1p-16) throws(ClipError) {
    try Self.check(tolerance: tolerance)
    guard duration > 0, duration <= Self.maximumDuration else {
      throw .invalidDuration(duration, atLeast: .leastNonzeroMagnitude)
    }
    let path = ComponentPath(
      width: 1, initialValue: [curve.value(at: 0)],
      segments: [ComponentPath.Segment(way: .linear(curve), start: 0, duration: duration)],
      ends: [ComponentPath.Ends(from: 0, to: 1)])
    try self.init(path, tolerance: tolerance)
  }

  /// The clip of keyframes of one component, which starts at 0.
  package init(_ path: ComponentPath, tolerance: Double) throws(ClipError) {
    let compiled = try TrackCompiler(path, track: 0, tolerance: tolerance)
    try self.init(
      checkedTracks: [compiled.pieceTrack(components: [0])], initialValues: [0],
      duration: path.segments.last?.end ?? 0, valueErrorBounds: compiled.valueErrors,
      velocityErrorBounds: compiled.velocityErrors, remake: nil)
  }

  /// The clip of a unit curve over one second: one dimension. Its end shows the end of the curve's last piece, and not
  /// the 1 that an animation along the curve ends with.
  package init(within curve: UnitCurve, tolerance: Double) throws(ClipError) {
    try Self.check(tolerance: tolerance)
    guard let fit = CurveFitCache.fit(curve, tolerance: tolerance), fit.boundariesBelongToLater else {
      try self.init(curve: curve, tolerance: tolerance)
      return
    }
    let track = PieceTrack(components: [0], times: fit.times, pieces: [fit.pieces], boundariesBelongToLater: true)
    try self.init(
      dimensions: 1, initialValues: [0], tracks: [track], valueErrorBounds: [fit.valueError],
      velocityErrorBounds: [fit.velocityError])
  }

  /// The clip of an animation from 0 to 1, which must be a function of time alone: one dimension.
  ///
  /// The animation is asked for its value at many times in any order, each time with a new context. Pieces end where
  /// the curves, delays and iterations of our animations end, and where a jump is found. Between such moments the
  /// animation is sampled at least 1 024 times: a change that a custom animation makes and undoes in less time may be
  /// missed. The velocity is measured from the values.
  ///
  /// - Parameters:
  ///   - animation: The animation: one of yours, or any other.
  ///   - duration: Seconds after which the clip ends and holds its value; nil for the end of the animation.
  ///   - tolerance: The largest error as a share of the range of values.
  /// - Throws: ``ClipError``: `invalidAnimation` for an animation that batches refuse, `endless` for one without an end if
  ///   no duration is given, `dependsOnHistory` if its answer depends on the times that were asked for before,
  ///   `tooManyPieces` if it is too rough, `invalidDuration` and `invalidTolerance` for arguments out of range.
  /// - Complexity: Some thousand calls of the animation, and some ten more for each piece.
  public init(_ animation: Animation, duration: Double? = nil, tolerance: Double = 0x1p-16) throws(ClipError) {
    try Self.check(tolerance: tolerance)
    do throws(AnimationDefect) { try animation.check() } catch { throw .invalidAnimation(reason: error.reason) }
    let end = animation.endTime(value: 1.0, context: AnimationContext())
    guard end < .infinity || duration != nil else { throw .endless(track: 0, key: 0) }
    let duration = duration ?? end
    guard duration >= 0, duration <= Self.maximumDuration else { throw .invalidDuration(duration, atLeast: 0) }
    func value(_ time: Double) -> Double {
      var context = AnimationContext<Double>()
      return animation.animate(value: 1, time: time, context: &context) ?? 1
    }
    try Self.checkHistory(of: animation, duration: duration, tolerance: tolerance, value)
    guard let boundaries = animation.boundaries(until: duration) else {
      throw .tooManyPieces(track: 0, key: 0, time: 0)
    }
    try self.init(
      dimensions: 1, duration: duration, boundaries: boundaries, tolerance: tolerance, initialValues: [value(0)],
      remake: nil
    ) { time, values in
      // A clip that is cut short holds the value at its end.
      values[0] = value(time <= duration || duration >= end ? time : duration)
    }
  }

  /// Asks an animation for one time after another, as a player does, and compares the answers with answers without a
  /// history.
  private static func checkHistory(
    of animation: Animation, duration: Double, tolerance: Double, _ value: (Double) -> Double
  ) throws(ClipError) {
    var context = AnimationContext<Double>()
    for index in 0...256 {
      let time = duration * (Double(index) / 256)
      guard let played = animation.animate(value: 1.0, time: time, context: &context) else { return }
      guard (played - value(time)).magnitude <= tolerance else { throw .dependsOnHistory(time: time) }
    }
  }
}

// Embedded builds have no custom animations.
#if !hasFeature(Embedded)

  extension Clip {
    /// The clip of a custom animation from 0 to 1; see ``init(_:duration:tolerance:)-(Animation,_,_)``.
    public init(
      custom animation: some CustomAnimation, duration: Double? = nil, tolerance: Double = 0x1p-16
    ) throws(ClipError) {
      try self.init(Animation(animation), duration: duration, tolerance: tolerance)
    }
  }
#endif

extension Animation {
  /// The most boundaries; more would leave too few pieces for the motion between them.
  private static var mostBoundaries: Int { 4096 }

  /// The moments after 0 and up to `end` right after which a motion of ours from 0 to 1 may jump or bend, ascending.
  /// These are the corners and ends of curves, the ends of delays and the starts of iterations. The moments within a
  /// custom animation are not known.
  ///
  /// - Returns: nil if there are more than 4 096.
  func boundaries(until end: Double) -> [Double]? {
    guard end > 0 else { return [] }
    switch structure {
    case .curve(let curve, let duration):
      guard let corners = curve.corners, corners.count < Self.mostBoundaries else { return nil }
      return (corners.map { $0 * duration } + [duration]).filter { $0 > 0 && $0 <= end }
    case .spring, .interpolatingSpring, .custom:
      return [endTime(value: 1.0, context: AnimationContext())].filter { $0 <= end }
    case .delay(let base, let seconds):
      let inner = base.boundaries(until: end - seconds)
      return inner.map { ([0] + $0).map { $0 + seconds }.filter { $0 > 0 } }
    case .speed(let base, let speed):
      guard speed > 0 else { return [] }
      return base.boundaries(until: end * speed).map { $0.map { $0 / speed } }
    case .repeat(let base, let count, let autoreverses):
      return base.boundaries(until: end, rounds: count, autoreverses: autoreverses)
    case .logicallyComplete(let base, _):
      return base.boundaries(until: end)
    }
  }

  private func boundaries(until end: Double, rounds: Int?, autoreverses: Bool) -> [Double]? {
    let length = endTime(value: 1.0, context: AnimationContext())
    guard length > 0, let inner = boundaries(until: min(length, end)) else { return length > 0 ? nil : [] }
    guard length < end else { return inner }
    let count = min((end / length).rounded(.up), rounds.map(Double.init) ?? .infinity)
    guard count * Double(inner.count + 1) <= Double(Self.mostBoundaries) else { return nil }
    let back = inner.reversed().map { length - $0 }
    var all: [Double] = []
    for round in 0..<Int(count) {
      let start = Double(round) * length
      for moment in autoreverses && round % 2 == 1 ? back : inner { all.append(start + moment) }
      all.append(Double(round + 1) * length)
    }
    return all.filter { $0 > 0 && $0 <= end }
  }
}
