// SPDX-License-Identifier: MIT
import CProcessor
import Kernels

/// The columns of rows whose effects add up, as a frame lends them to kernels.
struct SumColumns {
  private var chains: EffectChains
  /// The values that effects add to, or the targets of springs under them (dimension 0), with the stride of values.
  private var under: Column<Float>
  /// See ``CurveMotions/onSprings``.
  private let onSprings: ConstantColumn<UInt16>
  /// The columns of these springs; nil without springs.
  private var springs: SpringColumns?

  /// The tiles of a block. All kernels run over a block before the next block, so that its values stay in the caches.
  private static let tilesPerBlock = 128

  init(_ chains: EffectChains, under: Column<Float>, onSprings: ConstantColumn<UInt16>, springs: SpringColumns?) {
    (self.chains, self.under, self.onSprings, self.springs) = (chains, under, onSprings, springs)
    self.springs?.target = under
  }

  /// The same columns with other memory for the outputs of kernels, and for the values or targets under the effects.
  func redirected(
    value: Column<Float>, velocity: Column<Float>, under: Column<Float>, stride: Int
  ) -> SumColumns {
    var columns = self
    columns.under = under
    (columns.chains.outputs.value, columns.chains.outputs.velocity) = (value, velocity)
    columns.chains.outputs.dimensionStride = stride
    if var springs {
      (springs.target, springs.value, springs.velocity) = (under, value, velocity)
      springs.dimensionStride = stride
      columns.springs = springs
    }
    return columns
  }

  /// Evaluates some tiles.
  func evaluate(
    _ tiles: Range<Int>, at time: Double, velocities: Bool, _ table: KernelTable, _ tables: ConstantColumn<ClipTable>
  ) {
    var first = tiles.lowerBound
    while first < tiles.upperBound {
      let last = min(first + Self.tilesPerBlock, tiles.upperBound)
      evaluateUnder(first..<last, at: time, velocities: velocities, table)
      table.evaluateSums(chains, first..<last, tables, time, velocities)
      first = last
    }
  }

  /// Evaluates what the first effects add to: springs where there are some, and values that stand.
  private func evaluateUnder(_ tiles: Range<Int>, at time: Double, velocities: Bool, _ table: KernelTable) {
    let output = chains.outputs
    var tile = tiles.lowerBound
    while tile < tiles.upperBound {
      let onSprings = onSprings[tile]
      var end = tile + 1
      while end < tiles.upperBound, self.onSprings[end] == onSprings { end += 1 }
      let run = LaneRun(tile..<end)
      if onSprings != 0, let springs { table.evaluateMixed(springs, run, time, velocities) }
      for dimension in 0..<output.dimensions where onSprings != .max {
        for first in stride(from: run.firstLane, to: run.firstLane + run.laneCount, by: laneCountOfTile) {
          let element = dimension * output.dimensionStride + first
          let values = under.lanes(at: element, as: SIMD16<Float>.self)
          unsafe lanes_write((output.value + element).address, values, UInt32(~onSprings))
          if velocities { unsafe lanes_write((output.velocity + element).address, .zero, UInt32(~onSprings)) }
        }
      }
      tile = end
    }
  }
}
