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

/// Products whose results are known exactly: the sums of small whole numbers are exact in any order.
enum BLASCheck {
  /// The first wrong result of a BLAS, or nil.
  static func defect(_ multiply: (BLASProduct) -> Void) -> String? {
    // Small and large products run on different kernels; odd sizes reach the ends of both.
    for (rows, columns, inner) in [(2, 2, 2), (5, 19, 7), (97, 131, 83)] {
      for (aIsTransposed, adds) in [(false, false), (true, false), (true, true)] {
        if let defect = defect(rows, columns, inner, aIsTransposed: aIsTransposed, adds: adds, multiply) {
          return defect
        }
      }
    }
    return nil
  }

  private static func defect(
    _ rows: Int, _ columns: Int, _ inner: Int, aIsTransposed: Bool, adds: Bool, _ multiply: (BLASProduct) -> Void
  ) -> String? {
    let number = { (index: Int) in Float(index * 37 % 17 - 8) }
    let a = (0..<rows * inner).map(number)
    let bStride = columns + 3
    let b = (0..<inner * bStride).map { number($0 + 5) }
    let (cStride, canary) = (columns + 1, Float(12_345))
    var c = (0..<rows * cStride).map { $0 % cStride == columns ? canary : number($0) }
    let before = c
    let aStride = aIsTransposed ? rows : inner
    a.withConstantColumn { a in
      b.withConstantColumn { b in
        c.withColumn { c in
          multiply(
            BLASProduct(
              rows: rows, columns: columns, inner: inner, a: a, aStride: aStride, aIsTransposed: aIsTransposed, b: b,
              bStride: bStride, c: c, cStride: cStride, adds: adds))
        }
      }
    }
    for row in 0..<rows {
      guard c[row * cStride + columns] == canary else { return "it writes beyond a row of a product" }
      for column in 0..<columns {
        var sum: Float = adds ? before[row * cStride + column] : 0
        for k in 0..<inner {
          sum += (aIsTransposed ? a[k * rows + row] : a[row * inner + k]) * b[k * bStride + column]
        }
        guard c[row * cStride + column] == sum else {
          return "a known product of \(rows) × \(inner) and \(inner) × \(columns) came out wrong"
        }
      }
    }
    return nil
  }
}
