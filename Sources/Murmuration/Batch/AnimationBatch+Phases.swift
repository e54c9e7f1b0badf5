// SPDX-License-Identifier: MIT

// Phases: a schedule over motions.
extension AnimatedTracks where Self: ~Copyable {
  /// Loads a sequence of phases, so that tracks can play it.
  ///
  /// - Throws: ``BatchError/wrongDimensions(of:expected:got:)`` if its targets have other dimensions.
  public mutating func load(_ sequence: PhaseSequence) throws(BatchError) -> PhaseSequenceID {
    try engine.load(sequence)
  }

  /// Unloads a sequence. Tracks that played it before can no longer be triggered.
  ///
  /// - Throws: ``BatchError/sequenceInUse(_:)`` while a track plays it, and ``BatchError/unknownSequence(_:)``.
  public mutating func unload(_ sequence: PhaseSequenceID) throws(BatchError) { try engine.unload(sequence) }

  /// A sequence that was loaded.
  ///
  /// - Throws: ``BatchError/unknownSequence(_:)``.
  public func sequence(_ sequence: PhaseSequenceID) throws(BatchError) -> PhaseSequence {
    try engine.sequence(sequence)
  }

  /// Plays a sequence of phases on tracks.
  ///
  /// ```swift
  /// let pulse = try PhaseSequence([1, 1.25, 0.9], target: { Float($0) }, animation: { _ in .smooth })
  /// var batch = try AnimationBatch<Float>()
  /// let hearts = try batch.add([1, 1, 1])
  /// try batch.play(try batch.load(pulse), on: hearts, startingAt: [0, 0.1, 0.2])
  /// try batch.advance(to: 2)
  /// try batch.animate(hearts[2], to: 0, .smooth)  // ends its schedule
  /// try batch.trigger([hearts[2]])  // and begins it again
  /// ```
  ///
  /// A track keeps its motion until its start. Then it sets out for phase 1, and for the next phase whenever the
  /// animation under way is logically complete. Each step is an `animate` to the phase's target with the phase's
  /// animation, at its own moment, from the state of the track at that moment. So the same steps give the same bits,
  /// whatever frames are shown. After the last phase, a round leads back to phase 0.
  ///
  /// A loop never ends. It stops at phase 0 and reports its completion only if a whole round takes no time. A triggered
  /// track keeps its motion until ``trigger(_:completion:)``. Then it goes through all phases once, back to phase 0. It reports
  /// ``AnimationEvent/Kind/logicallyComplete`` when the animation to phase 0 is complete, and
  /// ``AnimationEvent/Kind/settled`` when the track rests there. A single step reports only
  /// ``AnimationEvent/Kind/phase``, if ``MovingTracks/reports`` contains ``AnimationReports/phases``. The events
  /// carry the number of this call, or of the trigger.
  ///
  /// Any other call that changes the motion of a track ends its schedule; so does an `animate` to the goal that the
  /// track heads for already. The track remembers the sequence, whether it loops, and its variation, for a trigger.
  ///
  /// If one frame passes more than ``PhaseSequence/longestCatchUp`` rounds of a loop, they are skipped, and their steps are not
  /// reported. With springs and jumps alone, at their own speed, the state after them is computed at once. With other
  /// animations the last rounds are taken step by step, so that nothing is left of those before. The clock can be set back to
  /// the latest step that was taken.
  ///
  /// - Parameters:
  ///   - sequence: A sequence that was loaded.
  ///   - tracks: The tracks. If one is named twice, the last start and variation count.
  ///   - playback: Whether they loop, or wait for triggers.
  ///   - starts: When each track sets out, on the batch's clock; empty for now. After a start in the past, the next
  ///     advance takes the steps since then, as if the track had stood where it is shown now. Triggered tracks ignore
  ///     it.
  ///   - offset: Added to the targets of all; nil for 0.
  ///   - scale: The factor of the targets of all, applied before the offset; nil for 1.
  ///   - offsets: An offset for each track, in place of one for all; empty for 0.
  ///   - scales: A factor for each track, in place of one for all; empty for 1.
  /// - Returns: The number of the change.
  /// - Throws: ``BatchError``; all old motions and schedules continue then.
  /// - Complexity: O(tracks). Steps of springs cost no exponential.
  @discardableResult
  public mutating func play(
    _ sequence: PhaseSequenceID, on tracks: some TrackSelection & ~Escapable, _ playback: PhasePlayback = .loops,
    startingAt starts: some PerTrack<Double> & ~Escapable = NotGiven<Double>(), offset: Value? = nil,
    scale: Value? = nil, offsets: [Value] = [], scales: [Value] = []
  ) throws(BatchError) -> ChangeID {
    try lend(tracks, each: starts) { lent, tracks, starts throws(BatchError) in
      let count = try lent.count(of: tracks)
      return try lend(offset) { offset throws(BatchError) in
        try lend(scale) { scale throws(BatchError) in
          try offsets.withElements(of: 0) { offsets throws(BatchError) in
            try scales.withElements(of: 0) { scales throws(BatchError) in
              try lent.play(
                sequence, on: tracks, playback, startingAt: starts,
                offsets: input(offsets).ifAny ?? offset?.repeated(count),
                scales: input(scales).ifAny ?? scale?.repeated(count))
            }
          }
        }
      }
    }
  }

