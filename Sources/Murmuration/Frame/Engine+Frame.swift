// SPDX-License-Identifier: MIT
import Kernels

/// What frames keep from one to the next, so that none allocates.
struct FrameState {
  /// What the runs of a frame cost, summed up.
  var costs: [Int] = []
  /// The mixed tiles of which a frame has found something.
  var marked: [(tile: Int32, mark: SpringWatch.Mark)] = []
  /// The tiles that a call about every track goes through.
  var tileRuns = TileRuns()
  /// Lanes of planned tiles whose tracks have come to rest.
  var restingLanes = 0
  var workers: WorkerPool?
  var parallelCost = ParallelCost()

  /// The least costs, in tiles of a cohort, that are worth being shared among threads. Such a tile takes 1.6 ns.
  struct ParallelCost {
    /// While the others watch for work, as those of batches that advance one after the other do: 20 µs.
    var watching = 12_000
    /// Where they have to be woken first, which was measured to cost the caller 30 µs: 100 µs.
    var asleep = 60_000
  }

  /// Threads that frames may use, the caller's included.
  var threadCount: Int {
    get { workers?.count ?? 1 }
    set {
      let count = min(max(1, newValue), 64)
      if count != threadCount { workers = count > 1 ? WorkerPool(count: count) : nil }
    }
  }

  /// The workers, if it is worth waking them for a frame of a cost.
  func workersWorthWaking(for cost: Int) -> WorkerPool? {
    guard let workers else { return nil }
    return cost >= (workers.areAsleep ? parallelCost.asleep : parallelCost.watching) ? workers : nil
  }
}

extension Engine {
  // MARK: - Time

  /// Evaluates every track at a time, and reports what completed on the way.
  ///
  /// - Throws: ``BatchError/invalidTime(_:)`` or ``BatchError/timeBeforeStart(time:start:)``.
  mutating func advance(to seconds: Double, velocities: Bool) throws(BatchError) {
    try evaluate(at: seconds, velocities: velocities)
    clock.forgetLoss()
  }

  /// Moves the clock by a number of seconds, and evaluates every track.
  mutating func advance(by seconds: Double, velocities: Bool) throws(BatchError) {
    let next = try clock.after(seconds)
    try evaluate(at: next.time, velocities: velocities)
    clock = next
  }

  private mutating func check(time seconds: Double) throws(BatchError) {
    guard abs(seconds) <= BatchLimits.maximumTime else { throw .invalidTime(seconds) }
    var start = called.latestChange
    if seconds < springs.latestStart, springs.isMapped { start = max(start, springs.latestLiveStart(tracks)) }
    if seconds < clips.latestChange, clips.isMapped { start = max(start, clips.latestLiveChange(tracks)) }
    if seconds < curves.latestStart, curves.isMapped { start = max(start, curves.latestLiveStart(tracks)) }
    if seconds < phases.latestStep { start = max(start, phases.latestLiveStep()) }
    guard seconds >= start else { throw .timeBeforeStart(time: seconds, start: start) }
  }

  private mutating func evaluate(at seconds: Double, velocities wanted: Bool) throws(BatchError) {
    try check(time: seconds)
    try prepareSteps(until: seconds)
    events.begin()
    if seconds == time, phases.dueCount == 0 {
      showChanges()
      for slot in called.slots { called.report(Int(slot), until: time, &events) }
      if wanted { computeAllVelocities() }
      return events.finish(tracks.slots)
    }
    if seconds < time, springs.isMapped { springs.wakeAll(tracks) }
    try startWaiting(until: seconds)
    takeSteps(until: seconds)
    clock.time = seconds
    if clips.isMapped { clips.placeDue(at: seconds, tracks, &events) }
    if curves.isMapped { curves.placeDue(at: seconds, tracks, &events) }
    replanIfStale(isFrame: true)
    velocities.begin(frameHasThem: wanted, tiles: tracks.tiles.capacity)
    called.show(at: time, tracks, &events)
    var fellAsleep = SpringMotions.FallenAsleep()
    if springs.isMapped { fellAsleep = springs.updateCohorts(at: seconds, plan, tracks, &events) }
    run(velocities: wanted, sharedVelocities: fellAsleep.shared)
    clips.finishFrame(velocities: wanted, tracks)
    curves.finishFrame(velocities: wanted, tracks)
    frames.restingLanes += springs.reportMixedTiles(plan, tracks, &frames.marked, &events)
    events.finish(tracks.slots)
    if fellAsleep.any { frames.restingLanes += springs.putCohortsToSleep(at: seconds) }
    // Evaluated again, a tile that rests shows the same; so such tiles are left out when they have become many.
    if frames.restingLanes * 8 > plan.familyTiles * laneCountOfTile { springs.planIsStale = true }
    if clips.tiles.stillCount * 8 > plan.clipTiles { clips.tiles.planIsStale = true }
    if curves.tiles.stillCount * 8 > plan.curveTiles { curves.tiles.planIsStale = true }
  }

