// SPDX-License-Identifier: MIT
#include "support.h"
#include "yardsticks.h"

// The product of a basis, three numbers a frame of which the last is 1, and the three columns of lanes with one spring and start. Lanes are taken
// a few thousand at a time, so that their columns stay in the first cache while every frame is written.

enum { lanes_at_once = 2048 };

#define DEFINE_BAKES(NAME, BYTES, ATTRIBUTES, STORE)                                                                   \
  ATTRIBUTES static void bake_##NAME(                                                                                  \
      float *output, const float *basis, const float *x, const float *y, const float *z, size_t tracks,                \
      size_t frames) {                                                                                                 \
    typedef float vector __attribute__((vector_size(BYTES), aligned(BYTES)));                                          \
    for (size_t first = 0; first < tracks; first += lanes_at_once) {                                                   \
      const size_t left = tracks - first, count = left < lanes_at_once ? left : lanes_at_once;                         \
      const vector *p = (const vector *)(x + first), *q = (const vector *)(y + first), *r = (const vector *)(z + first); \
      for (size_t frame = 0; frame < frames; frame++) {                                                                \
        const float a = basis[3 * frame], b = basis[3 * frame + 1];                                                    \
        vector *to = (vector *)(output + frame * tracks + first);                                                      \
        for (size_t i = 0; i < count * sizeof(float) / (BYTES); i++) {                                                 \
          const vector sum = a * p[i] + b * q[i] + r[i];                                                               \
          STORE(sum, to + i);                                                                                          \
        }                                                                                                              \
      }                                                                                                                \
    }                                                                                                                  \
    __sync_synchronize();                                                                                              \
  }

#define ORDINARY(VALUE, TO) (*(TO) = (VALUE))

DEFINE_BAKES(16, 16, , ORDINARY)
DEFINE_BAKES(nontemporal_16, 16, , __builtin_nontemporal_store)
#if defined(__x86_64__)
DEFINE_BAKES(32, 32, __attribute__((target("avx2,fma"))), ORDINARY)
DEFINE_BAKES(nontemporal_32, 32, __attribute__((target("avx2,fma"))), __builtin_nontemporal_store)
DEFINE_BAKES(64, 64, __attribute__((target("avx512f"))), ORDINARY)
DEFINE_BAKES(nontemporal_64, 64, __attribute__((target("avx512f"))), __builtin_nontemporal_store)
#endif

static const struct {
  const char *name;
  yardstick_bake bake;
  const char *feature;
} bakes[] = {
    {"16-byte tile", bake_16, NULL},
    {"16-byte non-temporal tile", bake_nontemporal_16, NULL},
#if defined(__x86_64__)
    {"32-byte tile", bake_32, "avx2"},
    {"32-byte non-temporal tile", bake_nontemporal_32, "avx2"},
    {"64-byte tile", bake_64, "avx512f"},
    {"64-byte non-temporal tile", bake_nontemporal_64, "avx512f"},
#endif
};

yardstick_bake yardstick_bake_at(size_t index) {
  if (index >= sizeof bakes / sizeof bakes[0] || !is_supported(bakes[index].feature)) return NULL;
  return bakes[index].bake;
}

const char *yardstick_bake_name(size_t index) { return bakes[index].name; }
