// SPDX-License-Identifier: MIT

// Bulk calls: the numbers are checked, the tracks are picked, and then the motion that serves the request is started. Each
// throws ``BatchError``, and changes nothing then.
extension Engine {
  // MARK: - To goals

  /// Sends tracks to goals, with one animation for all.
  ///
  /// - Parameters:
  ///   - goals: One for each track.
  ///   - animation: How they get there; nil to jump.
  ///   - delays: Seconds until each track sets out; empty for now.
  /// - Returns: The number of the change.
  package mutating func animate(
    _ tracks: TrackSelection, to goals: InputValues, _ animation: Animation?, delays: Span<Double> = Span()
  ) throws(BatchError) -> UInt32 {
    let change = try send(tracks, to: goals, MotionRequest(animation), delays: delays)
    record {
      BatchCall(
        .animate, $0.names(tracks), goals: $0.numbers(goals), animations: [animation], numbers: $0.list(delays))
    }
    return change
  }

  /// Sends tracks to goals with the springs that they follow.
  package mutating func retarget(
    _ tracks: TrackSelection, to goals: InputValues, delays: Span<Double> = Span()
  ) throws(BatchError) -> UInt32 {
    let change = try send(tracks, to: goals, nil, delays: delays)
    record { BatchCall(.retarget, $0.names(tracks), goals: $0.numbers(goals), numbers: $0.list(delays)) }
    return change
  }

  private mutating func send(
    _ tracks: TrackSelection, to goals: InputValues, _ motion: MotionRequest?, delays: Span<Double>
  ) throws(BatchError) -> UInt32 {
    if delays.isEmpty {
      switch (isAll(tracks) ? .all : tracks, motion) {
      case (.all, nil): return try animateAll(goals, nil)
      case (.all, .spring(let coefficients)): return try animateAll(goals, coefficients)
      case (.handles(let handles), _) where handles.count == 1:
        try check(goals, for: tracks, ("goal", "goals"))
        return try unsafe send(handles[0], to: goals, motion) ?? nextChange()
      case (.handles(let handles), .spring(let coefficients)):
        try check(goals, for: tracks, ("goal", "goals"))
        try unsafe pickForSpring(handles, goals)
        return animatePicked(goals, coefficients: coefficients)
      default: break
      }
    }
    try check(goals, for: tracks, ("goal", "goals"))
    try pick(tracks, for: motion?.columns ?? .springs)
    try checkEffectsOfPicked { _ in motion }
    guard delays.isEmpty else { return try animatePicked(goals, delays: delays, areAlike: true) { _ in motion } }
    return animatePicked(goals, motion)
  }

  /// Whether tracks are all tracks, perhaps by their handles in order or by their indices.
  private func isAll(_ tracks: TrackSelection) -> Bool {
    switch tracks {
    case .all: true
    case .handles(let handles): handles.count > 1 && self.tracks.slots.areAll(unsafe handles.span)
    case .indices(let indices): indices == 0..<self.tracks.slots.count
    }
  }

  /// Sends tracks to goals with an animation each.
  package mutating func animate(
    _ tracks: TrackSelection, to goals: InputValues, each animations: [Animation?], delays: Span<Double> = Span()
  ) throws(BatchError) -> UInt32 {
    var motions: [MotionRequest] = []
    swap(&motions, &requests)
    defer {
      motions.clear()
      swap(&motions, &requests)
    }
    for index in animations.indices { motions.append(try MotionRequest(animations[index], index: index)) }
    let groups = motions.reduce(into: ColumnGroups()) { $0.formUnion($1.columns) }
    let change = try send(tracks, to: goals, ("animations", motions.count), for: groups, delays: delays) { motions[$0] }
    record {
      BatchCall(
        .animate, $0.names(tracks), goals: $0.numbers(goals), animations: animations, numbers: $0.list(delays))
    }
    return change
  }

  /// Sends tracks to goals with a spring each.
  mutating func animate(
    _ tracks: TrackSelection, to goals: InputValues, springs: Span<Spring>, delays: Span<Double> = Span()
  ) throws(BatchError) -> UInt32 {
    try SpringCoefficients.convert(springs, to: &coefficients)
    let list = coefficients
    let change = try send(tracks, to: goals, ("springs", springs.count), for: .springs, delays: delays) {
      .spring(list[$0])
    }
    record { recorder in
      BatchCall(
        .animate, recorder.names(tracks), goals: recorder.numbers(goals),
        animations: recorder.list(springs).map { .spring($0) }, numbers: recorder.list(delays))
    }
    return change
  }

  /// Sends tracks to goals with a motion each.
  ///
  /// - Parameters:
  ///   - tracks: The tracks.
  ///   - goals: The targets, one for each track.
  ///   - given: The name of the argument that the motions come from, and its count.
  ///   - groups: The columns that the motions need.
  ///   - delays: Seconds until each track sets out; empty for now.
  ///   - motion: The motion of each track; called only if the counts match.
  @inline(__always)
  private mutating func send(
    _ tracks: TrackSelection, to goals: InputValues, _ given: (what: String, count: Int), for groups: ColumnGroups,
    delays: Span<Double>, _ motion: (Int) -> MotionRequest
  ) throws(BatchError) -> UInt32 {
    let count = count(of: tracks)
    try BatchError.check(given.count, of: given.what, expected: count)
    try check(goals, for: tracks, ("goal", "goals"))
    if count == 1, delays.isEmpty, case .handles(let handles) = tracks {
      return try unsafe send(handles[0], to: goals, motion(0)) ?? nextChange()
    }
    try pick(tracks, for: groups, kinds: groups.contains(.curves) ? CurveLibrary.limit : 1)
    try checkEffectsOfPicked(motion)
    guard delays.isEmpty, count > 0 else { return try animatePicked(goals, delays: delays, motion) }
    return animatePicked(goals, motion)
  }

  /// Throws unless there is one value for each of some tracks, and each is a number within range; `what` names one value,
  /// and all of them, in errors.
  func check(
    _ values: InputValues, for tracks: TrackSelection, _ what: (one: String, all: String)
  ) throws(BatchError) {
    try BatchError.check(values.count, of: what.all, expected: count(of: tracks))
    try values.check(what.one)
  }
}
