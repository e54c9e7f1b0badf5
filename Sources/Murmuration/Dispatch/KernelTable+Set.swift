// SPDX-License-Identifier: MIT
package import Kernels
import KernelsPortable

#if arch(x86_64)
  import KernelsAVX2
  import KernelsAVX512
#endif

extension KernelSet {
  /// The kernels of this set; those of another set must not be called where ``isSupported`` is false.
  package var table: KernelTable {
    #if arch(x86_64)
      switch self {
      case .portable: kernelsPortable
      case .avx2: kernelsAVX2
      case .avx512: kernelsAVX512
      }
    #else
      kernelsPortable
    #endif
  }
}
