// SPDX-License-Identifier: MIT
import Kernels

/// An engine with one owner, in memory of its own. Its owner stores only a pointer.
///
/// The compiler follows each part of a noncopyable value through every function that uses it. An engine has hundreds of
/// parts: without a box, code that holds a few batches takes very long to compile. The box is a class because the
/// optimizer of Swift 6.3.1 fails on a noncopyable value within a public one.
///
@safe
package final class EngineBox: @unchecked Sendable {
  /// The engine, which lives as long as the box. Accessors return its address and do not yield it: in debug builds,
  /// Swift 6.3.1 yields a copy, which may be freed while it is in use.
  package let address: UnsafeMutablePointer<Engine>

  package init(_ engine: consuming Engine) {
    unsafe address = .allocate(capacity: 1)
    unsafe address.initialize(to: engine)
  }

  /// The engine of a property of particles, with the tracks of another one, which stand at 0 here.
  ///
  /// - Throws: ``BatchError``.
  package convenience init(
    dimensions: Int, kernels: KernelSet?, store: UInt32, tracksOf other: EngineBox?, time: Double, workers: WorkerPool?
  ) throws(BatchError) {
    var engine = try Engine(dimensions: dimensions, capacity: 0, kernels: kernels)
    try engine.adopt(
      other?.engine.tracks.indices ?? IndexTable(store: store), indexCount: other?.engine.indexCount ?? 0)
    engine.begin(at: time)
    engine.workers = workers
    self.init(engine)
  }

  /// The engine of a property, whose box its ``Particles`` alone reach. They change it only while they are changed
  /// themselves, and lend it only while they are lent: so no reading overlaps with a change.
  package var engine: Engine {
    unsafeAddress { unsafe UnsafePointer(address) }
    unsafeMutableAddress { unsafe address }
  }

  deinit {
    unsafe address.deinitialize(count: 1)
    unsafe address.deallocate()
  }
}

/// Values that a caller lends: their address, and whether each is a list of its components, as ``Components`` are.
@safe
@frozen
@usableFromInline
package struct LentValues {
  @usableFromInline let address: UnsafeRawPointer?
  @usableFromInline let count: Int
  /// Floats from one value to the next; 0 for one value for all tracks.
  @usableFromInline let stride: Int
  @usableFromInline let areLists: Bool

  @inlinable
  package init(_ address: UnsafeRawPointer?, count: Int, stride: Int, areLists: Bool) {
    unsafe self.address = address
    (self.count, self.stride, self.areLists) = (count, stride, areLists)
  }

  package func input(dimensions: Int) -> InputValues {
    guard let address = unsafe address else {
      return unsafe InputValues(
        InputValues.nothing, count: 0, dimensions: dimensions, componentStride: 1, trackStride: stride)
    }
    return areLists
      ? unsafe InputValues(
        address.assumingMemoryBound(to: [Double].self), count: count, dimensions: dimensions,
        valueStride: stride == 0 ? 0 : 1)
      : unsafe InputValues(
        address.assumingMemoryBound(to: Float.self), count: count, dimensions: dimensions, componentStride: 1,
        trackStride: count == 1 && stride != 0 ? dimensions : stride)
  }
}

/// New tracks that a caller lends.
@safe
@usableFromInline
package struct LentDepartures {
  let values: LentValues
  /// Nil for tracks at rest.
  let velocities: LentValues?
  /// Nil for the values.
  let goals: LentValues?
  let springs: UnsafeBufferPointer<Spring>
  /// Whether the only spring is for all.
  let isOneSpring: Bool

  @usableFromInline
  package init(
    values: LentValues, velocities: LentValues?, goals: LentValues?, springs: UnsafeBufferPointer<Spring>,
    isOneSpring: Bool
  ) {
    (self.values, self.velocities, self.goals) = (values, velocities, goals)
    unsafe self.springs = springs
    self.isOneSpring = isOneSpring
  }
}

