// SPDX-License-Identifier: MIT
internal import Kernels

/// Which kernel runs over which tiles: rebuilt when tracks come, go or change their group, reused in between.
///
/// Neighbouring tiles whose tracks all follow one basis become one run. A tile with several groups is walked once
/// for each of them, writing the lanes of that group only; so the arithmetic of a track follows from its own group
/// and never from its neighbours.
struct EvaluationPlan {
  struct Step: Equatable {
    var group: Int32
    var run: LaneRun
  }

  private(set) var steps: [Step] = []
  /// For each group, the step that the next tile may extend.
  private var openSteps: [Int] = []

  /// Plans the first `rowCount` rows of a group column that knows `groupCount` groups.
  ///
  /// - Complexity: O(rows); no allocation once as many steps were planned before.
  mutating func rebuild(groups: UnsafePointer<Int32>, rowCount: Int, groupCount: Int) {
    steps.removeAll(keepingCapacity: true)
    openSteps.removeAll(keepingCapacity: true)
    openSteps.append(contentsOf: repeatElement(-1, count: groupCount))
    for firstLane in stride(from: 0, to: rowCount, by: laneCountOfTile) {
      let tile = unsafe groups + firstLane
      var first = LaneGroup.free
      var uniform = true
      for lane in 0..<laneCountOfTile where unsafe tile[lane] != LaneGroup.free {
        if first == LaneGroup.free {
          first = unsafe tile[lane]
        } else if unsafe tile[lane] != first {
          uniform = false
        }
      }
      if first == LaneGroup.free {
        continue
      }
      if uniform {
        extend(group: first, firstLane: firstLane, masked: false)
      } else {
        for lane in 0..<laneCountOfTile where unsafe tile[lane] != LaneGroup.free {
          extend(group: unsafe tile[lane], firstLane: firstLane, masked: true)
        }
      }
    }
  }

  private mutating func extend(group: Int32, firstLane: Int, masked: Bool) {
    let open = openSteps[Int(group)]
    if open >= 0, (steps[open].run.onlyGroup != nil) == masked {
      let end = steps[open].run.firstLane + steps[open].run.laneCount
      if end == firstLane {
        steps[open].run.laneCount += laneCountOfTile
        return
      }
      if end == firstLane + laneCountOfTile {
        return  // Another lane of this tile was here before.
      }
    }
    openSteps[Int(group)] = steps.count
    steps.append(
      Step(
        group: group,
        run: LaneRun(firstLane: firstLane, laneCount: laneCountOfTile, onlyGroup: masked ? group : nil)))
  }
}
