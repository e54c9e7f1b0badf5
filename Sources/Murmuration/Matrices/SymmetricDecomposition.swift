// SPDX-License-Identifier: MIT

/// The eigenvalues and eigenvectors of a dense symmetric matrix in Double, by `dsyevd` of LAPACK (divide and conquer;
/// Cuppen, Numer. Math. 36, 1981), which is part of OpenBLAS.
enum SymmetricDecomposition {
  /// Replaces a matrix by its orthonormal eigenvectors, one after another, and returns their eigenvalues, ascending.
  ///
  /// - Parameters:
  ///   - matrix: `order` × `order` numbers, of which one triangle is read; undefined after a failure.
  ///   - order: 1…``ModalLimits/maximumDegreesOfFreedom``.
  ///   - threads: The number of threads that OpenBLAS may use.
  /// - Throws: ``ModalError/needsOpenBLAS`` without the trait; ``ModalError/decompositionFailed(_:)`` with the
  ///   library's own number if it gives up. The caller has to check the decomposition that it returns.
  /// - Complexity: O(order³), and twice the matrix as workspace.
  static func decompose(_ matrix: inout [Double], order: Int, threads: Int) throws(ModalError) -> [Double] {
    #if OpenBLAS
      var n = CInt(order)
      var info: CInt = 0
      var values = [Double](repeating: 0, count: order)
      var (work, integerWork): ([Double], [CInt]) = ([0], [0])
      var (length, integerLength): (CInt, CInt) = (-1, -1)
      func call() throws(ModalError) {
        do throws(MatrixError) {
          try BLAS.withLibrary(threads: threads) {
            unsafe BLAS.library?.dsyevd(
              "V", "L", &n, &matrix, &n, &values, &work, &length, &integerWork, &integerLength, &info, 1, 1)
          }
        } catch {
          throw .matrices(error)
        }
      }
      // The first call asks for the sizes of the workspace.
      try call()
      let (least, leastIntegers) = (1 + 6 * order + 2 * order * order, 3 + 5 * order)
      guard info == 0, work[0] >= 1, work[0] <= Double(4 * least), 1...4 * leastIntegers ~= Int(integerWork[0]) else {
        throw .decompositionFailed("dsyevd does not say how much memory it needs (info \(info))")
      }
      length = CInt(max(least, Int(work[0])))
      integerLength = CInt(max(leastIntegers, Int(integerWork[0])))
      work = [Double](repeating: 0, count: Int(length))
      integerWork = [CInt](repeating: 0, count: Int(integerLength))
      try call()
      guard info == 0 else { throw .decompositionFailed("dsyevd returned \(info)") }
      return values
    #else
      throw .needsOpenBLAS
    #endif
  }
}
