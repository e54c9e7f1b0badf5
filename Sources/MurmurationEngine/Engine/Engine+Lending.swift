// SPDX-License-Identifier: MIT
package import Kernels
import Synchronization

// What the C surface calls besides the calls of batches: the same jobs for any selection of tracks, and numbers in memory of
// the caller. Each throws ``BatchError``, and changes and writes nothing then.
extension Engine {
  // MARK: - State

  /// The number of live tracks.
  package var count: Int { tracks.count }
  /// One past the largest index that a track has had since it was lowered: the length of every column.
  package var indexCount: Int { tracks.indexCount }
  /// The number of clips: loaded ones, and clips that were made anew for one track.
  package var clipCount: Int { clips.library.count }
  /// The number of tracks whose motion no kernel computes.
  package var calledCount: Int { called.indices.count }
  /// The events of the last advance.
  package var frameEvents: [AnimationEvent] { events.events }
  /// The watched changes that have ended since the last advance began, and before for each of their tracks.
  package var outcomes: [ChangeOutcome] { watched.outcomes }
  package var trackOutcomes: [TrackOutcome] { watched.trackOutcomes }

  /// Threads that a frame may use, the caller's included; clamped to 1…64.
  package var threadCount: Int {
    get { frames.threadCount }
    set { frames.threadCount = newValue }
  }

  /// The threads of frames; nil for the caller's alone. Properties of particles share them.
  package var workers: WorkerPool? {
    get { frames.workers }
    set { frames.workers = newValue }
  }

  /// Events that are reported besides completion.
  package var reports: AnimationReports {
    get { events.reports }
    set {
      events.reports = newValue
      record { _ in BatchCall(.setReports(newValue)) }
    }
  }

  /// The track of an index; nil if there is none.
  package func handle(at index: Int) -> TrackHandle? { tracks.handle(at: index) }

  /// What is known of a track besides its numbers.
  package struct TrackState {
    package let motion: TrackMotion
    package let isAtRest: Bool
    package let isPaused: Bool
    /// See ``MovingTracks/restTime(of:)``.
    package let restTime: Double?
    /// See ``MovingTracks/localTime(of:)``.
    package let localTime: Double?
    /// See ``AnimatedTracks/phase(of:)``.
    package let phase: Int?
    /// See ``AnimatedTracks/nextStepTime(of:)``.
    package let nextStepTime: Double?
  }

  /// What is known of a track.
  package func state(of track: TrackHandle) throws(BatchError) -> TrackState {
    let index = try tracks.indices.index(of: track)
    return TrackState(
      motion: motion(at: index), isAtRest: isAtRest(index), isPaused: isPaused(track.index),
      restTime: restTime(at: index),
      localTime: localTime(of: track), phase: phase(of: track), nextStepTime: nextStepTime(of: track))
  }

  // MARK: - Room and removal

  /// Makes room for tracks beyond the live ones.
  package mutating func reserveRoom(for additional: Int) throws(BatchError) {
    try reserve(additional)
    record { _ in BatchCall(.reserve(additional)) }
  }

  /// Adds tracks that stand still.
  ///
  /// - Parameter handles: Gets their handles; nil to add the tracks without handing out handles.
  package mutating func add(_ values: InputValues, handles: UnsafeMutablePointer<TrackHandle>?) throws(BatchError) {
    if let handles = unsafe handles {
      var span = unsafe UnsafeMutableBufferPointer(start: handles, count: values.count).mutableSpan
      return try add(values, handles: &span)
    }
    // Everything else first, so that the handles find what is left.
    try values.check("value")
    try reserve(values.count)
    try tracks.indices.makeRoom(for: values.count)
    try BatchLimits.checkRoom(for: values.count, of: TrackHandle.self)
    _ = try [TrackHandle](count: values.count) { span throws(BatchError) in try add(values, handles: &span) }
  }

