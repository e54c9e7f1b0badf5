// SPDX-License-Identifier: MIT
import Kernels

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
  /// Lanes that follow a cohort, and lanes that compute their own basis.
  private(set) var cohortLanes = 0
  private(set) var mixedLanes = 0
  /// For each group, the step that the next tile may extend.
  private var openSteps: [Int] = []

  /// Plans the first `rowCount` rows of a group column that knows `groupCount` groups.
  ///
  /// - Complexity: O(rows); no allocation once as many steps were planned before.
  mutating func rebuild(groups: UnsafePointer<Int32>, rowCount: Int, groupCount: Int) {
    steps.removeAll(keepingCapacity: true)
    cohortLanes = 0
    mixedLanes = 0
    openSteps.removeAll(keepingCapacity: true)
    openSteps.append(contentsOf: repeatElement(-1, count: groupCount))
    for firstLane in stride(from: 0, to: rowCount, by: laneCountOfTile) {
      let tile = unsafe UnsafeRawPointer(groups + firstLane).loadUnaligned(as: SIMD16<Int32>.self)
      if let group = Self.onlyGroup(in: tile) {
        if group != LaneGroup.free {
          extend(group: group, firstLane: firstLane, masked: false)
          count(group, lanes: laneCountOfTile)
        }
      } else {
        // Lanes that repeat the last two groups met need no second look; tiles rarely hold more.
        var last = LaneGroup.free
        var lastButOne = LaneGroup.free
        for lane in 0..<laneCountOfTile {
          let group = tile[lane]
          count(group, lanes: 1)
          if group != LaneGroup.free, group != last, group != lastButOne {
            extend(group: group, firstLane: firstLane, masked: true)
            (last, lastButOne) = (group, last)
          }
        }
      }
    }
  }

  private mutating func count(_ group: Int32, lanes: Int) {
    if group >= LaneGroup.firstCohort {
      cohortLanes += lanes
    } else if group != LaneGroup.free {
      mixedLanes += lanes
    }
  }

  /// The bytes that one frame reads and writes.
  func traffic(dimensions: Int, velocities: Bool) -> Int {
    cohortLanes * Traffic.cohort(dimensions: dimensions, velocities: velocities)
      + mixedLanes * Traffic.mixed(dimensions: dimensions, velocities: velocities)
  }

  /// The group of all live lanes of a tile, ``LaneGroup/free`` if there are none, or nil if there are several groups.
  private static func onlyGroup(in tile: SIMD16<Int32>) -> Int32? {
    let differences = tile ^ SIMD16(repeating: tile[0])
    let eight = differences.lowHalf | differences.highHalf
    let four = eight.lowHalf | eight.highHalf
    if four.x | four.y | four.z | four.w == 0 {
      return tile[0]
    }
    var only = LaneGroup.free
    for lane in 0..<laneCountOfTile where tile[lane] != LaneGroup.free {
      if only == LaneGroup.free {
        only = tile[lane]
      } else if tile[lane] != only {
        return nil
      }
    }
    return only
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
