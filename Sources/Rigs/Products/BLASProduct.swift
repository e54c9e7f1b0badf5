// SPDX-License-Identifier: MIT
package import Kernels

/// The arguments of one product of row-major matrices, c = a · b or c += a · b.
///
/// Sizes and strides, in floats, are within Int32; the columns are lent. `c` overlaps neither `a` nor `b`.
package struct BLASProduct {
  package var rows: Int
  package var columns: Int
  package var inner: Int
  /// [rows × inner], or [inner × rows] if it is transposed.
  package var a: ConstantColumn<Float>
  package var aStride: Int
  package var aIsTransposed = false
  /// [inner × columns].
  package var b: ConstantColumn<Float>
  package var bStride: Int
  /// [rows × columns].
  package var c: Column<Float>
  package var cStride: Int
  /// Whether the product is added to the numbers in `c`.
  package var adds = false

  package init(
    rows: Int, columns: Int, inner: Int, a: ConstantColumn<Float>, aStride: Int, aIsTransposed: Bool = false,
    b: ConstantColumn<Float>, bStride: Int, c: Column<Float>, cStride: Int, adds: Bool = false
  ) {
    (self.rows, self.columns, self.inner) = (rows, columns, inner)
    (self.a, self.b, self.c) = (a, b, c)
    (self.aStride, self.bStride, self.cStride) = (aStride, bStride, cStride)
    (self.aIsTransposed, self.adds) = (aIsTransposed, adds)
  }

  /// Lends parts of the product that each have at most ``MatrixLimits/chunk`` multiplications, or one row and column.
  func forEachChunk(_ body: (BLASProduct) -> Void) {
    let height = min(rows, MatrixLimits.chunkRows(inner: inner))
    let width = MatrixLimits.chunkColumns(rows: height, inner: inner)
    for column in stride(from: 0, to: columns, by: width) {
      for row in stride(from: 0, to: rows, by: height) {
        var part = self
        part.a = a + (aIsTransposed ? row : row * aStride)
        part.b = b + column
        part.c = c + (row * cStride + column)
        part.rows = min(height, rows - row)
        part.columns = min(width, columns - column)
        body(part)
      }
    }
  }
}
