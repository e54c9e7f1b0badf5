// SPDX-License-Identifier: MIT
import Kernels

// When motions come to rest.
extension SpringMotions {
  /// When the motion of a row is logically complete and when it is at rest.
  mutating func completion(ofRow row: Int) -> (logicalTime: Double, restTime: Double) {
    // The ages of a tile that a frame has looked at are there, except those that a step of phases made infinite.
    if !watch.knowsAges(ofRow: row) || columns.restAge[row] == .infinity {
      let tile = row / laneCountOfTile
      table.computeRest(columns, LaneRun(tile..<tile + 1), tolerance.kernel)
      watch.noteAges(tile)
    }
    let start = columns.start[row]
    let restTime = start + Double(columns.restAge[row])
    return (min(restTime, start + Double(columns.logicalAge[row])), restTime)
  }

  /// When the motion of a row is at rest; the columns stay as they are.
  func restTime(ofRow row: Int) -> Double {
    let (tile, lane) = (row / laneCountOfTile, row % laneCountOfTile)
    return withRestAges(ofTile: tile) { ages in
      let (start, age) = (columns.start[row], ages[lane])
      let time = start + Double(age)
      // Far from 0 the clock may not have this very moment; then the next moment counts.
      return Float(time - start) < age ? time.nextUp : time
    }
  }

  /// Lends the ages at which the lanes of a tile come to rest, computed anew; the columns stay as they are.
  func withRestAges<Result>(
    ofTile tile: Int, _ body: (ConstantColumn<Float>) -> Result
  ) -> Result {
    withTemporaryLines(of: 2 * laneCountOfTile) { ages in
      var columns = columns
      columns.restAge = ages - tile * laneCountOfTile
      columns.logicalAge = ages + laneCountOfTile - tile * laneCountOfTile
      table.computeRest(columns, LaneRun(tile..<tile + 1), tolerance.kernel)
      return body(ages.constant)
    }
  }

  /// Whether a row of springs was at rest in the last frame.
  func isAtRest(_ row: Int) -> Bool { columns.decay[row].sign == .minus }
}
