// SPDX-License-Identifier: MIT
import Kernels

extension Array {
  /// Lends the elements as a column to read. The column must not be kept.
  @inline(__always)
  func withConstantColumn<Result>(_ body: (ConstantColumn<Element>) -> Result) -> Result {
    unsafe withUnsafeBufferPointer { body(unsafe $0.column ?? .empty) }
  }
}

extension Array where Element: BitwiseCopyable {
  /// Lends the elements as a column to read and write. The column must not be kept.
  @inline(__always)
  mutating func withColumn<Result>(_ body: (Column<Element>) -> Result) -> Result {
    unsafe withUnsafeMutableBufferPointer { body(unsafe $0.column ?? .empty) }
  }
}
