// SPDX-License-Identifier: MIT

/// The arguments of one product of row-major matrices, c = a · b or c += a · b.
///
/// Sizes and strides, in floats, are within Int32; the pointers are lent. `c` overlaps neither `a` nor `b`.
@safe
struct BLASProduct {
  var rows: Int
  var columns: Int
  var inner: Int
  /// [rows × inner], or [inner × rows] if it is transposed.
  var a: UnsafePointer<Float>
  var aStride: Int
  var aIsTransposed = false
  /// [inner × columns].
  var b: UnsafePointer<Float>
  var bStride: Int
  /// [rows × columns].
  var c: UnsafeMutablePointer<Float>
  var cStride: Int
  /// Whether the product is added to what stands in `c`.
  var adds = false

  /// Lends parts of the product that each have at most ``MatrixLimits/chunk`` multiplications, or one row and column.
  func forEachChunk(_ body: (BLASProduct) -> Void) {
    let height = min(rows, MatrixLimits.chunkRows(inner: inner))
    let width = MatrixLimits.chunkColumns(rows: height, inner: inner)
    for column in stride(from: 0, to: columns, by: width) {
      for row in stride(from: 0, to: rows, by: height) {
        var part = self
        unsafe part.a = a + (aIsTransposed ? row : row * aStride)
        unsafe part.b = b + column
        unsafe part.c = c + (row * cStride + column)
        part.rows = min(height, rows - row)
        part.columns = min(width, columns - column)
        body(part)
      }
    }
  }
}