  /// Removes tracks; a track that is named twice is removed once.
  package mutating func remove(_ tracks: SelectedTracks) throws(BatchError) {
    if case .handles(let handles) = tracks { return try remove(unsafe handles.span) }
    let live = try liveHandles(of: tracks)
    try remove(live.span)
  }

  // MARK: - Motions

  /// Cancels the calls that wait for tracks.
  package mutating func cancelDelays(_ tracks: SelectedTracks) throws(BatchError) {
    try pick(tracks, for: [])
    for position in 0..<picks.count { waiting.cancel(picks[position].index) }
    watched.mayHaveEnded = true
    record { BatchCall(.cancelDelays, $0.names(tracks)) }
  }

  /// Plays clips on tracks.
  ///
  /// - Parameters:
  ///   - ids: One for all, or one for each.
  ///   - playbacks: One for all, or one for each.
  package mutating func play(
    _ ids: Span<ClipID>, on tracks: SelectedTracks, _ playbacks: Span<Playback>, start: ClipStart
  ) throws(BatchError) -> UInt32 {
    if ids.count != 1 { try BatchError.check(ids.count, of: "clips", expected: count(of: tracks)) }
    var indices: [Int] = []
    for id in ids.indices { indices.append(try index(of: ids[id])) }
    if playbacks.count != 1 { try BatchError.check(playbacks.count, of: "playbacks", expected: count(of: tracks)) }
    try pick(tracks, for: .clips)
    let areAlike = ids.count == 1 && playbacks.count == 1
    func clip(_ position: Int) -> Int { indices[indices.count == 1 ? 0 : position] }
    let offsets = areRotations ? makeQuaternionsOfPicked(clip) : []
    let quaternions = offsets.map { columnState(at: $0.index) }
    let change: UInt32
    do throws(BatchError) {
      change = try playPicked(start, areAlike: areAlike, clip: clip) { playbacks[playbacks.count == 1 ? 0 : $0] }
    } catch {
      restoreOffsets(offsets)
      throw error
    }
    // Paused motions went on until the clips took over, and left offsets.
    write(quaternions)
    record { recorder in
      BatchCall(
        .play(start: start), recorder.names(tracks), clips: recorder.list(ids).map { recorder.number($0) },
        playbacks: recorder.list(playbacks))
    }
    return change
  }

  // MARK: - Reading

  /// Numbers that every track has.
  package enum Numbers {
    case values
    case velocities
    case targets
  }

  /// The columns of some numbers, and Floats from one component to the next. The values of rotations are the quaternions that
  /// show.
  ///
  /// - Throws: ``BatchError/velocitiesNotComputed``.
  package func columns(of numbers: Numbers) throws(BatchError) -> (first: ConstantColumn<Float>, stride: Int) {
    outputsAreRead.store(true, ordering: .relaxed)
    let stride = tracks.columns.dimensionStride
    switch numbers {
    case .values:
      if areRotations { return (rotations.shown.constant, rotations.stride) }
      return (tracks.columns.value.constant, stride)
    case .targets:
      if follows.isMapped { showGoals() }
      return (tracks.columns.target.constant, stride)
    case .velocities:
      guard velocities.areAsked else { throw .velocitiesNotComputed }
      return (tracks.columns.velocity.constant, stride)
    }
  }

