// SPDX-License-Identifier: MIT
import Kernels

// Reading, which changes nothing: by index, by copies or in place.
extension MovingTracks where Self: ~Copyable {
  /// Components of each value.
  public var dimensions: Int { engine.dimensions }

  /// The number of tracks that custom animations move. Each costs far more than a spring.
  public var calledCount: Int { engine.calledCount }

  /// The work of the last frame: tracks by what they do, tiles by the kernels that ran over them, and bytes.
  ///
  /// - Complexity: O(tiles), and O(indices) if tracks are paused.
  public var work: BatchWork { engine.work }

  /// The tolerances of rest: the cheapest lever on the cost of frames, as tiles at rest cost nothing. A motion that has come
  /// within them jumps to its target in that frame, by at most `value`. A change counts for motions under way too.
  public var restTolerance: RestTolerances {
    get { engine.restTolerance }
    set { engine.setRestTolerance(newValue) }
  }

  /// The events of the last advance, in the order of index and then of moment. Nothing is reported twice.
  public var events: [AnimationEvent] { engine.frameEvents }

  /// The changes that have ended, of calls that asked for their completion. Read them after each advance, which lists each
  /// change once that has ended in it or by a call before it.
  ///
  /// A change ends when it has ended for all of its tracks. It never does while one of them repeats for ever, has a spring
  /// without damping, or is paused. A call that has nothing to do for a track is complete at once: a jump, the goal that the
  /// track heads for already, a new goal for a track that follows.
  public var outcomes: [ChangeOutcome] { engine.outcomes }

  /// How changes have ended for their tracks, one by one, in the order in which that was found; otherwise as ``outcomes``.
  public var trackOutcomes: [TrackOutcome] { engine.trackOutcomes }

  /// The number of the last call that changed a motion. It may be an `add` of tracks that set out, which does not
  /// return its number.
  public var latestChange: ChangeID { ChangeID(rawValue: engine.lastChange) }

  // MARK: - One track

  /// When a track that follows a spring comes to rest, on the batch's clock: never before the motion stays within
  /// ``restTolerance``, and infinite if it never rests. For curves, alone or in a sum, the end of the last curve. Nil
  /// for any other motion, and if the handle names no track of this batch.
  ///
  /// The time of a spring comes from bounds, and so is late: in the median by at most 7 % of the age, by 12 % if the
  /// spring is clearly overdamped, and by more if an overdamped motion nearly cancels.
  public func restTime(of track: TrackHandle) -> Double? {
    index(of: track).flatMap { engine.restTime(at: $0) }
  }

  /// The bytes that the kernels read and write for a frame like the last one. Benchmarks compare its time with a copy
  /// of that size.
  package var bytesPerFrame: Int {
    mutating get { engine.bytesOfLastFrame }
  }

  /// Runs the kernels of the last frame again, and nothing else. Benchmarks compare a whole frame with that.
  package mutating func runKernels() { engine.runKernels() }

  /// The index of a live track.
  package func index(of track: TrackHandle) -> Int? { engine.index(of: track) }
}

extension MovingTracks where Self: ~Copyable {
  // MARK: - Values

  /// Copies the values of tracks; indices without a track give zeros.
  ///
  /// ```swift
  /// var positions = [SIMD2<Float>](repeating: .zero, count: batch.indexCount)
  /// try batch.copyValues(into: &positions)
  /// ```
  ///
  /// - Parameters:
  ///   - tracks: The tracks.
  ///   - output: Gets a value for each track, or each index; elements beyond these stay as they are.
  /// - Throws: ``BatchError/wrongCount(of:expected:got:)``, or for a bad selection; nothing is written then.
  /// - Complexity: O(tracks).
  public func copyValues(
    of tracks: some TrackSelection & ~Escapable = AllTracks(),
    into output: inout some TrackOutput<Value> & ~Copyable & ~Escapable
  ) throws(BatchError) {
    try copy(.values, of: tracks, into: &output)
  }

