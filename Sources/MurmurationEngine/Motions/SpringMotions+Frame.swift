// SPDX-License-Identifier: MIT
import CProcessor
import Kernels

// The part of a frame that springs need besides kernels: reports of the tracks that completed or came to rest.
extension SpringMotions {
  /// Whether a tile of springs need not be evaluated.
  func rests(_ tile: Int, _ tracks: borrowing TrackStore) -> Bool {
    tracks.tiles.moving[tile] == 0 || watch.isAsleep(tile)
  }

  /// About the number of planned tiles whose lanes have one spring and start.
  func estimateUniform(_ plan: FramePlan) -> Int {
    var count = 0
    plan.forEachRun(ofFamily: .spring) { count += watch.estimateUniform($0) }
    return count
  }

  /// Reports the completions that a frame found in tiles of springs, and returns the number of lanes that fell asleep.
  mutating func report(
    _ plan: FramePlan, at time: Double, _ tracks: borrowing TrackStore,
    _ marked: inout [(tile: Int32, mark: SpringWatch.Mark)], _ events: inout EventList
  ) -> Int {
    guard time >= watch.soonest else { return 0 }
    marked.clear()
    plan.forEachRunOfSprings { watch.takeMarks(in: $0, &marked) }
    // While tracks complete in each frame, a search for the next moment would not pay.
    if marked.isEmpty { watch.findSoonest(plan) }
    // The marked tiles lie scattered, and their rows were not read for many frames.
    for (tile, _) in marked {
      tracks.columns.change.prefetch(Int(tile) * laneCountOfTile)
    }
    var fallenAsleep = 0
    for (tile, mark) in marked {
      if mark.contains(.completed) { report(Int(tile), tracks, &events) }
      if mark.contains(.fellAsleep) { fallenAsleep += laneCountOfTile }
    }
    return fallenAsleep
  }

  private func report(_ tile: Int, _ tracks: borrowing TrackStore, _ events: inout EventList) {
    @inline(__always)
    func report(_ kind: AnimationEvent.Kind, _ lanes: UInt16, age: (_ row: Int) -> Float) {
      lanes.forEachLane { lane in
        let row = tile * laneCountOfTile + lane
        let moment = columns.start[row] + Double(age(row))
        events.append(kind, row: row, tracks.columns.change[row], at: moment)
      }
    }
    report(.logicallyComplete, watch.found[tile].logical) { min(columns.logicalAge[$0], columns.restAge[$0]) }
    report(.settled, watch.found[tile].settled) { columns.restAge[$0] }
  }
}
