// SPDX-License-Identifier: MIT
import Kernels

/// The columns of rows that follow curves, as a frame lends them to kernels.
struct CurveColumns {
  /// The columns of single curves.
  private(set) var plain: PlaybackColumns
  /// The columns of all layers.
  private let columns: CurveMotions.Columns
  /// The values that curves add to, or the targets of springs under them (dimension 0), with the stride of values.
  private var under: Column<Float>
  /// The columns of these springs; nil without springs.
  private var springs: SpringColumns?
  /// See ``CurveMotions/gone``.
  private let gone: ConstantColumn<UInt8>

  /// The tiles of a block. All kernels run over a block before the next block, so that its values stay in the
  /// second-level cache.
  private static let tilesPerBlock = 128

  init(plain: PlaybackColumns, _ columns: CurveMotions.Columns, springs: SpringColumns?, gone: ConstantColumn<UInt8>) {
    self.gone = gone
    self.plain = plain
    self.columns = columns
    under = columns.under
    self.springs = springs
    self.springs?.target = columns.under
  }

  /// The columns of a layer of a sum.
  private func kernel(ofLayer layer: Int) -> PlaybackColumns {
    var kernel = plain
    (kernel.origin, kernel.rate) = (columns.origin(layer), columns.rate(layer))
    (kernel.scale, kernel.offset) = (columns.scale(layer), columns.offset(layer))
    kernel.variationStride = columns.stride(layer)
    kernel.adds = true
    return kernel
  }

  /// The same columns with other memory for the outputs of kernels, and for the values or targets under the curves.
  func redirected(
    value: Column<Float>, velocity: Column<Float>, under: Column<Float>,
    stride: Int
  ) -> CurveColumns {
    var columns = self
    columns.under = under
    (columns.plain.value, columns.plain.velocity) = (value, velocity)
    columns.plain.dimensionStride = stride
    if var springs {
      (springs.target, springs.value, springs.velocity) = (under, value, velocity)
      springs.dimensionStride = stride
      columns.springs = springs
    }
    return columns
  }

  /// Evaluates some tiles of one shape at a time.
  func evaluate(
    _ shape: CurveShape, _ tiles: Range<Int>, at time: Double, velocities: Bool, _ table: KernelTable,
    _ tables: ConstantColumn<ClipTable>
  ) {
    var first = tiles.lowerBound
    while first < tiles.upperBound {
      let gone = Int(gone[first])
      var last = first + 1
      while last < min(first + Self.tilesPerBlock, tiles.upperBound), self.gone[last] == gone { last += 1 }
      let run = LaneRun(first..<last)
      if !shape.isPlain { evaluateUnder(shape, gone, run, at: time, velocities: velocities, table) }
      for layer in gone..<shape.curves.count {
        let clip = ClipRun(firstLane: run.firstLane, laneCount: run.laneCount, clip: shape.curves[layer])
        unsafe withUnsafePointer(to: clip) { clip in
          unsafe table.evaluateClips(
            shape.isPlain ? plain : kernel(ofLayer: layer), UnsafeBufferPointer(start: clip, count: 1), tables, time,
            velocities)
        }
      }
      first = last
    }
  }

  /// Evaluates what the first layer in effect adds to: the spring or the value under all layers, or the goal of the last
  /// layer that has gone.
  private func evaluateUnder(
    _ shape: CurveShape, _ gone: Int, _ run: LaneRun, at time: Double, velocities: Bool, _ table: KernelTable
  ) {
    if gone > 0 || shape.under == .still {
      let (from, stride) =
        gone > 0 ? (columns.offset(gone - 1), columns.stride(gone - 1)) : (under, plain.dimensionStride)
      for dimension in 0..<plain.dimensions {
        let element = dimension * plain.dimensionStride + run.firstLane
        (plain.value + element).update(from: from + (dimension * stride + run.firstLane), count: run.laneCount)
        if velocities { (plain.velocity + element).update(repeating: 0, count: run.laneCount) }
      }
    } else if let springs {
      table.evaluateMixed(springs, run, time, velocities)
    }
  }
}
