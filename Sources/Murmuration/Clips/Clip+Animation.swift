// SPDX-License-Identifier: MIT
public import AnimationModel

extension Clip {
  /// The clip of a unit curve over a duration: one dimension.
  ///
  /// At its end the clip shows 1, whatever the curve does, as keyframes and animations along it.
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
    let compiled = try TrackCompiler(path, track: 0, tolerance: tolerance)
    try self.init(
      checkedTracks: [compiled.pieceTrack(components: [0])], initialValues: [0], duration: duration,
      valueErrorBounds: compiled.valueErrors, velocityErrorBounds: compiled.velocityErrors, remake: nil)
  }

  /// The clip of a unit curve over one second, as the curve is between its ends: one dimension.
  ///
  /// The end of a curve that jumps shows the end of the last piece, and not the 1 that an animation along it ends with.
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
  /// The animation is asked for its value at many times in any order, each time as at the start of a run. Pieces end where
  /// the curves, delays and rounds of our animations do, and where a jump is found. Between such places it is looked at
  /// 1 024 times at least: what a custom animation does, and undoes, in less time than that may be missed. Its velocity is
  /// measured from its values.
  ///
  /// - Parameters:
  ///   - animation: The animation: one of yours, or any other.
  ///   - duration: Seconds after which the clip ends, and holds what it has reached; nil for the end of the animation.
  ///   - tolerance: The largest error as a share of the range of values.
  /// - Throws: ``ClipError``: `endless` for an animation without an end if there is no duration, `dependsOnHistory` if it
  ///   answers differently when it has been asked for earlier times before, `tooManyPieces` if it is too rough.
  /// - Complexity: Some thousand calls of the animation, and some ten more for each piece.
  public init(_ animation: Animation, duration: Double? = nil, tolerance: Double = 0x1p-16) throws(ClipError) {
    try Self.check(tolerance: tolerance)
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
      // A clip that is cut short holds what has been reached.
      values[0] = value(time <= duration || duration >= end ? time : duration)
    }
  }

  /// The clip of a custom animation from 0 to 1; see ``init(_:duration:tolerance:)-(Animation,_,_)``.
  public init(
    custom animation: some CustomAnimation, duration: Double? = nil, tolerance: Double = 0x1p-16
  ) throws(ClipError) {
    try self.init(Animation(animation), duration: duration, tolerance: tolerance)
  }

  /// Asks an animation for one time after another, as a player does, and compares what it answers without that history.
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
