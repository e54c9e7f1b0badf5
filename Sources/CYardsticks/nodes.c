// SPDX-License-Identifier: MIT
#include "support.h"
#include "yardsticks.h"

// Reads and writes take turns by blocks of lines, so that both are under way at any time.
#define DEFINE_SPREAD(NAME, BYTES, ATTRIBUTES, STORE, FENCE)                                                           \
  ATTRIBUTES static void spread_##NAME(float *destination, const float *source, size_t reads, size_t writes) {         \
    typedef float vector __attribute__((vector_size(BYTES), aligned(BYTES)));                                          \
    enum { lanes = (BYTES) / 4, blocks = 256 };                                                                        \
    const vector *from = (const vector *)source;                                                                       \
    vector *to = (vector *)destination;                                                                                \
    const size_t read = reads / lanes, rest = writes / lanes - read;                                                   \
    size_t i = 0, filled = 0;                                                                                          \
    for (size_t block = 1; block <= blocks; block++) {                                                                 \
      vector last = {};                                                                                                \
      for (; i < read * block / blocks; i++) {                                                                         \
        last = from[i];                                                                                                \
        STORE(last, to);                                                                                               \
        to++;                                                                                                          \
        __asm__ volatile("" ::: "memory");                                                                             \
      }                                                                                                                \
      for (; filled < rest * block / blocks; filled++) {                                                               \
        STORE(last, to);                                                                                               \
        to++;                                                                                                          \
        __asm__ volatile("" ::: "memory");                                                                             \
      }                                                                                                                \
    }                                                                                                                  \
    FENCE;                                                                                                             \
  }

#define STORE_ORDINARY(value, address) (*(address) = (value))
#define STORE_PAST(value, address) __builtin_nontemporal_store(value, address)

// Twelve sums hide the latency of four cycles with three units at work.
#define DEFINE_FUSED(NAME, BYTES, ATTRIBUTES)                                                                          \
  ATTRIBUTES static float fused_##NAME(size_t count, float seed) {                                                     \
    typedef float vector __attribute__((vector_size(BYTES)));                                                          \
    enum { lanes = (BYTES) / 4, sums = 12 };                                                                           \
    vector sum[sums];                                                                                                  \
    for (int j = 0; j < sums; j++) sum[j] = (vector){} + (seed + j);                                                   \
    const vector factor = (vector){} + seed * 0.5f, term = (vector){} + seed * 0.25f;                                  \
    for (size_t i = 0; i < count / (sums * lanes); i++) {                                                              \
      _Pragma("clang loop unroll(full)") for (int j = 0; j < sums; j++) {                                              \
        sum[j] = __builtin_elementwise_fma(sum[j], factor, term);                                                      \
        __asm__ volatile("" : "+v"(sum[j]));                                                                           \
      }                                                                                                                \
    }                                                                                                                  \
    float total = 0;                                                                                                   \
    for (int j = 0; j < sums; j++) total += sum[j][0];                                                                 \
    return total;                                                                                                      \
  }

DEFINE_SPREAD(16, 16, , STORE_ORDINARY, )
DEFINE_SPREAD(16_nontemporal, 16, , STORE_PAST, __sync_synchronize())
#if defined(__x86_64__)
DEFINE_SPREAD(32, 32, __attribute__((target("avx2"))), STORE_ORDINARY, )
DEFINE_SPREAD(32_nontemporal, 32, __attribute__((target("avx2"))), STORE_PAST, __sync_synchronize())
DEFINE_SPREAD(64, 64, __attribute__((target("avx512f"))), STORE_ORDINARY, )
DEFINE_SPREAD(64_nontemporal, 64, __attribute__((target("avx512f"))), STORE_PAST, __sync_synchronize())
DEFINE_FUSED(32, 32, __attribute__((target("avx2,fma"))))
DEFINE_FUSED(64, 64, __attribute__((target("avx512f"))))
#endif

static const struct {
  const char *name;
  yardstick_spread spread;
  const char *feature;
} spreads[] = {
    {"16-byte loop", spread_16, NULL},
    {"16-byte non-temporal loop", spread_16_nontemporal, NULL},
#if defined(__x86_64__)
    {"32-byte loop", spread_32, "avx2"},
    {"32-byte non-temporal loop", spread_32_nontemporal, "avx2"},
    {"64-byte loop", spread_64, "avx512f"},
    {"64-byte non-temporal loop", spread_64_nontemporal, "avx512f"},
#endif
};

yardstick_spread yardstick_spread_at(size_t index) {
  if (index >= sizeof spreads / sizeof spreads[0] || !is_supported(spreads[index].feature)) return NULL;
  return spreads[index].spread;
}

const char *yardstick_spread_name(size_t index) { return spreads[index].name; }

static const struct {
  const char *name;
  yardstick_fused compute;
  const char *feature;
} fused[] = {
#if defined(__x86_64__)
    {"avx2", fused_32, "avx2"},
    {"avx512", fused_64, "avx512f"},
#endif
    // Ends the table, which C does not allow to be empty.
    {NULL, NULL, NULL},
};

yardstick_fused yardstick_fused_at(size_t index) {
  if (index >= sizeof fused / sizeof fused[0] || !is_supported(fused[index].feature)) return NULL;
  return fused[index].compute;
}

const char *yardstick_fused_name(size_t index) { return fused[index].name; }
