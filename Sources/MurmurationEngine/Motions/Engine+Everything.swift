// SPDX-License-Identifier: MIT
import CProcessor
import Kernels

// Calls about every track, in place: all tracks may follow a pointer, frame after frame.
extension Engine {
  /// Sends every track to a goal, by index. Tracks that head for their goals already are left alone.
  mutating func animateAll(_ goals: InputValues, _ given: GivenSprings) throws(BatchError) -> UInt32 {
    try BatchError.check(goals.count, of: "goals", expected: tracks.indexCount)
    try goals.check("goal")
    // Some motions have to be left.
    if !pauses.isEmpty || follows.count > 0 || phases.playerCount > 0 || curves.latestStart == time {
      try pick(.all)
      return animatePicked(goals, given)
    }
    guard tracks.count > 0 else { return nextChange() }
    try reserveMemory(0, for: .springs)
    computeAllVelocities()
    waiting.removeAll()
    let change = nextChange()
    var tile = 0
    while tile < tracks.tiles.end {
      // Few tiles at a time, whose goals stay in the first cache.
      let tiles = (tile..<min(tile + goals.tilesAtOnce, tracks.tiles.end)).prefix { tracks.tiles.live[$0] == .max }
      if tiles.isEmpty {
        setOut(tile, given, goals, change)
      } else {
        let first = tile * laneCountOfTile
        goals.withPlanes(of: first..<first + tiles.count * laneCountOfTile) {
          send(tile..<tile + tiles.count, $0, given.from(first), change)
        }
      }
      tile += max(1, tiles.count)
    }
    return change
  }

  /// Sends the tracks of full neighbouring tiles to consecutive goals.
  private mutating func send(
    _ tiles: Range<Int>, _ goals: InputValues, _ given: GivenSprings, _ change: UInt32
  ) {
    var first = tiles.lowerBound
    while first < tiles.upperBound {
      let position = (first - tiles.lowerBound) * laneCountOfTile
      let count = goals.withColumns(of: position..<goals.count) { goals, stride in
        let targets = tracks.columns.target + first * laneCountOfTile
        return unsafe lanes_first_equal(
          goals.address, stride, targets.address, tracks.columns.dimensionStride, dimensions, tiles.upperBound - first)
      }
      restart(first..<first + count, given, goals, from: position, change)
      first += count
      guard first < tiles.upperBound else { return }
      let start = position + count * laneCountOfTile
      (~lanesHeading(for: goals, from: start, first)).forEachLane { lane in
        let (index, goal) = (first * laneCountOfTile + lane, start + lane)
        setOut(index, coefficients(given, index, goal), at: time, change) { goals[goal, $0] }
      }
      first += 1
    }
  }

  /// Sends the tracks of a tile with gaps to the goals of their indices, one by one.
  private mutating func setOut(_ tile: Int, _ given: GivenSprings, _ goals: InputValues, _ change: UInt32) {
    tracks.tiles.live[tile].forEachLane { lane in
      let index = tile * laneCountOfTile + lane
      if !headsFor(index, { goals[index, $0] }) {
        setOut(index, coefficients(given, index, index), at: time, change) { goals[index, $0] }
      }
    }
  }
}