/// An engine that its owner lends for a call about few tracks. The generic front of such a call is inlined into the
/// caller; nothing from here on is generic.
///
/// It is a plain address: a reference to the box would be counted up and down in every call. On a Zen 5 core that took
/// about 9 of 64 ns.
@safe
@usableFromInline
package struct LentEngine: @unchecked Sendable {
  private let address: UnsafeMutableRawPointer

  package init(_ box: EngineBox) { unsafe address = UnsafeMutableRawPointer(box.address) }

  /// The engine. Calls change it one after the other.
  package var engine: Engine {
    unsafeAddress { unsafe UnsafePointer(address.assumingMemoryBound(to: Engine.self)) }
    nonmutating unsafeMutableAddress { unsafe address.assumingMemoryBound(to: Engine.self) }
  }

  /// The number of the store whose handles name the tracks.
  package var store: UInt32 { engine.tracks.indices.store }

  /// Adds a track that stands still.
  @usableFromInline
  package func add(_ value: LentValues) throws(BatchError) -> TrackHandle {
    try engine.add(value.input(dimensions: engine.dimensions))
  }

  /// Adds tracks, and returns their handles.
  @usableFromInline
  package func add(_ tracks: LentDepartures) throws(BatchError) -> [TrackHandle] {
    try .init(count: tracks.values.count) { handles throws(BatchError) in try add(tracks, handles: &handles) }
  }

  /// Adds one track, and returns its handle.
  @usableFromInline
  package func addOne(_ track: LentDepartures) throws(BatchError) -> TrackHandle {
    var handles: InlineArray<1, TrackHandle> = [.noTrack]
    var span = handles.mutableSpan
    try add(track, handles: &span)
    return handles[0]
  }

  /// Adds tracks, and writes their handles.
  @usableFromInline
  package func add(_ tracks: LentDepartures, handles: inout MutableSpan<TrackHandle>) throws(BatchError) {
    let springs = unsafe tracks.springs
    if !tracks.isOneSpring { try BatchError.check(springs.count, of: "springs", expected: tracks.values.count) }
    let dimensions = engine.dimensions
    let departures = Departures(
      values: tracks.values.input(dimensions: dimensions),
      velocities: tracks.velocities?.input(dimensions: dimensions).ifAny,
      goals: tracks.goals?.input(dimensions: dimensions))
    try engine.add(departures, springs: unsafe springs.span, handles: &handles)
  }

  /// Removes tracks.
  @usableFromInline
  package func remove(_ tracks: SelectedTracks) throws(BatchError) {
    if case .handles(let handles) = tracks, handles.count == 1 { return try unsafe engine.remove(handles[0]) }
    try engine.remove(tracks)
  }

  /// Sets the goals of tracks that follow.
  @usableFromInline
  package func setGoals(_ tracks: SelectedTracks, _ goals: LentValues) throws(BatchError) {
    try engine.setGoals(tracks, forAll(goals.input(dimensions: engine.dimensions), tracks))
  }

  /// Sends tracks to goals.
  @usableFromInline
  package func animate(
    _ tracks: SelectedTracks, to goals: LentValues, _ animation: Animation?
  ) throws(BatchError) -> UInt32 {
    let goals = goals.input(dimensions: engine.dimensions)
    if case .handles(let handles) = tracks, handles.count == 1, goals.count == 1 {
      return try unsafe engine.animate(handles[0], to: goals, animation)
    }
    return try engine.animate(tracks, to: forAll(goals, tracks), animation)
  }

  /// Sends tracks to goals with options.
  @usableFromInline
  package func animate(
    _ tracks: SelectedTracks, to goals: LentValues, _ animation: Animation?, _ options: SendingOptions
  ) throws(BatchError) -> UInt32 {
    let goals = goals.input(dimensions: engine.dimensions)
    return try engine.animate(tracks, to: forAll(goals, tracks), animation, options)
  }

  /// Sends tracks to goals with the springs that they follow.
  @usableFromInline
  package func retarget(_ tracks: SelectedTracks, to goals: LentValues) throws(BatchError) -> UInt32 {
    let goals = goals.input(dimensions: engine.dimensions)
    if case .handles(let handles) = tracks, handles.count == 1, goals.count == 1 {
      return try unsafe engine.retarget(handles[0], to: goals)
    }
    return try engine.retarget(tracks, to: forAll(goals, tracks))
  }

  /// Sends tracks to goals with the springs that they follow, and options.
  @usableFromInline
  package func retarget(
    _ tracks: SelectedTracks, to goals: LentValues, _ options: SendingOptions
  ) throws(BatchError) -> UInt32 {
    let goals = goals.input(dimensions: engine.dimensions)
    return try engine.retarget(tracks, to: forAll(goals, tracks), options)
  }

  /// One goal for all tracks as one for each.
  private func forAll(_ goals: InputValues, _ tracks: SelectedTracks) throws(BatchError) -> InputValues {
    goals.isForAll ? goals.repeated(try engine.checkedCount(of: tracks)) : goals
  }

  /// The number of tracks of a call, or of indices.
  ///
  /// - Throws: ``BatchError/trackOutOfRange(_:count:)``.
  @inlinable
  package func count(of tracks: SelectedTracks) throws(BatchError) -> Int {
    if case .handles(let handles) = tracks { return handles.count }
    return try countOfIndices(tracks)
  }

  @usableFromInline
  package func countOfIndices(_ tracks: SelectedTracks) throws(BatchError) -> Int {
    try engine.checkedCount(of: tracks)
  }

  @usableFromInline package var dimensions: Int { engine.dimensions }

  /// The index of a track, or −1.
  @usableFromInline
  package func index(of track: TrackHandle) -> Int { engine.tracks.index(of: track) ?? -1 }

  /// Evaluates every track at a time.
  @usableFromInline
  package func advance(to seconds: Double, velocities: Bool) throws(BatchError) {
    try engine.advance(to: seconds, velocities: velocities)
  }

  /// Moves the clock, and evaluates every track.
  @usableFromInline
  package func advance(by seconds: Double, velocities: Bool) throws(BatchError) {
    try engine.advance(by: seconds, velocities: velocities)
  }

  /// The track at an index; nil for an index without a track.
  @usableFromInline
  package func handle(at index: Int) -> TrackHandle? { engine.handle(at: index) }

  /// A component of the value of a track.
  @usableFromInline
  package func value(at index: Int, _ dimension: Int) -> Float {
    engine.tracks.columns.value[engine.tracks.element(index, dimension)]
  }
}