  /// Plays a sequence of phases on tracks, with offsets and scales in columns; otherwise as with values.
  ///
  /// Without columns offsets are 0, and scales 1.
  @discardableResult
  public mutating func play<Numbers: PerTrack<Float> & ~Escapable>(
    _ sequence: PhaseSequenceID, on tracks: some TrackSelection & ~Escapable, _ playback: PhasePlayback = .loops,
    startingAt starts: some PerTrack<Double> & ~Escapable = NotGiven<Double>(), planarOffsets offsets: Numbers,
    scales: Numbers? = nil, layout: ColumnLayout = .planar
  ) throws(BatchError) -> ChangeID {
    try lend(tracks, each: starts) { lent, tracks, starts throws(BatchError) in
      let count = try lent.count(of: tracks)
      return try lend(planar: offsets, layout, atMost: count) { offsets throws(BatchError) in
        try lend(planar: scales, layout, atMost: count) { scales throws(BatchError) in
          try lent.play(
            sequence, on: tracks, playback, startingAt: starts, offsets: offsets?.ifAny, scales: scales?.ifAny)
        }
      }
    }
  }

  /// Triggers tracks: each runs through the sequence that it plays, or played last. The next advance shows it.
  ///
  /// A triggered track that is not under way sets out for phase 1. A track that is under way, or loops, first returns
  /// to phase 0 with the animation to that phase, and begins anew from there. A track whose schedule was ended by
  /// another call begins it again, as with `play`.
  ///
  /// A second trigger at the same moment changes nothing. Nor does a trigger of a track that is paused, that never
  /// played a sequence, or whose sequence was unloaded or has fewer than two phases.
  ///
  /// - Parameters:
  ///   - tracks: The tracks.
  ///   - completion: When the run counts as complete, if its end is to be told in ``MovingTracks/outcomes``; nil for not.
  /// - Returns: The number of the change.
  /// - Throws: ``BatchError`` for a bad selection (see ``TrackSelection``); nothing changes then.
  /// - Complexity: O(tracks).
  @discardableResult
  public mutating func trigger(
    _ tracks: some TrackSelection & ~Escapable, completion: CompletionCriteria? = nil
  ) throws(BatchError) -> ChangeID {
    try lend(tracks) { lent, tracks throws(BatchError) in
      try lent.change(tracks, completion) { engine throws(BatchError) in try engine.trigger(tracks) }
    }
  }

  /// The phase that a track shows or heads for; nil for a track that plays no sequence, and if the handle names no
  /// track of this batch.
  public func phase(of track: TrackHandle) -> Int? {
    engine.phase(of: track)
  }

  /// When a track takes its next step, on the batch's clock. It is infinite if no step is to come: at the end of a
  /// triggered run, in a pause, or with an animation that never completes. Nil for a track that plays no sequence, and
  /// if the handle names no track of this batch.
  public func nextStepTime(of track: TrackHandle) -> Double? {
    engine.nextStepTime(of: track)
  }
}

extension LentEngine {
  /// Plays a sequence of phases, with starts as a caller gave them.
  fileprivate func play(
    _ sequence: PhaseSequenceID, on tracks: SelectedTracks, _ playback: PhasePlayback,
    startingAt starts: LentElements<Double>, offsets: InputValues?, scales: InputValues?
  ) throws(BatchError) -> ChangeID {
    if unsafe !starts.elements.isEmpty { try starts.check("starts", count: count(of: tracks)) }
    let change = try unsafe engine.play(
      sequence, on: tracks, playback, startingAt: starts.elements.span, offsets: offsets, scales: scales)
    return ChangeID(rawValue: change)
  }
}

extension PhaseSequence {
  /// A sequence of phases of any type.
  ///
  /// - Parameters:
  ///   - phases: The phases in order, at least one.
  ///   - type: The type of the values; to be named where the targets do not show it, as in `[10, 20]`.
  ///   - target: The value that a phase stands for.
  ///   - animation: The animation to a phase from the one before, or nil for a jump; the default is
  ///     `Animation.default`.
  /// - Throws: ``PhaseError``.
  public init<Phase, Value: TrackValue>(
    _ phases: some Sequence<Phase>, of type: Value.Type = Value.self, target: (Phase) -> Value,
    animation: (Phase) -> Animation? = { _ in .default }
  ) throws(PhaseError) {
    let phases = Array(phases)
    try self.init(
      dimensions: Value.dimensions,
      targets: phases.map { phase in
        let value = target(phase)
        return (0..<Value.dimensions).map { value.component($0) }
      }, animations: phases.map { animation($0) })
  }
}
