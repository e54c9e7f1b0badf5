// SPDX-License-Identifier: MIT
import CProcessor
package import Kernels

extension KernelSet {
  /// The kernels of this set. They must not be called unless ``isSupported``.
  package var table: KernelTable {
    switch self {
    case .portable: Self.portableTable
    case .avx2: Self.tableOfAVX2
    case .avx512: Self.tableOfAVX512
    }
  }

  private static let portableTable = unsafe linked(murmuration_kernels_portable)
  private static let tableOfAVX2 =
    wide_kernels_have_avx2() ? unsafe linked(wide_kernels_copy_avx2) : portableTable
  private static let tableOfAVX512 =
    wide_kernels_have_avx512() ? unsafe linked(wide_kernels_copy_avx512) : portableTable

  /// The table that a function writes, which the linker found.
  private static func linked(_ copy: (UnsafeMutableRawPointer?) -> Void) -> KernelTable {
    unsafe withUnsafeTemporaryAllocation(of: KernelTable.self, capacity: 1) { memory in
      let table = unsafe memory.baseAddress.unsafelyUnwrapped
      unsafe copy(table)
      return unsafe table.move()
    }
  }
}
