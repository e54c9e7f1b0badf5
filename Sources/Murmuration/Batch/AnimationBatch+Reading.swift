// SPDX-License-Identifier: MIT
import CProcessor
import Kernels

// Reading: by index for people, by row for uploads. Nothing changes with it.
extension AnimationBatch {
  // MARK: - One track

  /// The value of a track at the current time; nil for a handle of no track of this batch.
  public subscript(track: TrackHandle) -> Value? {
    row(of: track).map { row in Value { unsafe engine.tracks.columns.value[engine.tracks.element(row, $0)] } }
  }

  /// The velocity of a track at the current time, per second; nil for a handle of no track of this batch.
  ///
  /// - Complexity: O(1). Where the last advance left velocities out, that of a spring is computed.
  public func velocity(of track: TrackHandle) -> Value? {
    row(of: track).map { row in engine.withVelocity(ofRow: row) { velocity in Value(velocity) } }
  }

  /// Where a track heads; nil for a handle of no track of this batch.
  public func target(of track: TrackHandle) -> Value? {
    row(of: track).map { row in Value { unsafe engine.tracks.columns.target[engine.tracks.element(row, $0)] } }
  }

  /// Whether a track showed its target and no velocity in the last frame, as its motion is over or there was none; nil for
  /// a handle of no track of this batch.
  public func isAtRest(_ track: TrackHandle) -> Bool? { row(of: track).map { engine.isAtRest($0) } }

  /// When a track that follows a spring is at rest, on the batch's clock: never before the motion stays within
  /// ``restTolerance``; infinite if it never rests. Of a curve that runs alone it is the end. Nil for a track that follows
  /// something else, and for a handle of no track of this batch.
  ///
  /// That of a spring comes from bounds, and so is late: in the middle by at most 7 % of the age, by 12 % where the spring is
  /// clearly overdamped, and by more where an overdamped motion nearly cancels.
  public func restTime(of track: TrackHandle) -> Double? {
    guard let row = row(of: track) else { return nil }
    let kind = engine.tracks.tiles.kind(ofRow: row)
    if kind.isCurve { return engine.curves.end(ofRow: row) }
    guard kind.isSpring else { return nil }
    let time = engine.springs.restTime(ofRow: row, engine.tracks)
    return time <= 2 * BatchLimits.maximumTime ? time : .infinity
  }

  /// The row of a live track.
  package func row(of track: TrackHandle) -> Int? {
    let slots = engine.tracks.slots
    return track.store == slots.store ? slots.liveRow(of: track) : nil
  }

  /// Whether a track follows one curve, as a kernel evaluates it.
  package func followsCurve(_ track: TrackHandle) -> Bool {
    row(of: track).map { engine.tracks.tiles.kind(ofRow: $0).isCurve } ?? false
  }

  // MARK: - All tracks

  /// Copies the values of all tracks, by index; those of indices without a track are zero.
  ///
  /// - Parameter output: Gets ``indexCount`` values; what is longer stays as it is.
  /// - Throws: ``BatchError/wrongCount(of:expected:got:)``; nothing is written then.
  /// - Complexity: O(indices).
  public func copyValues(into output: inout [Value]) throws(BatchError) {
    var span = output.mutableSpan
    try copyValues(into: &span)
  }

  /// Copies the values of all tracks, by index, into memory of the caller; otherwise as with an array.
  public func copyValues(into output: inout MutableSpan<Value>) throws(BatchError) {
    guard output.count >= indexCount else {
      throw .wrongCount(of: "output", expected: indexCount, got: output.count)
    }
    let (tracks, stride) = (engine.tracks.columns, MemoryLayout<Value>.stride)
    unsafe output.withUnsafeMutableBytes { bytes in
      guard let start = bytes.baseAddress else { return }
      engine.tracks.forEachRun { indices, row in
        let output = unsafe (start + indices.lowerBound * stride).assumingMemoryBound(to: Float.self)
        guard let row else {
          unsafe output.update(repeating: 0, count: indices.count * stride / 4)
          return
        }
        unsafe lanes_interleave(
          tracks.value + row, tracks.dimensionStride, Value.dimensions, indices.count, output, stride / 4)
      }
    }
  }

  /// Lends the values of one component as they are, one per row, for uploads.
  ///
  /// Rows without a track hold numbers that mean nothing; ``handle(atRow:)`` tells which do. A track keeps its row until a
  /// call changes the batch.
  ///
  /// - Throws: ``BatchError/dimensionOutOfRange(_:count:)``.
  public func withRows<Result>(component: Int, _ body: (Span<Float>) -> Result) throws(BatchError) -> Result {
    body(unsafe try rows(of: component).span)
  }

  /// Lends the values of one component to a body that may throw; otherwise as to one that does not.
  ///
  /// - Throws: ``BatchError/dimensionOutOfRange(_:count:)``, or what `body` throws.
  public func withRows<Result>(component: Int, _ body: (Span<Float>) throws -> Result) throws -> Result {
    try body(unsafe try rows(of: component).span)
  }

  private func rows(of component: Int) throws(BatchError) -> UnsafeBufferPointer<Float> {
    guard 0..<Value.dimensions ~= component else {
      throw .dimensionOutOfRange(component, count: Value.dimensions)
    }
    return unsafe UnsafeBufferPointer(
      start: engine.tracks.columns.value + engine.tracks.element(0, component), count: engine.tracks.rowEnd)
  }

  /// The track in a row, or nil if there is none.
  public func handle(atRow row: Int) -> TrackHandle? {
    guard 0..<engine.tracks.rowEnd ~= row, engine.tracks.tiles.isLive(row) else { return nil }
    return engine.tracks.handle(ofRow: row)
  }
}

extension TrackStore {
  /// Calls `body` with neighbouring indices whose tracks stand in neighbouring rows, from the given one on, or that have no
  /// track.
  func forEachRun(_ body: (Range<Int>, _ firstRow: Int?) -> Void) {
    var index = 0
    while index < slots.count {
      if slots.isLive(index) {
        let count = slots.neighbours(index..<slots.count)
        body(index..<index + count, slots.row(of: index))
        index += count
      } else {
        body(index..<index + 1, nil)
        index += 1
      }
    }
  }
}