  /// Writes numbers of tracks; zeros for indices without a track, and for handles of tracks that are gone.
  ///
  /// - Parameters:
  ///   - output: Room for a value for each track, with the given strides, which are at least 1. What lies between the
  ///     numbers stays.
  ///   - components: Those that are written; nil for all.
  ///   - trackStride: Floats from one track to the next.
  ///   - componentStride: Floats from one component of a track to the next.
  ///   - fillsGaps: Whether what lies between is padding of vectors, which may be written.
  package func copy(
    _ numbers: Numbers, of tracks: SelectedTracks, components: Range<Int>? = nil,
    to output: UnsafeMutablePointer<Float>?, trackStride: Int, componentStride: Int, fillsGaps: Bool = false
  ) throws(BatchError) {
    let count = count(of: tracks)
    let components = components ?? 0..<dimensions
    let reach = count == 0 ? 0 : (count - 1) * trackStride + (components.count - 1) * componentStride + 1
    guard let start = unsafe output else { return }
    let output = unsafe Column(start, count: reach)
    if let handles = try unsafe checkedHandles(of: tracks) {
      return try unsafe copy(numbers, of: handles.span, components, to: output, trackStride, componentStride)
    }
    let (indices, (columns, stride)) = (try indices(of: tracks) ?? 0..<0, try columns(of: numbers))
    let areAll = indices == 0..<indexCount
    if areAll, componentStride == 1, trackStride >= dimensions, components.count == dimensions {
      self.tracks.copy(columns, stride, to: output, stride: trackStride, fillsGaps: fillsGaps, table)
    } else if areAll, trackStride == 1 {
      for component in components {
        let first = (component - components.lowerBound) * componentStride
        self.tracks.copy(columns + component * stride, to: output + first)
      }
    } else {
      for index in indices {
        let first = (index - indices.lowerBound) * trackStride
        let live = self.tracks.indices.isLive(index) ? index : nil
        for dimension in components {
          output[first + (dimension - components.lowerBound) * componentStride] =
            live.map { columns[$0 + dimension * stride] } ?? 0
        }
      }
    }
  }

  /// The handles that name tracks; nil for tracks that are not named by handles.
  ///
  /// - Throws: ``BatchError/staleHandle(_:)``, or ``BatchError/storeMismatch(_:)``.
  func checkedHandles(of tracks: SelectedTracks) throws(BatchError) -> UnsafeBufferPointer<TrackHandle>? {
    switch tracks {
    case .handles(let handles):
      try unsafe self.tracks.indices.check(handles.span)
      return unsafe handles
    case .live(let handles):
      let span = unsafe handles.span
      for position in span.indices { _ = try self.tracks.indices.indexIfLive(of: span[position]) }
      return unsafe handles
    case .indices, .all: return nil
    }
  }

  /// Writes numbers of the tracks of handles of this batch; zeros for tracks that are gone.
  func copy(
    _ numbers: Numbers, of handles: Span<TrackHandle>, _ components: Range<Int>, to output: Column<Float>,
    _ trackStride: Int, _ componentStride: Int
  ) throws(BatchError) {
    let computes = numbers == .velocities && !velocities.areComplete
    // A frame may have computed velocities that it was not asked for.
    let (columns, stride) =
      numbers == .velocities
      ? (tracks.columns.velocity.constant, tracks.columns.dimensionStride) : try columns(of: numbers)
    for position in handles.indices {
      tracks.indices.prefetch(handles, after: position)
      let output = output + position * trackStride
      guard let index = tracks.indices.liveIndex(of: handles[position]) else {
        for dimension in components { output[(dimension - components.lowerBound) * componentStride] = 0 }
        continue
      }
      if computes {
        withVelocity(at: index) { velocity in
          for dimension in components {
            output[(dimension - components.lowerBound) * componentStride] = velocity(dimension)
          }
        }
      } else {
        for dimension in components {
          output[(dimension - components.lowerBound) * componentStride] = columns[index + dimension * stride]
        }
      }
    }
  }

  package func check(component: Int) throws(BatchError) {
    guard 0..<dimensions ~= component else { throw .dimensionOutOfRange(component, count: dimensions) }
  }

  /// The numbers of one component by index.
  package func column(of numbers: Numbers, _ component: Int) throws(BatchError) -> UnsafeBufferPointer<Float> {
    try check(component: component)
    let (columns, stride) = try columns(of: numbers)
    let column = columns + component * stride
    return unsafe UnsafeBufferPointer(start: column.address, count: indexCount)
  }
}
