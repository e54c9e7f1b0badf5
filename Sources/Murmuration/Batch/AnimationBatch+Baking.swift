// SPDX-License-Identifier: MIT

// Baking: many frames at once. Nothing of the batch changes.
extension AnimationBatch {
  /// Computes many frames of a range of tracks, as their motions and schedules stand.
  ///
  /// The clock, the motions, the schedules and the reports stay as they are. The numbers have the bits that
  /// ``TrackBatch/advance(to:velocities:)`` shows frame by frame, with one exception: springs outside of phases are within the
  /// error bounds of the batch, and at rest from the same frame on. A bake of some of the frames, or of some of the
  /// tracks, has the bits of the whole. The ``TrackBatch/threadCount`` changes no bit.
  ///
  /// Tracks that play phases take the steps on the way. A custom animation is evaluated at every frame in turn. If its
  /// values depend on the frames before, they depend on which frames are baked.
  ///
  /// - Parameters:
  ///   - request: The frames, the tracks, and the layout of the numbers.
  ///   - values: Gets the values: exactly frames · tracks · components.
  /// - Throws: ``BatchError``: among others ``BatchError/timeBeforeStart(time:start:)`` for frames before the last
  ///   change of one of the tracks, and ``BatchError/changeWaiting(_:time:)`` if a delayed call about one of them is
  ///   due before the last frame or at it. Nothing is written then. ``BatchError/capacityExceeded(_:)`` means that
  ///   there is no memory to play or to interleave tracks; the numbers mean nothing then.
  /// - Complexity: O(frames · tracks · components). Frames are computed in groups of 512, by their numbers. A bake that
  ///   begins within a group also takes a part of the time of the frames before it in that group. Tracks with phases, sums of
  ///   curves or custom animations are copied, and all of their components are computed.
  public func bake(
    _ request: BakeRequest, into values: inout some TrackOutput<Float> & ~Copyable & ~Escapable
  ) throws(BatchError) {
    try values.withMutableElements { values throws(BatchError) in
      try unsafe engine.bake(request, into: values.elements)
    }
  }

  /// Computes values and velocities, per second; otherwise as without velocities.
  public func bake(
    _ request: BakeRequest, into values: inout some TrackOutput<Float> & ~Copyable & ~Escapable,
    velocities: inout some TrackOutput<Float> & ~Copyable & ~Escapable
  ) throws(BatchError) {
    try values.withMutableElements { values throws(BatchError) in
      try velocities.withMutableElements { velocities throws(BatchError) in
        try unsafe engine.bake(request, into: values.elements, velocities: velocities.elements)
      }
    }
  }

  /// Computes some frames at a time and lends them to a body. So a program can write a file that is larger than memory.
  ///
  /// - Parameters:
  ///   - request: The frames, the tracks, and the layout of the numbers of each part.
  ///   - frameCount: Frames of a part, at least 1; the last part may have fewer. Multiples of 512 cost the least.
  ///   - velocities: Whether to compute velocities too.
  ///   - body: Takes each part: its frames, counted from the first frame of the request, their values, and their
  ///     velocities. The velocities are empty unless asked for.
  /// - Throws: As with spans, before the first call of `body`; and ``BatchError/capacityExceeded(_:)`` if there is no memory
  ///   for a part, or, between two calls, to play tracks ahead.
  public func bake(
    _ request: BakeRequest, framesAtOnce frameCount: Int, velocities: Bool = false,
    _ body: (_ frames: Range<Int>, _ values: Span<Float>, _ velocities: Span<Float>) -> Void
  ) throws(BatchError) {
    try engine.bake(request, framesAtOnce: frameCount, velocities: velocities) { frames, values, velocities in
      body(frames, values, velocities)
      return true
    }
  }
}
