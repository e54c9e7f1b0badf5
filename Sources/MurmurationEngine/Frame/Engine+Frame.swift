// SPDX-License-Identifier: MIT
import CProcessor
import Kernels
import Synchronization

/// State that lasts from frame to frame, so that frames need not allocate.
struct FrameState {
  /// The runs of a frame that threads share, and the running sums of their costs.
  var runs: [FrameTiles.Run] = []
  var costs: [Int] = []
  /// The tiles of springs in which a frame has found lanes that completed or came to rest.
  var marked: [(tile: Int32, mark: SpringWatch.Mark)] = []
  /// Whether the program reads the results of frames, or takes many of them over. So frames are stored for it.
  var resultsAreUsed = true
  /// See ``BatchWork/dueTracks``.
  var dueCount = 0
  /// See ``BatchWork/computedEnds``.
  var computedEndCount = 0
  var workers: WorkerPool?
  var parallelCost = ParallelCost()

  /// The least costs that are worth sharing among threads, in uniform tiles. Such a tile takes about 1.5 ns on Zen
  /// 5.
  struct ParallelCost {
    /// While the other threads watch for work, as they do if batches advance one after the other: some 20 µs on Zen 5.
    var watching = 12_000
    /// If the caller has to wake them first, which takes it longer than a short frame: some 90 µs on Zen 5.
    var asleep = 60_000
  }

  /// Threads that frames may use, the caller's included.
  var threadCount: Int {
    get { workers?.count ?? 1 }
    set { if min(max(1, newValue), 64) != threadCount { workers = .threads(newValue) } }
  }
}

extension Engine {
  // MARK: - Time

  /// Evaluates every track at a time, and reports what completed on the way.
  ///
  /// - Throws: ``BatchError/invalidTime(_:)`` or ``BatchError/timeBeforeStart(time:start:)``.
  package mutating func advance(to seconds: Double, velocities: Bool) throws(BatchError) {
    try evaluate(at: seconds, velocities: velocities)
    clock.forgetLoss()
    record { _ in BatchCall(.advance(to: seconds, velocities: velocities)) }
  }

  /// Moves the clock by a number of seconds, and evaluates every track.
  package mutating func advance(by seconds: Double, velocities: Bool) throws(BatchError) {
    let next = try clock.after(seconds)
    try evaluate(at: next.time, velocities: velocities)
    clock = next
    record { _ in BatchCall(.advance(to: next.time, velocities: velocities)) }
  }

  /// Sets the clock of an engine for which nothing waits.
  mutating func begin(at now: Double) {
    clock.time = now
    phases.schedule.pass(to: now)
    waiting.schedule.pass(to: now)
  }

  /// Prepares an advance to a time, so that the advance cannot throw.
  package mutating func prepareAdvance(to seconds: Double) throws(BatchError) {
    try check(time: seconds)
    try prepareSteps(until: seconds)
    putBackSteps()
  }

  private mutating func check(time seconds: Double) throws(BatchError) {
    guard abs(seconds) <= BatchLimits.maximumTime else { throw .invalidTime(seconds) }
    guard seconds < time, seconds < latestChange else { return }
    let start = latestChange(of: 0..<tracks.indices.count)
    lowerLatestChanges(to: start)
    guard seconds >= start else { throw .timeBeforeStart(time: seconds, start: start) }
  }

