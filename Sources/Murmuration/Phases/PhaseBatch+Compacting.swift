// SPDX-License-Identifier: MIT

extension PhaseBatch {
  /// Orders the rows without holes, and gives back the memory that is not needed: as ``SpringBatch/compact()`` where springs
  /// play the sequence, else as ``CurveBatch/compact()``.
  ///
  /// Rows change, indices and handles do not. Worth a call after many tracks left.
  ///
  /// - Throws: ``BatchError/capacityExceeded(_:)`` if there is no room for the copy; nothing changes then.
  /// - Complexity: O(tracks · dimensions); allocates.
  public mutating func compact() throws(BatchError) {
    if springSteps != nil {
      try springs.compact()
    } else {
      try curves.compact()
    }
  }
}
