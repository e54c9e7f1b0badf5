// SPDX-License-Identifier: MIT
import CProcessor
import Kernels
import Synchronization

/// A frame to evaluate, in parts that workers take. It is lent to them until all parts are done.
@safe
struct FrameWork: ~Copyable {
  /// The engine. It stays where it is during the frame, and nothing of it changes but what kernels write and what
  /// `watch` lends. By its address no array of it is counted up and down.
  private let address: UnsafePointer<Engine>
  /// Kept here, as it would be counted up and down around each run of a kernel otherwise, and counting waits until the
  /// stores of that run are done.
  let table: KernelTable
  let velocities: Bool
  let stores: LaneRun.Stores
  /// The watch of springs; nil if there are none.
  var watch: SpringWatch.Loan?
  /// Whether time passed: due springs are looked at before they are evaluated, and followers take a step.
  let timePassed: Bool
  private let news = Atomic(false)
  private let lookedAtCount = Atomic(0)
  private let computedEndCount = Atomic(0)

  init(_ engine: UnsafePointer<Engine>, velocities: Bool, stores: LaneRun.Stores, timePassed: Bool) {
    unsafe (address, table) = (engine, engine.pointee.table)
    self.velocities = velocities
    self.stores = stores
    self.timePassed = timePassed
  }

  /// Whether followers arrived or lost their goals.
  var followersHaveNews: Bool { news.load(ordering: .relaxed) }

  /// Notes that followers arrived or lost their goals. Several workers may.
  func noteNewsOfFollowers() { news.store(true, ordering: .relaxed) }

  /// The tracks with springs of tiles that were looked at, and those whose ends were computed.
  var lookedAt: Int { lookedAtCount.load(ordering: .relaxed) }
  var computedEnds: Int { computedEndCount.load(ordering: .relaxed) }

  /// Notes a look at tiles. Several workers may.
  func noteLook(at tiles: Range<Int>) { lookedAtCount.wrappingAdd(springs(in: tiles), ordering: .relaxed) }

  /// Notes that the ends of tiles were computed. Several workers may.
  func noteEnds(of tiles: Range<Int>) { computedEndCount.wrappingAdd(springs(in: tiles), ordering: .relaxed) }

  private func springs(in tiles: Range<Int>) -> Int {
    tiles.reduce(0) { $0 + engine.tracks.tiles.moving[$1].nonzeroBitCount }
  }

  var engine: Engine { unsafeAddress { unsafe address } }
  var time: Double { engine.time }
  /// The columns of springs; there must be springs.
  var columns: SpringColumns { engine.springs.columns }

  /// The sum of the runs' costs.
  var cost: Int { engine.frames.costs.last ?? 0 }

  /// The rough cost of a run, in uniform tiles. The costs are estimates: they decide only whether threads share a frame,
  /// and how evenly.
  static func cost(_ run: FrameTiles.Run, perSpring: Int, perSum: Int) -> Int {
    if run.kind == .spring { return perSpring * run.tiles.count }
    return (run.kind == .curves ? perSum : 4) * run.tiles.count
  }

  /// Evaluates part `index` of `count`: tiles of about an equal share of the cost. Where a frame is cut changes no bit.
  func evaluate(part index: Int, of count: Int) {
    if engine.areRotations { return evaluateRotations(part: index, of: count) }
    if count == 1 { evaluateAll() } else { evaluateRuns(ofPart: index, of: count) }
    if stores != .ordinary { table.fence() }
  }

  /// Evaluates a part of a frame of rotations, and shows them while their offsets are in the caches. Runs are long, as each
  /// starts eleven streams of memory anew.
  private func evaluateRotations(part index: Int, of count: Int) {
    let tilesAtOnce = 8192
    func evaluate(_ kind: MotionKind, _ tiles: Range<Int>) {
      var first = tiles.lowerBound
      while first < tiles.upperBound {
        let some = first..<min(first + tilesAtOnce, tiles.upperBound)
        withGatheredRuns { self.evaluate(kind, some, &$0) }
        engine.showRotations(some)
        first = some.upperBound
      }
    }
    if count == 1 {
      engine.tracks.frame.forEachRun { evaluate($0.kind, $0.tiles) }
    } else {
      forEachRun(ofPart: index, of: count) { evaluate($0, $1) }
    }
  }

  private func evaluateAll() {
    guard engine.clips.isMapped || engine.tracks.frame.isScattered else {
      return engine.tracks.frame.forEachRun { evaluate($0.kind, $0.tiles) }
    }
    withGatheredRuns { gathered in
      if engine.tracks.frame.isScattered, engine.springs.isMapped { return evaluateScattered(&gathered) }
      engine.tracks.frame.forEachRun { evaluate($0.kind, $0.tiles, &gathered) }
    }
  }

