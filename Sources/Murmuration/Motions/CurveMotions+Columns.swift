// SPDX-License-Identifier: MIT
import Kernels

extension CurveMotions {
  /// The columns of rows that follow curves.
  struct Columns {
    /// The columns of layers. Each layer has four wide columns. Of narrow ones the first layer has three for each dimension,
    /// and every other one for each dimension and one for all.
    private let wide: Column<Double>
    private let wideStride: Int
    private let narrow: Column<Float>
    private let narrowStride: Int
    private let dimensions: Int
    /// The columns of deep layers.
    private var deep: (wide: Column<Double>, wideStride: Int, narrow: Column<Float>, narrowStride: Int)?
    /// The layers before the deep ones.
    static let shallowCount = 4
    /// The interval of the clock for which the columns of a row hold. The columns of a row without a track always hold.
    let from: Column<Double>
    let until: Column<Double>

    init(_ memory: borrowing ColumnMemory, dimensions: Int) {
      (from, until, wide) = (memory.wide(0), memory.wide(1), memory.wide(2, every: 1))
      narrow = memory.narrow(0, every: 1)
      (wideStride, narrowStride, self.dimensions) = (memory.wideStride, memory.narrowStride, dimensions)
    }

    /// Adds the columns of deep layers.
    mutating func deepen(_ memory: borrowing ColumnMemory) {
      deep = (memory.wide(0, every: 1), memory.wideStride, memory.narrow(0, every: 1), memory.narrowStride)
    }

    /// A wide column of a layer.
    private func wide(_ layer: Int, _ column: Int) -> Column<Double> {
      guard layer >= Self.shallowCount, let deep else { return wide + (4 * layer + column) * wideStride }
      return deep.wide + (4 * (layer - Self.shallowCount) + column) * deep.wideStride
    }

    /// A narrow column of a layer.
    private func narrow(_ layer: Int, _ column: Int) -> Column<Float> {
      guard layer >= Self.shallowCount, let deep else {
        return narrow + ((layer == 0 ? 0 : 3 * dimensions + (layer - 1) * (1 + dimensions)) + column) * narrowStride
      }
      return deep.narrow + ((1 + dimensions) * (layer - Self.shallowCount) + column) * deep.narrowStride
    }

    /// When the clock of a layer began to run at its rate; and the rate, in ticks of its curve per second.
    func origin(_ layer: Int) -> Column<Double> { wide(layer, 0) }
    func rate(_ layer: Int) -> Column<Double> { wide(layer, 1) }
    /// When a layer began, and the first moment from which on it has covered all of its way.
    func start(_ layer: Int) -> Column<Double> { wide(layer, 2) }
    func end(_ layer: Int) -> Column<Double> { wide(layer, 3) }
    /// Of a single curve: its way in dimension 0, and the value at its start. Of a layer in a sum: its direction, which is 1 or
    /// −1, and its goal in dimension 0. All dimensions of a layer have one direction (see ``PlaybackColumns/adds``).
    func scale(_ layer: Int) -> Column<Float> { narrow(layer, 0) }
    func offset(_ layer: Int) -> Column<Float> { narrow(layer, 1) }
    /// Floats from the offset of a dimension to that of the next; in single curves also from scale to scale.
    func stride(_ layer: Int) -> Int {
      guard layer >= Self.shallowCount, let deep else { return (layer == 0 ? 3 : 1) * narrowStride }
      return deep.narrowStride
    }
    /// Dimension 0 of the value at which the track stood, or of the target of the spring under the curves. Its stride
    /// from dimension to dimension is that of the first layer.
    var under: Column<Float> { narrow + 2 * narrowStride }

    /// Copies rows of one shape from other columns to the rows from `first` on.
    func copy(_ rows: Range<Int>, _ shape: CurveShape, of old: Columns, to first: Int) {
      let (source, count) = (rows.lowerBound, rows.count)
      (from + first).update(from: old.from + source, count: count)
      (until + first).update(from: old.until + source, count: count)
      for layer in shape.curves.indices { copy(rows, layer, of: old, to: first, layer) }
      for dimension in 0..<dimensions {
        (under + (dimension * stride(0) + first)).update(
          from: old.under + (dimension * old.stride(0) + source), count: count)
      }
    }

    /// Copies a layer of rows from other columns to a layer of the rows from `first` on.
    func copy(_ rows: Range<Int>, _ oldLayer: Int, of old: Columns, to first: Int, _ layer: Int) {
      let (source, count) = (rows.lowerBound, rows.count)
      for column in 0..<4 {
        (wide(layer, column) + first).update(from: old.wide(oldLayer, column) + source, count: count)
      }
      for dimension in 0..<dimensions {
        let to = dimension * stride(layer) + first
        let from = dimension * old.stride(oldLayer) + source
        (offset(layer) + to).update(from: old.offset(oldLayer) + from, count: count)
        if dimension == 0 || layer == 0 && oldLayer == 0 {
          (scale(layer) + to).update(from: old.scale(oldLayer) + from, count: count)
        }
      }
    }

    /// Clears a row without a track: it stands still, and is never due.
    func clear(_ row: Int, _ shape: CurveShape) {
      (from[row], until[row]) = (-.infinity, .infinity)
      for layer in shape.curves.indices {
        (origin(layer)[row], rate(layer)[row], scale(layer)[row]) = (0, 0, 0)
        for dimension in 0..<dimensions {
          let element = dimension * stride(layer) + row
          offset(layer)[element] = 0
          if shape.isPlain { scale(layer)[element] = 0 }
        }
      }
      for dimension in 0..<dimensions { under[dimension * stride(0) + row] = 0 }
    }

    /// Clears all rows of a tile.
    func clear(tile: Int, _ shape: CurveShape) {
      for row in tile * laneCountOfTile..<(tile + 1) * laneCountOfTile { clear(row, shape) }
    }
  }

  static func shape(dimensions: Int) -> RowShape {
    RowShape(wide: 2 + 4 * Columns.shallowCount, narrow: 3 * dimensions + (Columns.shallowCount - 1) * (1 + dimensions))
  }

  static func deepShape(dimensions: Int) -> RowShape {
    let count = layerLimit - Columns.shallowCount
    return RowShape(wide: 4 * count, narrow: (1 + dimensions) * count)
  }
}
