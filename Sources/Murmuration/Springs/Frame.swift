// SPDX-License-Identifier: MIT
import Kernels

/// One frame to evaluate, in as many parts as there are workers. Lent to them for its duration.
@safe
struct Frame {
  let table: KernelTable
  let columns: SpringColumns
  /// The index of the track in each row.
  let track: UnsafePointer<UInt32>
  let steps: [EvaluationPlan.Step]
  /// The sum of the steps' costs up to and including each.
  let costs: [Int]
  let cohorts: CohortTable
  let time: Double
  let velocities: Bool
  /// Whether tiles that cohorts share get velocities anyhow.
  var sharedVelocities = false
  let stores: LaneRun.Stores
  let tolerance: RestTolerance
  /// The mixed tiles, where they are to be looked at before they are evaluated.
  var watch: TileWatch?

  /// The sum of the steps' costs.
  var cost: Int { costs.last ?? 0 }

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

  /// Replaces `costs` by the sums of the steps' costs.
  static func sumCosts(of steps: [EvaluationPlan.Step], _ cohorts: CohortTable, into costs: inout [Int]) {
    costs.removeAll(keepingCapacity: true)
    var sum = 0
    for step in steps {
      sum += cost(step, cohorts)
      costs.append(sum)
    }
  }

  /// Evaluates part `index` of `count`: tiles of about an equal share of the cost. Where it is cut changes no bit.
  func evaluate(part index: Int, of count: Int) {
    let from = cost * index / count
    let to = cost * (index + 1) / count
    var place = firstStep(endingAfter: from)
    var before = place > 0 ? costs[place - 1] : 0
    while place < steps.count, before < to {
      let own = costs[place] - before
      if own > 0 {
        let step = steps[place]
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
      before = costs[place]
      place += 1
    }
    if stores != .ordinary {
      table.fence()
    }
  }

  private func firstStep(endingAfter cost: Int) -> Int {
    var (low, high) = (0, costs.count)
    while low < high {
      let middle = (low + high) / 2
      if costs[middle] > cost {
        high = middle
      } else {
        low = middle + 1
      }
    }
    return low
  }

  private func evaluate(_ step: EvaluationPlan.Step) {
    var run = step.run
    run.stores = stores
    switch step.kind {
    case TileKind.oscillating, TileKind.overdamped:
      if let watch {
        evaluate(step, watch)
      } else {
        evaluateMixed(step.kind, run, velocities: velocities)
      }
    case TileKind.shared:
      unsafe cohorts.bases.withUnsafeBufferPointer { bases in
        unsafe table.evaluateShared(
          columns, run, bases.baseAddress.unsafelyUnwrapped, velocities || sharedVelocities)
      }
    default:
      // What falls asleep is not evaluated again, so this time its velocities are written too.
      let place = Int(step.kind - TileKind.firstCohort)
      table.evaluateCohort(columns, run, cohorts.bases[place], velocities || cohorts[place].showsRest)
    }
  }

  func evaluateMixed(_ kind: Int32, _ run: LaneRun, velocities: Bool) {
    if kind == TileKind.overdamped {
      table.evaluateOverdamped(columns, run, time, velocities)
    } else {
      table.evaluateOscillating(columns, run, time, velocities)
    }
  }
}
