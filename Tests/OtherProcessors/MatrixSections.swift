// SPDX-License-Identifier: MIT
import Kernels
import Murmuration

/// The sizes of one product, and how it is stored.
private struct ProductShape {
  let rows: Int
  let columns: Int
  let inner: Int
  var stores = LaneRun.Stores.ordinary

  static let all = [
    ProductShape(rows: 1, columns: 7, inner: 3), ProductShape(rows: 7, columns: 33, inner: 0),
    ProductShape(rows: 11, columns: 100, inner: 21), ProductShape(rows: 6, columns: 64, inner: 8, stores: .pastCaches),
    ProductShape(rows: 13, columns: 200, inner: 5, stores: .pastCaches),
  ]
  /// Columns of the drawn matrices, a multiple of every panel.
  static let width = 256

  /// Whether a panel has a term: a choice that is the same for panels of any width.
  static func hasTerm(_ term: Int, column: Int) -> Bool { term % 3 != column / 64 % 2 }
}

/// Products of drawn matrices, each sum checked with a plain loop that rounds as the kernel does.
///
/// The baseline of x86-64 rounds a product before it adds it, and that of arm64 does not. Only products of small whole numbers,
/// which are exact, are compared between processors.
func products(_ hash: inout Hash) {
  for shape in ProductShape.all {
    for (hasBase, isListed) in [(true, false), (false, false), (true, true)] {
      hash.add(multiply(shape, hasBase: hasBase, isListed: isListed) { Float(Int($0.next() % 129)) - 64 })
      _ = multiply(shape, hasBase: hasBase, isListed: isListed) { $0.float(-3...3) }
    }
  }
}

/// The hash of one product of drawn numbers.
private func multiply(
  _ shape: ProductShape, hasBase: Bool, isListed: Bool, _ draw: (inout SplitMix64) -> Float
) -> UInt64 {
  var random = SplitMix64(seed: UInt64(shape.rows * 1000 + shape.inner))
  let width = kernels.matrices.panelColumns
  let weightStride = (shape.rows + rowCountOfTile - 1) / rowCountOfTile * rowCountOfTile
  let weights = drawn(shape.inner * weightStride, &random, draw)
  let shapes = drawn(shape.inner * ProductShape.width, &random, draw)
  let base = drawn(ProductShape.width, &random, draw)
  // Panel after panel, each with its terms only.
  let panels = (shape.columns + width - 1) / width
  let packed = zeroed(panels * shape.inner * width, of: Float.self)
  let (terms, starts) = (zeroed(panels * shape.inner, of: Int32.self), zeroed(panels + 1, of: Int.self))
  var count = 0
  for panel in 0..<panels {
    for term in 0..<shape.inner where !isListed || ProductShape.hasTerm(term, column: panel * width) {
      (packed + count * width).update(from: shapes + (term * ProductShape.width + panel * width), count: width)
      terms[count] = Int32(term)
      count += 1
    }
    starts[panel + 1] = count
  }
  let stride = (shape.columns + 15) / 16 * 16 + 16
  let outputs = zeroed(shape.rows * stride, of: Float.self)
  kernels.matrices.multiply(
    TileProduct(
      weights: weights.constant, weightStride: weightStride, shapes: packed.constant, shapeStride: width,
      panelStride: shape.inner * width, base: hasBase ? base.constant : nil,
      terms: isListed ? TermLists(terms: terms.constant, starts: starts.constant) : nil, outputs: outputs,
      outputStride: stride,
      rows: shape.rows, columns: shape.columns, inner: shape.inner, stores: shape.stores))
  for row in 0..<shape.rows {
    for column in 0..<stride {
      var sum: Float = hasBase && column < shape.columns ? base[column] : 0
      for term in 0..<(column < shape.columns ? shape.inner : 0)
      where !isListed || ProductShape.hasTerm(term, column: column) {
        let (weight, value) = (weights[term * weightStride + row], shapes[term * ProductShape.width + column])
        #if arch(arm64)
          sum = sum.addingProduct(weight, value)
        #else
          sum += weight * value
        #endif
      }
      precondition(outputs[row * stride + column] == sum, "a product is not what a plain loop gives")
    }
  }
  var hash = Hash()
  hash.add(outputs, shape.rows * stride)
  return hash.state
}

private func drawn(
  _ count: Int, _ random: inout SplitMix64, _ draw: (inout SplitMix64) -> Float
) -> Column<Float> {
  let numbers = zeroed(count, of: Float.self)
  for index in 0..<count { numbers[index] = draw(&random) }
  return numbers
}

