// SPDX-License-Identifier: MIT
#include <stdint.h>

#include "support.h"
#include "yardsticks.h"

// One formula, twice: 16 lanes of AVX-512 and 8 of AVX2, with the instructions that each is best at.
//
// The phase is reduced in double, to the nearest quarter turn and a remainder. That keeps all bits of small phases too,
// which are multiplied by large amplitudes near the critical case. (Phases in fixed point, modulo a few turns, would
// take less time, but miss the bound there by five orders of magnitude.)
//
// The quadrant changes displacement and sine amplitude instead of cosine and sine. With c and z, the cosine and sine of
// the remainder,
//
//     cos·y + sin·s = ±(c·a + z·b)        a, b = y, s in even quadrants, s, −y in odd ones
//     cos·s − sin·y = ±(c·b − z·a)
//
// and the sign, bit 1 of the quadrant, goes to the envelope, which multiplies last.

#if defined(__x86_64__)
#include <immintrin.h>

enum {
  odd_quadrant = 1,
  /// The shift that moves the sign, bit 1 of the quadrant, to the top.
  sign_shift = 30,
};

/// With it added, the low half of a double is the nearest integer.
static const double shifter_value = 0x1.8p52;

// The polynomials of the kernels, lowest powers first: sine and cosine of quarter turns in x², the sine without its
// last factor x, and 2ʳ.
static const float sine_terms[] = {
    1.5707963705062866f, -0.6459665894508362f, 0.07971153408288956f, -0.004682743921875954f};
static const float cosine_terms[] = {1, -1.2336976528167725f, 0.2536024749279022f, -0.020415116101503372f};
static const float exp2_terms[] = {
    1,
    0.6931471824645996f,
    0.24022650718688965f,
    0.05550327152013779f,
    0.009618056938052177f,
    0.0013400427997112274f,
    0.00015461444854736328f,
};

static const float half_pi = 1.5707963267948966f;
static const float ln2_over_half_pi = 0.4412712003053032f;

// MARK: - AVX-512

#define AVX512 __attribute__((target("avx512f")))
#define AVX512_INLINE static inline __attribute__((always_inline)) AVX512

/// The state after the double columns: the quarter turns, their remainders, and −decay · age.
typedef struct {
  __m512i quadrant;
  __m512 x, exponent;
} reduced_16;

/// The arguments of the polynomials: both remainders, each with the integer that was split off.
typedef struct {
  __m512i quadrant;
  __m512 x, x2, r, n;
} split_16;

AVX512_INLINE __m512 narrow_16(__m512d low, __m512d high) {
  return _mm512_castpd_ps(_mm512_insertf64x4(
      _mm512_castpd256_pd512(_mm256_castps_pd(_mm512_cvtpd_ps(low))), _mm256_castps_pd(_mm512_cvtpd_ps(high)), 1));
}

AVX512_INLINE reduced_16 reduce_16(const yardstick_mixed_columns *columns, size_t lane, double now) {
  const __m512i even = _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
  const __m512d nows = _mm512_set1_pd(now), shifter = _mm512_set1_pd(shifter_value);
  const __m512d age0 = _mm512_sub_pd(_mm512_load_pd(columns->start + lane), nows);
  const __m512d age1 = _mm512_sub_pd(_mm512_load_pd(columns->start + lane + 8), nows);
  const __m512d rate0 = _mm512_load_pd(columns->rate + lane), rate1 = _mm512_load_pd(columns->rate + lane + 8);
  const __m512d shifted0 = _mm512_fmadd_pd(age0, rate0, shifter), shifted1 = _mm512_fmadd_pd(age1, rate1, shifter);
  const __m512d x0 = _mm512_fmsub_pd(age0, rate0, _mm512_sub_pd(shifted0, shifter));
  const __m512d x1 = _mm512_fmsub_pd(age1, rate1, _mm512_sub_pd(shifted1, shifter));
  return (reduced_16){
      _mm512_permutex2var_epi32(_mm512_castpd_si512(shifted0), even, _mm512_castpd_si512(shifted1)),
      narrow_16(x0, x1),
      _mm512_mul_ps(narrow_16(age0, age1), _mm512_load_ps(columns->decay + lane)),
  };
}

