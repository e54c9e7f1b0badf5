// SPDX-License-Identifier: MIT
// Lane operations that Swift's SIMD types lack or lower badly: each is a few instructions here, and an
// outlined or scalarised call there (a 16-wide `SIMD16<Float>(doubles)` alone costs a function call).
// Swift imports the vector types as SIMD4, SIMD8 and SIMD16; everything is inlined into the kernel that uses it, and
// so is compiled for that kernel's instruction set.

#ifndef MURMURATION_LANES_H
#define MURMURATION_LANES_H

#define LANES_INLINE static inline __attribute__((always_inline, unused))

#define DECLARE_LANES(N)                                                                                              \
  typedef float floats##N __attribute__((ext_vector_type(N)));                                                        \
  typedef double doubles##N __attribute__((ext_vector_type(N)));                                                      \
  typedef int ints##N __attribute__((ext_vector_type(N)));                                                            \
  typedef long long longs##N __attribute__((ext_vector_type(N)));                                                     \
  /* Each lane rounded to Float, ties to even. */                                                                     \
  LANES_INLINE floats##N lanes_narrow##N(doubles##N a) { return __builtin_convertvector(a, floats##N); }              \
  /* The low 32 bits of each lane. */                                                                                 \
  LANES_INLINE ints##N lanes_truncate##N(longs##N a) { return __builtin_convertvector(a, ints##N); }                  \
  /* The larger of `a` and `b`; `b` where a lane of `a` is NaN. */                                                    \
  LANES_INLINE floats##N lanes_max##N(floats##N a, floats##N b) { return a > b ? a : b; }                             \
  /* Stores past the caches; `to` is aligned to the vector. A fence must follow the last of them. */                  \
  LANES_INLINE void lanes_stream##N(float *to, floats##N a) { __builtin_nontemporal_store(a, (floats##N *)to); }

DECLARE_LANES(4)
DECLARE_LANES(8)
DECLARE_LANES(16)

// Orders the stores of lanes_stream before everything that follows.
LANES_INLINE void lanes_fence(void) { __sync_synchronize(); }

#undef DECLARE_LANES
#undef LANES_INLINE

#endif
