// SPDX-License-Identifier: MIT
// What embedded builds leave out: they have no errors of any type and no recorder.

#if !hasFeature(Embedded)
  // MARK: - Bodies that may throw

  extension MovingTracks where Self: ~Copyable {
    /// Lends the values of one component to a body that may throw; otherwise as with a body that does not.
    ///
    /// - Throws: ``BatchError/dimensionOutOfRange(_:count:)``, or what `body` throws.
    public func withValues<Result>(component: Int, _ body: (Span<Float>) throws -> Result) throws -> Result {
      try body(unsafe engine.column(of: .values, component).span)
    }
  }

  extension AnimatedTracks where Self: ~Copyable {
    /// Lends the velocities of one component to a body that may throw; otherwise as with a body that does not.
    ///
    /// - Throws: ``BatchError/velocitiesNotComputed`` if the last advance left velocities out,
    ///   ``BatchError/dimensionOutOfRange(_:count:)``, or what `body` throws.
    public func withVelocities<Result>(component: Int, _ body: (Span<Float>) throws -> Result) throws -> Result {
      try body(unsafe engine.column(of: .velocities, component).span)
    }
  }

  extension AnimationBatch {
    /// Lends baked frames to a body that may throw, which ends the bake; otherwise as with a body that does not.
    public func bake(
      _ request: BakeRequest, framesAtOnce frameCount: Int, velocities: Bool = false,
      _ body: (_ frames: Range<Int>, _ values: Span<Float>, _ velocities: Span<Float>) throws -> Void
    ) throws {
      var failure: (any Error)?
      try engine.bake(request, framesAtOnce: frameCount, velocities: velocities) { frames, values, velocities in
        do { try body(frames, values, velocities) } catch { failure = error }
        return failure == nil
      }
      if let failure { throw failure }
    }
  }

  // MARK: - Recording

  extension AnimationBatch {
    /// Keeps every call that the batch accepts from now on, for checks against the reference and for bug reports.
    ///
    /// ```swift
    /// var batch = try AnimationBatch<SIMD2<Float>>()
    /// try batch.record()
    /// let dot = try batch.add([0, 0])
    /// try batch.animate(dot, to: [0, 50], .bouncy)
    /// try batch.advance(to: 0.25)
    /// let report = try check(batch.recording!)  // of MurmurationReference
    /// ```
    ///
    /// A recording has everything from the first track on. Calls cost what it takes to copy their arguments; without a
    /// recording they cost nothing.
    ///
    /// - Throws: ``BatchError/recordsFromStart`` if the batch ever had tracks, clips or sequences; nothing changes then.
    public mutating func record() throws(BatchError) { try engine.startRecording() }

    /// The calls so far; nil if they are not recorded.
    public var recording: BatchRecording? { engine.recording }

    /// Ends the recording, and returns it; nil if calls were not recorded.
    @discardableResult
    public mutating func stopRecording() -> BatchRecording? { engine.stopRecording() }
  }
#endif
