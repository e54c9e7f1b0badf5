// SPDX-License-Identifier: MIT
// Eases over tracks that keep their lanes: any number of effects a track, evaluated 16 lanes at a time.
#include "loops.h"
#include "loops_support.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

/// Sixteen lanes of one effect.
typedef struct {
  _Alignas(64) float goal[2][lanes];
  double start[lanes];
  float rate[lanes];  ///< Parts of the curve a second.
} effect_block;

struct yardstick_effects {
  size_t tiles, layers, first;
  effect_block *blocks;  ///< By tile and layer.
  float *value[2];
};

yardstick_effects *yardstick_effects_create(size_t count, size_t layers) {
  yardstick_effects *effects = calloc(1, sizeof *effects);
  if (!effects) return NULL;
  (effects->tiles = (count + lanes - 1) / lanes, effects->layers = layers);
  effects->blocks = zeros(effects->tiles * layers * sizeof(effect_block), 0);
  for (int d = 0; d < 2; d++) effects->value[d] = zeros(effects->tiles * lanes * sizeof(float), d + 1);
  if (!effects->blocks || !effects->value[0] || !effects->value[1]) {
    yardstick_effects_destroy(effects);
    return NULL;
  }
  return effects;
}

void yardstick_effects_destroy(yardstick_effects *effects) {
  if (!effects) return;
  release(effects->blocks, 0);
  for (int d = 0; d < 2; d++) release(effects->value[d], d + 1);
  free(effects);
}

void yardstick_effects_set(
    yardstick_effects *effects, size_t layer, const float *goals, double start, float length, size_t first) {
  for (size_t tile = 0; tile < effects->tiles; tile++) {
    effect_block *block = effects->blocks + tile * effects->layers + layer;
    for (size_t lane = 0; lane < lanes; lane++) {
      const float *goal = goals + 2 * (tile * lanes + lane);
      (block->goal[0][lane] = goal[0], block->goal[1][lane] = goal[1]);
      (block->start[lane] = start, block->rate[lane] = 8 / length);
    }
  }
  effects->first = first;
}

const float *yardstick_effects_values(const yardstick_effects *effects, int component) {
  return effects->value[component];
}

/// Replaces indices from 0 to 7 by the entries of a table, all in one register if there is an instruction for it.
typedef void (*look_up)(floats *result, const float *table, const ints *indices);

BODY void add_effects(yardstick_effects *effects, const float *curve, double now, look_up look_up) {
  for (size_t tile = 0; tile < effects->tiles; tile++) {
    floats x = splat(0), y = splat(0);
    size_t layer = effects->first;
    for (size_t i = 0; i < effects->layers; i++, layer = layer + 1 < effects->layers ? layer + 1 : 0) {
      const effect_block *block = effects->blocks + tile * effects->layers + layer;
      const floats age = narrow(now - *(const doubles *)block->start);
      // Part and place within it; the last part ends at 1.
      const floats place = __builtin_elementwise_max(
          __builtin_elementwise_min(age * load(block->rate), splat(8)), splat(0));
      const ints part = __builtin_elementwise_min(__builtin_convertvector(place, ints), (ints)7);
      const floats u = place - __builtin_convertvector(part, floats);
      floats p, term;
      look_up(&p, curve + 3 * lanes, &part);
      for (int k = 2; k >= 0; k--) {
        look_up(&term, curve + k * lanes, &part);
        p = p * u + term;
      }
      x = x + p * (load(block->goal[0]) - x);
      y = y + p * (load(block->goal[1]) - y);
    }
    store(x, effects->value[0] + tile * lanes);
    store(y, effects->value[1] + tile * lanes);
  }
}

// MARK: - Instruction sets

static inline void look_up_portable(floats *result, const float *table, const ints *indices) {
  *result = splat(table[0]);
  for (int i = 1; i < 8; i++) *result = blend(*indices == i, splat(table[i]), *result);
}

void yardstick_add_effects_portable(yardstick_effects *effects, const float *curve, double now) {
  add_effects(effects, curve, now, look_up_portable);
}

#if defined(__x86_64__)
AVX2 static inline void look_up_avx2(floats *result, const float *table, const ints *indices) {
  const __m256 entries = _mm256_load_ps(table);
  for (int half = 0; half < 2; half++)
    ((__m256 *)result)[half] = _mm256_permutevar8x32_ps(entries, ((const __m256i *)indices)[half]);
}

AVX2 void yardstick_add_effects_avx2(yardstick_effects *effects, const float *curve, double now) {
  add_effects(effects, curve, now, look_up_avx2);
}

AVX512 static inline void look_up_avx512(floats *result, const float *table, const ints *indices) {
  *(__m512 *)result = _mm512_permutexvar_ps(*(const __m512i *)indices, _mm512_load_ps(table));
}

AVX512 void yardstick_add_effects_avx512(yardstick_effects *effects, const float *curve, double now) {
  add_effects(effects, curve, now, look_up_avx512);
}
#endif
