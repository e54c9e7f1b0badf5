// SPDX-License-Identifier: MIT
package import Murmuration

/// Plays the calls of a recording on a batch, through its public calls, in one of their spellings.
package struct BatchPlayer: ~Copyable {
  /// How the calls are spelled.
  package enum Spelling: String, CaseIterable, Sendable {
    /// As recorded: arrays of tracks, ranges, and all tracks.
    case asRecorded = "as recorded"
    /// One call for each track, by its handle.
    case single
    /// One call for each track, with arrays of one.
    case arraysOfOne = "arrays of one"
    /// One call, with the tracks as an array in place of ranges and all.
    case handles
    /// Planar columns.
    case planar
    /// Ranges of indices, where the tracks have them.
    case ranges
  }

  package private(set) var batch: AnimationBatch<Components>
  let spelling: Spelling
  /// Whether other tracks are added before each call that adds tracks, and move in their own way.
  private let hasNeighbours: Bool
  private(set) var tracks: [TrackHandle] = []
  private(set) var clips: [ClipID] = []
  private(set) var sequences: [PhaseSequenceID] = []
  private var snapshot: BatchSnapshot?

  package init(
    _ recording: BatchRecording, spelling: Spelling = .asRecorded, kernels: KernelSet? = nil, threads: Int = 1,
    hasNeighbours: Bool = false
  ) throws {
    batch = try AnimationBatch(
      dimensions: recording.dimensions, curveTolerance: recording.curveTolerance, kernels: kernels)
    batch.threadCount = threads
    (self.spelling, self.hasNeighbours) = (spelling, hasNeighbours)
  }

  /// Lets the batch keep the calls that it accepts.
  package mutating func record() throws(BatchError) { try batch.record() }

  var dimensions: Int { batch.dimensions }

  // MARK: - Detours

  /// Makes calls, some of which may be refused, and goes back to where they began.
  ///
  /// - Parameter throughBytes: Whether it goes back to what was read from the bytes of the snapshot.
  mutating func rollBack(after calls: some Sequence<BatchCall>, throughBytes: Bool) throws(BatchError) {
    let names = (tracks, clips, sequences)
    var moment = if let latest = snapshot.take() { latest } else { try batch.snapshot() }
    try batch.snapshot(into: &moment)
    if throughBytes { moment = try BatchSnapshot(bytes: moment.bytes()) }
    for call in calls { _ = try? make(call) }
    try batch.restore(moment)
    snapshot = moment
    (tracks, clips, sequences) = names
  }

  /// Goes on with a copy of the batch, or with a batch that was read from bytes, by turns on each instruction set.
  mutating func moveToCopy(throughBytes: Bool) throws(BatchError) {
    var copy: AnimationBatch<Components>
    if throughBytes {
      let (sets, bytes) = (KernelSet.available, try batch.snapshot().bytes())
      let next = sets[((sets.firstIndex(of: batch.kernels) ?? 0) + 1) % sets.count]
      copy = try AnimationBatch(BatchSnapshot(bytes: bytes), kernels: next)
    } else {
      copy = try batch.copy()
    }
    copy.threadCount = batch.threadCount
    tracks = tracks.map { batch.contains($0) ? copy.handle(at: $0.index) ?? .noTrack : .noTrack }
    batch = copy
  }

  // MARK: - Names

  /// The handle of a track by the order of adding. Of what was never there, names of no batch are given.
  func handle(_ track: Int) -> TrackHandle { tracks[ifPresent: track] ?? .noTrack }

  func isLive(_ track: Int) -> Bool { batch.contains(handle(track)) }

  /// The tracks that are there, by the order of adding.
  var liveTracks: [Int] { tracks.indices.filter { isLive($0) } }

  /// The tracks by index; nil for an index without a track.
  var tracksByIndex: [Int?] {
    var list = [Int?](repeating: nil, count: batch.indexCount)
    for track in liveTracks where tracks[track].index < list.count { list[tracks[track].index] = track }
    return list
  }

  private func clip(_ number: Int) -> ClipID {
    clips[ifPresent: number] ?? ClipID(index: 0, generation: 0, store: TrackHandle.noTrack.store)
  }

  private func sequence(of call: BatchCall) -> PhaseSequenceID {
    sequences[ifPresent: call.sequences.first ?? -1]
      ?? PhaseSequenceID(index: 0, generation: 0, store: TrackHandle.noTrack.store)
  }

  // MARK: - Spellings

  /// Makes a call.
  ///
  /// - Parameter isAccepted: Whether the batch is known to accept it. Other calls are made as recorded: one of several
  ///   calls in its place would change something before another is refused.
  package mutating func perform(_ call: BatchCall, isAccepted: Bool = true) throws(BatchError) {
    if hasNeighbours, call.addedCount(dimensions: dimensions) > 0 { try addNeighbours() }
    guard isAccepted, spelling != .asRecorded else { return try make(call) }
    let plain = named(call)
    guard [.single, .arraysOfOne].contains(spelling) else {
      return try make(spelling == .ranges ? ranged(plain) : plain, as: spelling)
    }
    let names = names(of: plain.tracks) ?? Array(0..<plain.addedCount(dimensions: dimensions))
    guard !names.isEmpty else { return try make(plain) }
    // Of a track that is named twice, the last values count.
    for place in Dictionary(zip(names, names.indices), uniquingKeysWith: { $1 }).values.sorted() {
      try make(plain.keeping([place], of: names.count, dimensions: dimensions), as: spelling)
    }
  }

  /// The tracks of a selection, one after the other, and nil for an index without a track; nil if there are no such
  /// indices, or no tracks are named.
  func names(of selection: BatchCall.Tracks?) -> [Int?]? {
    switch selection {
    case .tracks(let list): list
    case .indices(let range) where range.indexOutside(batch.indexCount) == nil: Array(tracksByIndex[range])
    case .all: tracksByIndex
    case .indices, nil: nil
    }
  }

  /// The call with its tracks as a list.
  package func named(_ call: BatchCall) -> BatchCall {
    guard let names = names(of: call.tracks) else { return call }
    var named = call
    named.tracks = .tracks(names.map { $0 ?? -1 })
    // A list that is too short or too long must stay so: tracks that there never were are refused.
    guard named.fits(names.count, dimensions: dimensions) else { return named }
    return named.keeping(names.indices.filter { names[$0] != nil }, of: names.count, dimensions: dimensions)
  }

  /// The call with its tracks as a range, if that is one.
  private func ranged(_ call: BatchCall) -> BatchCall {
    guard case .tracks(let list)? = call.tracks, let first = list.first else { return call }
    let range = handle(first).index..<handle(first).index + list.count
    guard list.map({ handle($0).index }) == Array(range) else { return call }
    var ranged = call
    ranged.tracks = range == 0..<batch.indexCount ? .all : .indices(range)
    return ranged
  }

  /// Adds some tracks that no call of the program names, unless it names them all.
  private mutating func addNeighbours() throws(BatchError) {
    let zero = Components(Array(repeating: 0, count: dimensions))
    let goal = Components(Array(repeating: 3, count: dimensions))
    for (place, spring) in [Spring(duration: 3, bounce: 0.5), Spring(duration: 0.7, bounce: -0.3)].enumerated() {
      let others = try batch.add(Array(repeating: zero, count: 3 + 4 * place))
      try batch.animate(others, to: Array(repeating: goal, count: others.count), .spring(spring))
      try batch.animate(others[0], to: zero, .easeInOut(duration: 5))
    }
  }

  // MARK: - Calls

  private mutating func make(_ call: BatchCall, as spelling: Spelling = .asRecorded) throws(BatchError) {
    switch call.verb {
    case .add, .addMoving, .addPlaying: tracks += try add(call, as: spelling)
    case .removeSettled: batch.removeSettled()
    case .removeAll: batch.removeAll()
    case .compact: try batch.compact()
    case .reserve(let count): try batch.reserve(count)
    case .loadClip(let clip): clips.append(try batch.load(clip))
    case .unloadClip: try batch.unload(clip(call.clips.first ?? -1))
    case .loadPhases(let sequence): sequences.append(try batch.load(sequence))
    case .unloadPhases: try batch.unload(sequence(of: call))
    case .advance(let time, let velocities): try batch.advance(to: time, velocities: velocities)
    case .setRestTolerance(let tolerance): batch.restTolerance = tolerance
    case .setReports(let reports): batch.reports = reports
    default: try makeAboutTracks(call, as: spelling)
    }
  }

  private mutating func makeAboutTracks(_ call: BatchCall, as spelling: Spelling) throws(BatchError) {
    if case .indices(let range)? = call.tracks, let index = range.indexOutside(batch.indexCount) {
      throw .trackOutOfRange(index, count: batch.indexCount)
    }
    switch call.tracks {
    case .tracks(let list)? where spelling == .single && list.count == 1:
      try make(call, on: handle(list[0]), as: spelling)
    case .tracks(let list)?: try make(call, on: list.map { handle($0) }, as: spelling)
    case .indices(let range)?: try make(call, on: range, as: spelling)
    case .all?: try make(call, on: .all, as: spelling)
    case nil: try make(call, on: [] as [TrackHandle], as: spelling)
    }
  }

  /// Writes the goals of tracks in place.
  private mutating func write(_ goals: [Components], of tracks: BatchCall.Tracks?) throws(BatchError) {
    let handles = (names(of: tracks) ?? []).map { $0.map { handle($0) } }
    if goals.count != handles.count { throw .wrongCount(of: "goals", expected: handles.count, got: goals.count) }
    for case let handle? in handles where !batch.contains(handle) { throw .staleHandle(handle) }
    for component in 0..<dimensions {
      try batch.withGoals(component: component) { column in
        for case (let handle?, let goal) in zip(handles, goals) where handle.index < column.count {
          column[handle.index] = goal.component(component)
        }
      }
    }
  }

  private mutating func add(_ call: BatchCall, as spelling: Spelling) throws(BatchError) -> [TrackHandle] {
    let (from, speeds, to) = (try vectors(call.values), try vectors(call.velocities), try vectors(call.goals))
    let (columns, springs) = (columns(call), call.springs)
    return switch (call.verb, spelling) {
    case (.add, .single): [try batch.add(from[0])]
    case (.add, .planar): try batch.add(planar: columns.values.span)
    case (.add, _): try batch.add(from)
    case (.addMoving, .single) where springs.count == 1:
      [try batch.add(from[0], velocity: speeds.first, to: to[0], springs[0])]
    case (.addMoving, .planar) where springs.count == 1:
      try batch.add(
        planar: columns.values, velocities: columns.velocities, toPlanar: columns.goals, springs[0])
    case (.addMoving, .planar):
      try batch.add(planar: columns.values, velocities: columns.velocities, toPlanar: columns.goals, springs: springs)
    case (.addMoving, _) where springs.count == 1: try batch.add(from, velocities: speeds, to: to, springs[0])
    case (.addMoving, _): try batch.add(from, velocities: speeds, to: to, springs: springs)
    case (_, .single) where call.clips.count == 1:
      [try batch.add(playing: clip(call.clips[0]), call.playbacks[0])]
    case _ where call.clips.count == 1: try batch.add(playing: clip(call.clips[0]), call.playbacks)
    default: try batch.add(playing: call.clips.map { clip($0) }, call.playbacks)
    }
  }

  private mutating func make(
    _ call: BatchCall, on tracks: some TrackSelection, as spelling: Spelling
  ) throws(BatchError) {
    let (values, velocities) = (try vectors(call.values), try vectors(call.velocities))
    let (goals, scales, offsets) = (try vectors(call.goals), try vectors(call.scales), try vectors(call.offsets))
    let (animations, numbers) = (call.animations, call.numbers)
    let springs = animations.compactMap { $0?.plainSpring }
    let columns = spelling == .planar ? columns(call) : call
    switch (call.verb, spelling) {
    case (.remove, _): try batch.remove(tracks)
    case (.animate, .single) where call.isOneForAll: try batch.animate(tracks, to: goals[0], animations[0])
    case (.animate, .planar) where animations.count == 1:
      try batch.animate(tracks, toPlanar: columns.goals, animations[0], delays: numbers)
    case (.animate, .single) where animations.count == 1 && numbers.count == 1:
      try batch.animate(tracks, to: goals[0], animations[0], delay: numbers[0])
    case (.animate, _) where animations.count == 1: try batch.animate(tracks, to: goals, animations[0], delays: numbers)
    case (.animate, _) where springs.count != animations.count:
      try batch.animate(tracks, to: goals, animations: animations, delays: numbers)
    case (.animate, .planar): try batch.animate(tracks, toPlanar: columns.goals, springs: springs, delays: numbers)
    case (.animate, _): try batch.animate(tracks, to: goals, springs: springs, delays: numbers)
    case (.retarget, .single) where numbers.count < 2: try batch.retarget(tracks, to: goals[0], delay: numbers.first)
    case (.retarget, .planar): try batch.retarget(tracks, toPlanar: columns.goals, delays: numbers)
    case (.retarget, _): try batch.retarget(tracks, to: goals, delays: numbers)
    case (.cancelDelays, _): try batch.cancelDelays(of: tracks)
    case (.set, .single): try batch.set(tracks, values[0], velocity: velocities[0])
    case (.set, .planar): try batch.set(tracks, planar: columns.values, velocities: columns.velocities)
    case (.set, _): try batch.set(tracks, values, velocities: velocities)
    case (.displace, .single): try batch.displace(tracks, values[0], velocity: velocities[0])
    case (.displace, .planar): try batch.displace(tracks, planar: columns.values, velocities: columns.velocities)
    case (.displace, _): try batch.displace(tracks, values, velocities: velocities)
    case (.push, .single): try batch.push(tracks, by: velocities[0])
    case (.push, .planar): try batch.push(tracks, byPlanar: columns.velocities)
    case (.push, _): try batch.push(tracks, by: velocities)
    case (.decelerate(let slide, let bounds), _):
      func components(_ numbers: [Float]) -> Components { Components(numbers.map(Double.init)) }
      let limits = bounds.flatMap {
        $0.lower.isEmpty && $0.upper.isEmpty ? nil : (lower: components($0.lower), upper: components($0.upper))
      }
      let points = bounds?.points.map { $0.chunks(of: dimensions).map(components) }
      var snap = points.map { SnapPoints.values($0) }
      if let spacing = bounds?.spacing { snap = .every(components(spacing), from: points?.first) }
      let spring = bounds?.spring ?? .smooth
      if velocities.isEmpty {
        try batch.decelerate(tracks, by: slide, within: limits, snap: snap, spring: spring)
      } else if spelling == .single {
        try batch.decelerate(tracks, velocity: velocities[0], by: slide, within: limits, snap: snap, spring: spring)
      } else if spelling == .planar {
        try batch.decelerate(
          tracks, planarVelocities: columns.velocities, by: slide, within: limits, snap: snap, spring: spring)
      } else {
        try batch.decelerate(tracks, velocities: velocities, by: slide, within: limits, snap: snap, spring: spring)
      }
    case (.play(let start), _) where call.clips.count == 1 && call.playbacks.count == 1:
      try batch.play(clip(call.clips[0]), on: tracks, call.playbacks[0], start: start)
    case (.play(let start), _) where call.clips.count == 1:
      try batch.play(clip(call.clips[0]), on: tracks, call.playbacks, start: start)
    case (.play(let start), _) where call.playbacks.count == 1:
      try batch.play(call.clips.map { clip($0) }, on: tracks, call.playbacks[0], start: start)
    case (.play(let start), _):
      try batch.play(call.clips.map { clip($0) }, on: tracks, call.playbacks, start: start)
    case (.follow, _) where call.springs.count == 1: try batch.follow(tracks, with: call.springs[0])
    case (.follow, _): try batch.follow(tracks, springs: call.springs)
    case (.followTracks, _):
      try batch.follow(
        tracks, valuesOf: call.leaders.map { handle($0) }, offsets: offsets, with: call.springs.first ?? Spring())
    case (.setGoals, .single): try batch.setGoals(of: tracks, goals[0])
    case (.setGoals, .planar), (.setGoals, .ranges): try batch.setGoals(of: tracks, planar: self.columns(call).goals)
    case (.setGoals, _): try batch.setGoals(of: tracks, goals)
    case (.writeGoals, _): try write(goals, of: call.tracks)
    case (.setVariations, .single): try batch.setVariation(of: tracks, scale: scales[0], offset: offsets[0])
    case (.setVariations, .planar):
      try batch.setVariations(of: tracks, planarScales: columns.scales, offsets: columns.offsets)
    case (.setVariations, _): try batch.setVariations(of: tracks, scales: scales, offsets: offsets)
    case (.setSpeed, _) where numbers.count == 1: try batch.setSpeed(numbers[0], of: tracks)
    case (.setSpeed, _): try batch.setSpeed(numbers, of: tracks)
    case (.seek, _) where numbers.count == 1: try batch.seek(tracks, to: numbers[0])
    case (.seek, _): try batch.seek(tracks, to: numbers)
    case (.seekProgress, .single) where numbers.count == 1: try batch.seek(tracks, progress: numbers[0])
    case (.seekProgress, _): try batch.seek(tracks, progress: numbers)
    case (.playPhases(let playback), .single):
      try batch.play(
        sequence(of: call), on: tracks, playback, startingAt: numbers, offset: offsets.first, scale: scales.first)
    case (.playPhases(let playback), .planar):
      try batch.play(
        sequence(of: call), on: tracks, playback, startingAt: numbers, planarOffsets: columns.offsets,
        scales: columns.scales)
    case (.playPhases(let playback), _):
      try batch.play(
        sequence(of: call), on: tracks, playback, startingAt: numbers, offsets: offsets, scales: scales)
    case (.trigger, _): try batch.trigger(tracks)
    case (.pause, _): try batch.pause(tracks)
    case (.resume, _): try batch.resume(tracks)
    case (.stop, _): try batch.stop(tracks)
    default: break
    }
  }

  // MARK: - Values

  private func vectors(_ numbers: [Float]) throws(BatchError) -> [Components] {
    guard numbers.count % dimensions == 0 else { throw .unequalColumns(count: numbers.count, dimensions: dimensions) }
    return numbers.chunks(of: dimensions).map { Components($0.map(Double.init)) }
  }

  /// The call with its vectors as planar columns.
  private func columns(_ call: BatchCall) -> BatchCall {
    var columns = call
    for vectors in BatchCall.vectors {
      let rows = call[keyPath: vectors].chunks(of: dimensions)
      columns[keyPath: vectors] = (0..<dimensions).flatMap { column in rows.compactMap { $0[ifPresent: column] } }
    }
    return columns
  }
}
