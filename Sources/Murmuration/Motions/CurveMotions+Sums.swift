// SPDX-License-Identifier: MIT
import CProcessor
import Kernels

// Sums: layers that are added to a spring, to a value, or to the layers before.
//
// A row whose motion gets one layer more moves to a tile of that shape, unless its tile can have a layer for it: a full tile
// whose lanes have the same layers gets one that is *vacant* in the other lanes, as the calls about their tracks are likely to
// follow. A tile has at most one such layer, which is its last.
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
    drop(gone, of: old, tile)
    if old.isPlain {
      // Its goal is the target of its track, and its scale the way there.
      move(columns.offset(0), tracks.columns.target, columns.stride(0), tracks.columns.dimensionStride)
      (columns.scale(0) + row).update(repeating: 1, count: laneCountOfTile)
    }
    targets.withColumns(of: first..<first + laneCountOfTile) { targets, stride in
      for dimension in 0..<dimensions {
        let (element, target) = (
          dimension * columns.stride(last) + row, tracks.columns.target + tracks.element(row, dimension)
        )
        for lane in 0..<laneCountOfTile { target[lane] = targets[dimension * stride + lane] + 0 }
        (columns.offset(last) + element).update(from: target, count: laneCountOfTile)
      }
    }
    (columns.scale(last) + row).update(repeating: 1, count: laneCountOfTile)
    setOut(tile: tile, way, layer: last)
  }

  /// The shape of a full tile with one more curve, for which there is memory; nil if there is none.
  ///
  /// To drop layers means to move the others, so that is done for many at once, or where no other layer fits.
  ///
  /// - Parameter gone: The number of layers, from the first on, that have no effect any more in any row.
  /// - Returns: The shape, and how many of the old layers it lacks.
  mutating func longer(_ kind: MotionKind, by curve: Int, gone: Int) -> (shape: Int, dropped: Int)? {
    let old = shape(kind)
    // Two layers stay: one over a value would have the columns of a single curve.
    var dropped = max(0, min(gone, old.curves.count - 2))
    var new: Int?
    if dropped < Self.layersDropped {
      new = kind.curve.flatMap { library.shape($0, adding: curve) }
      if new != nil { dropped = 0 }
    }
    new = new ?? library.shape(old, from: dropped, adding: curve)
    return new.flatMap { makeRoom(for: $0) ? ($0, dropped) : nil }
  }

  /// Drops layers of a full tile that have no effect any more in any row, from the first on.
  private mutating func drop(_ gone: Int, of shape: CurveShape, _ tile: Int) {
    guard gone > 0 else { return }
    let (columns, row) = (columns, tile * laneCountOfTile)
    for dimension in 0..<dimensions {
      (columns.under + (dimension * columns.stride(0) + row)).update(
        from: columns.offset(gone - 1) + (dimension * columns.stride(gone - 1) + row), count: laneCountOfTile)
    }
    for layer in gone..<shape.curves.count {
      columns.copy(row..<row + laneCountOfTile, layer, of: columns, to: row, layer - gone)
    }
    self.gone[tile] -= min(self.gone[tile], UInt8(gone))
    if !ends[tile].isEmpty { ends[tile].removeFirst(gone) }
  }

  // MARK: - One lane of a tile

  /// Whether a tile is full, and all its lanes have the same layers, none of which is modified. If calls about one track after
  /// the other have made them so, that is noted.
  mutating func areAlike(_ tile: Int, at moment: Double, _ tracks: borrowing TrackStore) -> Bool {
    guard ends[tile].isEmpty else { return true }
    guard modifiesNone, tracks.tiles.live[tile] == .max else { return false }
    let shape = shape(tracks.tiles.kinds[tile])
    let (columns, row) = (columns, tile * laneCountOfTile)
    func isOne(_ column: Column<Double>) -> Bool {
      let lanes = unsafe (column + row).constant.address
      return unsafe lanes_least_of_tile(lanes) == lanes_greatest_of_tile(lanes)
    }
    for layer in shape.curves.indices.reversed() {
      guard !isVacant(layer, row), isOne(columns.start(layer)), isOne(columns.end(layer)) else { return false }
    }
    for layer in shape.curves.indices { ends[tile].append(columns.end(layer)[row]) }
    gone[tile] = UInt8(firstInEffect(tile: tile, at: moment))
    return true
  }

  /// Makes sure that a row has a vacant layer for a curve, if its tile can have one.
  ///
  /// - Returns: Whether it has.
  mutating func makeVacancy(for way: CurveWay, _ row: Int, _ tracks: inout TrackStore) -> Bool {
    let (tile, kind) = (row / laneCountOfTile, tracks.tiles.kind(ofRow: row))
    let (shape, last) = (shape(kind), shape(kind).curves.count - 1)
    guard way.program == nil, modifiesNone, !shape.isPlain else { return false }
    if isVacant(last, row) { return shape.curves[last] == way.place }
    guard areAlike(tile, at: way.start, tracks) else { return false }
    let gone = firstInEffect(tile: tile, at: way.start)
    guard let (new, dropped) = longer(kind, by: way.place, gone: gone) else { return false }
    drop(dropped, of: shape, tile)
    take(tile, new, &tracks)
    noteOneByOne(row)
    let (columns, layer, first, count) = (columns, last + 1 - dropped, tile * laneCountOfTile, laneCountOfTile)
    (columns.start(layer) + first).update(repeating: .infinity, count: count)
    (columns.end(layer) + first).update(repeating: .infinity, count: count)
    (columns.origin(layer) + first).update(repeating: 0, count: count)
    (columns.rate(layer) + first).update(repeating: 0, count: count)
    (columns.scale(layer) + first).update(repeating: PlaybackColumns.vacant, count: count)
    for dimension in 0..<dimensions {
      (columns.offset(layer) + (dimension * columns.stride(layer) + first)).update(repeating: 0, count: count)
    }
    return true
  }

  /// Gives a row a curve in its vacant layer.
  mutating func fillVacancy(_ row: Int, _ way: CurveWay, _ tracks: borrowing TrackStore, target: (Int) -> Float) {
    let (columns, layer) = (columns, shape(tracks.tiles.kind(ofRow: row)).curves.count - 1)
    (columns.start(layer)[row], columns.end(layer)[row]) = (way.start, way.end)
    (columns.origin(layer)[row], columns.rate(layer)[row]) = (way.start, Self.rate(from: way.start, to: way.end))
    columns.from[row] = max(columns.from[row], way.start)
    columns.until[row] = min(columns.until[row], way.end.nextDown)
    columns.scale(layer)[row] = 1
    for dimension in 0..<dimensions {
      let target = target(dimension) + 0
      columns.offset(layer)[dimension * columns.stride(layer) + row] = target
      tracks.columns.target[tracks.element(row, dimension)] = target
    }
    setOut(row, at: way.start)
    tiles.hold(row, intervals)
    _ = areAlike(row / laneCountOfTile, at: way.start, tracks)
  }

  /// Sets the target of the spring under the curves of a row.
  func setUnder(_ row: Int, target: (Int) -> Float) {
    for dimension in 0..<dimensions { columns.under[dimension * columns.stride(0) + row] = target(dimension) }
  }
}
