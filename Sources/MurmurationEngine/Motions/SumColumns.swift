// SPDX-License-Identifier: MIT
import Kernels

/// The columns of tiles that effects lead, as a frame lends them to kernels.
struct SumColumns {
  private var chains: EffectChains
  /// See ``CurveMotions/onSprings``.
  private let onSprings: ConstantColumn<UInt16>
  /// The columns of the springs of these tiles, with what is under effects in the place of targets.
  private var springs: SpringColumns
  /// See ``SpringWatch/evaluations``.
  private let evaluations: ConstantColumn<UInt64>

  /// The tiles of a block. All kernels run over a block before the next block, so that its values stay in the caches.
  private static let tilesPerBlock = 128

  init(
    _ chains: EffectChains, onSprings: ConstantColumn<UInt16>, springs: SpringColumns,
    evaluations: ConstantColumn<UInt64>
  ) {
    (self.chains, self.onSprings, self.springs, self.evaluations) = (chains, onSprings, springs, evaluations)
    self.springs.target = chains.columns.under
  }

  /// The same columns with other memory for the outputs of kernels, and for what is under the effects.
  func redirected(
    value: Column<Float>, velocity: Column<Float>, under: Column<Float>, stride: Int
  ) -> SumColumns {
    var columns = self
    columns.chains.columns = LedColumns(
      under: under, standing: .empty, value: value, velocity: velocity, dimensionStride: stride)
    (columns.springs.target, columns.springs.value, columns.springs.velocity) = (under, value, velocity)
    columns.springs.dimensionStride = stride
    return columns
  }

  /// Evaluates some tiles.
  func evaluate(
    _ tiles: Range<Int>, at time: Double, velocities: Bool, _ table: KernelTable, _ tables: ConstantColumn<ClipTable>
  ) {
    unsafe withUnsafeTemporaryAllocation(of: Bool.self, capacity: Self.tilesPerBlock) { memory in
      let flags = unsafe memory.column.unsafelyUnwrapped
      var chains = chains
      var first = tiles.lowerBound
      while first < tiles.upperBound {
        let last = min(first + Self.tilesPerBlock, tiles.upperBound)
        for tile in first..<last { flags[tile - first] = stands(tile) }
        chains.columns.standing = (flags - first).constant
        evaluateSprings(first..<last, standing: chains.columns.standing, at: time, velocities: velocities, table)
        table.evaluateSums(chains, first..<last, tables, time, velocities)
        first = last
      }
    }
  }

  /// Whether no spring moves in a tile.
  private func stands(_ tile: Int) -> Bool { onSprings[tile] == 0 && evaluations[tile] == SpringWatch.asleep }

  /// Evaluates the springs of the tiles in which some move, under effects or beside them.
  private func evaluateSprings(
    _ tiles: Range<Int>, standing: ConstantColumn<Bool>, at time: Double, velocities: Bool, _ table: KernelTable
  ) {
    var tile = tiles.lowerBound
    while tile < tiles.upperBound {
      guard !standing[tile] else {
        tile += 1
        continue
      }
      var end = tile + 1
      while end < tiles.upperBound, !standing[end] { end += 1 }
      table.evaluateMixed(springs, LaneRun(tile..<end), time, velocities)
      tile = end
    }
  }
}
