// SPDX-License-Identifier: MIT
import Kernels

/// One frame to evaluate, in as many parts as there are workers. Lent to them for its duration.
struct Frame {
  let table: KernelTable
  let columns: SpringColumns
  let steps: [EvaluationPlan.Step]
  let cohorts: CohortTable
  let time: Double
  let velocities: Bool
  let stores: LaneRun.Stores
  /// The sum of the steps' costs.
  let cost: Int

  /// What a step costs, roughly, in tiles of a cohort; 0 if it rests. Mixed tiles are measured three to four times as slow;
  /// shared ones are an estimate, as only the balance between threads hangs on it.
  static func cost(_ step: EvaluationPlan.Step, _ cohorts: CohortTable) -> Int {
    let tiles = step.run.laneCount / laneCountOfTile
    switch step.kind {
    case TileKind.oscillating, TileKind.overdamped: return 4 * tiles
    case TileKind.shared: return 8 * tiles
    default: return cohorts[Int(step.kind - TileKind.firstCohort)].isAsleep ? 0 : tiles
    }
  }

  /// Evaluates part `index` of `count`: tiles of about an equal share of the cost. Where it is cut changes no bit.
  func evaluate(part index: Int, of count: Int) {
    let from = cost * index / count
    let to = cost * (index + 1) / count
    var before = 0
    for step in steps {
      let own = Self.cost(step, cohorts)
      let after = before + own
      if own > 0, after > from, before < to {
        let tiles = step.run.laneCount / laneCountOfTile
        let perTile = own / tiles
        // A tile belongs to the part in which its cost begins.
        let first = max(0, (from - before + perTile - 1) / perTile)
        let last = min(tiles, (to - before + perTile - 1) / perTile)
        if first < last {
          var part = step
          part.run.firstLane += first * laneCountOfTile
          part.run.laneCount = (last - first) * laneCountOfTile
          evaluate(part)
        }
      }
      before = after
      if before >= to {
        return
      }
    }
  }

  private func evaluate(_ step: EvaluationPlan.Step) {
    var run = step.run
    run.stores = stores
    switch step.kind {
    case TileKind.oscillating: table.evaluateOscillating(columns, run, time, velocities)
    case TileKind.overdamped: table.evaluateOverdamped(columns, run, time, velocities)
    case TileKind.shared:
      unsafe cohorts.bases.withUnsafeBufferPointer { bases in
        unsafe table.evaluateShared(columns, run, bases.baseAddress.unsafelyUnwrapped, velocities)
      }
    default: table.evaluateCohort(columns, run, cohorts.bases[Int(step.kind - TileKind.firstCohort)], velocities)
    }
  }
}

extension SpringBatch {
  /// Threads that ``advance(to:)`` may use, the caller's included: 1…64, others are taken for the nearest. Default 1: no
  /// thread is started unasked.
  ///
  /// The bits do not depend on it. A frame too short to gain from it is evaluated by the caller alone.
  public var threadCount: Int {
    get { workers?.count ?? 1 }
    set {
      let count = min(max(1, newValue), 64)
      if count != threadCount {
        workers = count > 1 ? WorkerPool(count: count) : nil
      }
    }
  }

  /// The least cost, in tiles of a cohort, that is worth waking other threads for: some 20 µs of work.
  static let parallelCost = 12_000

  /// Enough for a worker that wakes late to take its share of what is left, and few enough for runs of many tiles.
  private static let partsPerWorker = 16

  /// Runs the kernels of the last frame again, and nothing else: what a benchmark compares a whole frame with.
  package mutating func runKernels() { run(velocities: computesVelocities) }

  /// Runs the kernels that the plan says.
  mutating func run(velocities: Bool) {
    let cost = plan.steps.reduce(0) { $0 + Frame.cost($1, cohorts) } * dimensions
    guard cost > 0 else {
      return
    }
    var frame = Frame(
      table: table, columns: storage.columns, steps: plan.steps, cohorts: cohorts, time: time, velocities: velocities,
      stores: .init(touching: bytesPerFrame(velocities: velocities)), cost: cost / dimensions)
    if let workers, cost >= Self.parallelCost {
      unsafe withUnsafeMutablePointer(to: &frame) { frame in
        unsafe workers.run(frame, parts: Self.partsPerWorker * workers.count) { frame, index, count in
          unsafe frame.assumingMemoryBound(to: Frame.self).pointee.evaluate(part: index, of: count)
        }
      }
    } else {
      frame.evaluate(part: 0, of: 1)
    }
  }
}
