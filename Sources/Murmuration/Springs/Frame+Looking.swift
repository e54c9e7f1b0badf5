// SPDX-License-Identifier: MIT
import CProcessor
import Kernels

// Mixed tiles have a deadline each, and are looked at when it has passed: lanes that came to rest are marked, and what
// completed is noted. A look needs lines of columns that were not touched for many frames and lines that the kernel needs
// as well; so tiles are looked at by blocks, just before the kernel runs over the block, and the lines for the next block
// are asked for meanwhile.
extension Frame {
  /// Tiles of a block: what a look brings stays in the second cache until the kernel comes.
  private static let tilesPerBlock = 128
  /// Tiles that one call looks at. Room for what they answer, and for the tiles of two blocks, is on the stack up to 1 024
  /// bytes each.
  private static let tilesPerLook = 64

  /// Looks at the tiles of a step that are due, and evaluates all.
  func evaluate(_ step: EvaluationPlan.Step, _ watch: TileWatch) {
    unsafe withUnsafeTemporaryAllocation(of: Int32.self, capacity: 2 * Self.tilesPerBlock) { memory in
      let range = step.tiles
      var due = unsafe memory.baseAddress.unsafelyUnwrapped
      var next = unsafe due + Self.tilesPerBlock
      var block = range.prefix(Self.tilesPerBlock)
      var dueCount = unsafe find(in: block, watch, due)
      while !block.isEmpty {
        let following = (block.endIndex..<range.upperBound).prefix(Self.tilesPerBlock)
        let nextCount = unsafe find(in: following, watch, next)
        unsafe look(at: due, count: dueCount, step.kind, watch)
        if stores != .ordinary {
          evaluateMixed(step.kind, run(of: block.startIndex..<block.endIndex), velocities: velocities)
        }
        unsafe swap(&due, &next)
        (block, dueCount) = (following, nextCount)
      }
      // In the caches all columns are near anyhow, and one call is quicker than several.
      if stores == .ordinary {
        evaluateMixed(step.kind, run(of: range), velocities: velocities)
      }
    }
  }

  private func run(of tiles: Range<Int>) -> LaneRun {
    LaneRun(
      firstLane: tiles.lowerBound * laneCountOfTile, laneCount: tiles.count * laneCountOfTile, stores: stores)
  }

  /// Lists the tiles of a block that are due, and asks for their lines.
  ///
  /// - Returns: How many there are.
  private func find(in block: Range<Int>.SubSequence, _ watch: TileWatch, _ due: UnsafeMutablePointer<Int32>) -> Int {
    let count = unsafe watch.listDue(in: block.startIndex..<block.endIndex, at: time, due)
    for index in 0..<count {
      prefetch(unsafe Int(due[index]))
    }
    return count
  }

  private func prefetch(_ tile: Int) {
    let row = tile * laneCountOfTile
    unsafe lanes_prefetch(columns.restAge + row)
    unsafe lanes_prefetch(columns.logicalAge + row)
    unsafe lanes_prefetch(columns.start + row)
    unsafe lanes_prefetch(columns.start + row + laneCountOfTile / 2)
    unsafe lanes_prefetch(columns.decay + row)
    // For the report of what the look will find.
    unsafe lanes_prefetch(track + row)
  }

  private func look(at due: UnsafePointer<Int32>, count: Int, _ kind: Int32, _ watch: TileWatch) {
    var index = 0
    while index < count {
      // Neighbours are looked at together.
      let tile = unsafe Int(due[index])
      let isFresh = watch.isFresh(tile)
      var end = tile + 1
      index += 1
      while unsafe index < count && Int(due[index]) == end && end - tile < Self.tilesPerLook
        && watch.isFresh(end) == isFresh
      {
        end += 1
        index += 1
      }
      if isFresh {
        table.computeRest(columns, tile..<end, kind, tolerance)
      }
      look(at: tile..<end, kind, watch)
    }
  }

  private func look(at tiles: Range<Int>, _ kind: Int32, _ watch: TileWatch) {
    unsafe withUnsafeTemporaryAllocation(of: TileDue.self, capacity: Self.tilesPerLook) { answers in
      let answers = unsafe answers.baseAddress.unsafelyUnwrapped
      unsafe table.findDue(columns, run(of: tiles), time, answers)
      for tile in tiles {
        let fellAsleep = unsafe watch.note(answers[tile - tiles.lowerBound], of: tile, at: time)
        if fellAsleep, !velocities {
          // It is not evaluated again, so this time its velocities are written too.
          evaluateMixed(kind, run(of: tile..<tile + 1), velocities: true)
        }
      }
    }
  }
}

extension KernelTable {
  /// Computes when the lanes of mixed tiles of one kind come to rest.
  func computeRest(_ columns: SpringColumns, _ tiles: Range<Int>, _ kind: Int32, _ tolerance: RestTolerance) {
    let run = LaneRun(firstLane: tiles.lowerBound * laneCountOfTile, laneCount: tiles.count * laneCountOfTile)
    if kind == TileKind.overdamped {
      restOverdamped(columns, run, tolerance)
    } else {
      restOscillating(columns, run, tolerance)
    }
  }
}