  /// Copies the values of tracks as numbers: component 0 of all tracks, then component 1, …, or in another layout.
  ///
  /// - Parameters:
  ///   - tracks: The tracks.
  ///   - component: The only component to copy; nil for all.
  ///   - output: Gets the numbers; elements beyond these, and between them, stay as they are.
  ///   - layout: Where the components lie, if not in whole columns, which follow each other without gaps.
  /// - Throws: ``BatchError/wrongCount(of:expected:got:)``, ``BatchError/dimensionOutOfRange(_:count:)``,
  ///   ``BatchError/invalidStride(_:)``, or for a bad selection; nothing is written then.
  /// - Complexity: O(tracks).
  public func copyValues(
    of tracks: some TrackSelection & ~Escapable = AllTracks(), component: Int? = nil,
    planar output: inout some TrackOutput<Float> & ~Copyable & ~Escapable, layout: ColumnLayout = .planar
  ) throws(BatchError) {
    try copy(.values, of: tracks, component, into: &output, layout)
  }

  /// Copies the values of tracks into vertices, which may begin at any address, in any format; indices without a track give
  /// zeros. ``VertexLayout`` has an example.
  ///
  /// - Parameters:
  ///   - tracks: The tracks.
  ///   - output: Gets a vertex for each track, or each index; bytes between and beyond the numbers stay as they are.
  ///   - layout: Where the numbers lie in the vertices, and their format.
  /// - Throws: ``BatchError/wrongCount(of:expected:got:)`` in bytes, ``BatchError/dimensionOutOfRange(_:count:)``,
  ///   ``BatchError/invalidStride(_:)``, ``BatchError/wrongDimensions(of:expected:got:)`` for a conversion of colours, or for a
  ///   bad selection; nothing is written then.
  /// - Complexity: O(tracks · numbers of a vertex).
  public func copyValues(
    of tracks: some TrackSelection & ~Escapable = AllTracks(), into output: inout MutableRawSpan, layout: VertexLayout
  ) throws(BatchError) {
    try copy(.values, of: tracks, into: &output, layout)
  }

  /// Lends the values of one component by index, without a copy.
  ///
  /// Indices without a track hold meaningless numbers; ``TrackSet/handle(at:)`` tells which have one.
  ///
  /// - Parameters:
  ///   - component: The component.
  ///   - body: Reads the column, which has ``TrackSet/indexCount`` elements, and is aligned to 64 bytes.
  /// - Throws: ``BatchError/dimensionOutOfRange(_:count:)``.
  public func withValues<Result>(component: Int, _ body: (Span<Float>) -> Result) throws(BatchError) -> Result {
    try body(unsafe engine.column(of: .values, component).span)
  }

  fileprivate func copy(
    _ numbers: Engine.Numbers, of tracks: some TrackSelection & ~Escapable, into output: inout MutableRawSpan,
    _ layout: VertexLayout
  ) throws(BatchError) {
    try lend(tracks) { lent, tracks throws(BatchError) in
      try unsafe output.withUnsafeMutableBytes { bytes throws(BatchError) in
        try unsafe lent.engine.copy(numbers, of: tracks, into: bytes, layout)
      }
    }
  }

  fileprivate func copy(
    _ numbers: Engine.Numbers, of tracks: some TrackSelection & ~Escapable,
    into output: inout some TrackOutput<Value> & ~Copyable & ~Escapable
  ) throws(BatchError) {
    try lend(tracks) { lent, tracks throws(BatchError) in
      let count = try lent.count(of: tracks)
      try output.withMutableElements { output throws(BatchError) in
        let output = unsafe output.elements
        guard output.count >= count else { throw .wrongCount(of: "output", expected: count, got: output.count) }
        guard Value.self == Components.self else {
          let start = unsafe UnsafeMutableRawPointer(output.baseAddress)?.assumingMemoryBound(to: Float.self)
          return try unsafe lent.engine.copy(
            numbers, of: tracks, to: start, trackStride: MemoryLayout<Value>.stride / 4, componentStride: 1,
            fillsGaps: true)
        }
        let dimensions = lent.dimensions
        var components = [Float](repeating: 0, count: count * dimensions)
        try unsafe components.withUnsafeMutableBufferPointer { components throws(BatchError) in
          try unsafe lent.engine.copy(
            numbers, of: tracks, to: components.baseAddress, trackStride: dimensions, componentStride: 1)
        }
        for track in 0..<count {
          unsafe output[track] = Value(dimensions: dimensions) { components[track * dimensions + $0] }
        }
      }
    }
  }