  /// Shows what calls have changed of clips and curves since the frame of the current time.
  private mutating func showChanges() {
    let (clipsChanged, curvesChanged) = (clips.tiles.hasChanges, curves.tiles.hasChanges)
    guard clipsChanged || curvesChanged else { return }
    if clipsChanged { clips.placeDue(at: time, tracks, &events) }
    if curvesChanged { curves.placeDue(at: time, tracks, &events) }
    replanIfStale(isFrame: true)
    if clipsChanged {
      for run in plan.runs where run.kind.isClip {
        for tile in run.tiles { velocities.forget(tile) }
      }
      work(velocities: velocities.areComplete).evaluateClips { $0.isClip }
      clips.finishFrame(velocities: velocities.areComplete, tracks)
    }
    // The velocity of a curve that has just begun shows with the next frame: what replaces it takes over what was shown.
    if curvesChanged {
      work(velocities: false).evaluateClips { $0.isCurve }
      curves.finishFrame(velocities: false, tracks)
    }
  }

  /// Makes the plan anew if tiles changed.
  ///
  /// - Parameter isFrame: See ``FramePlan/rebuild(_:_:_:isFrame:)``.
  mutating func replanIfStale(isFrame: Bool = false) {
    guard !plan.isCurrent(tracks, springs, clips, curves) else { return }
    tracks.releaseEmptyTiles()
    plan.rebuild(&tracks, &springs, &clips, &curves, isFrame: isFrame)
    if plan.hasSparseCohorts {
      packSparseCohorts()
      plan.rebuild(&tracks, &springs, &clips, &curves, isFrame: isFrame)
    }
    frames.restingLanes = 0
  }

  // MARK: - Kernels

  /// Looks at the mixed tiles that are due, and runs the kernels that the plan says.
  private mutating func run(velocities: Bool, sharedVelocities: Bool) {
    var work = work(velocities: velocities)
    work.sharedVelocities = sharedVelocities
    guard work.cost > 0 else { return }
    guard springs.isMapped else { return Self.execute(&work, frames.workersWorthWaking(for: work.cost * dimensions)) }
    let workers = frames.workersWorthWaking(for: work.cost * dimensions)
    springs.watch.withLoan(tracks.tiles.live) { watch in
      work.watch = watch
      Self.execute(&work, workers)
    }
  }

  /// Runs the kernels of the last frame again, and nothing else: what a benchmark compares a whole frame with.
  mutating func runKernels(velocities: Bool) {
    var work = work(velocities: velocities)
    if work.cost > 0 { Self.execute(&work, frames.workersWorthWaking(for: work.cost * dimensions)) }
  }

  private mutating func work(velocities: Bool) -> FrameWork {
    FrameWork.sumCosts(of: plan.runs, springs.cohorts, into: &frames.costs)
    return unsafe FrameWork(
      table: table, springs: springs.isMapped ? springs.columns : nil,
      clips: clips.isMapped ? clips.columns.kernel : nil,
      curves: curves.isMapped ? curves.columns.kernel : nil,
      clipTables: clips.library.tables.withUnsafeBufferPointer { $0.baseAddress },
      curveTables: curves.library.tables.withUnsafeBufferPointer { $0.baseAddress }, slot: tracks.columns.slot,
      runs: plan.runs, costs: frames.costs,
      cohorts: springs.cohorts, time: time, velocities: velocities,
      stores: .init(touching: bytesPerFrame(velocities: velocities)), tolerance: springs.tolerance.kernel)
  }

