// SPDX-License-Identifier: MIT

/// The options of a call that sends tracks to goals.
@safe
@usableFromInline
package struct SendingOptions {
  /// A spring for each track, in place of the animation.
  let springs: UnsafeBufferPointer<Spring>?
  /// An animation for each track, in place of the animation.
  let animations: [Animation?]?
  /// Seconds until all tracks set out; nil for now.
  let delay: Double?
  /// Seconds for each track, added to the delay; empty for 0.
  let delays: UnsafeBufferPointer<Double>
  /// When the change is complete, if its end is to be told.
  let completion: CompletionCriteria?

  @usableFromInline
  package init(
    springs: UnsafeBufferPointer<Spring>?, animations: [Animation?]?, delay: Double?,
    delays: UnsafeBufferPointer<Double>, completion: CompletionCriteria?
  ) {
    unsafe self.springs = springs
    self.animations = animations
    self.delay = delay
    unsafe self.delays = delays
    self.completion = completion
  }
}

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
    _ tracks: SelectedTracks, to goals: InputValues, _ animation: Animation?, delays: Span<Double> = Span()
  ) throws(BatchError) -> UInt32 {
    let motion = try MotionRequest(animation)
    let springs: GivenSprings? = if case .spring(let spring) = motion { .one(spring) } else { nil }
    let change = try send(tracks, to: goals, springs, for: motion.columns, areAlike: true, delays) { _ in motion }
    record {
      BatchCall(
        .animate, $0.names(tracks), goals: $0.numbers(goals), animations: [animation], numbers: $0.list(delays))
    }
    return change
  }

  /// Sends tracks to goals, with what a call says besides.
  package mutating func animate(
    _ tracks: SelectedTracks, to goals: InputValues, _ animation: Animation?, _ options: SendingOptions?
  ) throws(BatchError) -> UInt32 {
    guard let options else { return try animate(tracks, to: goals, animation) }
    return try told(options, of: tracks) { engine, delays throws(BatchError) in
      switch unsafe (options.springs, options.animations) {
      case (nil, nil): try engine.animate(tracks, to: goals, animation, delays: delays)
      case (let springs?, nil): try engine.animate(tracks, to: goals, springs: unsafe springs.span, delays: delays)
      case (nil, let animations?): try engine.animate(tracks, to: goals, each: animations, delays: delays)
      default: throw .springsAndAnimations
      }
    }
  }

  /// Sends tracks to goals with the springs that they follow, after delays.
  package mutating func retarget(
    _ tracks: SelectedTracks, to goals: InputValues, _ options: SendingOptions?
  ) throws(BatchError) -> UInt32 {
    guard let options else { return try retarget(tracks, to: goals) }
    return try told(options, of: tracks) { engine, delays throws(BatchError) in
      try engine.retarget(tracks, to: goals, delays: delays)
    }
  }

  /// Makes a call with the delays of its tracks, and watches for its end if that is to be told.
  private mutating func told(
    _ options: SendingOptions, of tracks: SelectedTracks,
    _ call: (inout Engine, Span<Double>) throws(BatchError) -> UInt32
  ) throws(BatchError) -> UInt32 {
    try watching(tracks, until: options.completion) { engine throws(BatchError) in
      guard let delay = options.delay else { return try call(&engine, unsafe options.delays.span) }
      let each = unsafe options.delays
      var delays: [Double] = []
      swap(&delays, &engine.delays)
      defer { swap(&delays, &engine.delays) }
      delays.clear()
      if each.isEmpty {
        delays.append(contentsOf: repeatElement(delay, count: try engine.checkedCount(of: tracks)))
      } else {
        for index in each.indices { delays.append(unsafe each[index] + delay) }
      }
      return try call(&engine, delays.span)
    }
  }

  /// Sends tracks to goals with the springs that they follow.
  package mutating func retarget(
    _ tracks: SelectedTracks, to goals: InputValues, delays: Span<Double> = Span()
  ) throws(BatchError) -> UInt32 {
    let change = try send(tracks, to: goals, .own, areAlike: true, delays) { _ in nil }
    record { BatchCall(.retarget, $0.names(tracks), goals: $0.numbers(goals), numbers: $0.list(delays)) }
    return change
  }

  /// Sends tracks to goals.
  ///
  /// - Parameters:
  ///   - springs: Their springs, if all motions are springs.
  ///   - groups: The columns that the motions need.
  ///   - areAlike: Whether all tracks have the same motion.
  ///   - delays: Seconds until each track sets out; empty for now.
  ///   - motion: The motion of each track; nil for its own spring.
  private mutating func send(
    _ tracks: SelectedTracks, to goals: InputValues, _ springs: GivenSprings?, for groups: ColumnGroups = .springs,
    areAlike: Bool = false, _ delays: Span<Double>, _ motion: (Int) -> MotionRequest?
  ) throws(BatchError) -> UInt32 {
    if areRotations {
      return try sendRotations(tracks, to: goals, for: groups, delays.isEmpty ? springs : nil, delays, motion)
    }
    if delays.isEmpty, let springs, isAll(tracks) { return try animateAll(goals, springs) }
    try check(goals, for: tracks, ("goal", "goals"))
    if delays.isEmpty, case .handles(let handles) = tracks, handles.count == 1 {
      return try unsafe send(handles[0], to: goals, motion(0)) ?? nextChange()
    }
    if delays.isEmpty, let springs {
      try pick(tracks, for: springs, goals)
      return animatePicked(goals, springs)
    }
    try pick(tracks, for: groups)
    guard delays.isEmpty else { return try animatePicked(goals, delays: delays, areAlike: areAlike, motion) }
    guard areAlike, groups.contains(.curves), let curve = motion(0) else { return animatePicked(goals, motion) }
    return animatePickedByCurve(goals, curve)
  }

  /// Whether tracks are all tracks, perhaps by their handles in order or by their indices.
  private func isAll(_ tracks: SelectedTracks) -> Bool {
    switch tracks {
    case .all: true
    case .live: false
    case .handles(let handles): handles.count > 1 && self.tracks.indices.areAll(unsafe handles.span)
    case .indices(let indices): indices == 0..<self.tracks.indexCount
    }
  }

  /// Sends tracks to goals with an animation each.
  package mutating func animate(
    _ tracks: SelectedTracks, to goals: InputValues, each animations: [Animation?], delays: Span<Double> = Span()
  ) throws(BatchError) -> UInt32 {
    var motions: [MotionRequest] = []
    swap(&motions, &requests)
    defer {
      motions.clear()
      swap(&motions, &requests)
    }
    for index in animations.indices { motions.append(try MotionRequest(animations[index], index: index)) }
    try BatchError.check(motions.count, of: "animations", expected: count(of: tracks))
    let groups = motions.reduce(into: ColumnGroups()) { $0.formUnion($1.columns) }
    let springs: GivenSprings? = try coefficients.set(motions) ? .each(from: 0) : nil
    let change = try send(tracks, to: goals, springs, for: groups, delays) { motions[$0] }
    record {
      BatchCall(
        .animate, $0.names(tracks), goals: $0.numbers(goals), animations: animations, numbers: $0.list(delays))
    }
    return change
  }

  /// Sends tracks to goals with a spring each.
  package mutating func animate(
    _ tracks: SelectedTracks, to goals: InputValues, springs: Span<Spring>, delays: Span<Double> = Span()
  ) throws(BatchError) -> UInt32 {
    try coefficients.set(springs, table)
    try BatchError.check(springs.count, of: "springs", expected: count(of: tracks))
    let list = coefficients
    let change = try send(tracks, to: goals, .each(from: 0), delays) { .spring(list[$0]) }
    record { recorder in
      BatchCall(
        .animate, recorder.names(tracks), goals: recorder.numbers(goals),
        animations: recorder.list(springs).map { .spring($0) }, numbers: recorder.list(delays))
    }
    return change
  }

  /// Throws unless there is one value for each of some tracks, and each is a number within range; `what` names one value,
  /// and all of them, in errors.
  func check(
    _ values: InputValues, for tracks: SelectedTracks, _ what: (one: String, all: String)
  ) throws(BatchError) {
    try BatchError.check(values.count, of: what.all, expected: count(of: tracks))
    try values.check(what.one)
  }
}
