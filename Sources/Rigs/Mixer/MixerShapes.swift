// SPDX-License-Identifier: MIT
import Kernels
import Murmuration

/// The rows of a mixer's terms, in the layout of the way to multiply.
///
/// For tiles they stand in panels. If whole panels of rows are 0, each panel lists the terms that it has, since a blend
/// shape moves only some of the points. For OpenBLAS they are row-major.
struct MixerShapes: ~Copyable, Sendable {
  /// Whether tiles multiply; otherwise OpenBLAS does.
  let usesTiles: Bool
  /// The share of all panels' terms that is computed, 0…1.
  let density: Double
  let base: FloatBuffer
  private let rows: FloatBuffer
  private let rowStride: Int
  private let panelColumns: Int
  private let termCount: Int
  private let outputCount: Int
  private let lists: [Int32]
  private let starts: [Int]
  private let isListed: Bool

  init(_ terms: MixerTerms, outputs: Int, _ set: KernelSet) {
    let width = set.table.matrices.panelColumns
    let panels = (outputs + width - 1) / width
    func columns(_ panel: Int) -> Range<Int> { panel * width..<min(outputs, (panel + 1) * width) }
    var lists: [Int32] = []
    var starts = [0]
    for panel in 0..<panels {
      for (index, term) in terms.terms.enumerated() where columns(panel).contains(where: { term.row[$0] != 0 }) {
        lists.append(Int32(index))
      }
      starts.append(lists.count)
    }
    let (all, count) = (panels * terms.terms.count, terms.terms.count)
    density = all == 0 ? 0 : Double(lists.count) / Double(all)
    // A list costs one load for each term and tile, so it pays as soon as anything is left out.
    isListed = lists.count < all
    usesTiles = isListed || count == 0 || MatrixLimits.tilesAreQuicker(inner: count, set)
    base = FloatBuffer(count: panels * width)
    let start = base.start
    terms.base.withConstantColumn { start.update(from: $0, count: outputs) }
    let stride = usesTiles ? width : FloatBuffer.stride(columns: outputs)
    rows = FloatBuffer(count: (usesTiles ? lists.count : count) * stride)
    let firstRow = rows.start
    func copy(_ term: Int, _ columns: Range<Int>, to place: Int) {
      terms.terms[term].row.withConstantColumn {
        (firstRow + place * stride).update(from: $0 + columns.lowerBound, count: columns.count)
      }
    }
    if usesTiles {
      for panel in 0..<panels {
        for place in starts[panel]..<starts[panel + 1] { copy(Int(lists[place]), columns(panel), to: place) }
      }
    } else {
      for term in 0..<count { copy(term, 0..<outputs, to: term) }
    }
    (panelColumns, rowStride, termCount, outputCount) = (width, stride, count, outputs)
    (self.lists, self.starts) = (lists, starts)
  }

  /// Writes outputs [instances × outputs] from a column of weights for each term.
  func multiply(
    _ weights: ConstantColumn<Float>, stride: Int, instances: Int, into outputs: Column<Float>,
    stride outputStride: Int, _ set: KernelSet
  ) {
    guard instances > 0, outputCount > 0 else { return }
    guard usesTiles else {
      multiplyByBLAS(weights, stride: stride, instances: instances, into: outputs, stride: outputStride)
      return
    }
    lists.withConstantColumn { lists in
      starts.withConstantColumn { starts in
        var product = TileProduct(
          weights: weights, weightStride: stride, shapes: rows.start.constant, shapeStride: panelColumns,
          panelStride: termCount * panelColumns, base: base.start.constant, outputs: outputs,
          outputStride: outputStride, rows: instances, columns: outputCount, inner: termCount,
          stores: MatrixLimits.stores(rows: instances, columns: outputCount, outputs, stride: outputStride, set))
        if isListed, !self.lists.isEmpty {
          product.terms = TermLists(terms: lists, starts: starts)
        } else if isListed {
          product.inner = 0
        }
        set.table.matrices.multiply(product)
      }
    }
  }

  /// Writes the base first, and adds the product to it: OpenBLAS would write zeros there otherwise. It takes some rows
  /// at a time, which are still in the cache when the product comes.
  private func multiplyByBLAS(
    _ weights: ConstantColumn<Float>, stride: Int, instances: Int, into outputs: Column<Float>,
    stride outputStride: Int
  ) {
    for first in Swift.stride(from: 0, to: instances, by: MatrixLimits.rowsOntoBase) {
      let count = min(MatrixLimits.rowsOntoBase, instances - first)
      for row in first..<first + count {
        (outputs + row * outputStride).update(from: base.start, count: outputCount)
      }
      BLAS.multiply(
        BLASProduct(
          rows: count, columns: outputCount, inner: termCount, a: weights + first, aStride: stride,
          aIsTransposed: true, b: rows.start.constant, bStride: rowStride, c: outputs + first * outputStride,
          cStride: outputStride, adds: true))
    }
  }
}
