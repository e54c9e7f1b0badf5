// SPDX-License-Identifier: MIT
import CProcessor
import Kernels

// Each tile of springs has a deadline. Once it has passed, a frame looks at the tile: it marks lanes that came to rest, and
// notes completions. A look reads lines of memory that were not touched for many frames, and lines that the kernel
// reads too. So a frame looks at tiles in blocks, just before the kernel runs over a block, while it prefetches the
// lines of the next block.
extension FrameWork {
  /// The tiles of a block, few enough that lines which a look loads stay in the second-level cache until the kernel
  /// runs.
  private static let tilesPerBlock = 128
  /// The largest number of tiles that one call looks at. Memory for their answers, and for the tiles of two blocks, is
  /// on the stack up to 1 024 bytes each.
  private static let tilesPerLook = 64

  /// Looks at the tiles of a run that are due, and evaluates all its tiles.
  func evaluate(_ range: Range<Int>, _ watch: SpringWatch.Loan) {
    // One call of a kernel is quicker than several. So tiles wait, unless the next block is looked at and not all columns
    // are in the caches.
    var waiting = range.lowerBound
    look(at: range, watch) { end in
      if stores != .ordinary {
        evaluate(stretchesOf: waiting..<end, watch)
        waiting = end
      }
    }
    evaluate(stretchesOf: waiting..<range.upperBound, watch)
  }

  /// Looks at the springs of those tiles of a range that are due.
  ///
  /// - Parameter looked: Called with the end of each block in which some were.
  @inline(__always)
  func look(at range: Range<Int>, _ watch: SpringWatch.Loan, _ looked: (_ end: Int) -> Void = { _ in }) {
    guard time >= watch.soonest else { return }
    unsafe withUnsafeTemporaryAllocation(of: Int32.self, capacity: 2 * Self.tilesPerBlock) { memory in
      var due = unsafe memory.column.unsafelyUnwrapped
      var next = due + Self.tilesPerBlock
      var block = range.prefix(Self.tilesPerBlock)
      var dueCount = find(in: block, watch, due)
      while !block.isEmpty {
        let following = (block.endIndex..<range.upperBound).prefix(Self.tilesPerBlock)
        let nextCount = find(in: following, watch, next)
        if dueCount > 0 {
          look(at: due.constant, count: dueCount, watch)
          looked(block.endIndex)
        }
        swap(&due, &next)
        (block, dueCount) = (following, nextCount)
      }
    }
  }

  /// Evaluates tiles as they are.
  func evaluate(stretchesOf tiles: Range<Int>, _ watch: SpringWatch.Loan) {
    watch.forEachStretch(tiles) {
      table.evaluate(columns, lanes(of: $0), uniformLane: $1, at: time, velocities: velocities)
    }
  }

  /// Lists the tiles of a block that are due, and prefetches their lines.
  ///
  /// - Returns: The number of due tiles.
  private func find(in block: Range<Int>.SubSequence, _ watch: SpringWatch.Loan, _ due: Column<Int32>)
    -> Int
  {
    let count = watch.listDue(in: block.startIndex..<block.endIndex, at: time, due)
    for index in 0..<count {
      prefetch(Int(due[index]))
    }
    return count
  }

  private func prefetch(_ tile: Int) {
    let index = tile * laneCountOfTile
    columns.restAge.prefetch(index)
    columns.logicalAge.prefetch(index)
    columns.start.prefetch(index)
    columns.start.prefetch(index + laneCountOfTile / 2)
    columns.decay.prefetch(index)
  }

  private func look(at due: ConstantColumn<Int32>, count: Int, _ watch: SpringWatch.Loan) {
    var index = 0
    while index < count {
      // Neighbours are looked at together.
      let tile = Int(due[index])
      let isFresh = watch.isFresh(tile)
      var end = tile + 1
      index += 1
      while index < count && Int(due[index]) == end && end - tile < Self.tilesPerLook
        && watch.isFresh(end) == isFresh
      {
        end += 1
        index += 1
      }
      if isFresh { computeRest(tile..<end, watch) }
      look(atDue: tile..<end, watch)
    }
  }

  private func computeRest(_ tiles: Range<Int>, _ watch: SpringWatch.Loan) {
    table.computeRest(columns, LaneRun(tiles), engine.springs.tolerance.kernel)
    watch.noteAges(tiles)
    noteEnds(of: tiles)
    for tile in tiles { engine.letUnwatchedLast(tile) }
  }

  private func look(atDue tiles: Range<Int>, _ watch: SpringWatch.Loan) {
    unsafe withUnsafeTemporaryAllocation(of: TileDue.self, capacity: Self.tilesPerLook) { answers in
      let answers = unsafe answers.column.unsafelyUnwrapped
      table.findDue(columns, lanes(of: tiles), time, answers)
      noteLook(at: tiles)
      for tile in tiles {
        let answer = answers + (tile - tiles.lowerBound)
        if watch.isEstimate(answer[0], of: tile) {
          computeRest(tile..<tile + 1, watch)
          table.findDue(columns, lanes(of: tile..<tile + 1), time, answer)
        }
        if watch.note(answer[0], of: tile, at: time) {
          // The tile is not evaluated again, so its velocities are written now too.
          table.evaluate(columns, lanes(of: tile..<tile + 1), uniformLane: nil, at: time, velocities: true)
        }
      }
    }
  }
}
