// SPDX-License-Identifier: MIT
// The kernels of each instruction set, found by the linker: the library that calls them does not import them, and so
// compiles beside them.

#ifndef MURMURATION_WIDE_KERNELS_H
#define MURMURATION_WIDE_KERNELS_H

#include <stdbool.h>

/// Initializes memory for a `KernelTable` with the portable kernels. Defined in KernelsPortable, which every program has.
void murmuration_kernels_portable(void *table);

/// Whether the program was linked with the kernels for x86-64-v3, and with those for x86-64-v4.
bool wide_kernels_have_avx2(void);
bool wide_kernels_have_avx512(void);

/// Initializes memory for a `KernelTable` with the kernels of a set, which the program has and the processor supports.
void wide_kernels_copy_avx2(void *table);
void wide_kernels_copy_avx512(void *table);

#endif
