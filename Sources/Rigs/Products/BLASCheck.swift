// SPDX-License-Identifier: MIT
import Kernels

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
