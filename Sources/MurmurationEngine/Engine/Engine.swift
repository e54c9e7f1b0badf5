// SPDX-License-Identifier: MIT
import CProcessor
import Kernels
import Synchronization

/// The one engine under every batch: tracks of n values, each of which follows a motion or stands still.
///
/// It is not generic: numbers come and go as pointers with strides (``InputValues``), so arrays of vectors and planar
/// columns take one path. Each stored property is the state of one module, and only that module changes it.
package struct Engine: ~Copyable, Sendable {
  package let kernels: KernelSet
  let table: KernelTable
  /// The indices and common columns of the tracks.
  var tracks: TrackStore
  /// Springs and decelerations.
  var springs: SpringMotions
  /// Clips.
  var clips: ClipMotions
  /// Curves.
  var curves: CurveMotions
  /// Tracks that follow goals from frame to frame.
  var follows: FollowMotions
  /// Animations that the model computes.
  var called: CalledMotions
  /// Calls that wait for their moment.
  var waiting: WaitingCalls
  /// Sequences of phases, and when tracks take their steps.
  var phases: PhaseSchedule
  /// Paused tracks, and the motions with which they go on.
  var pauses: Pauses
  var speeds = TrackSpeeds()
  /// The events of the last frame.
  var events = EventList()
  var clock = BatchClock()
  /// State that frames keep.
  var frames = FrameState()
  /// The tracks of the bulk call under way.
  var picks = Picks()
  /// The changes whose ends calls have asked for.
  var watched = WatchedChanges()
  /// Memory for the motions of a call that has an animation for each track.
  var requests: [MotionRequest] = []
  /// Memory for the delays of a call that adds one for all.
  var delays: [Double] = []
  /// The springs of calls that give one to each track, kept so that calls need not allocate.
  var coefficients = SpringList()
  var velocities = CurrentVelocities()
  /// Whether values were read since the last frame, which several threads may do.
  let outputsAreRead = Atomic(false)
  /// The number of the last call that changed a motion.
  package internal(set) var lastChange: UInt32 = 0
  #if hasFeature(Embedded)
    // Embedded builds record no calls, and have no rotations.
    var recorder: Recorder? { nil }
    var areRotations: Bool { false }
  #else
    /// What keeps the calls, if they are recorded.
    var recorder: Recorder?
    /// Whether the tracks are rotations.
    var areRotations = false
  #endif
  /// The goals and the shown values of rotations.
  var rotations = RotationStore()
  /// The groups of columns for which there is memory.
  var mappedColumns: ColumnGroups = []

  /// An engine without tracks.
  ///
  /// - Throws: ``BatchError`` if the dimensions or the capacity are out of range, or the processor lacks the set.
  package init(
    dimensions: Int, capacity: Int, curveTolerance: Double = 0x1p-16, kernels: KernelSet?
  ) throws(BatchError) {
    guard 1...BatchLimits.maximumDimensions ~= dimensions else { throw .invalidDimensions(dimensions) }
    guard 0...BatchLimits.maximumTracks ~= capacity,
      ColumnMemory.hasRoom(TrackStore.shape(dimensions: dimensions), count: Self.firstCapacity(for: capacity))
    else { throw .capacityExceeded(capacity) }
    guard Clip.tolerances ~= curveTolerance else { throw .invalidTolerance(Float(curveTolerance)) }
    self.init(
      accepted: dimensions, capacity: capacity, curveTolerance: curveTolerance, kernels: try .ofBatch(kernels))
  }

  /// An engine without tracks, of arguments that were checked.
  package init(
    accepted dimensions: Int, capacity: Int = 0, curveTolerance: Double = CurveLibrary.defaultTolerance,
    kernels: KernelSet
  ) {
    self.kernels = kernels
    table = kernels.table
    tracks = TrackStore(dimensions: dimensions, capacity: Self.firstCapacity(for: capacity))
    springs = SpringMotions(dimensions: dimensions, table: table)
    clips = ClipMotions(dimensions: dimensions, table: table)
    curves = CurveMotions(dimensions: dimensions, tolerance: curveTolerance, table: table)
    pauses = Pauses(dimensions: dimensions)
    follows = FollowMotions(dimensions: dimensions)
    called = CalledMotions(dimensions: dimensions)
    waiting = WaitingCalls(dimensions: dimensions)
    phases = PhaseSchedule(dimensions: dimensions)
    velocities.grow(to: tracks.tiles.capacity)
  }

  /// The capacity with which an engine for a number of tracks begins: few tracks need no further memory.
  private static func firstCapacity(for capacity: Int) -> Int { max(capacity, 4 * laneCountOfTile) }

  package var dimensions: Int { tracks.dimensions }
  package var time: Double { clock.time }

  /// The number for a call that changes motions. Numbers repeat after 2³² calls.
  mutating func nextChange() -> UInt32 {
    watched.mayHaveEnded = true
    lastChange &+= 1
    return lastChange
  }

  // MARK: - Room

  /// Groups of columns that only some motions need; each is mapped with its first track.
  package struct ColumnGroups: OptionSet, BitwiseCopyable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }
    package static let springs = ColumnGroups(rawValue: 1)
    static let clips = ColumnGroups(rawValue: 2)
    static let curves = ColumnGroups(rawValue: 4)
    static let variations = ColumnGroups(rawValue: 8)
    static let following = ColumnGroups(rawValue: 16)
    static let rotations = ColumnGroups(rawValue: 32)
  }

  /// Makes sure that there is memory for a number of further tracks, and that the columns of springs and some other groups are
  /// mapped.
  ///
  /// - Throws: ``BatchError/capacityExceeded(_:)``; nothing changes then.
  mutating func reserveMemory(_ additional: Int, for groups: ColumnGroups) throws(BatchError) {
    let groups = groups.union(.springs)
    if let needed = tracks.capacityNeeded(for: additional) { try grow(toHold: needed, for: groups) }
    let missing = groups.subtracting(mappedColumns)
    guard !missing.isEmpty else { return }
    guard hasRoom(tracks.capacity, for: missing) else { throw .capacityExceeded(tracks.capacity) }
    attach(missing)
  }

  /// Grows to a capacity of at least `needed`. Tracks keep their indices.
  ///
  /// - Parameter groups: Groups to map besides those that are mapped.
  mutating func grow(toHold needed: Int, for groups: ColumnGroups) throws(BatchError) {
    // At least twice the present number, so that adding tracks one by one stays cheap.
    let sizes = [max(needed, 2 * tracks.capacity), needed]
    guard let capacity = sizes.first(where: { hasRoom($0, for: mappedColumns.union(groups), andTracks: true) }) else {
      throw .capacityExceeded(needed)
    }
    tracks.resize(to: capacity)
    velocities.grow(to: tracks.tiles.capacity)
    attach(mappedColumns)
  }

  mutating func attach(_ groups: ColumnGroups) {
    mappedColumns.formUnion(groups)
    if groups.contains(.springs) { springs.attach(to: tracks) }
    if groups.contains(.clips) { clips.attach(to: tracks) }
    if groups.contains(.curves) { curves.attach(to: tracks) }
    if groups.contains(.variations) { clips.attachVariations(to: tracks) }
    if groups.contains(.following) { follows.attach(to: tracks) }
    #if !hasFeature(Embedded)
      if groups.contains(.rotations) { rotations.attach(to: tracks) }
    #endif
  }

  /// Whether there is memory for the columns of some groups at the same time.
  ///
  /// - Parameter andTracks: Also for the columns that every track has.
  func hasRoom(_ count: Int, for groups: ColumnGroups, andTracks: Bool = false) -> Bool {
    MemoryBlock.hasRoom(forBlocks: blocks(count, for: groups, andTracks: andTracks))
  }

  /// Bytes of the columns of some groups for a number of indices, block by block; nil for what cannot be counted.
  func blocks(_ count: Int, for groups: ColumnGroups, andTracks: Bool) -> [Int?] {
    func bytes(_ shape: ColumnShape) -> Int? { ColumnMemory.bytes(shape, count: count) }
    var blocks: [Int?] = andTracks ? [bytes(TrackStore.shape(dimensions: dimensions))] : []
    if groups.contains(.springs) { blocks.append(bytes(SpringMotions.shape(dimensions: dimensions))) }
    if groups.contains(.clips) { blocks += clips.bytes(count: count) }
    if groups.contains(.curves) { blocks.append(bytes(CurveMotions.shape(dimensions: dimensions))) }
    for placed in [ColumnGroups.clips, .curves] where groups.contains(placed) {
      blocks.append(IntervalList.bytes(count / laneCountOfTile))
    }
    if groups.contains(.variations) { blocks.append(bytes(ClipVariations.shape(dimensions: dimensions))) }
    if groups.contains(.following) { blocks += FollowMotions.bytes(count: count) }
    #if !hasFeature(Embedded)
      if groups.contains(.rotations) { blocks.append(bytes(RotationStore.shape)) }
    #endif
    return blocks
  }

  /// Gives back the memory behind the last track.
  ///
  /// - Throws: ``BatchError/capacityExceeded(_:)`` if there is no room for the copy; nothing changes then.
  package mutating func compact() throws(BatchError) {
    let last = (0..<tracks.indices.count).last { tracks.indices.isLive($0) }
    let capacity = (last ?? 0) / laneCountOfTile * laneCountOfTile + laneCountOfTile
    if capacity < tracks.capacity {
      guard hasRoom(capacity, for: mappedColumns, andTracks: true) else { throw .capacityExceeded(capacity) }
      tracks.resize(to: capacity)
      attach(mappedColumns)
    }
    tracks.endIndices(after: last)
    record { _ in BatchCall(.compact) }
  }

  // MARK: - Leaving motions

  /// Takes a track out of the motion that it follows.
  @inline(__always)
  mutating func leave(_ index: Int) {
    let kind = tracks.tiles.kind(at: index)
    if kind != .still, kind != .spring { leave(index, kind) }
    tracks.vacate(index / laneCountOfTile, lanes: TileStore.bit(index))
    let tile = index / laneCountOfTile
    if kind == .spring, tracks.tiles.moving[tile] == 0 { springs.watch.sleep(tile) }
  }

  private mutating func leave(_ index: Int, _ kind: MotionKind) {
    if kind == .curves { curves.leave(index, &tracks) } else { endKept(index) }
  }

  /// Takes the tracks of a full tile out of their motions. They stand then; their targets must be set.
  mutating func stand(tile: Int) {
    endOthers(tile)
    tracks.tiles.setStanding(tile: tile)
    springs.stand(tile: tile)
  }

  /// Takes the tracks of a tile out of motions other than springs.
  @inline(__always)
  mutating func endOthers(_ tile: Int) {
    if tracks.tiles.led[tile] != 0 { curves.leave(tile: tile, &tracks) }
    if tracks.tiles.keptCount > 0 {
      if tracks.tiles.playing[tile] != 0 { clips.leave(tile: tile, &tracks) }
      (tracks.tiles.called[tile] | tracks.tiles.following[tile]).forEachLane { endKept(tile * laneCountOfTile + $0) }
    }
  }

  /// Ends the motion of a track if it plays a clip, follows a goal or is called. It stands from now on.
  mutating func endKept(_ index: Int) {
    let kind = tracks.tiles.kind(at: index)
    if kind.isClip { return clips.leave(index, &tracks) }
    if kind == .called { called.end(index) }
    if kind == .following {
      follows.leave(index)
      tracks.frame.mark(TileStore.tile(index))
    }
    tracks.tiles.setMoving(index, false)
  }

  // MARK: - Adding

  /// Adds a track that stands still.
  package mutating func add(_ value: InputValues) throws(BatchError) -> TrackHandle {
    if !value.isAccepted { try value.check("value") }
    if !tracks.hasRoomForNext || !mappedColumns.contains(.springs) { try reserve(1, for: .springs) }
    try tracks.indices.makeRoom(for: 1)
    let index = springs.takeIndex(&tracks, moves: false)
    tracks.stand(index) { value[0, $0] }
    putTargetUnder(index)
    let handle = admit(index)
    record { BatchCall(.add, values: $0.numbers(value)) }
    return handle
  }

  /// Adds tracks that stand still, and writes their handles.
  ///
  /// - Throws: ``BatchError``; nothing is added or written then.
  package mutating func add(_ values: InputValues, handles: inout MutableSpan<TrackHandle>) throws(BatchError) {
    try BatchError.check(handles.count, of: "handles", expected: values.count)
    try values.check("value")
    try reserve(values.count, for: .springs)
    try tracks.indices.makeRoom(for: values.count)
    var position = 0
    while position < values.count {
      if values.count - position >= laneCountOfTile, tracks.indices.nextAreTile {
        let tile = springs.takeTile(&tracks)
        admit(tile: tile, to: &handles, at: position)
        tracks.stand(tile: tile, values, from: position)
        position += laneCountOfTile
      } else {
        let index = springs.takeIndex(&tracks, moves: false)
        handles[position] = admit(index)
        tracks.stand(index) { values[position, $0] }
        putTargetUnder(index)
        position += 1
      }
    }
    record { BatchCall(.add, values: $0.numbers(values)) }
  }

  /// Gives the indices of a tile, which were taken, to new tracks, and writes their handles from a position on.
  mutating func admit(tile: Int, to handles: inout MutableSpan<TrackHandle>, at position: Int) {
    tracks.admit(tile: tile)
    (tracks.columns.change + tile * laneCountOfTile).update(repeating: 0, count: laneCountOfTile)
    velocities.mark(.max, of: tile)
    for lane in 0..<laneCountOfTile {
      let handle = tracks.indices.handle(at: tile * laneCountOfTile + lane)
      handles[position + lane] = handle
      recorder?.admit(handle)
    }
  }

  /// Gives an index that was taken to a new track.
  mutating func admit(_ index: Int) -> TrackHandle {
    tracks.admit(index)
    tracks.columns.change[index] = 0
    velocities.mark(index)
    let handle = tracks.indices.handle(at: index)
    recorder?.admit(handle)
    return handle
  }

  /// Takes over the indices of another engine, whose tracks stand at 0 here. There must be no tracks yet.
  ///
  /// - Throws: ``BatchError/capacityExceeded(_:)``; nothing changes then.
  mutating func adopt(_ indices: IndexTable, indexCount: Int) throws(BatchError) {
    let live = (0..<indices.count).filter(indices.isLive)
    if indices.count > tracks.capacity { try grow(toHold: indices.count, for: .springs) }
    try reserveMemory(0, for: .springs)
    tracks.adopt(indices, indexCount: indexCount, liveCount: live.count)
    for index in live {
      springs.take(index, &tracks, moves: false)
      tracks.stand(index) { _ in 0 }
      velocities.mark(index)
    }
  }

  /// Makes room for tracks beyond the live ones.
  ///
  /// - Parameters:
  ///   - additional: The number of tracks.
  ///   - groups: The columns that the tracks need.
  /// - Throws: ``BatchError/capacityExceeded(_:)`` before anything is allocated.
  package mutating func reserve(_ additional: Int, for groups: ColumnGroups = []) throws(BatchError) {
    try tracks.indices.checkRoom(for: additional, beyond: tracks.count)
    do {
      try reserveMemory(additional, for: groups)
    } catch {
      throw .capacityExceeded(additional)
    }
  }

  // MARK: - Removing

  /// Removes a track.
  package mutating func remove(_ handle: TrackHandle) throws(BatchError) {
    release(try tracks.indices.index(of: handle))
    record { BatchCall(.remove, $0.name(handle)) }
  }

  /// Removes tracks; a track that is named twice is removed once.
  package mutating func remove(_ handles: Span<TrackHandle>) throws(BatchError) {
    for position in handles.indices {
      tracks.indices.prefetch(handles, after: position)
      tracks.tiles.prefetch(tileOf: try tracks.indices.index(of: handles[position]))
    }
    removeLive(handles)
    record { BatchCall(.remove, $0.names(handles)) }
  }

  /// Removes the tracks of handles that are still live here.
  package mutating func removeLive(_ handles: Span<TrackHandle>) {
    var position = 0
    while position < handles.count {
      if let tile = tracks.indices.tile(of: handles, from: position), release(tile: tile) {
        position += laneCountOfTile
        continue
      }
      tracks.indices.prefetch(handles, after: position)
      if let index = tracks.indices.liveIndex(of: handles[position]) { release(index) }
      position += 1
    }
  }

  /// Removes the tracks whose motion was over in the last frame, in the order of indices, and returns their number.
  package mutating func removeSettled() -> Int {
    let before = tracks.count
    for tile in 0..<tracks.tiles.end where tracks.tiles.live[tile] != 0 {
      // Without phases nothing in such a tile has settled.
      let noneRests =
        springs.watch.noneRests(tile) && tracks.tiles.led[tile] == 0
        && (tracks.tiles.keptCount == 0 || tracks.tiles.called[tile] | tracks.tiles.playing[tile] == 0)
      if noneRests || tracks.tiles.stands(tile), phases.playerCount == 0 { continue }
      var over: UInt16 = 0
      tracks.tiles.live[tile].forEachLane { lane in
        let index = tile * laneCountOfTile + lane
        if isOver(index) { over |= TileStore.bit(index) }
      }
      if over == .max, tracks.tiles.led[tile] == .max {
        curves.leave(tile: tile, &tracks)
        tracks.vacate(tile, lanes: .max)
      }
      over.forEachLane { release(tile * laneCountOfTile + $0) }
    }
    watched.mayHaveEnded = true
    record { _ in BatchCall(.removeSettled) }
    return before - tracks.count
  }

  /// Removes every track; memory stays.
  package mutating func removeAll() {
    waiting.removeAll()
    phases.removeAll()
    pauses.removeAll()
    clips.removeAll()
    curves.removeAll()
    called.removeAll()
    follows.removeAll()
    tracks.removeAll()
    watched.mayHaveEnded = true
    record { _ in BatchCall(.removeAll) }
  }

  /// Removes all tracks of a full tile, if nothing waits for a track, and none plays phases or is paused.
  ///
  /// - Returns: Whether that is so.
  private mutating func release(tile: Int) -> Bool {
    guard !haveSchedules, phases.tracks.isEmpty, tracks.tiles.live[tile] == .max else { return false }
    watched.mayHaveEnded = true
    endOthers(tile)
    let moved = tracks.tiles.moving[tile] != 0
    tracks.vacate(tile, lanes: .max)
    if moved { springs.watch.sleep(tile) }
    tracks.dismiss(tile: tile)
    return true
  }

  private mutating func release(_ index: Int) {
    watched.mayHaveEnded = true
    waiting.cancel(index)
    phases.forget(index)
    if !pauses.isEmpty { _ = pauses.end(index) }
    if tracks.tiles.isLive(index) { leave(index) }
    tracks.dismiss(index)
  }
}