AVX512_INLINE split_16 split_16_of(reduced_16 reduced) {
  split_16 split;
  const __m512 exponent = _mm512_max_ps(reduced.exponent, _mm512_set1_ps(-100));
  split.n = _mm512_roundscale_ps(exponent, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
  split.r = _mm512_sub_ps(exponent, split.n);
  split.x = reduced.x;
  split.x2 = _mm512_mul_ps(split.x, split.x);
  split.quadrant = reduced.quadrant;
  return split;
}

AVX512_INLINE __m512 polynomial_16(__m512 x, const float *terms, int degree) {
  __m512 p = _mm512_set1_ps(terms[degree]);
  while (degree--) p = _mm512_fmadd_ps(p, x, _mm512_set1_ps(terms[degree]));
  return p;
}

AVX512_INLINE void store_16(float *to, __m512 x, bool nontemporal) {
  if (nontemporal) {
    _mm512_stream_ps(to, x);
  } else {
    _mm512_store_ps(to, x);
  }
}

AVX512_INLINE void finish_16(
    split_16 split, const yardstick_mixed_columns *columns, size_t lane, bool velocities, bool nontemporal) {
  const __m512i sign = _mm512_set1_epi32(INT32_MIN);
  const __m512 sine = _mm512_mul_ps(polynomial_16(split.x2, sine_terms, 3), split.x);
  const __m512 cosine = polynomial_16(split.x2, cosine_terms, 3);
  __m512 envelope = _mm512_scalef_ps(polynomial_16(split.r, exp2_terms, 6), split.n);
  // envelope ^ (quadrant & sign), or 0 where the lane is at rest
  const __mmask16 moves = _mm512_testn_epi32_mask(_mm512_load_si512(columns->decay + lane), sign);
  envelope = _mm512_castsi512_ps(_mm512_maskz_ternarylogic_epi32(
      moves, _mm512_castps_si512(envelope), _mm512_slli_epi32(split.quadrant, sign_shift), sign, 0x78));

  const __m512 y = _mm512_load_ps(columns->displacement + lane), s = _mm512_load_ps(columns->sine + lane);
  const __mmask16 is_even = _mm512_testn_epi32_mask(split.quadrant, _mm512_set1_epi32(odd_quadrant));
  const __m512 a = _mm512_mask_blend_ps(is_even, s, y);
  const __m512 minus_b = _mm512_castsi512_ps(
      _mm512_mask_xor_epi32(_mm512_castps_si512(y), is_even, _mm512_castps_si512(s), sign));
  const __m512 p = _mm512_fmsub_ps(cosine, a, _mm512_mul_ps(sine, minus_b));
  store_16(columns->value + lane, _mm512_fmadd_ps(envelope, p, _mm512_load_ps(columns->target + lane)), nontemporal);
  if (velocities) {
    // The column holds −rate: E·π/2 · (−rate · −q − decay · ln 2/(π/2) · p)
    const __m512 minus_q = _mm512_fmadd_ps(cosine, minus_b, _mm512_mul_ps(sine, a));
    const __m512 rate = narrow_16(_mm512_load_pd(columns->rate + lane), _mm512_load_pd(columns->rate + lane + 8));
    const __m512 decay = _mm512_mul_ps(_mm512_load_ps(columns->decay + lane), _mm512_set1_ps(ln2_over_half_pi));
    const __m512 velocity = _mm512_mul_ps(
        _mm512_mul_ps(envelope, _mm512_set1_ps(half_pi)), _mm512_fmsub_ps(rate, minus_q, _mm512_mul_ps(decay, p)));
    store_16(columns->velocity + lane, velocity, nontemporal);
  }
}

// MARK: - AVX2

#define AVX2 __attribute__((target("avx2,fma")))
#define AVX2_INLINE static inline __attribute__((always_inline)) AVX2

typedef struct {
  __m256i quadrant;
  __m256 x, exponent;
} reduced_8;

/// Here n is where it is added to the bits of a float.
typedef struct {
  __m256i quadrant, n;
  __m256 x, x2, r;
} split_8;

AVX2_INLINE __m256 narrow_8(__m256d low, __m256d high) {
  return _mm256_set_m128(_mm256_cvtpd_ps(high), _mm256_cvtpd_ps(low));
}

AVX2_INLINE reduced_8 reduce_8(const yardstick_mixed_columns *columns, size_t lane, double now) {
  const __m256d nows = _mm256_set1_pd(now), shifter = _mm256_set1_pd(shifter_value);
  const __m256d age0 = _mm256_sub_pd(_mm256_load_pd(columns->start + lane), nows);
  const __m256d age1 = _mm256_sub_pd(_mm256_load_pd(columns->start + lane + 4), nows);
  const __m256d rate0 = _mm256_load_pd(columns->rate + lane), rate1 = _mm256_load_pd(columns->rate + lane + 4);
  const __m256d shifted0 = _mm256_fmadd_pd(age0, rate0, shifter), shifted1 = _mm256_fmadd_pd(age1, rate1, shifter);
  const __m256d x0 = _mm256_fmsub_pd(age0, rate0, _mm256_sub_pd(shifted0, shifter));
  const __m256d x1 = _mm256_fmsub_pd(age1, rate1, _mm256_sub_pd(shifted1, shifter));
  // The low halves, lanes 0 1 4 5 2 3 6 7; then those in order.
  const __m256 low =
      _mm256_shuffle_ps(_mm256_castpd_ps(shifted0), _mm256_castpd_ps(shifted1), _MM_SHUFFLE(2, 0, 2, 0));
  return (reduced_8){
      _mm256_permute4x64_epi64(_mm256_castps_si256(low), _MM_SHUFFLE(3, 1, 2, 0)),
      narrow_8(x0, x1),
      _mm256_mul_ps(narrow_8(age0, age1), _mm256_load_ps(columns->decay + lane)),
  };
}

AVX2_INLINE split_8 split_8_of(reduced_8 reduced) {
  split_8 split;
  const __m256 exponent = _mm256_max_ps(reduced.exponent, _mm256_set1_ps(-100));
  split.n = _mm256_slli_epi32(_mm256_cvtps_epi32(exponent), 23);
  split.r = _mm256_sub_ps(exponent, _mm256_round_ps(exponent, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC));
  split.x = reduced.x;
  split.x2 = _mm256_mul_ps(split.x, split.x);
  split.quadrant = reduced.quadrant;
  return split;
}

AVX2_INLINE __m256 polynomial_8(__m256 x, const float *terms, int degree) {
  __m256 p = _mm256_set1_ps(terms[degree]);
  while (degree--) p = _mm256_fmadd_ps(p, x, _mm256_set1_ps(terms[degree]));
  return p;
}

AVX2_INLINE void store_8(float *to, __m256 x, bool nontemporal) {
  if (nontemporal) {
    _mm256_stream_ps(to, x);
  } else {
    _mm256_store_ps(to, x);
  }
}

AVX2_INLINE void finish_8(
    split_8 split, const yardstick_mixed_columns *columns, size_t lane, bool velocities, bool nontemporal) {
  const __m256 sign = _mm256_set1_ps(-0.0f);
  const __m256 sine = _mm256_mul_ps(polynomial_8(split.x2, sine_terms, 3), split.x);
  const __m256 cosine = polynomial_8(split.x2, cosine_terms, 3);
  __m256 envelope = _mm256_castsi256_ps(
      _mm256_add_epi32(_mm256_castps_si256(polynomial_8(split.r, exp2_terms, 6)), split.n));
  envelope = _mm256_xor_ps(
      envelope, _mm256_and_ps(_mm256_castsi256_ps(_mm256_slli_epi32(split.quadrant, sign_shift)), sign));
  const __m256i rests = _mm256_srai_epi32(_mm256_load_si256((const __m256i *)(columns->decay + lane)), 31);
  envelope = _mm256_andnot_ps(_mm256_castsi256_ps(rests), envelope);

  const __m256 y = _mm256_load_ps(columns->displacement + lane), s = _mm256_load_ps(columns->sine + lane);
  // A blend looks at the top bit only: that of odd quadrants.
  const __m256 is_odd = _mm256_castsi256_ps(_mm256_slli_epi32(split.quadrant, sign_shift + 1));
  const __m256 a = _mm256_blendv_ps(y, s, is_odd);
  const __m256 b = _mm256_blendv_ps(s, _mm256_xor_ps(y, sign), is_odd);
  const __m256 p = _mm256_fmadd_ps(cosine, a, _mm256_mul_ps(sine, b));
  store_8(columns->value + lane, _mm256_fmadd_ps(envelope, p, _mm256_load_ps(columns->target + lane)), nontemporal);
  if (velocities) {
    // The column holds −rate: −E·π/2 · (−rate · q + decay · ln 2/(π/2) · p)
    const __m256 q = _mm256_fmsub_ps(cosine, b, _mm256_mul_ps(sine, a));
    const __m256 rate = narrow_8(_mm256_load_pd(columns->rate + lane), _mm256_load_pd(columns->rate + lane + 4));
    const __m256 decay = _mm256_mul_ps(_mm256_load_ps(columns->decay + lane), _mm256_set1_ps(ln2_over_half_pi));
    const __m256 velocity = _mm256_mul_ps(
        _mm256_mul_ps(envelope, _mm256_set1_ps(-half_pi)), _mm256_fmadd_ps(rate, q, _mm256_mul_ps(decay, p)));
    store_8(columns->velocity + lane, velocity, nontemporal);
  }
}

// MARK: - Loops

// In one walk through the whole formula a processor stalls: its schedulers fill with instructions that wait for earlier
// ones. There are two ways out, each used where it is the faster one:
//
// Pipelined, with the columns in a cache: each turn finishes one group of vectors, splits the next, and reduces the one
// after that.
//
// In two passes over a block, with the columns in memory: fewer columns at a time suit the prefetchers. The reduced
// block stays in the first-level cache.

#define EACH(VECTOR) _Pragma("clang loop unroll(full)") for (int VECTOR = 0; VECTOR < group; VECTOR++)

#define DEFINE_MIXED(NAME, LANES, GROUP, ATTRIBUTES, VELOCITIES)                                                       \
  ATTRIBUTES static void NAME(const yardstick_mixed_columns *pointers, size_t count, double now) {                     \
    enum { group = GROUP, step = GROUP * LANES };                                                                      \
    if (!count) return;                                                                                                \
    /* A copy, which no store can change. */                                                                           \
    const yardstick_mixed_columns columns = *pointers;                                                                 \
    split_##LANES split[group];                                                                                        \
    reduced_##LANES reduced[group];                                                                                    \
    EACH(v) split[v] = split_##LANES##_of(reduce_##LANES(&columns, v * LANES, now));                                   \
    EACH(v) reduced[v] = reduce_##LANES(&columns, step + v * LANES, now);                                              \
    size_t i = 0;                                                                                                      \
    for (; i < count - 2 * step; i += step) {                                                                          \
      EACH(v) finish_##LANES(split[v], &columns, i + v * LANES, VELOCITIES, false);                                    \
      EACH(v) split[v] = split_##LANES##_of(reduced[v]);                                                               \
      EACH(v) reduced[v] = reduce_##LANES(&columns, i + 2 * step + v * LANES, now);                                    \
    }                                                                                                                  \
    EACH(v) finish_##LANES(split[v], &columns, i + v * LANES, VELOCITIES, false);                                      \
    EACH(v) finish_##LANES(split_##LANES##_of(reduced[v]), &columns, i + step + v * LANES, VELOCITIES, false);         \
  }                                                                                                                    \
  ATTRIBUTES static void NAME##_nontemporal(const yardstick_mixed_columns *pointers, size_t count, double now) {       \
    enum { block = 128 };                                                                                              \
    const yardstick_mixed_columns columns = *pointers;                                                                 \
    reduced_##LANES reduced[block / LANES];                                                                            \
    for (size_t first = 0; first < count; first += block) {                                                            \
      const size_t lanes = count - first < block ? count - first : block;                                              \
      _Pragma("clang loop unroll(disable)") for (size_t i = 0; i < lanes; i += LANES)                                  \
        reduced[i / LANES] = reduce_##LANES(&columns, first + i, now);                                                 \
      _Pragma("clang loop unroll(disable)") for (size_t i = 0; i < lanes; i += LANES)                                  \
        finish_##LANES(split_##LANES##_of(reduced[i / LANES]), &columns, first + i, VELOCITIES, true);                 \
    }                                                                                                                  \
    __sync_synchronize();                                                                                              \
  }