  /// Evaluates runs whose memory is asked for some runs ahead.
  private func evaluateScattered(_ gathered: inout GatheredRuns) {
    var ahead = InlineArray<8, FrameTiles.Run>(repeating: FrameTiles.Run(kind: .still, tiles: 0..<0))
    var (found, done, runs) = (0, 0, FrameTiles.Runs(engine.tracks.frame))
    while true {
      while found - done < ahead.count, let run = runs.next() {
        engine.springs.prefetch(tile: run.tiles.lowerBound)
        ahead[found % ahead.count] = run
        found += 1
      }
      guard done < found else { return }
      let run = ahead[done % ahead.count]
      evaluate(run.kind, run.tiles, &gathered)
      done += 1
    }
  }

  private func evaluateRuns(ofPart index: Int, of count: Int) {
    withGatheredRuns { gathered in
      forEachRun(ofPart: index, of: count) { kind, tiles in evaluate(kind, tiles, &gathered) }
    }
  }

  /// Evaluates tiles of one kind, or gathers them if they play clips.
  @inline(__always)
  private func evaluate(_ kind: MotionKind, _ tiles: Range<Int>, _ gathered: inout GatheredRuns) {
    if let run = ClipRun(kind, tiles) {
      gather(run, &gathered)
    } else {
      evaluate(kind, tiles)
    }
  }

  /// Calls `body` with the tiles of a part, from the first to the last.
  @inline(__always)
  private func forEachRun(ofPart index: Int, of count: Int, _ body: (MotionKind, Range<Int>) -> Void) {
    let (runs, costs) = (engine.frames.runs, engine.frames.costs)
    let (from, to) = (cost * index / count, cost * (index + 1) / count)
    var number = costs.indices.endOfPrefix { costs[$0] <= from }
    var before = number > 0 ? costs[number - 1] : 0
    while number < runs.count, before < to {
      let own = costs[number] - before
      let run = runs[number]
      if before >= from, costs[number] <= to {
        if own > 0 { body(run.kind, run.tiles) }
      } else if own > 0 {
        let perTile = own / run.tiles.count
        // A tile belongs to the part in which its cost begins.
        let first = max(0, (from - before + perTile - 1) / perTile)
        let last = min(run.tiles.count, (to - before + perTile - 1) / perTile)
        if first < last { body(run.kind, run.tiles.lowerBound + first..<run.tiles.lowerBound + last) }
      }
      before = costs[number]
      number += 1
    }
  }

  /// The lanes of some tiles, as kernels take them.
  func lanes(of tiles: Range<Int>) -> LaneRun { LaneRun(tiles, stores: stores) }

  /// Evaluates some tiles of springs or of curves, but for the lanes that the tiles keep, and takes a step of followers.
  func evaluate(_ kind: MotionKind, _ tiles: Range<Int>) {
    if kind == .following {
      if timePassed { follow(tiles) }
      return
    }
    guard engine.tracks.tiles.keptCount > 0 else { return evaluateAll(kind, tiles) }
    let kept = engine.tracks.tiles.kept.column
    var first = tiles.lowerBound
    while first < tiles.upperBound {
      let end = (first..<tiles.upperBound).first { kept[$0] != 0 } ?? tiles.upperBound
      if first < end { evaluateAll(kind, first..<end) }
      if end < tiles.upperBound {
        if kind == .curves || !engine.springs.rests(end, engine.tracks) {
          keep(kept[end], of: end) { evaluateAll(kind, end..<end + 1) }
        }
        evaluateKept(end)
      }
      first = end + 1
    }
  }

  /// Evaluates the clips of a tile, and takes a step of its followers.
  func evaluateKept(_ tile: Int) {
    let (playing, following) = (engine.tracks.tiles.playing[tile], engine.tracks.tiles.following[tile])
    if playing != 0, engine.clips.tiles.isEvaluated[tile] { keep(~playing, of: tile) { evaluateClips(ofTile: tile) } }
    if timePassed, following != 0 { keep(~following, of: tile) { follow(tile..<tile + 1) } }
  }

