// SPDX-License-Identifier: MIT
import Kernels

// Sums: layers that are added to a spring, to a value, or to the layers before.
extension CurveMotions {
  /// The first layer of a row that has an effect at a moment; the number of layers if none has.
  func firstInEffect(_ row: Int, _ shape: CurveShape, at moment: Double) -> Int {
    let columns = columns
    let finished = shape.curves.indices.last { moment > columns.end($0)[row] }
    return finished.map { $0 + 1 } ?? 0
  }

  /// The first layer of a tile with the same layers in all rows that has an effect at a moment.
  func firstInEffect(tile: Int, at moment: Double) -> Int {
    ends[tile].lastIndex { moment > $0 }.map { $0 + 1 } ?? 0
  }

  /// Copies layers of a row to another row, or to the row itself with another shape.
  ///
  /// - Parameter first: The first layer to copy. The layers before it have arrived.
  mutating func copyLayers(
    from first: Int, of row: Int, _ shape: CurveShape, to newRow: Int, _ tracks: borrowing TrackStore
  ) {
    let columns = columns
    for dimension in 0..<dimensions {
      let (element, step) = (dimension * columns.stride(0), first - 1)
      columns.under[element + newRow] =
        first == 0 ? columns.under[element + row] : goal(step, row, shape, dimension, tracks)
    }
    for layer in first..<shape.curves.count {
      let start = columns.start(layer)[row]
      let way = CurveWay(
        place: shape.curves[layer], start: start, end: columns.end(layer)[row], program: program(layer, row))
      setLayer(layer - first, newRow, way)
      for dimension in 0..<dimensions {
        let element = dimension * columns.stride(layer - first) + newRow
        columns.offset(layer - first)[element] = goal(layer, row, shape, dimension, tracks)
      }
    }
  }

  /// Writes the last layer of a row. The kind of the row includes the layer already, and its columns hold the layers
  /// before.
  mutating func add(_ way: CurveWay, to row: Int, _ tracks: borrowing TrackStore, target: (Int) -> Float) {
    let columns = columns
    let last = shape(tracks.tiles.kind(ofRow: row)).curves.count - 1
    setLayer(last, row, way)
    for dimension in 0..<dimensions {
      let target = target(dimension) + 0
      columns.offset(last)[dimension * columns.stride(last) + row] = target
      tracks.columns.target[tracks.element(row, dimension)] = target
    }
    setOut(row, at: way.start)
    _ = bring(row, to: way.start, tracks)
    tiles.hold(row, intervals)
  }

  /// Adds a layer to the curves or the springs of a full tile, towards the targets of consecutive tracks. Nothing of the
  /// layers is modified, and rows keep their springs.
  ///
  /// - Parameters:
  ///   - old: The shape of the tile before; it has no curves if the tile had springs alone.
  ///   - gone: The number of layers, from the first on, that are dropped. They have no effect any more in any row; if the
  ///     tile had a single curve, that stays.
  mutating func add(
    _ way: CurveWay, toTile tile: Int, _ old: CurveShape, without gone: Int, _ tracks: borrowing TrackStore,
    _ targets: InputValues, at first: Int
  ) {
    let (columns, row, last) = (columns, tile * laneCountOfTile, old.curves.count - gone)
    func move<Number>(_ column: Column<Number>, _ from: Column<Number>, _ stride: Int, _ fromStride: Int) {
      for dimension in 0..<dimensions {
        (column + (dimension * stride + row)).update(
          from: from + (dimension * fromStride + row), count: laneCountOfTile)
      }
    }
    if old.curves.isEmpty {
      move(columns.under, tracks.columns.target, columns.stride(0), tracks.columns.dimensionStride)
    }
    if gone > 0 { move(columns.under, columns.offset(gone - 1), columns.stride(0), columns.stride(gone - 1)) }
    for layer in 0..<(gone > 0 ? last : 0) {
      columns.copy(row..<row + laneCountOfTile, layer + gone, of: columns, to: row, layer)
    }
    self.gone[tile] -= min(self.gone[tile], UInt8(gone))
    if !ends[tile].isEmpty { ends[tile].removeFirst(gone) }
    if old.isPlain {
      // Its goal is the target of its track, and its scale the way there.
      move(columns.offset(0), tracks.columns.target, columns.stride(0), tracks.columns.dimensionStride)
      for dimension in 0..<dimensions {
        (columns.scale(0) + (dimension * columns.stride(0) + row)).update(repeating: 1, count: laneCountOfTile)
      }
    }
    targets.withColumns(of: first..<first + laneCountOfTile) { targets, stride in
      for dimension in 0..<dimensions {
        let (element, target) = (
          dimension * columns.stride(last) + row, tracks.columns.target + tracks.element(row, dimension)
        )
        for lane in 0..<laneCountOfTile { target[lane] = targets[dimension * stride + lane] + 0 }
        (columns.offset(last) + element).update(from: target, count: laneCountOfTile)
        (columns.scale(last) + element).update(repeating: 1, count: laneCountOfTile)
      }
    }
    setOut(tile: tile, way, layer: last)
  }

  /// Sets the target of the spring under the curves of a row.
  func setUnder(_ row: Int, target: (Int) -> Float) {
    for dimension in 0..<dimensions { columns.under[dimension * columns.stride(0) + row] = target(dimension) }
  }
}