/// Columns of weights that are scaled and compared with a limit, which any lane may be beyond.
func columnScales(_ hash: inout Hash) {
  let count = 48
  var random = SplitMix64(seed: 70)
  for (slope, offset) in [(Float(1), Float(0)), (-0.75, 1)] {
    let column = ColumnScale(
      result: zeroed(count), source: random.floats(count, -2...2).constant,
      weight: random.floats(count, 0...1).constant, offset: offset,
      slope: slope, count: count, limit: 4)
    hash.add(kernels.matrices.scale(column))
    hash.add(column.result, count)
  }
  for value in [Float.nan, .infinity, -.infinity, 101, -100.00001, 100, -100] {
    for lane in 0..<count {
      let (source, ones) = (random.floats(count, -100...100), random.floats(count, 1...1))
      source[lane] = value
      hash.add(kernels.matrices.isWithin(100, source.constant, count))
      hash.add(
        kernels.matrices.scale(
          ColumnScale(
            result: zeroed(count), source: source.constant, weight: ones.constant, offset: 2, slope: -1, count: count,
            limit: 100)))
    }
  }
}

/// Weighted sums of values and of rotations; rows without any weight show the given rest.
func poses(_ hash: inout Hash) {
  let (count, stride) = (512, 528)
  var random = SplitMix64(seed: 71)
  let (values, rotations) = (zeroed(count, of: Float.self), zeroed(4 * stride, of: Float.self))
  let total = zeroed(count, of: Float.self)
  for _ in 0..<3 {
    let weights = random.floats(count, 0...1)
    for row in 0..<count {
      if row % 7 == 0 { weights[row] = 0 }
      total[row] += weights[row] * PoseColumns.weightScale
    }
    kernels.matrices.addValues(
      PoseColumns(
        pose: random.floats(count, -100...100), poseStride: count, sums: values, sumStride: count,
        weights: weights.constant,
        count: count))
    kernels.matrices.addRotations(
      PoseColumns(
        pose: random.floats(4 * count, -1...1), poseStride: count, sums: rotations, sumStride: stride,
        weights: weights.constant, count: count))
  }
  hash.add(values, count)
  hash.add(rotations, 4 * stride)
  let pose = zeroed(4 * count, of: Float.self)
  kernels.matrices.finishValues(
    PoseColumns(pose: pose, poseStride: count, sums: values, sumStride: count, weights: total.constant, count: count),
    0.25)
  hash.add(pose, count)
  kernels.matrices.finishRotations(
    PoseColumns(
      pose: pose, poseStride: count, sums: rotations, sumStride: stride, weights: total.constant, count: count),
    [0, 0.6, 0, 0.8])
  hash.add(pose, 4 * count)
}

/// World matrices of a chain with every kind of node, and products with a constant matrix, in both orders of elements.
func nodes(_ hash: inout Hash) {
  let (tiles, dimensions, count) = (3, 20, 4)
  let instances = tiles * laneCountOfTile
  var random = SplitMix64(seed: 72)
  let values = random.floats(dimensions * instances, -2...2)
  // A quaternion of 0 turns nothing.
  for dimension in 3..<7 { values[dimension * instances + 5] = 0 }
  let numbers = random.floats(count * NodeTiles.constantCount + 12, -3...3)
  let (steps, outputs) = (zeroed(count, of: NodeStep.self), zeroed(count, of: NodeOutput.self))
  // All properties move; a rotation and a constant scale; nothing but the node above; a fixed root beside them.
  let moved: [(translation: Int32, rotation: Int32, scale: Int32)] = [
    (0, 3, 7), (-1, 10, -1), (-1, -1, -1), (-1, -1, -1),
  ]
  for node in 0..<count {
    steps[node] = NodeStep(
      parent: node == 0 || node == 3 ? -1 : Int32(node - 1), block: Int32(node), translation: moved[node].translation,
      rotation: moved[node].rotation, scale: moved[node].scale, constants: Int32(node * NodeTiles.constantCount),
      outputs: Int32(node)..<Int32(node + 1), isFixed: node == 3, isStored: node < 2,
      isScaled: node == 1)
    let isProduct = node == 1
    outputs[node] = NodeOutput(
      index: Int32(count - 1 - node), factor: isProduct ? Int32(count * NodeTiles.constantCount) : -1)
  }
  let blocks = random.floats((count + 1) * NodeTiles.blockCount, -1...1)
  for isPlanar in [false, true] {
    for stores in [LaneRun.Stores.ordinary, .pastCaches] {
      let result = zeroed(count * 16 * instances, of: Float.self)
      kernels.matrices.transformNodes(
        NodeTiles(
          steps: steps.constant, stepCount: count, outputs: outputs.constant, numbers: numbers.constant, blocks: blocks,
          turningBlock: count, values: values.constant, valueStride: instances, result: result,
          resultStride: isPlanar ? instances : 16 * count, isPlanar: isPlanar, tileCount: tiles, stores: stores))
      hash.add(result, count * 16 * instances)
    }
  }
}