  fileprivate func copy(
    _ numbers: Engine.Numbers, of tracks: some TrackSelection & ~Escapable, _ component: Int?,
    into output: inout some TrackOutput<Float> & ~Copyable & ~Escapable,
    _ layout: ColumnLayout
  ) throws(BatchError) {
    if let component { try engine.check(component: component) }
    try lend(tracks) { lent, tracks throws(BatchError) in
      let count = try lent.count(of: tracks)
      let components = component.map { $0..<$0 + 1 } ?? 0..<lent.dimensions
      let reach = try layout.reach(ofTracks: count, dimensions: components.count)
      try output.withMutableElements { output throws(BatchError) in
        let output = unsafe output.elements
        guard output.count >= reach.total else {
          throw .wrongCount(of: "output", expected: reach.total, got: output.count)
        }
        try unsafe lent.engine.copy(
          numbers, of: tracks, components: components, to: output.baseAddress.map { unsafe $0 + layout.offset },
          trackStride: layout.trackStride, componentStride: reach.componentStride)
      }
    }
  }
}

extension AnimatedTracks where Self: ~Copyable {
  // MARK: - One track

  /// The value of a track at the current time; nil if the handle names no track of this batch.
  @inlinable
  public subscript(track: TrackHandle) -> Value? {
    let lent = core.lent
    let index = lent.index(of: track)
    guard index >= 0 else { return nil }
    return Value(dimensions: lent.dimensions) { lent.value(at: index, $0) }
  }

  /// The velocity of a track at the current time, per second; nil if the handle names no track of this batch.
  ///
  /// - Complexity: O(1). If the last advance left velocities out, a kernel computes it.
  public func velocity(of track: TrackHandle) -> Value? {
    var value: Value?
    engine.withVelocity(of: track) { velocity in value = Value(dimensions: dimensions, velocity) }
    return value
  }

  /// The target of a track; nil if the handle names no track of this batch.
  public func target(of track: TrackHandle) -> Value? {
    index(of: track).map { index in
      Value(dimensions: dimensions) { engine.target(at: index, $0) }
    }
  }

  /// The value at which a track would end a slide.
  ///
  /// - Parameters:
  ///   - track: The track.
  ///   - velocity: The velocity at the start, per second; nil for the velocity of the track.
  ///   - deceleration: How fast the velocity would decay.
  /// - Returns: value + velocity/k with the decay constant k, to which `decelerate` leads; nil if
  ///   the handle names no track of this batch.
  /// - Throws: ``BatchError/invalidDeceleration(rate:)``, or ``BatchError/invalidValue(of:index:value:)`` for the velocity.
  public func projectedEnd(
    of track: TrackHandle, velocity: Value? = nil, by deceleration: Deceleration = .normal
  ) throws(BatchError) -> Value? {
    let coefficients = try SpringCoefficients(checked: deceleration)
    if let velocity {
      try unsafe withUnsafePointer(to: velocity) { velocity throws(BatchError) in
        try unsafe LentValues(forAll: velocity).input(dimensions: dimensions).check("velocity")
      }
    }
    var end: Value?
    engine.withVelocity(of: track) { own in
      let index = track.index
      end = Value(dimensions: dimensions) {
        let start = engine.valueBeforeCurve(index, $0) == nil ? engine.pausedVelocity(index, $0) ?? own($0) : 0
        return engine.projectedEnd(index, $0, velocity?.component($0) ?? start, coefficients)
      }
    }
    return end
  }

