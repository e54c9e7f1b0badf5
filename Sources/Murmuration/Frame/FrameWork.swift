// SPDX-License-Identifier: MIT
import Kernels

/// A frame to evaluate, in parts that workers take. It is lent to them until all parts are done.
struct FrameWork: ~Copyable {
  let table: KernelTable
  /// The columns of springs; nil without springs.
  let springs: SpringColumns?
  /// The columns of clips and of curves; nil without clips or curves.
  let clips: PlaybackColumns?
  let curves: CurveColumns?
  /// The shapes that rows of curves have.
  let shapes: [CurveShape]
  /// The tables of clips and of curves.
  let clipTables: ConstantColumn<ClipTable>?
  let curveTables: ConstantColumn<ClipTable>?
  /// The slot of the track in each row.
  let slot: ConstantColumn<UInt32>
  let runs: [FramePlan.Run]
  /// The runs of clips, from the first rows to the last.
  let clipRuns: [ClipRun]
  /// For each run, the sum of the costs up to and including it, from the first rows to the last. The sums are up to
  /// date only if there are workers.
  let costs: [Int]
  let cohorts: CohortTable
  let time: Double
  let velocities: Bool
  /// Whether tiles that cohorts share get velocities even if the frame leaves them out.
  var sharedVelocities = false
  let stores: LaneRun.Stores
  let tolerance: RestTolerance
  /// The watch of mixed tiles; nil if they are not looked at before they are evaluated.
  var watch: SpringWatch.Loan?

  /// The columns of springs; there must be springs.
  var columns: SpringColumns { unsafe springs.unsafelyUnwrapped }

  /// The sum of the runs' costs.
  var cost: Int { costs.last ?? 0 }

  /// The rough cost of a run, in tiles of a cohort; 0 if it rests. The costs are estimates: they decide only whether
  /// threads share a frame, and how evenly.
  static func cost(_ run: FramePlan.Run, _ cohorts: CohortTable, _ shapes: [CurveShape]) -> Int {
    if run.kind.isMixed || run.kind.isClip { return 4 * run.tiles.count }
    if let shape = run.kind.curve {
      return 4 * run.tiles.count * (shapes[shape].curves.count + (shapes[shape].under == .still ? 0 : 1))
    }
    if let cohort = run.kind.cohort { return cohorts[cohort].isAsleep ? 0 : run.tiles.count }
    return 8 * run.tiles.count
  }

  /// Replaces `costs` by the sums of the runs' costs.
  static func sumCosts(
    of runs: [FramePlan.Run], _ cohorts: CohortTable, _ shapes: [CurveShape], into costs: inout [Int]
  ) {
    costs.removeAll(keepingCapacity: true)
    var sum = 0
    for run in runs.reversed() {
      sum += cost(run, cohorts, shapes)
      costs.append(sum)
    }
  }

  /// Evaluates part `index` of `count`: tiles of about an equal share of the cost. Where a frame is cut changes no bit.
  func evaluate(part index: Int, of count: Int) {
    if count == 1 { evaluateClips() }
    if count > 1 || clipRuns.count < runs.count { evaluateRuns(ofPart: index, of: count) }
    if stores != .ordinary { table.fence() }
  }

  private func evaluateRuns(ofPart index: Int, of count: Int) {
    unsafe withUnsafeTemporaryAllocation(of: ClipRun.self, capacity: Self.clipRunsAtOnce) { memory in
      var gathered = unsafe GatheredRuns(memory.column.unsafelyUnwrapped)
      forEachRun(ofPart: index, of: count) { kind, tiles in
        if kind.isClip {
          if count > 1 { gather(ClipRun(kind, tiles), &gathered) }
        } else if let shape = kind.curve {
          gather(shapes[shape], tiles, &gathered)
        } else {
          evaluate(kind, tiles)
        }
      }
      evaluate(&gathered)
    }
  }

  /// Calls `body` with the tiles of a part, in the order of their rows: the processor prefetches columns in that order.
  @inline(__always)
  private func forEachRun(ofPart index: Int, of count: Int, _ body: (MotionKind, Range<Int>) -> Void) {
    guard count > 1 else {
      for run in runs.reversed() where Self.cost(run, cohorts, shapes) > 0 { body(run.kind, run.tiles) }
      return
    }
    let (from, to) = (cost * index / count, cost * (index + 1) / count)
    var number = firstRun(endingAfter: from)
    var before = number > 0 ? costs[number - 1] : 0
    while number < runs.count, before < to {
      let own = costs[number] - before
      let run = runs[runs.count - 1 - number]
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

  private func firstRun(endingAfter cost: Int) -> Int {
    var (low, high) = (0, costs.count)
    while low < high {
      let middle = (low + high) / 2
      if costs[middle] > cost { high = middle } else { low = middle + 1 }
    }
    return low
  }

  /// The lanes of some tiles, as kernels take them.
  func lanes(of tiles: Range<Int>) -> LaneRun {
    LaneRun(
      firstLane: tiles.lowerBound * laneCountOfTile, laneCount: tiles.count * laneCountOfTile, stores: stores)
  }

  /// Evaluates some tiles of springs.
  func evaluate(_ kind: MotionKind, _ tiles: Range<Int>) {
    if kind.isMixed {
      if let watch {
        evaluate(kind, tiles, watch)
      } else {
        evaluateMixed(kind, tiles, velocities: velocities)
      }
    } else if let cohort = kind.cohort {
      // A cohort that falls asleep is not evaluated again, so its velocities are written now too.
      table.evaluateCohort(
        columns, lanes(of: tiles), cohorts.bases[cohort], velocities || cohorts[cohort].showsRest)
    } else {
      cohorts.bases.withConstantColumn { bases in
        table.evaluateShared(
          columns, lanes(of: tiles), bases, velocities || sharedVelocities)
      }
    }
  }

  /// Evaluates tiles of springs with starts of their own.
  func evaluateMixed(_ kind: MotionKind, _ tiles: Range<Int>, velocities: Bool) {
    if kind == .overdamped {
      table.evaluateOverdamped(columns, lanes(of: tiles), time, velocities)
    } else {
      table.evaluateOscillating(columns, lanes(of: tiles), time, velocities)
    }
  }
}
