// SPDX-License-Identifier: MIT
// Lane operations that Swift's SIMD types lack or lower badly: each is a few instructions here, and an
// outlined or scalarised call there (a 16-wide `SIMD16<Float>(doubles)` alone costs a function call).
// Swift imports the vector types as SIMD4, SIMD8 and SIMD16; everything is inlined into the kernel that uses it, and
// so is compiled for that kernel's instruction set.

#ifndef MURMURATION_LANES_H
#define MURMURATION_LANES_H

#include <stdbool.h>

#define LANES_INLINE static inline __attribute__((always_inline, unused))

#define BITS(N) BITS_##N
#define BITS_4 unsigned char
#define BITS_8 unsigned char
#define BITS_16 unsigned short

// The operators of vectors, for `LaneVectors.swift`: one name for all vectors.
#define OPERATOR_INLINE LANES_INLINE __attribute__((overloadable))
#define DECLARE_OPERATOR(NAME, OPERATOR, LANES)                                                                       \
  OPERATOR_INLINE LANES lanes_##NAME(LANES a, LANES b) { return a OPERATOR b; }
#define DECLARE_ARITHMETIC(LANES)                                                                                     \
  DECLARE_OPERATOR(add, +, LANES)                                                                                     \
  DECLARE_OPERATOR(subtract, -, LANES)                                                                                \
  DECLARE_OPERATOR(multiply, *, LANES)                                                                                \
  DECLARE_OPERATOR(divide, /, LANES)
#define DECLARE_BITS(LANES, LAST_BIT)                                                                                 \
  DECLARE_OPERATOR(and, &, LANES)                                                                                     \
  DECLARE_OPERATOR(or, |, LANES)                                                                                      \
  DECLARE_OPERATOR(xor, ^, LANES)                                                                                     \
  /* Shifts take the low bits of `b`, as Swift's `&<<` and `&>>` do. */                                               \
  OPERATOR_INLINE LANES lanes_left(LANES a, LANES b) { return a << (b & LAST_BIT); }                                  \
  OPERATOR_INLINE LANES lanes_right(LANES a, LANES b) { return a >> (b & LAST_BIT); }                                 \
  OPERATOR_INLINE LANES lanes_not(LANES a) { return ~a; }

// A bit for each lane that satisfies a condition, lane 0 lowest.
#define DECLARE_BITS_WHERE(N, NAME, LANES, CONDITION)                                                                 \
  LANES_INLINE unsigned lanes_##NAME##N(LANES a) {                                                                    \
    bools##N lanes = __builtin_convertvector(CONDITION, bools##N);                                                    \
    BITS(N) bits;                                                                                                    \
    __builtin_memcpy(&bits, &lanes, sizeof bits);                                                                     \
    return bits & ((1u << N) - 1);                                                                                    \
  }

