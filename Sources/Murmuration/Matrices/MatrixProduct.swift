// SPDX-License-Identifier: MIT

/// Products of row-major matrices in Float: OpenBLAS where the package was built with it, else a plain loop.
enum MatrixProduct {
  /// Whether OpenBLAS does the work.
  static var usesOpenBLAS: Bool { BLAS.isUsable }

  /// `c = a · b`, where `a` is m × k without gaps, `b` is k × n and `c` m × n with the given row strides in floats.
  ///
  /// The three must not overlap; m, n, k and the strides must be within Int32, which the caller has checked: BLAS
  /// reports a bad size by printing.
  ///
  /// The order of summation, and so the last bit, depends on the processor where OpenBLAS is used.
  static func multiply(
    m: Int, n: Int, k: Int, _ a: UnsafePointer<Float>, _ b: UnsafePointer<Float>, stride ldb: Int,
    into c: UnsafeMutablePointer<Float>, stride ldc: Int
  ) {
    guard m > 0, n > 0, k > 0 else {
      return
    }
    if BLAS.isUsable {
      unsafe BLAS.multiply(
        BLASProduct(rows: m, columns: n, inner: k, a: a, aStride: k, b: b, bStride: ldb, c: c, cStride: ldc))
      return
    }
    for row in 0..<m {
      for column in 0..<n {
        var sum: Float = 0
        for inner in 0..<k {
          unsafe sum += a[row * k + inner] * b[inner * ldb + column]
        }
        unsafe c[row * ldc + column] = sum
      }
    }
  }
}