  private mutating func evaluate(at seconds: Double, velocities wanted: Bool) throws(BatchError) {
    try check(time: seconds)
    if follows.areLent { recordGoals() }
    try prepareSteps(until: seconds)
    (frames.dueCount, frames.computedEndCount) = (phases.schedule.due.count + waiting.schedule.due.count, 0)
    events.begin()
    watched.beginFrame()
    defer { endWatchedChanges() }
    if seconds == time, phases.schedule.due.count == 0, waiting.schedule.due.count == 0 {
      showChanges()
      for index in called.indices { called.report(Int(index), until: time, tracks, &events) }
      if wanted { computeAllVelocities() }
      if areRotations { showRotations(0..<tracks.tiles.end) }
      return events.finish(tracks.indices)
    }
    if seconds < time, springs.isMapped { springs.wakeAll(tracks) }
    if follows.count > 0, seconds != time { gatherGoals() }
    let stepsApart = follows.count > 0 && waiting.schedule.due.count > 0
    startWaiting(until: seconds)
    takeSteps(until: seconds)
    follows.setStep(seconds - time)
    clips.beginFrame(after: seconds - time)
    clock.time = seconds
    phases.schedule.pass(to: seconds)
    waiting.schedule.pass(to: seconds)
    if clips.isMapped { frames.dueCount += clips.placeDue(at: seconds, tracks, &events) }
    if curves.isMapped { frames.dueCount += curves.placeDue(at: seconds, tracks, &events) }
    settleTiles()
    frames.resultsAreUsed =
      outputsAreRead.exchange(false, ordering: .relaxed) || velocities.neededCount > tracks.tiles.end / 64
    let computes = velocities.begin(asked: wanted, tiles: tracks.tiles.end)
    called.show(at: time, tracks, &events)
    let followersHaveNews = run(velocities: computes)
    follows.restore(tracks)
    if followersHaveNews { reportFollowers() }
    clips.finishFrame(velocities: computes, tracks)
    curves.tiles.forgetFresh(tracks)
    springs.report(at: time, tracks, &frames.marked, &events)
    // Offsets that are computed one by one, and targets that show in place of clips, come after the kernels.
    let isLate = stepsApart || !called.indices.isEmpty || clips.tiles.someShowOwn
    if areRotations, isLate { showRotations(0..<tracks.tiles.end) }
    events.finish(tracks.indices)
  }

  /// Shows the changes that calls have made to clips and curves since the frame of the current time.
  private mutating func showChanges() {
    let (clipsChanged, curvesChanged) = (clips.tiles.hasChanges, curves.tiles.hasChanges)
    guard clipsChanged || curvesChanged else { return }
    if clipsChanged { clips.placeDue(at: time, tracks, &events) }
    if curvesChanged { curves.placeDue(at: time, tracks, &events) }
    settleTiles()
    if clipsChanged {
      clips.beginFrame(after: 0)
      for tile in 0..<tracks.tiles.end { velocities.forget(tracks.tiles.playing[tile], of: tile) }
      let work = work(velocities: velocities.areComplete, timePassed: false)
      work.evaluateClips()
      for tile in 0..<tracks.tiles.end where !tracks.frame.kinds[tile].isClip { work.evaluateKept(tile) }
      clips.finishFrame(velocities: velocities.areComplete, tracks)
    }
    // The velocity of a curve that has just begun shows with the next frame: a motion that replaces the curve takes
    // over the velocity that was shown.
    if curvesChanged {
      evaluateCurvesAlone()
      curves.tiles.forgetFresh(tracks)
    }
  }

  /// Evaluates the tracks that effects lead, and no others in their tiles.
  private mutating func evaluateCurvesAlone() {
    tracks.frame.forEachRun(of: .curves) { tiles in
      for tile in tiles {
        withStates(ofTile: tile) { values, _ in
          (tracks.columns.value + tile * laneCountOfTile).writeTile(
            tracks.tiles.led[tile], dimensions, from: values, to: tracks.columns.dimensionStride)
        }
      }
    }
  }

  // MARK: - Kernels

  /// Looks at the tiles of springs that are due, and runs the kernels.
  ///
  /// - Parameter timePassed: Whether springs are looked at, and followers take a step. Benchmarks run kernels again without
  ///   that, and compare a whole frame with them.
  /// - Returns: Whether followers arrived or lost their goals.
  @discardableResult
  mutating func run(velocities: Bool, timePassed: Bool = true) -> Bool {
    guard tracks.frame.runCount > 0 else { return false }
    let workers = workersWorthWaking()
    var work = work(velocities: velocities, timePassed: timePassed)
    if springs.isMapped { work.watch = springs.watch.loan(tracks.tiles) }
    Self.execute(work, workers)
    if timePassed {
      frames.dueCount += work.lookedAt
      frames.computedEndCount = work.computedEnds
    }
    return work.followersHaveNews
  }

  /// The workers, if it is worth waking them for the frame.
  private mutating func workersWorthWaking() -> WorkerPool? {
    guard let workers = frames.workers else { return nil }
    sumCosts()
    let least = workers.areAsleep ? frames.parallelCost.asleep : frames.parallelCost.watching
    return (frames.costs.last ?? 0) * dimensions >= least ? workers : nil
  }

