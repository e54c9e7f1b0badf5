// SPDX-License-Identifier: MIT
// Vectors of 16 lanes, whatever the instruction set: the compiler splits them where registers are narrower.

#ifndef MURMURATION_YARDSTICKS_LOOPS_SUPPORT_H
#define MURMURATION_YARDSTICKS_LOOPS_SUPPORT_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#if defined(__linux__)
#include <sys/mman.h>
#endif

#include "loops.h"

// Bodies are inlined into functions of each instruction set, so that no vector is ever an argument.
#pragma clang diagnostic ignored "-Wpsabi"

#define BODY static inline __attribute__((always_inline))
#define AVX2 __attribute__((target("avx2,fma")))
#define AVX512 __attribute__((target("avx512f,avx512dq,avx512bw,avx512vl,avx2,fma")))

enum { lanes = 16 };
typedef float floats __attribute__((ext_vector_type(16)));
typedef int32_t ints __attribute__((ext_vector_type(16)));
typedef double doubles __attribute__((ext_vector_type(16)));
/// At the alignment of a float.
typedef floats loose_floats __attribute__((aligned(4)));

BODY floats load(const float *from) { return *(const floats *)from; }
BODY floats load_loose(const float *from) { return *(const loose_floats *)from; }
BODY void store(floats value, float *to) { *(floats *)to = value; }
BODY floats narrow(doubles value) { return __builtin_convertvector(value, floats); }
BODY floats splat(float value) { return (floats)value; }
BODY floats blend(ints mask, floats yes, floats no) { return mask ? yes : no; }
BODY floats magnitude(floats value) { return (floats)((ints)value & 0x7FFFFFFF); }
/// One instruction: the compiler's own function takes three, for NaN.
BODY floats larger(floats a, floats b) { return a > b ? a : b; }
/// The largest lane, by halves: the compiler's own function goes from lane to lane.
BODY float largest(floats value) {
  value = larger(value, __builtin_shufflevector(value, value, 8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7));
  value = larger(value, __builtin_shufflevector(value, value, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3));
  value = larger(value, __builtin_shufflevector(value, value, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1));
  return value[0] > value[1] ? value[0] : value[1];
}

/// With it added, the low bits of a float are the nearest integer, for magnitudes below 2²².
static const float shifter = 0x1.8p23f;
static const double wide_shifter = 0x1.8p52;

/// 2ˣ for x above −126, to about 2⁻²².
BODY floats exp2_of(floats x) {
  x = larger(x, splat(-125));
  const floats shifted = x + shifter, n = shifted - shifter, r = x - n;
  floats p = r * 0.00015461444854736328f + 0.0013400427997112274f;
  p = p * r + 0.009618056938052177f;
  p = p * r + 0.05550327152013779f;
  p = p * r + 0.24022650718688965f;
  p = p * r + 0.6931471824645996f;
  p = p * r + 1;
  return (floats)((ints)p + ((ints)shifted << 23));
}

/// Sine and cosine of an angle in whole turns, for magnitudes up to 1/2.
BODY void sine_and_cosine(floats turns, floats *sine, floats *cosine) {
  const floats shifted = turns * 4 + shifter, q = shifted - shifter, r = turns - q * 0.25f, z = r * r;
  const ints quadrant = (ints)shifted;
  floats s = z * 41.47283172607422f + -76.69786834716797f;
  s = s * z + 81.6052017211914f;
  s = s * z + -41.34170150756836f;
  s = (s * z + 6.2831854820251465f) * r;
  floats c = z * 59.22016906738281f + -85.4428482055664f;
  c = c * z + 64.93931579589844f;
  c = c * z + -19.739208221435547f;
  c = c * z + 1;
  const ints swapped = (quadrant & 1) != 0;
  *sine = (floats)((ints)blend(swapped, c, s) ^ ((quadrant & 2) << 30));
  *cosine = (floats)((ints)blend(swapped, s, c) ^ (((quadrant + 1) & 2) << 30));
}

/// Memory aligned to 64 bytes and full of zeros, in large pages where there are any. Neighbours stand apart by a `stagger`
/// each, so that no two columns share an offset within a page.
static void *zeros(size_t bytes, size_t stagger) {
  enum { page = 1 << 21, step = 832 };
  const size_t whole = (bytes + stagger * step + page - 1) / page * page;
  char *memory = aligned_alloc(page, whole);
  if (!memory) return NULL;
#if defined(__linux__)
  madvise(memory, whole, MADV_HUGEPAGE);
#endif
  memset(memory, 0, whole);
  return memory + stagger * step;
}

static void release(void *memory, size_t stagger) {
  if (memory) free((char *)memory - stagger * 832);
}

// In effects.c.
void yardstick_add_effects_portable(yardstick_effects *effects, const float *curve, double now);
void yardstick_add_effects_avx2(yardstick_effects *effects, const float *curve, double now);
void yardstick_add_effects_avx512(yardstick_effects *effects, const float *curve, double now);

#endif