#define DECLARE_LANES(N)                                                                                              \
  typedef float floats##N __attribute__((ext_vector_type(N)));                                                        \
  typedef double doubles##N __attribute__((ext_vector_type(N)));                                                      \
  typedef int ints##N __attribute__((ext_vector_type(N)));                                                            \
  typedef long long longs##N __attribute__((ext_vector_type(N)));                                                     \
  typedef _Bool bools##N __attribute__((ext_vector_type(N)));                                                         \
  DECLARE_ARITHMETIC(floats##N)                                                                                       \
  DECLARE_ARITHMETIC(doubles##N)                                                                                      \
  DECLARE_BITS(ints##N, 31)                                                                                           \
  DECLARE_BITS(longs##N, 63)                                                                                          \
  /* Each lane as a Double. */                                                                                        \
  LANES_INLINE doubles##N lanes_widen##N(floats##N a) { return __builtin_convertvector(a, doubles##N); }              \
  /* The low 32 bits of each lane. */                                                                                 \
  LANES_INLINE ints##N lanes_truncate##N(longs##N a) { return __builtin_convertvector(a, ints##N); }                  \
  /* The larger of `a` and `b`; `b` where a lane of `a` is NaN. */                                                    \
  LANES_INLINE floats##N lanes_max##N(floats##N a, floats##N b) { return a > b ? a : b; }                             \
  /* All bits set where a lane of `a` is the greater, else none. */                                                   \
  LANES_INLINE ints##N lanes_greater##N(ints##N a, ints##N b) { return (ints##N)(a > b); }                            \
  /* Each lane as a Float, rounded to nearest. */                                                                     \
  LANES_INLINE floats##N lanes_floats##N(ints##N a) { return __builtin_convertvector(a, floats##N); }                 \
  /* The entries of a table that the lanes name. */                                                                   \
  LANES_INLINE ints##N lanes_gather##N(const int *table, ints##N index) {                                             \
    ints##N entries;                                                                                                  \
    for (int lane = 0; lane < N; lane++) entries[lane] = table[index[lane]];                                          \
    return entries;                                                                                                   \
  }                                                                                                                   \
  /* The first of each four numbers. */                                                                               \
  LANES_INLINE doubles##N lanes_fourths##N(const double *numbers) {                                                   \
    doubles##N firsts;                                                                                                \
    for (int lane = 0; lane < N; lane++) firsts[lane] = numbers[4 * lane];                                            \
    return firsts;                                                                                                    \
  }                                                                                                                   \
  /* The square root of each lane, correctly rounded. */                                                              \
  LANES_INLINE floats##N lanes_sqrt##N(floats##N a) { return __builtin_elementwise_sqrt(a); }                         \
  /* `a`, or 0 where the sign bit of a lane of `marks` is set. */                                                     \
  LANES_INLINE floats##N lanes_clear##N(floats##N a, ints##N marks) { return marks < 0 ? (floats##N)0 : a; }          \
  /* The sign bit of each lane, lane 0 lowest. */                                                                     \
  DECLARE_BITS_WHERE(N, signs, ints##N, a < 0)                                                                        \
  /* A bit for each lane that is above 0, lane 0 lowest. */                                                           \
  DECLARE_BITS_WHERE(N, positives, doubles##N, a > 0)                                                                 \
  /* Stores past the caches; `to` is aligned to the vector. A fence must follow the last of them. */                  \
  LANES_INLINE void lanes_stream##N(float *to, floats##N a) { __builtin_nontemporal_store(a, (floats##N *)to); }

#define DECLARE_SELECT(N)                                                                                             \
  /* `a` where the lowest bit of a lane of `bits` is set, otherwise `b`. */                                           \
  LANES_INLINE floats##N lanes_select##N(ints##N bits, floats##N a, floats##N b) { return (bits & 1) != 0 ? a : b; }

#define DECLARE_ROUNDING(N)                                                                                           \
  /* `a · b + c`, rounded once; a call for each lane where the instruction set has no such instruction. */            \
  LANES_INLINE floats##N lanes_fused##N(floats##N a, floats##N b, floats##N c) {                                      \
    return __builtin_elementwise_fma(a, b, c);                                                                        \
  }                                                                                                                   \
  /* Each lane rounded to Float, ties to even. */                                                                     \
  LANES_INLINE floats##N lanes_narrow##N(doubles##N a) { return __builtin_convertvector(a, floats##N); }

DECLARE_LANES(4)
DECLARE_LANES(8)
DECLARE_LANES(16)
DECLARE_SELECT(8)
DECLARE_SELECT(16)
DECLARE_ROUNDING(8)
DECLARE_ROUNDING(16)
#if defined(__wasm_simd128__)
#include <wasm_simd128.h>

// WebAssembly. Its back end narrows a lane at a time; and a fused product has a name of its own, as a processor may round
// such a product twice: what runs the code must find out first.
LANES_INLINE floats4 lanes_narrow4(doubles4 a) {
  const v128_t low = (v128_t)__builtin_shufflevector(a, a, 0, 1), high = (v128_t)__builtin_shufflevector(a, a, 2, 3);
  return (floats4)wasm_i64x2_shuffle(wasm_f32x4_demote_f64x2_zero(low), wasm_f32x4_demote_f64x2_zero(high), 0, 2);
}
// Whether a lane may be a tie between two Floats, or is too small for a normal Float.
LANES_INLINE bool lanes_may_round_twice4(doubles4 sum) {
  const v128_t a = (v128_t)__builtin_shufflevector(sum, sum, 0, 1), b = (v128_t)__builtin_shufflevector(sum, sum, 2, 3);
  const v128_t low = wasm_i32x4_shuffle(a, b, 0, 2, 4, 6), high = wasm_i32x4_shuffle(a, b, 1, 3, 5, 7);
  const v128_t tie = wasm_i32x4_eq(wasm_v128_and(low, wasm_i32x4_splat(0x1FFFFFFF)), wasm_i32x4_splat(0x10000000));
  const v128_t small = wasm_i32x4_lt(wasm_v128_and(high, wasm_i32x4_splat(0x7FFFFFFF)), wasm_i32x4_splat(0x38100000));
  return wasm_v128_any_true(wasm_v128_or(tie, small));
}
#if defined(__wasm_relaxed_simd__)
LANES_INLINE floats4 lanes_fused4(floats4 a, floats4 b, floats4 c) {
  return (floats4)wasm_f32x4_relaxed_madd((v128_t)a, (v128_t)b, (v128_t)c);
}
LANES_INLINE floats4 lanes_select4(ints4 bits, floats4 a, floats4 b) {
  const ints4 mask = (bits & 1) != 0;
  return (floats4)wasm_i32x4_relaxed_laneselect((v128_t)a, (v128_t)b, (v128_t)mask);
}
#else
DECLARE_SELECT(4)

// The lanes in which a quick product may have been rounded twice have all bits set; one variable for all objects.
__attribute__((weak)) ints4 lanes_doubts;

// Whether there are such lanes, which are then forgotten.
LANES_INLINE bool lanes_take_doubts(void) {
  const bool any = wasm_v128_any_true((v128_t)lanes_doubts);
  lanes_doubts = (ints4)0;
  return any;
}

// `a · b + c`, rounded to Double and then to Float. That is what one rounding gives, unless the sum in Double is a tie
// between two Floats, or is inexact and too small for a normal Float. For the latter, c must be below 2⁻¹⁰⁰ and not 0:
// with a larger c a sum that is so small is exact, and without c it is a product, which is exact. Such lanes are noted.
LANES_INLINE floats4 lanes_quick_fused4(floats4 a, floats4 b, floats4 c) {
  typedef float floats2 __attribute__((ext_vector_type(2)));
  typedef double doubles2 __attribute__((ext_vector_type(2)));
#define WIDEN(x) __builtin_convertvector((floats2)x, doubles2)
  doubles2 low = WIDEN(a.lo) * WIDEN(b.lo), high = WIDEN(a.hi) * WIDEN(b.hi);
  low += WIDEN(c.lo);
  high += WIDEN(c.hi);
#undef WIDEN
  // The bits of each sum that Float does not have.
  const ints4 lost = (ints4)wasm_i32x4_shuffle((v128_t)low, (v128_t)high, 0, 2, 4, 6) << 3;
  // Without its sign, and 0 the largest.
  const v128_t size = (v128_t)(((ints4)c << 1) - 1);
  lanes_doubts |= (ints4)(lost == (int)0x80000000) | (ints4)wasm_u32x4_lt(size, wasm_u32x4_splat(27u << 24));
  const floats4 x = (floats4)wasm_f32x4_demote_f64x2_zero((v128_t)low);
  const floats4 y = (floats4)wasm_f32x4_demote_f64x2_zero((v128_t)high);
  return __builtin_shufflevector(x, y, 0, 1, 4, 5);
}
#endif
#else
DECLARE_SELECT(4)
DECLARE_ROUNDING(4)
#endif

// The smallest lane, of lanes that are all numbers. (The compiler's own reduction compares lane after lane, as one may
// be NaN.)
LANES_INLINE float lanes_least4(floats4 a) {
  const floats4 b = __builtin_shufflevector(a, a, 2, 3, 0, 1), c = a < b ? a : b;
  return c[0] < c[1] ? c[0] : c[1];
}
LANES_INLINE float lanes_least8(floats8 a) {
  const floats4 low = __builtin_shufflevector(a, a, 0, 1, 2, 3), high = __builtin_shufflevector(a, a, 4, 5, 6, 7);
  return lanes_least4(low < high ? low : high);
}
LANES_INLINE float lanes_least16(floats16 a) {
  const floats8 low = __builtin_shufflevector(a, a, 0, 1, 2, 3, 4, 5, 6, 7);
  const floats8 high = __builtin_shufflevector(a, a, 8, 9, 10, 11, 12, 13, 14, 15);
  return lanes_least8(low < high ? low : high);
}

// Lists the lanes whose sign bit is set, without a branch: `first` is the first of them. Returns how many there are.
LANES_INLINE long lanes_list4(ints4 marks, int first, int *list) {
  long count = 0;
  for (int lane = 0; lane < 4; lane++) {
    list[count] = first + lane;
    count += marks[lane] < 0;
  }
  return count;
}
LANES_INLINE long lanes_list8(ints8 marks, int first, int *list) {
  long count = 0;
  for (int lane = 0; lane < 8; lane++) {
    list[count] = first + lane;
    count += marks[lane] < 0;
  }
  return count;
}

// The records of four floats that the lanes name, as four vectors: loads of whole records and a transposition. Four
// gathers would load each float by itself.
#define RECORD(lane) (*(const record *)(table + 4 * (long)index[lane]))
typedef float record __attribute__((ext_vector_type(4), aligned(4)));
// Squares of four numbers, transposed: the first numbers of each record, the second ones, and so on.
LANES_INLINE void lanes_transpose4(floats4 a, floats4 b, floats4 c, floats4 d, void *records) {
  const floats4 ab = __builtin_shufflevector(a, b, 0, 4, 1, 5), AB = __builtin_shufflevector(a, b, 2, 6, 3, 7);
  const floats4 cd = __builtin_shufflevector(c, d, 0, 4, 1, 5), CD = __builtin_shufflevector(c, d, 2, 6, 3, 7);
  const floats4 transposed[4] = {__builtin_shufflevector(ab, cd, 0, 1, 4, 5), __builtin_shufflevector(ab, cd, 2, 3, 6, 7),
                    __builtin_shufflevector(AB, CD, 0, 1, 4, 5), __builtin_shufflevector(AB, CD, 2, 3, 6, 7)};
  __builtin_memcpy(records, transposed, sizeof transposed);
}
LANES_INLINE void lanes_transpose8(floats8 a, floats8 b, floats8 c, floats8 d, void *records) {
  const floats8 ab = __builtin_shufflevector(a, b, 0, 8, 1, 9, 4, 12, 5, 13);
  const floats8 AB = __builtin_shufflevector(a, b, 2, 10, 3, 11, 6, 14, 7, 15);
  const floats8 cd = __builtin_shufflevector(c, d, 0, 8, 1, 9, 4, 12, 5, 13);
  const floats8 CD = __builtin_shufflevector(c, d, 2, 10, 3, 11, 6, 14, 7, 15);
  const floats8 transposed[4] = {__builtin_shufflevector(ab, cd, 0, 1, 8, 9, 4, 5, 12, 13),
                    __builtin_shufflevector(ab, cd, 2, 3, 10, 11, 6, 7, 14, 15),
                    __builtin_shufflevector(AB, CD, 0, 1, 8, 9, 4, 5, 12, 13),
                    __builtin_shufflevector(AB, CD, 2, 3, 10, 11, 6, 7, 14, 15)};
  __builtin_memcpy(records, transposed, sizeof transposed);
}

// Twice as many numbers.
#define JOIN4(a, b) __builtin_shufflevector(a, b, 0, 1, 2, 3, 4, 5, 6, 7)
#define JOIN8(a, b) __builtin_shufflevector(a, b, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)

LANES_INLINE void lanes_records4(const float *table, ints4 index, void *records) {
  lanes_transpose4(RECORD(0), RECORD(1), RECORD(2), RECORD(3), records);
}
LANES_INLINE void lanes_records8(const float *table, ints8 index, void *records) {
  lanes_transpose8(JOIN4(RECORD(0), RECORD(4)), JOIN4(RECORD(1), RECORD(5)), JOIN4(RECORD(2), RECORD(6)),
                   JOIN4(RECORD(3), RECORD(7)), records);
}

#if defined(__AVX2__)
#include <immintrin.h>

// The nearest integer, ties to even, and `a` times two to the power of an integer, where that is a normal number.
LANES_INLINE floats8 lanes_nearest8(floats8 a) { return _mm256_round_ps(a, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC); }
LANES_INLINE floats8 lanes_scale8(floats8 a, floats8 n) {
  return (floats8)_mm256_add_epi32((__m256i)a, _mm256_slli_epi32(_mm256_cvtps_epi32(n), 23));
}
#endif

#if defined(__AVX512F__)
LANES_INLINE floats16 lanes_nearest16(floats16 a) {
  return _mm512_roundscale_ps(a, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
}
LANES_INLINE floats16 lanes_scale16(floats16 a, floats16 n) { return _mm512_scalef_ps(a, n); }
// The entries of a table of 16 in a register, or of 32 in two, that the lanes name.
LANES_INLINE floats16 lanes_entry16(floats16 entries, ints16 index) {
  return _mm512_permutexvar_ps((__m512i)index, entries);
}
LANES_INLINE floats16 lanes_lookup16(floats16 low, floats16 high, ints16 index) {
  return _mm512_permutex2var_ps(low, (__m512i)index, high);
}
LANES_INLINE void lanes_transpose16(floats16 a, floats16 b, floats16 c, floats16 d, void *records) {
  const __m512d ab = (__m512d)_mm512_unpacklo_ps(a, b), AB = (__m512d)_mm512_unpackhi_ps(a, b);
  const __m512d cd = (__m512d)_mm512_unpacklo_ps(c, d), CD = (__m512d)_mm512_unpackhi_ps(c, d);
  const floats16 transposed[4] = {(floats16)_mm512_unpacklo_pd(ab, cd), (floats16)_mm512_unpackhi_pd(ab, cd),
                     (floats16)_mm512_unpacklo_pd(AB, CD), (floats16)_mm512_unpackhi_pd(AB, CD)};
  __builtin_memcpy(records, transposed, sizeof transposed);
}
LANES_INLINE void lanes_records16(const float *table, ints16 index, void *records) {
#define JOIN16(lane)                                                                                                  \
  _mm512_insertf32x4(_mm512_insertf32x4(_mm512_insertf32x4(_mm512_castps128_ps512(RECORD(lane)), RECORD(lane + 4), 1), \
                                        RECORD(lane + 8), 2), RECORD(lane + 12), 3)
  lanes_transpose16(JOIN16(0), JOIN16(1), JOIN16(2), JOIN16(3), records);
#undef JOIN16
}
LANES_INLINE long lanes_list16(ints16 marks, int first, int *list) {
  const __mmask16 mask = _mm512_movepi32_mask((__m512i)marks);
  const __m512i lanes = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
  _mm512_storeu_si512(list, _mm512_maskz_compress_epi32(mask, _mm512_add_epi32(lanes, _mm512_set1_epi32(first))));
  return __builtin_popcount(mask);
}
// Sixteen rows of sixteen floats, turned. Past the caches, `to` and `toStride` are aligned to lines.
LANES_INLINE void lanes_turn_rows16(__m512 a[16], float *to, long toStride, bool pastCaches) {
  __m512 b[16];
  for (int i = 0; i < 16; i += 2) {
    b[i] = _mm512_unpacklo_ps(a[i], a[i + 1]);
    b[i + 1] = _mm512_unpackhi_ps(a[i], a[i + 1]);
  }
  for (int i = 0; i < 16; i += 4) {
    a[i] = (__m512)_mm512_unpacklo_pd((__m512d)b[i], (__m512d)b[i + 2]);
    a[i + 1] = (__m512)_mm512_unpackhi_pd((__m512d)b[i], (__m512d)b[i + 2]);
    a[i + 2] = (__m512)_mm512_unpacklo_pd((__m512d)b[i + 1], (__m512d)b[i + 3]);
    a[i + 3] = (__m512)_mm512_unpackhi_pd((__m512d)b[i + 1], (__m512d)b[i + 3]);
  }
  for (int i = 0; i < 4; i++) {
    b[i] = _mm512_shuffle_f32x4(a[i], a[i + 4], 0x88);
    b[i + 4] = _mm512_shuffle_f32x4(a[i], a[i + 4], 0xdd);
    b[i + 8] = _mm512_shuffle_f32x4(a[i + 8], a[i + 12], 0x88);
    b[i + 12] = _mm512_shuffle_f32x4(a[i + 8], a[i + 12], 0xdd);
  }
  for (int i = 0; i < 8; i++) {
    const __m512 low = _mm512_shuffle_f32x4(b[i], b[i + 8], 0x88), high = _mm512_shuffle_f32x4(b[i], b[i + 8], 0xdd);
    if (pastCaches) {
      _mm512_stream_ps(to + i * toStride, low);
      _mm512_stream_ps(to + (i + 8) * toStride, high);
    } else {
      _mm512_storeu_ps(to + i * toStride, low);
      _mm512_storeu_ps(to + (i + 8) * toStride, high);
    }
  }
}
LANES_INLINE void lanes_turn16(const float *from, long stride, float *to, long toStride) {
  __m512 rows[16];
  for (int i = 0; i < 16; i++) rows[i] = _mm512_loadu_ps(from + i * stride);
  lanes_turn_rows16(rows, to, toStride, false);
}
// The affine map of each lane as four columns of four floats, of which the last are 0, 0, 0 and 1.
LANES_INLINE void lanes_store_maps16(
    floats16 x0, floats16 x1, floats16 x2, floats16 y0, floats16 y1, floats16 y2, floats16 z0, floats16 z1, floats16 z2,
    floats16 o0, floats16 o1, floats16 o2, float *to, long toStride, bool pastCaches) {
  const __m512 zero = _mm512_setzero_ps();
  __m512 rows[16] = {
      (__m512)x0, (__m512)x1, (__m512)x2, zero, (__m512)y0, (__m512)y1, (__m512)y2, zero,
      (__m512)z0, (__m512)z1, (__m512)z2, zero, (__m512)o0, (__m512)o1, (__m512)o2, _mm512_set1_ps(1)};
  if (pastCaches) {
    lanes_turn_rows16(rows, to, toStride, true);
  } else {
    lanes_turn_rows16(rows, to, toStride, false);
  }
}
// One permutation instead of two narrowings and an insertion.
LANES_INLINE ints16 lanes_even16(longs16 a) {
  typedef int ints32 __attribute__((ext_vector_type(32)));
  const ints32 halves = (ints32)a;
  const ints16 low = __builtin_shufflevector(halves, halves, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
  const ints16 high =
      __builtin_shufflevector(halves, halves, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31);
  const __m512i even = _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
  return (ints16)_mm512_permutex2var_epi32((__m512i)low, even, (__m512i)high);
}
#endif

// The affine map of each lane as four columns of four floats, of which the last are 0, 0, 0 and 1. Past the caches, the
// halves of a line follow each other, and the processor joins them.
LANES_INLINE void lanes_store_maps8(
    floats8 x0, floats8 x1, floats8 x2, floats8 y0, floats8 y1, floats8 y2, floats8 z0, floats8 z1, floats8 z2,
    floats8 o0, floats8 o1, floats8 o2, float *to, long toStride, bool pastCaches) {
  typedef float row __attribute__((ext_vector_type(8), aligned(4)));
  const floats8 rows[16] = {x0, x1, x2, 0, y0, y1, y2, 0, z0, z1, z2, 0, o0, o1, o2, 1};
  floats8 a[16];
  for (int i = 0; i < 16; i += 4) {
    const floats8 *r = rows + i;
    const floats8 low = __builtin_shufflevector(r[0], r[1], 0, 8, 1, 9, 4, 12, 5, 13);
    const floats8 high = __builtin_shufflevector(r[0], r[1], 2, 10, 3, 11, 6, 14, 7, 15);
    const floats8 lower = __builtin_shufflevector(r[2], r[3], 0, 8, 1, 9, 4, 12, 5, 13);
    const floats8 higher = __builtin_shufflevector(r[2], r[3], 2, 10, 3, 11, 6, 14, 7, 15);
    a[i] = __builtin_shufflevector(low, lower, 0, 1, 8, 9, 4, 5, 12, 13);
    a[i + 1] = __builtin_shufflevector(low, lower, 2, 3, 10, 11, 6, 7, 14, 15);
    a[i + 2] = __builtin_shufflevector(high, higher, 0, 1, 8, 9, 4, 5, 12, 13);
    a[i + 3] = __builtin_shufflevector(high, higher, 2, 3, 10, 11, 6, 7, 14, 15);
  }
  for (int i = 0; i < 8; i++) {
    const int j = i % 4;
    const floats8 first = i < 4 ? __builtin_shufflevector(a[j], a[j + 4], 0, 1, 2, 3, 8, 9, 10, 11)
                                : __builtin_shufflevector(a[j], a[j + 4], 4, 5, 6, 7, 12, 13, 14, 15);
    const floats8 last = i < 4 ? __builtin_shufflevector(a[j + 8], a[j + 12], 0, 1, 2, 3, 8, 9, 10, 11)
                               : __builtin_shufflevector(a[j + 8], a[j + 12], 4, 5, 6, 7, 12, 13, 14, 15);
    float *line = to + i * toStride;
    if (pastCaches) {
      __builtin_nontemporal_store(first, (floats8 *)line);
      __builtin_nontemporal_store(last, (floats8 *)(line + 8));
    } else {
      *(row *)line = first;
      *(row *)(line + 8) = last;
    }
  }
}

// Eight rows of eight doubles, turned; `first` numbers of each row are left out.
LANES_INLINE void lanes_turn8(const double *from, long first, double *to, long toStride) {
  typedef double row __attribute__((ext_vector_type(8), aligned(8)));
  doubles8 a[8], b[8];
  for (int i = 0; i < 8; i++) a[i] = *(const row *)(from + 8 * i);
  for (int i = 0; i < 8; i += 2) {
    b[i] = __builtin_shufflevector(a[i], a[i + 1], 0, 8, 2, 10, 4, 12, 6, 14);
    b[i + 1] = __builtin_shufflevector(a[i], a[i + 1], 1, 9, 3, 11, 5, 13, 7, 15);
  }
#define EVEN_PAIRS(a, b) __builtin_shufflevector(a, b, 0, 1, 4, 5, 8, 9, 12, 13)
#define ODD_PAIRS(a, b) __builtin_shufflevector(a, b, 2, 3, 6, 7, 10, 11, 14, 15)
  for (int i = 0; i < 4; i++) {
    const int pair = i / 2 * 4 + i % 2;
    a[pair] = EVEN_PAIRS(b[pair], b[pair + 2]);
    a[pair + 2] = ODD_PAIRS(b[pair], b[pair + 2]);
  }
  for (int i = 0; i < 4; i++) {
    b[i] = EVEN_PAIRS(a[i], a[i + 4]);
    b[i + 4] = ODD_PAIRS(a[i], a[i + 4]);
  }
  for (long i = first; i < 8; i++) *(row *)(to + (i - first) * toStride) = b[i];
}

// Quads: a number each of four neighbouring rows. A vector holds the quads of neighbouring components.
typedef float quad __attribute__((ext_vector_type(4), aligned(4)));
#define QUAD4(a, i) (a)
#define QUAD8(a, i) __builtin_shufflevector(a, a, 4 * i, 4 * i + 1, 4 * i + 2, 4 * i + 3)
#define QUAD16(a, i) QUAD8(a, i)
#define JOIN_QUADS4(QUAD) QUAD(0)
#define JOIN_QUADS8(QUAD) JOIN4(QUAD(0), QUAD(1))
#define JOIN_QUADS16(QUAD) JOIN8(JOIN4(QUAD(0), QUAD(1)), JOIN4(QUAD(2), QUAD(3)))
#define EACH_QUAD4(DO) DO(QUAD4, 0)
#define EACH_QUAD8(DO) DO(QUAD8, 0) DO(QUAD8, 1)
#define EACH_QUAD16(DO) DO(QUAD16, 0) DO(QUAD16, 1) DO(QUAD16, 2) DO(QUAD16, 3)
#define SAME_QUAD(i) (*(const quad *)from)
#define QUAD_OF(i) (*(const quad *)(from + components[i < count ? i : 0] * stride))
#define STORE_QUAD(QUAD, i)                                                                                           \
  if (i < count) {                                                                                                    \
    quad *const place = (quad *)(to + components[i] * stride);                                                        \
    *place = marks < 0 ? QUAD(a, i) : *place;                                                                         \
  }

#define DECLARE_QUADS(N)                                                                                              \
  /* The records of neighbouring components, transposed: four rows have their records at different addresses. */      \
  LANES_INLINE void lanes_quad_records##N(const float *a, const float *b, const float *c, const float *d, void *to) { \
    typedef float row __attribute__((ext_vector_type(N), aligned(16)));                                               \
    lanes_transpose##N(*(const row *)a, *(const row *)b, *(const row *)c, *(const row *)d, to);                       \
  }                                                                                                                   \
  /* One quad for all components. */                                                                                  \
  LANES_INLINE floats##N lanes_same_quads##N(const float *from) { return JOIN_QUADS##N(SAME_QUAD); }                  \
  /* The quads of `count` components, `stride` floats apart by component. */                                          \
  LANES_INLINE floats##N lanes_load_quads##N(const float *from, const int *components, long stride, long count) {     \
    return JOIN_QUADS##N(QUAD_OF);                                                                                    \
  }                                                                                                                   \
  /* Stores those rows of quads whose bit is set. */                                                                  \
  LANES_INLINE void lanes_store_quads##N(floats##N a, unsigned rows, float *to, const int *components, long stride,   \
                                         long count) {                                                                \
    const ints4 marks = (ints4)(int)rows << (ints4){31, 30, 29, 28};                                                  \
    EACH_QUAD##N(STORE_QUAD)                                                                                          \
  }

DECLARE_QUADS(4)
DECLARE_QUADS(8)
#if defined(__AVX512F__)
DECLARE_QUADS(16)
#endif

// Lists the places in [from, to) where `values` is at most `limit`; there is room for all. Returns how many there are.
// Vectors tell which groups of eight have such a place; most have no such place, and the others are listed without
// branches.
LANES_INLINE long lanes_list_at_most(const double *values, long from, long to, double limit, int *list) {
  long count = 0;
  while (from < to) {
    const long end = from + 8 <= to ? from + 8 : to;
    int any = 1;
    if (end == from + 8) {
      any = 0;
      for (int i = 0; i < 8; i++) any |= values[from + i] <= limit;
    }
    for (; any && from < end; from++) {
      list[count] = (int)from;
      count += values[from] <= limit;
    }
    from = end;
  }
  return count;
}

// Lists the places in [from, to) where `bytes` is not 0, in the same way.
LANES_INLINE long lanes_list_marked(const unsigned char *bytes, long from, long to, int *list) {
  long count = 0;
  while (from < to) {
    const long end = from + 8 <= to ? from + 8 : to;
    unsigned long long any = 1;
    if (end == from + 8) __builtin_memcpy(&any, bytes + from, sizeof any);
    for (; any && from < end; from++) {
      list[count] = (int)from;
      count += bytes[from] != 0;
    }
    from = end;
  }
  return count;
}

// The least of the values at [from, to), or infinity; none is NaN.
LANES_INLINE double lanes_least(const double *values, long from, long to) {
  typedef double row __attribute__((ext_vector_type(8), aligned(8)));
  double least = __builtin_inf();
  row rows = least;
  for (; from + 8 <= to; from += 8) {
    const row next = *(const row *)(values + from);
    rows = next < rows ? next : rows;
  }
  for (int i = 0; i < 8; i++) least = rows[i] < least ? rows[i] : least;
  for (; from < to; from++) least = values[from] < least ? values[from] : least;
  return least;
}

// The first place in (from, to) whose value is not that of `from`, or `to`. Vectors tell of each eight whether all are equal.
LANES_INLINE long lanes_end_of_equal(const unsigned long long *values, long from, long to) {
  typedef unsigned long long row __attribute__((ext_vector_type(8), aligned(8)));
  const unsigned long long value = values[from++];
  while (from + 8 <= to && !__builtin_reduce_or(*(const row *)(values + from) ^ value)) from += 8;
  while (from < to && values[from] == value) from++;
  return from;
}

// The first number from one on that is not 0; `to` if there is none.
LANES_INLINE long lanes_first_nonzero(const unsigned long long *values, long from, long to) {
  typedef unsigned long long row __attribute__((ext_vector_type(8), aligned(8)));
  while (from + 8 <= to && !__builtin_reduce_or(*(const row *)(values + from))) from += 8;
  while (from < to && !values[from]) from++;
  return from;
}

// The greatest and the least of the sixteen numbers of a tile, which are aligned to it.
LANES_INLINE double lanes_greatest_of_tile(const double *values) {
  const doubles8 *halves = (const doubles8 *)values;
  const doubles8 a = halves[0] > halves[1] ? halves[0] : halves[1];
  const doubles4 b = __builtin_shufflevector(a, a, 0, 1, 2, 3), c = __builtin_shufflevector(a, a, 4, 5, 6, 7);
  const doubles4 d = b > c ? b : c, e = __builtin_shufflevector(d, d, 2, 3, 0, 1), f = d > e ? d : e;
  return f[0] > f[1] ? f[0] : f[1];
}
LANES_INLINE double lanes_least_of_tile(const double *values) {
  const doubles8 *halves = (const doubles8 *)values;
  const doubles8 a = halves[0] < halves[1] ? halves[0] : halves[1];
  const doubles4 b = __builtin_shufflevector(a, a, 0, 1, 2, 3), c = __builtin_shufflevector(a, a, 4, 5, 6, 7);
  const doubles4 d = b < c ? b : c, e = __builtin_shufflevector(d, d, 2, 3, 0, 1), f = d < e ? d : e;
  return f[0] < f[1] ? f[0] : f[1];
}

// The lanes of a tile, lane 0 lowest, that have the same numbers in two sets of columns.
LANES_INLINE unsigned lanes_equal(const float *a, long a_stride, const float *b, long b_stride, long columns) {
  unsigned equal = 0xFFFF;
  for (long column = 0; column < columns && equal; column++) {
    floats16 x, y;
    __builtin_memcpy(&x, a + column * a_stride, sizeof x);
    __builtin_memcpy(&y, b + column * b_stride, sizeof y);
    const bools16 lanes = __builtin_convertvector(x == y, bools16);
    unsigned short bits;
    __builtin_memcpy(&bits, &lanes, sizeof bits);
    equal &= bits;
  }
  return equal;
}

// The first of `count` tiles in which some lane has the same numbers in two sets of columns; `count` if there is none.
LANES_INLINE long lanes_first_equal(const float *a, long a_stride, const float *b, long b_stride, long columns,
                                    long count) {
  long tile = 0;
  while (tile < count && !lanes_equal(a + 16 * tile, a_stride, b + 16 * tile, b_stride, columns)) tile++;
  return tile;
}

// The first index behind `first` whose number is not larger by `step` than the one before it; at most `end`.
LANES_INLINE long lanes_end_of_steps(const void *numbers, long first, long end, unsigned step) {
  const unsigned *number = (const unsigned *)numbers, start = number[first];
  long next = first + 1;
  for (; next + 8 <= end; next += 8) {
    unsigned others = 0;
    for (int i = 0; i < 8; i++) others |= number[next + i] ^ (start + step * (unsigned)(next + i - first));
    if (others) break;
  }
  while (next < end && number[next] == start + step * (unsigned)(next - first)) next++;
  return next;
}

// The index of the last of `count` records, 32 bytes each, that begins at a tick or before it; the first always does. A record
// begins with its tick less 2³¹. There is no branch, as which way it would take is as good as random.
LANES_INLINE long lanes_record_of_tick(const void *records, long count, int tick) {
  long first = 0;
  while (count > 1) {
    const long half = count >> 1;
    const int start = *(const int *)((const char *)records + 32 * (first + half)) ^ (-2147483647 - 1);
    first = __builtin_unpredictable(start <= tick) ? first + half : first;
    count -= half;
  }
  return first;
}

// Writes the numbers of some lanes of a tile, lane 0 lowest; `to` is aligned to the vector.
LANES_INLINE void lanes_write(float *to, floats16 numbers, unsigned lanes) {
  const ints16 bit = {1 << 0, 1 << 1, 1 << 2,  1 << 3,  1 << 4,  1 << 5,  1 << 6,  1 << 7,
                      1 << 8, 1 << 9, 1 << 10, 1 << 11, 1 << 12, 1 << 13, 1 << 14, 1 << 15};
  floats16 *column = (floats16 *)to;
  *column = ((int)lanes & bit) != 0 ? numbers : *column;
}

// Writes `count` vectors whose components are in columns `stride` floats apart: each `step` floats behind the one before.
LANES_INLINE void lanes_interleave(
    const float *column, long stride, long dimensions, long count, float *output, long step) {
#define COMPONENT(D) const float *c##D = column + D * stride;
  if (dimensions == 1 && step == 1) {
    __builtin_memcpy(output, column, 4 * (unsigned long)count);
  } else if (dimensions == 2 && step == 2) {
    COMPONENT(0) COMPONENT(1)
    for (long i = 0; i < count; i++) output[2 * i] = c0[i], output[2 * i + 1] = c1[i];
  } else if (dimensions == 3 && step == 4) {
    COMPONENT(0) COMPONENT(1) COMPONENT(2)
    for (long i = 0; i < count; i++) {
      output[4 * i] = c0[i], output[4 * i + 1] = c1[i], output[4 * i + 2] = c2[i], output[4 * i + 3] = 0;
    }
  } else if (dimensions == 4 && step == 4) {
    COMPONENT(0) COMPONENT(1) COMPONENT(2) COMPONENT(3)
    for (long i = 0; i < count; i++) {
      output[4 * i] = c0[i], output[4 * i + 1] = c1[i], output[4 * i + 2] = c2[i], output[4 * i + 3] = c3[i];
    }
  } else {
    for (long d = 0; d < dimensions; d++) {
      for (long i = 0; i < count; i++) output[step * i + d] = column[d * stride + i];
    }
  }
#undef COMPONENT
}

// Reads `count` vectors, `step` floats from one to the next, and writes their components to columns `stride` floats apart.
LANES_INLINE void lanes_deinterleave(
    const float *input, long step, long dimensions, long count, float *column, long stride) {
  if (dimensions == 2 && step == 2) {
    float *c0 = column, *c1 = column + stride;
    for (long i = 0; i < count; i++) c0[i] = input[2 * i], c1[i] = input[2 * i + 1];
  } else if ((dimensions == 3 || dimensions == 4) && step == 4) {
    float *c0 = column, *c1 = column + stride, *c2 = column + 2 * stride;
    for (long i = 0; i < count; i++) c0[i] = input[4 * i], c1[i] = input[4 * i + 1], c2[i] = input[4 * i + 2];
    if (dimensions == 4) {
      for (long i = 0; i < count; i++) column[3 * stride + i] = input[4 * i + 3];
    }
  } else {
    for (long d = 0; d < dimensions; d++) {
      for (long i = 0; i < count; i++) column[d * stride + i] = input[step * i + d];
    }
  }
}

// Asks for the line of an address, which is about to be read.
LANES_INLINE void lanes_prefetch(const void *address) { __builtin_prefetch(address); }

// Orders the stores of lanes_stream before everything that follows.
LANES_INLINE void lanes_fence(void) { __sync_synchronize(); }

#undef RECORD
#undef JOIN4
#undef JOIN8
#undef QUAD4
#undef QUAD8
#undef QUAD16
#undef JOIN_QUADS4
#undef JOIN_QUADS8
#undef JOIN_QUADS16
#undef EACH_QUAD4
#undef EACH_QUAD8
#undef EACH_QUAD16
#undef SAME_QUAD
#undef QUAD_OF
#undef STORE_QUAD
#undef DECLARE_QUADS
#undef DECLARE_LANES
#undef DECLARE_BITS_WHERE
#undef DECLARE_ROUNDING
#undef DECLARE_BITS
#undef DECLARE_ARITHMETIC
#undef DECLARE_OPERATOR
#undef OPERATOR_INLINE
#undef BITS
#undef BITS_4
#undef BITS_8
#undef BITS_16
#undef LANES_INLINE

#endif
