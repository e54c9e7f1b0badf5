// SPDX-License-Identifier: MIT
import CProcessor
import Kernels

/// The columns of tiles that effects lead, as a frame lends them to kernels.
struct SumColumns {
  private var chains: EffectChains
  /// See ``CurveMotions/onSprings`` and ``CurveMotions/onEndedSprings``.
  private let onSprings: ConstantColumn<UInt16>
  private let onEndedSprings: ConstantColumn<UInt16>
  /// The columns of the springs of these tiles, with what is under effects in the place of targets.
  private var springs: SpringColumns
  /// See ``SpringWatch/evaluations``.
  private let evaluations: ConstantColumn<UInt64>

  /// The tiles of a block. All kernels run over a block before the next block, so that its values stay in the caches.
  private static let tilesPerBlock = 128

  /// - Parameters:
  ///   - first: The first block of each tile.
  ///   - outputs: The outputs of kernels.
  ///   - under: The values that effects add to, or the targets of springs under them (dimension 0), with the stride of values.
  init(
    first: ConstantColumn<Int32>, blocks: ConstantColumn<EffectBlock>, _ memory: EffectMemory,
    outputs: PlaybackColumns, under: Column<Float>, onSprings: ConstantColumn<UInt16>,
    onEndedSprings: ConstantColumn<UInt16>, springs: SpringColumns, evaluations: ConstantColumn<UInt64>
  ) {
    chains = EffectChains(
      first: first, blocks: blocks, memory: memory, outputs: outputs, under: under, standing: .empty)
    (self.onSprings, self.onEndedSprings, self.evaluations) = (onSprings, onEndedSprings, evaluations)
    self.springs = springs
    self.springs.target = under
  }

  /// The same columns with other memory for the outputs of kernels, and for what is under the effects.
  func redirected(
    value: Column<Float>, velocity: Column<Float>, under: Column<Float>, stride: Int
  ) -> SumColumns {
    var columns = self
    (columns.chains.outputs.value, columns.chains.outputs.velocity, columns.chains.under) = (value, velocity, under)
    columns.chains.outputs.dimensionStride = stride
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
        chains.standing = (flags - first).constant
        evaluateSprings(first..<last, standing: chains.standing, at: time, velocities: velocities, table)
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
      for tile in tile..<end where onEndedSprings[tile] != 0 { standUnderEffects(tile, velocities: velocities) }
      tile = end
    }
  }

  /// Writes the values of lanes whose columns of springs have a spring that is no longer under their effects.
  private func standUnderEffects(_ tile: Int, velocities: Bool) {
    let (lanes, output) = (UInt32(onEndedSprings[tile]), chains.outputs)
    for dimension in 0..<output.dimensions {
      let element = dimension * output.dimensionStride + tile * laneCountOfTile
      let values = chains.under.lanes(at: element, as: SIMD16<Float>.self)
      unsafe lanes_write((output.value + element).address, values, lanes)
      if velocities { unsafe lanes_write((output.velocity + element).address, .zero, lanes) }
    }
  }
}