DEFINE_MIXED(mixed_value_16, 16, 2, AVX512, false)
DEFINE_MIXED(mixed_velocity_16, 16, 2, AVX512, true)
DEFINE_MIXED(mixed_value_8, 8, 1, AVX2, false)
DEFINE_MIXED(mixed_velocity_8, 8, 1, AVX2, true)
#endif

static const struct {
  const char *name;
  yardstick_mixed evaluate;
  const char *feature;
} mixed[] = {
#if defined(__x86_64__)
    {"avx2 value", mixed_value_8, "avx2"},
    {"avx2 value non-temporal", mixed_value_8_nontemporal, "avx2"},
    {"avx2 value and velocity", mixed_velocity_8, "avx2"},
    {"avx2 value and velocity non-temporal", mixed_velocity_8_nontemporal, "avx2"},
    {"avx512 value", mixed_value_16, "avx512f"},
    {"avx512 value non-temporal", mixed_value_16_nontemporal, "avx512f"},
    {"avx512 value and velocity", mixed_velocity_16, "avx512f"},
    {"avx512 value and velocity non-temporal", mixed_velocity_16_nontemporal, "avx512f"},
#endif
    // Ends the table, which C does not allow to be empty.
    {NULL, NULL, NULL},
};

yardstick_mixed yardstick_mixed_at(size_t index) {
  if (index >= sizeof mixed / sizeof mixed[0] || !is_supported(mixed[index].feature)) return NULL;
  return mixed[index].evaluate;
}

const char *yardstick_mixed_name(size_t index) { return mixed[index].name; }