  /// Lists the runs of a frame and the sums of their costs, by which it is cut into parts.
  mutating func sumCosts() {
    let (tiles, uniform) = (tracks.frame.count(of: .spring), springs.estimateUniform(tracks))
    let perSpring = tiles == 0 ? 1 : (4 * tiles - 3 * uniform + tiles - 1) / tiles
    let perSum = 4 + 4 * curves.effects.count / max(1, tracks.frame.count(of: .curves))
    frames.runs.clear()
    frames.costs.clear()
    var sum = 0
    tracks.frame.forEachRun { run in
      sum += FrameWork.cost(run, perSpring: perSpring, perSum: perSum)
      frames.runs.append(run)
      frames.costs.append(sum)
    }
  }

  /// The work of a frame at the current time.
  mutating func work(velocities: Bool, timePassed: Bool = true) -> FrameWork {
    // What a few springs touch is in the caches, and need not be counted.
    let isSmall = tracks.frame.count(of: .spring) < 8
    // Offsets of rotations are read again at once.
    let bytes = isSmall || areRotations ? 0 : bytesPerFrame(velocities: velocities)
    let stores = LaneRun.Stores(touching: bytes, areUsed: frames.resultsAreUsed)
    return unsafe withUnsafeMutablePointer(to: &self) { engine in
      return unsafe FrameWork(UnsafePointer(engine), velocities: velocities, stores: stores, timePassed: timePassed)
    }
  }

  /// The number of parts for each worker: large enough that a worker that wakes late can take its share of the rest,
  /// and small enough that runs keep many tiles.
  private static let partsPerWorker = 16

  private static func execute(_ work: borrowing FrameWork, _ workers: WorkerPool?) {
    guard let workers else {
      work.evaluate(part: 0, of: 1)
      return
    }
    unsafe withUnsafePointer(to: work) { work in
      unsafe workers.run(UnsafeMutablePointer(mutating: work), parts: partsPerWorker * workers.count) {
        work, index, count in
        unsafe work.assumingMemoryBound(to: FrameWork.self).pointee.evaluate(part: index, of: count)
      }
    }
  }

  /// About the number of bytes that the kernels read and write for a frame, without called tracks.
  mutating func bytesPerFrame(velocities: Bool) -> Int {
    let (springTiles, uniformTiles) = (tracks.frame.count(of: .spring), springs.estimateUniform(tracks))
    var tiles = BatchWork.Tiles()
    (tiles.uniform, tiles.laneWise) = (uniformTiles, springTiles - uniformTiles)
    tiles.following = tracks.frame.count(of: .following)
    (tiles.clips, tiles.pieces) = (tracks.frame.ownClipTiles, tracks.frame.count(of: .pieces))
    tracks.frame.forEachRun(of: .curves) { run in
      tiles.effects += run.count
      for tile in run where !standsUnderEffects(tile) { tiles.effectsOnSprings += 1 }
    }
    tiles.laneWise += tiles.effectsOnSprings
    return bytes(of: tiles, velocities: velocities)
  }

  // MARK: - Ends

  /// Whether the motion of a track had come to its end in the last frame.
  package func isOver(_ index: Int) -> Bool {
    let kind = tracks.tiles.kind(at: index)
    if phases.playerCount > 0, let isDone = phases.isDone(index) { return isDone && isAtRest(index) }
    if kind.isClip {
      return clips.columns.states[index].mode != .idle && clips.columns.states[index].completionIsReported
    }
    return kind != .still && kind != .following && isAtRest(index)
  }

  /// Whether a track was at rest in the last frame: at its target, or at a value of its clip that does not change.
  package func isAtRest(_ index: Int) -> Bool {
    let kind = tracks.tiles.kind(at: index)
    if kind == .called { return called[index].isOver }
    if kind.isClip { return clips.tiles.moving[index / laneCountOfTile] & TileStore.bit(index) == 0 }
    if kind == .curves { return curves.isOver(index) }
    if kind == .following { return follows.isAtRest(index) }
    if kind == .still { return pauses.isEmpty || !pauses.contains(index) }
    return springs.isAtRest(index)
  }

  /// When the spring of a track comes to rest, or its curve ends; nil for other motions.
  package func restTime(at index: Int) -> Double? {
    let kind = tracks.tiles.kind(at: index)
    if kind == .curves { return curves.end(at: index) }
    guard kind == .spring else { return nil }
    let time = springs.restTime(at: index)
    return time <= 2 * BatchLimits.maximumTime ? time : .infinity
  }

  /// Changes the tolerances of rest, for motions under way too.
  package mutating func setRestTolerance(_ tolerance: RestTolerances) {
    springs.setTolerance(tolerance, tracks)
    record { _ in BatchCall(.setRestTolerance(tolerance)) }
  }
}
