// SPDX-License-Identifier: MIT
#include "wide_kernels.h"

#if defined(__x86_64__)

// Defined in KernelsAVX2 and KernelsAVX512; null in a program without them.
extern void murmuration_kernels_avx2(void *table) __attribute__((weak));
extern void murmuration_kernels_avx512(void *table) __attribute__((weak));

bool wide_kernels_have_avx2(void) { return murmuration_kernels_avx2 != 0; }
bool wide_kernels_have_avx512(void) { return murmuration_kernels_avx512 != 0; }
void wide_kernels_copy_avx2(void *table) { murmuration_kernels_avx2(table); }
void wide_kernels_copy_avx512(void *table) { murmuration_kernels_avx512(table); }

#else

bool wide_kernels_have_avx2(void) { return false; }
bool wide_kernels_have_avx512(void) { return false; }
void wide_kernels_copy_avx2(void *table) { (void)table; }
void wide_kernels_copy_avx512(void *table) { (void)table; }

#endif
