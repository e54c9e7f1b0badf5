// SPDX-License-Identifier: MIT
import Kernels

// Phases: a schedule over motions.
extension AnimationBatch {
  /// Takes a sequence of phases, so that tracks can play it.
  ///
  /// - Throws: ``BatchError/wrongDimensions(of:expected:got:)`` if its targets have other dimensions.
  public mutating func load(_ sequence: PhaseSequence) throws(BatchError) -> PhaseSequenceID {
    try engine.load(sequence)
  }

  /// Lets a sequence go. Tracks that played it before have nothing left to be triggered.
  ///
  /// - Throws: ``BatchError/sequenceInUse(_:)`` while a track plays it, and ``BatchError/unknownSequence(_:)``.
  public mutating func unload(_ sequence: PhaseSequenceID) throws(BatchError) { try engine.unload(sequence) }

  /// A sequence that was loaded.
  ///
  /// - Throws: ``BatchError/unknownSequence(_:)``.
  public func sequence(_ sequence: PhaseSequenceID) throws(BatchError) -> PhaseSequence {
    engine.phases.library[try engine.index(of: sequence)].sequence
  }

  /// Has tracks play a sequence of phases.
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
  /// A track goes on as it was until its start. Then it sets out for phase 1, and for the next phase whenever the animation
  /// under way is logically complete. Each step is an `animate` to the phase's target with the phase's animation, at its own
  /// moment, from what the track shows then: the same steps give the same bits whatever frames there are. A round leads from
  /// the last phase to phase 0.
  ///
  /// A loop goes round without end. It reports its completion only where a whole round lasts no time: then it stops at
  /// phase 0. A triggered track goes on as it was until ``trigger(_:)``, goes once through all phases to phase 0, and reports
  /// ``AnimationEvent/Kind/logicallyComplete`` when the animation to phase 0 is, and ``AnimationEvent/Kind/settled`` when it
  /// rests there. Single steps report nothing but ``AnimationEvent/Kind/phase``, where ``reports`` contains
  /// ``AnimationReports/phases``. The events bear the number of this call, or of the trigger.
  ///
  /// Any other call that changes the motion of a track ends its schedule, an `animate` to the goal that it heads for too. The
  /// track remembers the sequence, whether it loops, and its variation, for a trigger.
  ///
  /// Where one frame passes more than ``PhaseSequence/longestCatchUp`` rounds of a loop, the state after them is computed at
  /// once, and their steps are not reported. The clock can be set back to the latest step that was taken.
  ///
  /// - Parameters:
  ///   - sequence: A sequence that was loaded.
  ///   - tracks: The tracks. If one is named twice, the last start and variation count.
  ///   - playback: Whether they loop, or wait for triggers.
  ///   - starts: When each sets out, on the batch's clock; empty for now. A start in the past is made up for with the next
  ///     advance, as if the track had stood where it is shown now. Triggered tracks have no use for it.
  ///   - offsets: What is added to the targets, one each; empty for nothing.
  ///   - scales: What the targets are multiplied by before, one each; empty for 1.
  /// - Returns: The number of the change.
  /// - Throws: ``BatchError``; all old motions and schedules continue then.
  /// - Complexity: O(tracks). Steps of springs cost no exponential.
  @discardableResult
  public mutating func play(
    _ sequence: PhaseSequenceID, on tracks: [TrackHandle], _ playback: PhasePlayback = .loops,
    startingAt starts: [Double] = [], offsets: [Value] = [], scales: [Value] = []
  ) throws(BatchError) -> UInt32 {
    try engine.pick(tracks.span)
    return try engine.playPicked(
      sequence, playback, startingAt: starts.span,
      offsets: offsets.isEmpty ? nil : unsafe InputValues(offsets.span),
      scales: scales.isEmpty ? nil : unsafe InputValues(scales.span))
  }

  /// Has a track play a sequence of phases; otherwise as with many tracks.
  ///
  /// - Parameters:
  ///   - sequence: A sequence that was loaded.
  ///   - track: The track.
  ///   - playback: Whether it loops, or waits for triggers.
  ///   - start: When it sets out; nil for now.
  ///   - offset: What is added to the targets; nil for nothing.
  ///   - scale: What the targets are multiplied by before; nil for 1.
  /// - Returns: The number of the change.
  @discardableResult
  public mutating func play(
    _ sequence: PhaseSequenceID, on track: TrackHandle, _ playback: PhasePlayback = .loops,
    startingAt start: Double? = nil, offset: Value? = nil, scale: Value? = nil
  ) throws(BatchError) -> UInt32 {
    try play(
      sequence, on: [track], playback, startingAt: start.map { [$0] } ?? [], offsets: offset.map { [$0] } ?? [],
      scales: scale.map { [$0] } ?? [])
  }

  /// Has tracks run through the sequences that they play, or played last, from now on. It shows with the next advance.
  ///
  /// A triggered track that is not under way sets out for phase 1. One that is, and a loop, first returns to phase 0, with
  /// the animation to that phase, and begins anew from there. A track whose schedule another call has ended begins it again,
  /// as ``play(_:on:_:startingAt:offsets:scales:)`` does now.
  ///
  /// A second trigger at the same moment changes nothing, and neither does one of a track that is paused, that never played a
  /// sequence, or whose sequence has fewer than two phases or was unloaded.
  ///
  /// - Returns: The number of the change.
  /// - Throws: ``BatchError/staleHandle(_:)`` or ``BatchError/storeMismatch(_:)``; nothing changes then.
  /// - Complexity: O(tracks).
  @discardableResult
  public mutating func trigger(_ tracks: [TrackHandle]) throws(BatchError) -> UInt32 { try engine.trigger(tracks.span) }

  /// The phase that a track shows or heads for; nil for one that plays no sequence, and for a handle of no track of this
  /// batch.
  public func phase(of track: TrackHandle) -> Int? {
    row(of: track) == nil ? nil : engine.phases.player(track.index).map { Int($0.clock.phase) }
  }

  /// When a track takes its next step, on the batch's clock: infinite if none is to come, as at the end of a triggered run, in
  /// a pause, or under an animation that never is complete. Nil for a track that plays no sequence, and for a handle of no
  /// track of this batch.
  public func nextStepTime(of track: TrackHandle) -> Double? {
    row(of: track) == nil ? nil : engine.phases.player(track.index)?.nextStepTime
  }
}
