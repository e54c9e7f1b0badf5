// SPDX-License-Identifier: MIT
// Bodies that may throw errors of any type. Embedded builds have no such errors.

#if !hasFeature(Embedded)
  extension AnimatedTracks where Self: ~Copyable {
    /// Lends the values of one component to a body that may throw; otherwise as with a body that does not.
    ///
    /// - Throws: ``BatchError/dimensionOutOfRange(_:count:)``, or what `body` throws.
    public func withValues<Result>(component: Int, _ body: (Span<Float>) throws -> Result) throws -> Result {
      try body(unsafe engine.column(of: .values, component).span)
    }

    /// Lends the velocities of one component to a body that may throw; otherwise as with a body that does not.
    ///
    /// - Throws: ``BatchError/velocitiesNotComputed`` if the last advance left velocities out,
    ///   ``BatchError/dimensionOutOfRange(_:count:)``, or what `body` throws.
    public func withVelocities<Result>(component: Int, _ body: (Span<Float>) throws -> Result) throws -> Result {
      try body(unsafe engine.column(of: .velocities, component).span)
    }

    /// Lends the values of one component as a pointer to a body that may throw; otherwise as with a body that does not.
    ///
    /// - Throws: ``BatchError/dimensionOutOfRange(_:count:)``, or what `body` throws.
    public func withUnsafeValues<Result>(
      component: Int, _ body: (UnsafeBufferPointer<Float>) throws -> Result
    ) throws -> Result {
      try unsafe body(engine.column(of: .values, component))
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
#endif