  /// Calls `body`, which may write any values and velocities to a tile, and gives some lanes back those that they had.
  private func keep(_ kept: UInt16, of tile: Int, _ body: () -> Void) {
    let (dimensions, count) = (engine.dimensions, engine.dimensions * laneCountOfTile)
    let (columns, index) = (engine.tracks.columns, tile * laneCountOfTile)
    let (value, velocity, stride) = (columns.value + index, columns.velocity + index, columns.dimensionStride)
    withTemporaryLines(of: 2 * count) { shown in
      shown.copyTile(dimensions, from: value, every: stride)
      (shown + count).copyTile(dimensions, from: velocity, every: stride)
      body()
      value.writeTile(kept, dimensions, from: shown, to: stride)
      velocity.writeTile(kept, dimensions, from: shown + count, to: stride)
    }
  }

  /// Evaluates all lanes of some tiles.
  private func evaluateAll(_ kind: MotionKind, _ tiles: Range<Int>) {
    if kind == .curves {
      if timePassed, let watch { look(at: tiles, watch) }
      evaluateCurves(tiles)
    } else if let watch {
      if timePassed { evaluate(tiles, watch) } else { evaluate(stretchesOf: tiles, watch) }
    }
  }
}

extension KernelTable {
  /// Evaluates springs.
  ///
  /// - Parameter uniformLane: A lane whose spring and start all lanes have; nil if each has its own.
  func evaluate(_ columns: SpringColumns, _ run: LaneRun, uniformLane: Int?, at time: Double, velocities: Bool) {
    // A function that is chosen first and then called would be counted up and down.
    if let uniformLane {
      evaluateUniform(columns, run, uniformLane, time, velocities)
    } else {
      evaluateMixed(columns, run, time, velocities)
    }
  }
}

extension LaneRun {
  /// The lanes of neighbouring tiles.
  init(_ tiles: Range<Int>, stores: Stores = .ordinary) {
    self.init(
      firstLane: tiles.lowerBound * laneCountOfTile, laneCount: tiles.count * laneCountOfTile, stores: stores)
  }
}

/// Runs of clips that one call of a kernel evaluates. Most runs are short, and each call costs time.
struct GatheredRuns {
  fileprivate let memory: Column<ClipRun>
  fileprivate var count = 0

  /// No runs at first. The memory limits their number.
  init(_ memory: Column<ClipRun>) { self.memory = memory }
}

extension FrameWork {
  /// The number of runs that fit on the stack: beyond 1 024 bytes, temporary memory would be allocated in each frame.
  private static var clipRunsAtOnce: Int { 1024 / MemoryLayout<ClipRun>.stride }

  /// Lends memory for runs of clips, and evaluates those that are left in it.
  @inline(__always)
  func withGatheredRuns(_ body: (inout GatheredRuns) -> Void) {
    unsafe withUnsafeTemporaryAllocation(of: ClipRun.self, capacity: Self.clipRunsAtOnce) { memory in
      var gathered = unsafe GatheredRuns(memory.column.unsafelyUnwrapped)
      body(&gathered)
      evaluate(&gathered)
    }
  }

  /// Gathers a run of a clip, to be evaluated together with others.
  func gather(_ run: ClipRun, _ gathered: inout GatheredRuns) {
    if gathered.count == Self.clipRunsAtOnce { evaluate(&gathered) }
    gathered.memory[gathered.count] = run
    gathered.count += 1
  }

  /// Evaluates the runs that were gathered.
  private func evaluate(_ gathered: inout GatheredRuns) {
    unsafe evaluate(UnsafeBufferPointer(start: gathered.memory.address, count: gathered.count))
    gathered.count = 0
  }

  private func evaluate(_ runs: UnsafeBufferPointer<ClipRun>) {
    guard !runs.isEmpty else { return }
    engine.clips.library.tables.withConstantColumn { tables in
      unsafe table.evaluateClips(engine.clips.kernel, runs, tables, time, velocities)
    }
  }

  /// Evaluates the clips of a tile that has other tracks too.
  func evaluateClips(ofTile tile: Int) {
    guard let run = ClipRun(engine.tracks.tiles.clipKinds[tile], tile..<tile + 1) else { return }
    unsafe withUnsafePointer(to: run) { unsafe evaluate(UnsafeBufferPointer(start: $0, count: 1)) }
  }

  /// Evaluates all runs of clips.
  func evaluateClips() {
    withGatheredRuns { gathered in
      engine.tracks.frame.forEachRun { if let run = ClipRun($0.kind, $0.tiles) { gather(run, &gathered) } }
    }
  }

  /// Evaluates tiles that effects lead, with the springs in them.
  func evaluateCurves(_ tiles: Range<Int>) {
    let columns = engine.curves.sums(engine.tracks, engine.springs)
    engine.curves.library.tables.withConstantColumn { tables in
      columns.evaluate(tiles, at: time, velocities: velocities, table, tables)
    }
  }
}