  /// Enough for a worker that wakes late to take its share of what is left, and few enough for runs of many tiles.
  private static let partsPerWorker = 16

  private static func execute(_ work: inout FrameWork, _ workers: WorkerPool?) {
    guard let workers else {
      work.evaluate(part: 0, of: 1)
      return
    }
    unsafe withUnsafeMutablePointer(to: &work) { work in
      unsafe workers.run(work, parts: partsPerWorker * workers.count) { work, index, count in
        unsafe work.assumingMemoryBound(to: FrameWork.self).pointee.evaluate(part: index, of: count)
      }
    }
  }

  /// The bytes that the kernels read and write for a frame.
  func bytesPerFrame(velocities: Bool) -> Int {
    var bytes = 0
    for run in plan.runs {
      let lanes = run.tiles.count * laneCountOfTile
      if run.kind.isMixed {
        bytes += lanes * Traffic.mixed(dimensions: dimensions, velocities: velocities)
      } else if run.kind.isClip {
        bytes += lanes * Traffic.clips(dimensions: dimensions, velocities: velocities, varies: false)
      } else if run.kind.isCurve {
        bytes += lanes * Traffic.clips(dimensions: dimensions, velocities: velocities, varies: true)
      } else if let cohort = run.kind.cohort {
        if !springs.cohorts[cohort].isAsleep {
          bytes += lanes * Traffic.cohort(dimensions: dimensions, velocities: velocities)
        }
      } else {
        bytes += lanes * Traffic.shared(dimensions: dimensions, velocities: velocities)
      }
    }
    return bytes
  }

  // MARK: - Velocities

  /// Computes the velocities of the current time, where the last frame left them out.
  mutating func computeAllVelocities() {
    guard !velocities.areComplete else { return }
    for tile in 0..<tracks.tiles.end { computeVelocities(ofTile: tile) }
    velocities.complete()
  }

  /// Computes the velocity of a row, where the last frame left velocities out.
  @inline(__always)
  mutating func computeVelocity(ofRow row: Int) {
    if !velocities.areComplete, velocities.current(row / laneCountOfTile) & TileStore.bit(row) == 0 {
      computeVelocities(ofTile: row / laneCountOfTile)
    }
  }

  private mutating func computeVelocities(ofTile tile: Int) {
    let missing = tracks.tiles.live[tile] & ~velocities.current(tile)
    guard missing != 0, isEvaluated(tile) else { return }
    unsafe withVelocities(ofTile: tile) { computed in
      missing.forEachLane { lane in
        for dimension in 0..<dimensions {
          unsafe tracks.columns.velocity[tracks.element(tile * laneCountOfTile + lane, dimension)] =
            computed[dimension * laneCountOfTile + lane]
        }
      }
    }
    velocities.markAll(ofTile: tile)
  }

  /// Whether kernels compute the velocities of a tile.
  private func isEvaluated(_ tile: Int) -> Bool {
    let kind = tracks.tiles.kinds[tile]
    return kind.isSpring || kind.isClip && clips.tiles.isPlanned[tile] || kind.isCurve && curves.tiles.isPlanned[tile]
  }

