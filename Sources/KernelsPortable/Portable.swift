// SPDX-License-Identifier: MIT
public import Kernels

/// arm64 has 32 registers, x86-64 without AVX-512 has 16.
#if arch(arm64)
  typealias PortableRow = WideRow<Portable>
#else
  typealias PortableRow = NarrowRow<Portable>
#endif

/// The kernels compiled for the baseline.
public let kernelsPortable = KernelTable(Portable.self, row: PortableRow.self)

/// Initializes memory for a `KernelTable` with these kernels; the linker finds it by its name in C.
@_cdecl("murmuration_kernels_portable")
public func copyKernels(_ table: UnsafeMutableRawPointer) {
  unsafe table.initializeMemory(as: KernelTable.self, to: kernelsPortable)
}
