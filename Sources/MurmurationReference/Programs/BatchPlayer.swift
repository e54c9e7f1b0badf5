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
  /// Names that another batch gave, for tracks, clips and sequences that there never were.
  private let strangers: (TrackHandle, ClipID, PhaseSequenceID)

  package init(
    _ recording: BatchRecording, spelling: Spelling = .asRecorded, kernels: KernelSet? = nil, threads: Int = 1,
    hasNeighbours: Bool = false
  ) throws {
    var batch = try AnimationBatch(
      dimensions: recording.dimensions, curveTolerance: recording.curveTolerance, kernels: kernels)
    batch.threadCount = threads
    var other = try AnimationBatch<Float>(kernels: kernels)
    strangers = (
      try other.add(0), try other.load(Clip(dimensions: 1, initialValues: [0], tracks: [])),
      try other.load(PhaseSequence(dimensions: 1, targets: [[0]], animations: [nil]))
    )
    self.spelling = spelling
    self.hasNeighbours = hasNeighbours
    self.batch = batch
  }

  /// Lets the batch keep the calls that it accepts.
  package mutating func record() throws(BatchError) { try batch.record() }

  var dimensions: Int { batch.dimensions }

  /// The handle of a track by the order of adding; that of another batch's track if it was never added.
  func handle(_ track: Int) -> TrackHandle { tracks.indices.contains(track) ? tracks[track] : strangers.0 }

  func isLive(_ track: Int) -> Bool { batch.contains(handle(track)) }

  /// The tracks that are there, by the order of adding.
  var liveTracks: [Int] {
    var list: [Int] = []
    for track in tracks.indices where batch.contains(tracks[track]) { list.append(track) }
    return list
  }

  /// The tracks by index; nil for an index without a track.
  var tracksByIndex: [Int?] {
    var list = [Int?](repeating: nil, count: batch.indexCount)
    for track in tracks.indices where batch.contains(tracks[track]) { list[tracks[track].index] = track }
    return list
  }

  private func clip(_ number: Int) -> ClipID { clips.indices.contains(number) ? clips[number] : strangers.1 }

  // These are loops, as Swift 6.3.1 crashes where a method of a noncopyable value is passed as a function.
  private func clips(_ numbers: [Int]) -> [ClipID] {
    var list: [ClipID] = []
    for number in numbers { list.append(clip(number)) }
    return list
  }

  private func handles(_ numbers: [Int]) -> [TrackHandle] {
    var list: [TrackHandle] = []
    for number in numbers { list.append(handle(number)) }
    return list
  }

  private func sequence(_ number: Int) -> PhaseSequenceID {
    sequences.indices.contains(number) ? sequences[number] : strangers.2
  }

  // MARK: - Spellings

  /// Makes a call.
  ///
  /// - Parameter isAccepted: Whether the batch is known to accept it. Other calls are made as recorded: one of several
  ///   calls in its place would change something before another is refused.
  package mutating func perform(_ call: BatchCall, isAccepted: Bool = true) throws(BatchError) {
    if hasNeighbours { try addNeighbours(before: call) }
    guard isAccepted, spelling != .asRecorded else { return try make(call) }
    let plain = named(call)
    let fields = CallFields(plain)
    switch spelling {
    case .single, .arraysOfOne:
      var places: [Int]
      let count: Int
      if case .tracks(let list)? = fields.tracks {
        // Of a track that is named twice, the last values count.
        var last: [Int: Int] = [:]
        for (place, track) in list.enumerated() { last[track] = place }
        (places, count) = (list.indices.filter { last[list[$0]] == $0 }, list.count)
      } else {
        count = fields.addedCount(dimensions: dimensions)
        places = Array(0..<count)
      }
      guard count > 0 else { return try make(plain) }
      for place in places {
        try make(plain.keeping([place], of: count, dimensions: dimensions), isSingle: spelling == .single)
      }
    case .planar: try make(plain, isPlanar: true)
    case .ranges: try make(ranged(plain))
    case .asRecorded, .handles: try make(plain)
    }
  }

  /// The call with its tracks as a list.
  func named(_ call: BatchCall) -> BatchCall {
    var fields = CallFields(call)
    let indices: Range<Int>
    switch fields.tracks {
    case .indices(let range)? where range.lowerBound >= 0 && range.upperBound <= batch.indexCount: indices = range
    case .all?: indices = 0..<batch.indexCount
    default: return call
    }
    let byIndex = tracksByIndex
    let places = indices.indices.filter { byIndex[indices[$0]] != nil }.map { $0 - indices.lowerBound }
    fields.tracks = .tracks(indices.map { byIndex[$0] ?? -1 })
    fields.keep(places, of: indices.count, dimensions: dimensions)
    return fields.call ?? call
  }

  /// The call with its tracks as a range, if that is one.
  private func ranged(_ call: BatchCall) -> BatchCall {
    var fields = CallFields(call)
    guard case .tracks(let list)? = fields.tracks, let first = list.first else { return call }
    let start = handle(first).index
    for (place, track) in list.enumerated() where handle(track).index != start + place { return call }
    fields.tracks = start == 0 && list.count == batch.indexCount ? .all : .indices(start..<start + list.count)
    return fields.call ?? call
  }

  /// Adds some tracks that no call of the program names, unless it names them all.
  private mutating func addNeighbours(before call: BatchCall) throws(BatchError) {
    guard CallFields(call).addedCount(dimensions: dimensions) > 0 else { return }
    let zero = Components(repeating: 0, count: dimensions)
    let goal = Components(repeating: 3, count: dimensions)
    for (place, spring) in [Spring(duration: 3, bounce: 0.5), Spring(duration: 0.7, bounce: -0.3)].enumerated() {
      let others = try batch.add(Array(repeating: zero, count: 3 + 4 * place))
      try batch.animate(others, to: Array(repeating: goal, count: others.count), .spring(spring))
      try batch.animate(others[0], to: zero, .easeInOut(duration: 5))
    }
  }

  // MARK: - Calls

  private mutating func make(
    _ call: BatchCall, isSingle: Bool = false, isPlanar: Bool = false
  ) throws(BatchError) {
    switch call {
    case .add, .addMoving, .addPlaying: try add(call, isSingle: isSingle, isPlanar: isPlanar)
    case .removeSettled: batch.removeSettled()
    case .removeAll: batch.removeAll()
    case .compact: try batch.compact()
    case .reserve(let count): try batch.reserve(count)
    case .loadClip(let clip): clips.append(try batch.load(clip))
    case .unloadClip(let number): try batch.unload(clip(number))
    case .loadPhases(let sequence): sequences.append(try batch.load(sequence))
    case .unloadPhases(let number): try batch.unload(sequence(number))
    case .advance(let time, let velocities): try batch.advance(to: time, velocities: velocities)
    case .setRestTolerance(let tolerance): batch.restTolerance = tolerance
    case .setReports(let reports): batch.reports = reports
    case .animate(.all, let goals, let animations, let delays) where animations.count == 1 && delays.isEmpty:
      try batch.animateAll(to: try values(goals), animations[0])
    case .animate(.indices(let range), let goals, let animations, let delays)
    where animations.count == 1 && delays.isEmpty:
      // A span of a temporary, with typed throws, is "Invalid SIL" to Swift 6.3.1.
      let goals = try values(goals)
      try batch.animate(range, to: goals.span, animations[0])
    case .retarget(.all, let goals, let delays) where delays.isEmpty: try batch.retargetAll(to: try values(goals))
    case .retarget(.indices(let range), let goals, let delays) where delays.isEmpty:
      let goals = try values(goals)
      try batch.retarget(range, to: goals.span)
    case .seek(.all, let times): try batch.seekAll(to: times.span)
    default:
      guard case .tracks(let list)? = call.tracks else {
        if case .indices(let range)? = call.tracks, range.lowerBound < 0 || range.upperBound > batch.indexCount {
          let index = range.lowerBound < 0 ? range.lowerBound : range.upperBound - 1
          throw .trackOutOfRange(index, count: batch.indexCount)
        }
        return try make(named(call), isSingle: isSingle, isPlanar: isPlanar)
      }
      let handles = handles(list)
      if isSingle, handles.count == 1 {
        try perform(call, on: handles[0])
      } else if isPlanar {
        try performPlanar(call, on: handles)
      } else {
        try perform(call, on: handles)
      }
    }
  }

  private mutating func add(_ call: BatchCall, isSingle: Bool, isPlanar: Bool) throws(BatchError) {
    switch call {
    case .add(let numbers):
      if isSingle { return tracks.append(try batch.add(try values(numbers)[0])) }
      if isPlanar {
        let columns = columns(numbers)
        return tracks += try batch.add(planar: columns.span)
      }
      tracks += try batch.add(try values(numbers))
    case .addMoving(let numbers, let velocities, let goals, let springs):
      let (from, speeds, to) = (try values(numbers), try values(velocities), try values(goals))
      if isSingle, springs.count == 1 {
        tracks.append(try batch.add(from[0], velocity: speeds.first, to: to[0], springs[0]))
      } else if isPlanar {
        let (from, speeds, to) = (columns(numbers), columns(velocities), columns(goals))
        tracks +=
          springs.count == 1
          ? try batch.add(planar: from.span, velocities: speeds.span, toPlanar: to.span, springs[0])
          : try batch.add(planar: from.span, velocities: speeds.span, toPlanar: to.span, springs: springs.span)
      } else if springs.count == 1 {
        tracks += try batch.add(from, velocities: speeds, to: to, springs[0])
      } else {
        tracks += try batch.add(from, velocities: speeds, to: to, springs: springs)
      }
    case .addPlaying(let numbers, let playbacks):
      if numbers.count == 1 {
        if isSingle { return tracks.append(try batch.add(playing: clip(numbers[0]), playbacks[0])) }
        tracks += try batch.add(playing: clip(numbers[0]), playbacks)
      } else {
        tracks += try batch.add(playing: clips(numbers), playbacks)
      }
    default: break
    }
  }

  private mutating func perform(_ call: BatchCall, on track: TrackHandle) throws(BatchError) {
    switch call {
    case .animate(_, let goals, let animations, let delays) where delays.isEmpty && animations.count == 1:
      try batch.animate(track, to: try values(goals)[0], animations[0])
    case .retarget(_, let goals, let delays) where delays.isEmpty:
      try batch.retarget(track, to: try values(goals)[0])
    case .remove: try batch.remove(track)
    case .set(_, let numbers, let velocities):
      try batch.set(track, try values(numbers)[0], velocity: try values(velocities)[0])
    case .displace(_, let numbers, let velocities):
      try batch.displace(track, try values(numbers)[0], velocity: try values(velocities)[0])
    case .decelerate(_, let velocities, let deceleration):
      try batch.decelerate(
        track, velocity: velocities == nil ? nil : try values(velocities ?? []).first, by: deceleration)
    case .play(let numbers, _, let playbacks, let start) where numbers.count == 1 && playbacks.count == 1:
      try batch.play(clip(numbers[0]), on: track, playbacks[0], start: start)
    case .setVariations(_, let scales, let offsets):
      try batch.setVariation(of: track, scale: try values(scales)[0], offset: try values(offsets)[0])
    case .setSpeed(_, let speeds) where speeds.count == 1: try batch.setSpeed(speeds[0], of: [track])
    case .seek(_, let times) where times.count == 1: try batch.seek(track, to: times[0])
    case .seekProgress(_, let shares) where shares.count == 1: try batch.seek(track, progress: shares[0])
    case .playPhases(let number, _, let playback, let starts, let offsets, let scales):
      try batch.play(
        sequence(number), on: track, playback, startingAt: starts.first, offset: try values(offsets).first,
        scale: try values(scales).first)
    default: try perform(call, on: [track])
    }
  }

  private mutating func perform(_ call: BatchCall, on handles: [TrackHandle]) throws(BatchError) {
    switch call {
    case .remove: try batch.remove(handles)
    case .animate(_, let goals, let animations, let delays):
      let springs = animations.compactMap { $0?.plainSpring }
      if animations.count == 1, handles.count != 1 || delays.isEmpty {
        try batch.animate(handles, to: try values(goals), animations[0], delays: delays)
      } else if springs.count == animations.count {
        try batch.animate(handles, to: try values(goals), springs: springs, delays: delays)
      } else {
        try batch.animate(handles, to: try values(goals), animations: animations, delays: delays)
      }
    case .retarget(_, let goals, let delays): try batch.retarget(handles, to: try values(goals), delays: delays)
    case .cancelDelays: try batch.cancelDelays(of: handles)
    case .set(_, let numbers, let velocities):
      try batch.set(handles, try values(numbers), velocities: try values(velocities))
    case .displace(_, let numbers, let velocities):
      try batch.displace(handles, try values(numbers), velocities: try values(velocities))
    case .decelerate(_, let velocities, let deceleration):
      try batch.decelerate(
        handles, velocities: velocities == nil ? nil : try values(velocities ?? []), by: deceleration)
    case .play(let numbers, _, let playbacks, let start):
      if numbers.count == 1, playbacks.count == 1 {
        try batch.play(clip(numbers[0]), on: handles, playbacks[0], start: start)
      } else {
        let all = numbers.count == 1 ? Array(repeating: numbers[0], count: handles.count) : numbers
        let each = playbacks.count == 1 ? Array(repeating: playbacks[0], count: handles.count) : playbacks
        try batch.play(clips(all), on: handles, each, start: start)
      }
    case .setVariations(_, let scales, let offsets):
      try batch.setVariations(of: handles, scales: try values(scales), offsets: try values(offsets))
    case .setSpeed(_, let speeds):
      if speeds.count == 1 { return try batch.setSpeed(speeds[0], of: handles) }
      try batch.setSpeed(speeds, of: handles)
    case .seek(_, let times):
      try batch.seek(handles, to: times.count == 1 ? Array(repeating: times[0], count: handles.count) : times)
    case .seekProgress(_, let shares): try batch.seek(handles, progress: shares)
    case .playPhases(let number, _, let playback, let starts, let offsets, let scales):
      try batch.play(
        sequence(number), on: handles, playback, startingAt: starts, offsets: try values(offsets),
        scales: try values(scales))
    case .trigger: try batch.trigger(handles)
    case .pause: try batch.pause(handles)
    case .resume: try batch.resume(handles)
    case .stop: try batch.stop(handles)
    default: break
    }
  }

  private mutating func performPlanar(_ call: BatchCall, on handles: [TrackHandle]) throws(BatchError) {
    let tracks = handles.span
    switch call {
    case .animate(_, let goals, let animations, let delays):
      let (columns, springs) = (columns(goals), animations.compactMap { $0?.plainSpring })
      if animations.count == 1 {
        try batch.animate(tracks, toPlanar: columns.span, animations[0], delays: delays.span)
      } else if springs.count == animations.count, delays.isEmpty {
        try batch.animate(tracks, toPlanar: columns.span, springs: springs.span)
      } else {
        try perform(call, on: handles)
      }
    case .retarget(_, let goals, let delays):
      let columns = columns(goals)
      try batch.retarget(tracks, toPlanar: columns.span, delays: delays.span)
    case .set(_, let numbers, let velocities):
      let (columns, speeds) = (columns(numbers), columns(velocities))
      try batch.set(tracks, planar: columns.span, velocities: speeds.span)
    case .displace(_, let numbers, let velocities):
      let (columns, speeds) = (columns(numbers), columns(velocities))
      try batch.displace(tracks, planar: columns.span, velocities: speeds.span)
    case .decelerate(_, let velocities?, let deceleration):
      let columns = columns(velocities)
      try batch.decelerate(tracks, planarVelocities: columns.span, by: deceleration)
    case .setVariations(_, let scales, let offsets):
      let (factors, added) = (columns(scales), columns(offsets))
      try batch.setVariations(of: tracks, planarScales: factors.span, offsets: added.span)
    case .playPhases(let number, _, let playback, let starts, let offsets, let scales):
      let (added, factors) = (columns(offsets), columns(scales))
      try batch.play(
        sequence(number), on: tracks, playback, startingAt: starts.span, planarOffsets: added.span,
        scales: factors.span)
    default: try perform(call, on: handles)
    }
  }

  // MARK: - Values

  private func values(_ numbers: [Float]) throws(BatchError) -> [Components] {
    guard numbers.count % dimensions == 0 else {
      throw .unequalColumns(count: numbers.count, dimensions: dimensions)
    }
    let dimensions = dimensions
    return stride(from: 0, to: numbers.count, by: dimensions).map { start in
      Components(numbers[start..<start + dimensions].map(Double.init))
    }
  }

  private func columns(_ numbers: [Float]) -> [Float] {
    let (dimensions, count) = (dimensions, numbers.count / dimensions)
    return (0..<dimensions).flatMap { dimension in (0..<count).map { numbers[$0 * dimensions + dimension] } }
  }
}