  /// Lends the velocities of a tile at the current time, computed by the kernel of the frame: dimension 0 of all lanes, then dimension 1, … Rows whose motion began at this very time have theirs in the columns instead.
  func withVelocities<Result>(ofTile tile: Int, _ body: (UnsafePointer<Float>) -> Result) -> Result {
    let count = laneCountOfTile * dimensions
    return unsafe withUnsafeTemporaryAllocation(byteCount: 12 * count, alignment: 64) { memory in
      let start = unsafe memory.bindMemory(to: Float.self).baseAddress.unsafelyUnwrapped
      let row = tile * laneCountOfTile
      // The kernel finds its rows behind these as behind the columns.
      let (value, velocity) = unsafe (start + count - row, start + 2 * count - row)
      let kind = tracks.tiles.kinds[tile]
      if kind.isClip || kind.isCurve {
        var columns = kind.isClip ? clips.columns.kernel : curves.columns.kernel
        unsafe (columns.value, columns.velocity) = (value, velocity)
        columns.dimensionStride = laneCountOfTile
        evaluate(clip: kind, tile, columns)
        let own = kind.isClip ? clips.tiles.own[tile] : curves.tiles.own[tile]
        own.forEachLane { lane in
          for dimension in 0..<dimensions { unsafe start[2 * count + dimension * laneCountOfTile + lane] = 0 }
        }
      } else {
        var columns = springs.columns
        for dimension in 0..<dimensions {
          unsafe (start + dimension * laneCountOfTile).update(
            from: columns.target + tracks.element(row, dimension), count: laneCountOfTile)
        }
        unsafe (columns.target, columns.value, columns.velocity) = (start - row, value, velocity)
        columns.dimensionStride = laneCountOfTile
        evaluate(springs: tile, columns)
      }
      return unsafe body(start + 2 * count)
    }
  }

  /// Lends the velocity of a row at the current time, by component.
  func withVelocity<Result>(ofRow row: Int, _ body: ((Int) -> Float) -> Result) -> Result {
    let (tile, lane) = (row / laneCountOfTile, row % laneCountOfTile)
    if isEvaluated(tile), velocities.current(tile) & TileStore.bit(row) == 0 {
      return unsafe withVelocities(ofTile: tile) { computed in
        body { unsafe computed[$0 * laneCountOfTile + lane] }
      }
    }
    return body { unsafe tracks.columns.velocity[tracks.element(row, $0)] }
  }

  /// Whether a motion of a row came to its end in the last frame or before.
  func isOver(_ row: Int) -> Bool {
    let kind = tracks.tiles.kind(ofRow: row)
    if phases.playerCount > 0, let isDone = phases.isDone(tracks.slot(ofRow: row)) { return isDone && isAtRest(row) }
    if kind.isClip {
      return unsafe clips.columns.states[row].mode != .idle && clips.columns.states[row].completionIsReported
    }
    return kind != .still && isAtRest(row)
  }

  /// Whether a row showed its target and no velocity in the last frame.
  func isAtRest(_ row: Int) -> Bool {
    let kind = tracks.tiles.kind(ofRow: row)
    if kind == .called { return called[tracks.slot(ofRow: row)].isOver }
    if kind.isClip { return clips.tiles.moving[row / laneCountOfTile] & TileStore.bit(row) == 0 }
    if kind.isCurve { return curves.isOver(row) }
    return kind == .still || springs.isAtRest(row, tracks)
  }

  private func evaluate(clip kind: MotionKind, _ tile: Int, _ columns: PlaybackColumns) {
    let run = ClipRun(
      firstLane: tile * laneCountOfTile, laneCount: laneCountOfTile, clip: kind.clip ?? kind.curve ?? ClipRun.mixed)
    let tables = kind.isCurve ? curves.library.tables : clips.library.tables
    unsafe tables.withUnsafeBufferPointer { tables in
      unsafe withUnsafePointer(to: run) { run in
        unsafe table.evaluateClips(
          columns, UnsafeBufferPointer(start: run, count: 1), tables.baseAddress.unsafelyUnwrapped, time, true)
      }
    }
  }

  private func evaluate(springs tile: Int, _ columns: SpringColumns) {
    let run = LaneRun(firstLane: tile * laneCountOfTile, laneCount: laneCountOfTile)
    let kind = tracks.tiles.kinds[tile]
    if kind == .overdamped {
      table.evaluateOverdamped(columns, run, time, true)
    } else if kind == .oscillating {
      table.evaluateOscillating(columns, run, time, true)
    } else if let cohort = kind.cohort {
      table.evaluateCohort(columns, run, springs.cohorts.bases[cohort], true)
    } else {
      unsafe springs.cohorts.bases.withUnsafeBufferPointer { bases in
        unsafe table.evaluateShared(columns, run, bases.baseAddress.unsafelyUnwrapped, true)
      }
    }
  }
}
