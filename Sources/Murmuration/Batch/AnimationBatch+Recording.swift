// SPDX-License-Identifier: MIT

// Embedded builds have no recorder.
#if !hasFeature(Embedded)
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