  // MARK: - Velocities and targets

  /// Copies the velocities of tracks, per second; otherwise as the values.
  ///
  /// - Throws: ``BatchError/velocitiesNotComputed`` if the last advance left velocities out and the tracks are not named by
  ///   handles, and the errors of the values; nothing is written then.
  public func copyVelocities(
    of tracks: some TrackSelection & ~Escapable = AllTracks(),
    into output: inout some TrackOutput<Value> & ~Copyable & ~Escapable
  ) throws(BatchError) {
    try copy(.velocities, of: tracks, into: &output)
  }

  /// Copies the velocities of tracks, per second, as numbers; otherwise as the values.
  ///
  /// - Throws: ``BatchError/velocitiesNotComputed`` if the last advance left velocities out and the tracks are not named by
  ///   handles, and the errors of the values; nothing is written then.
  public func copyVelocities(
    of tracks: some TrackSelection & ~Escapable = AllTracks(), component: Int? = nil,
    planar output: inout some TrackOutput<Float> & ~Copyable & ~Escapable, layout: ColumnLayout = .planar
  ) throws(BatchError) {
    try copy(.velocities, of: tracks, component, into: &output, layout)
  }

  /// Copies the targets of tracks; otherwise as the values.
  public func copyTargets(
    of tracks: some TrackSelection & ~Escapable = AllTracks(),
    into output: inout some TrackOutput<Value> & ~Copyable & ~Escapable
  ) throws(BatchError) {
    try copy(.targets, of: tracks, into: &output)
  }

  /// Copies the targets of tracks as numbers; otherwise as the values.
  public func copyTargets(
    of tracks: some TrackSelection & ~Escapable = AllTracks(), component: Int? = nil,
    planar output: inout some TrackOutput<Float> & ~Copyable & ~Escapable, layout: ColumnLayout = .planar
  ) throws(BatchError) {
    try copy(.targets, of: tracks, component, into: &output, layout)
  }

  /// Copies the velocities of tracks, per second, into vertices; otherwise as the values.
  ///
  /// - Throws: ``BatchError/velocitiesNotComputed`` if the last advance left velocities out and the tracks are not named by
  ///   handles, ``BatchError/velocitiesOfColors`` with a conversion of colours, and the errors of the values; nothing is
  ///   written then.
  public func copyVelocities(
    of tracks: some TrackSelection & ~Escapable = AllTracks(), into output: inout MutableRawSpan, layout: VertexLayout
  ) throws(BatchError) {
    try copy(.velocities, of: tracks, into: &output, layout)
  }

  /// Copies the targets of tracks into vertices; otherwise as the values.
  public func copyTargets(
    of tracks: some TrackSelection & ~Escapable = AllTracks(), into output: inout MutableRawSpan, layout: VertexLayout
  ) throws(BatchError) {
    try copy(.targets, of: tracks, into: &output, layout)
  }

  /// Lends the velocities of one component, per second, by index; otherwise as the values.
  ///
  /// - Throws: ``BatchError/velocitiesNotComputed`` if the last advance left velocities out, and
  ///   ``BatchError/dimensionOutOfRange(_:count:)``.
  public func withVelocities<Result>(component: Int, _ body: (Span<Float>) -> Result) throws(BatchError) -> Result {
    try body(unsafe engine.column(of: .velocities, component).span)
  }

  /// The values of the tracks, for code that reads them in place.
  package var columns: TrackColumns { engine.columns }

  /// A component of the value, velocity or target of a track; nil if the handle names no track of this batch.
  package func component(_ component: Int, of numbers: Engine.Numbers, _ track: TrackHandle) -> Float? {
    engine.component(component, of: numbers, track)
  }
}

extension AnimationBatch {
  /// The first thing found that should hold between two calls and does not; nil if all holds, and in release builds.
  ///
  /// - Complexity: O(indices · dimensions).
  package func checkInvariants() -> String? { engine.checkInvariants() }
}
