// SPDX-License-Identifier: MIT
import Kernels

/// Products of row-major matrices in Float, by our own tiles or by OpenBLAS, whichever is quicker for their size.
enum MatrixProduct {
  /// `c = a · b`, where `a` is m × k without gaps, `b` is k × n and `c` m × n with the given row strides in floats.
  ///
  /// The three must not overlap; m, n, k and the strides must be within Int32, which the caller has checked: BLAS
  /// reports a bad size by printing. With k = 0 the result is 0.
  ///
  /// Each sum has an error of at most k · 2⁻²⁴ · Σ|a · b|. The order of summation, and so the last bit, depends on the
  /// processor where OpenBLAS is used.
  ///
  /// - Complexity: O(m · n · k), and scratch memory of k · m, and of a few panels of k rows.
  static func multiply(
    m: Int, n: Int, k: Int, _ a: UnsafePointer<Float>, _ b: UnsafePointer<Float>, stride ldb: Int,
    into c: UnsafeMutablePointer<Float>, stride ldc: Int, kernels: KernelSet
  ) {
    guard m > 0, n > 0 else {
      return
    }
    if !MatrixLimits.tilesAreQuicker(inner: k, kernels), k > 0 {
      unsafe BLAS.multiply(
        BLASProduct(rows: m, columns: n, inner: k, a: a, aStride: k, b: b, bStride: ldb, c: c, cStride: ldc))
      return
    }
    // The kernel wants a column of weights for each term.
    let weightStride = FloatBuffer.stride(columns: m + rowCountOfTile)
    let weights = FloatBuffer(count: k * weightStride)
    for row in 0..<m {
      for term in 0..<k {
        unsafe weights.start[term * weightStride + row] = a[row * k + term]
      }
    }
    let table = kernels.table.matrices
    let width = table.panelColumns
    unsafe multiply(
      TileProduct(
        weights: weights.start, weightStride: weightStride, shapes: b, shapeStride: ldb, panelStride: width,
        outputs: c, outputStride: ldc, rows: m, columns: n, inner: k,
        stores: MatrixLimits.stores(rows: m, columns: n, c, stride: ldc, kernels)), table)
  }

  /// The same from weights that stand as the kernel wants them, and shapes of any stride.
  ///
  /// Few terms are read in place. More are copied into panels first, some 32 KiB at a time: rows that are far apart cost
  /// a page each. The last columns, where shapes end within a panel, always are.
  private static func multiply(_ product: TileProduct, _ table: MatrixKernels) {
    let width = table.panelColumns
    let inner = product.inner
    let whole = product.columns / width * width
    var first = 0
    if inner <= MatrixLimits.termsInPlace, product.shapeStride % 1024 != 0 {
      var part = product
      part.columns = whole
      table.multiply(part)
      first = whole
    }
    guard first < product.columns else {
      return
    }
    let panels = max(1, 8192 / max(1, inner * width))
    let copies = FloatBuffer(count: panels * inner * width)
    while first < product.columns {
      let columns = min(panels * width, product.columns - first)
      for panel in 0..<(columns + width - 1) / width {
        let count = min(width, columns - panel * width)
        for term in 0..<inner {
          unsafe (copies.start + (panel * inner + term) * width).update(
            from: product.shapes + (term * product.shapeStride + first + panel * width), count: count)
        }
      }
      var part = product
      unsafe part.shapes = UnsafePointer(copies.start)
      part.shapeStride = width
      part.panelStride = inner * width
      unsafe part.outputs = product.outputs + first
      part.columns = columns
      table.multiply(part)
      first += columns
    }
  }
}
