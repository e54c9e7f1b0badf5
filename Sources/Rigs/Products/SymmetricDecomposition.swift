// SPDX-License-Identifier: MIT

extension BLAS {
  /// Replaces a dense symmetric matrix in Double by its orthonormal eigenvectors, one after another, and returns their
  /// eigenvalues, ascending.
  ///
  /// By `dsyevd` of LAPACK (divide and conquer; Cuppen, Numer. Math. 36, 1981), which is part of OpenBLAS. The caller
  /// has to check the decomposition.
  ///
  /// - Parameters:
  ///   - matrix: `order` × `order` numbers, of which one triangle is read; undefined after a failure.
  ///   - order: 1…16 000: the workspace is counted in Int32.
  ///   - threads: The number of threads that OpenBLAS may use.
  /// - Throws: ``MatrixError/unusableBLAS(reason:)``, or ``MatrixError/decompositionFailed(_:)`` with the library's own
  ///   number if it gives up.
  /// - Complexity: O(order³), and twice the matrix as workspace.
  package static func decompose(
    _ matrix: inout [Double], order: Int, threads: Int
  ) throws(MatrixError) -> [Double] {
    try requireUsable()
    var values = [Double](repeating: 0, count: order)
    #if OpenBLAS
      var n = CInt(order)
      var info: CInt = 0
      var (work, integerWork): ([Double], [CInt]) = ([0], [0])
      var (length, integerLength): (CInt, CInt) = (-1, -1)
      func call() {
        exclusively(threads: threads) {
          unsafe library?.dsyevd(
            "V", "L", &n, &matrix, &n, &values, &work, &length, &integerWork, &integerLength, &info, 1, 1)
        }
      }
      // The first call asks for the sizes of the workspace.
      call()
      let (least, leastIntegers) = (1 + 6 * order + 2 * order * order, 3 + 5 * order)
      guard info == 0, work[0] >= 1, work[0] <= Double(4 * least), 1...4 * leastIntegers ~= Int(integerWork[0]) else {
        throw .decompositionFailed("dsyevd does not say how much memory it needs (info \(info))")
      }
      length = CInt(max(least, Int(work[0])))
      integerLength = CInt(max(leastIntegers, Int(integerWork[0])))
      work = [Double](repeating: 0, count: Int(length))
      integerWork = [CInt](repeating: 0, count: Int(integerLength))
      call()
      guard info == 0 else { throw .decompositionFailed("dsyevd returned \(info)") }
    #endif
    return values
  }
}
