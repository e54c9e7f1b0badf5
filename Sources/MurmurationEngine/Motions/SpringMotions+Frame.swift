// SPDX-License-Identifier: MIT
import CProcessor
import Kernels

// The part of a frame that springs need besides kernels: reports of the tracks that completed or came to rest.
extension SpringMotions {
  /// Whether a tile of springs need not be evaluated.
  func rests(_ tile: Int, _ tracks: borrowing TrackStore) -> Bool {
    tracks.tiles.moving[tile] == 0 || watch.isAsleep(tile)
  }

  /// About the number of tiles of springs that frames evaluate whose lanes have one spring and start, from some of them.
  func estimateUniform(_ tracks: borrowing TrackStore) -> Int {
    let tiles = tracks.frame.count(of: .spring)
    guard tiles > 0 else { return 0 }
    var (seen, uniform) = (0, 0)
    for tile in stride(from: 0, to: tracks.tiles.end, by: max(1, tracks.tiles.end / 32)) {
      guard tracks.frame.kinds[tile] == .spring else { continue }
      seen += 1
      if watch.isUniform(tile) { uniform += 1 }
    }
    return seen == 0 ? 0 : tiles * uniform / seen
  }

  /// Reports the completions that a frame found in tiles of springs.
  mutating func report(
    at time: Double, _ tracks: borrowing TrackStore,
    _ marked: inout [(tile: Int32, mark: SpringWatch.Mark)], _ events: inout EventList
  ) {
    guard time >= watch.soonest else { return }
    marked.clear()
    tracks.frame.forEachRunOfSprings { watch.takeMarks(in: $0, &marked) }
    // While tracks complete in each frame, a search for the next moment would not pay.
    if marked.isEmpty { watch.findSoonest(tracks.frame) }
    // The marked tiles lie scattered, and their columns were not read for many frames.
    for (tile, _) in marked {
      tracks.columns.change.prefetch(Int(tile) * laneCountOfTile)
    }
    for (tile, mark) in marked {
      if mark.contains(.completed) { report(Int(tile), tracks, &events) }
      if mark.contains(.fellAsleep) { tracks.frame.mark(Int(tile)) }
    }
  }

  private func report(_ tile: Int, _ tracks: borrowing TrackStore, _ events: inout EventList) {
    @inline(__always)
    func report(_ kind: AnimationEvent.Kind, _ lanes: UInt16, age: (_ index: Int) -> Float) {
      lanes.forEachLane { lane in
        let index = tile * laneCountOfTile + lane
        let moment = columns.start[index] + Double(age(index))
        events.append(kind, index: index, tracks.columns.change[index], at: moment)
      }
    }
    report(.logicallyComplete, watch.found[tile].logical) { min(columns.logicalAge[$0], columns.restAge[$0]) }
    report(.settled, watch.found[tile].settled) { columns.restAge[$0] }
  }
}
