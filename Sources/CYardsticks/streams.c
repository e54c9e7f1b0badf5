// SPDX-License-Identifier: MIT
#include "support.h"
#include "yardsticks.h"

#define DEFINE_STREAMS(NAME, BYTES, ATTRIBUTES)                                                                        \
  typedef float vector_##NAME __attribute__((vector_size(BYTES), aligned(BYTES)));                                     \
  ATTRIBUTES static void stream3_##NAME(                                                                               \
      float *destination, const float *x, const float *y, const float *z, size_t count, float a, float b) {            \
    vector_##NAME *to = (vector_##NAME *)destination;                                                                  \
    const vector_##NAME *p = (const vector_##NAME *)x, *q = (const vector_##NAME *)y, *r = (const vector_##NAME *)z;   \
    for (size_t i = 0; i < count * sizeof(float) / (BYTES); i++) to[i] = a * p[i] + b * q[i] + r[i];                   \
  }                                                                                                                    \
  ATTRIBUTES static void stream3_nontemporal_##NAME(                                                                   \
      float *destination, const float *x, const float *y, const float *z, size_t count, float a, float b) {            \
    vector_##NAME *to = (vector_##NAME *)destination;                                                                  \
    const vector_##NAME *p = (const vector_##NAME *)x, *q = (const vector_##NAME *)y, *r = (const vector_##NAME *)z;   \
    for (size_t i = 0; i < count * sizeof(float) / (BYTES); i++)                                                       \
      __builtin_nontemporal_store(a * p[i] + b * q[i] + r[i], to + i);                                                 \
    __sync_synchronize();                                                                                              \
  }                                                                                                                    \
  ATTRIBUTES static void pair_##NAME(                                                                                  \
      float *first, float *second, const float *x, const float *y, const float *z, size_t count, float a, float b,     \
      float c, float d) {                                                                                              \
    vector_##NAME *to = (vector_##NAME *)first, *also_to = (vector_##NAME *)second;                                    \
    const vector_##NAME *p = (const vector_##NAME *)x, *q = (const vector_##NAME *)y, *r = (const vector_##NAME *)z;   \
    for (size_t i = 0; i < count * sizeof(float) / (BYTES); i++) {                                                     \
      const vector_##NAME u = p[i], v = q[i], w = r[i];                                                                \
      to[i] = a * u + b * v + w, also_to[i] = c * u + d * v;                                                           \
    }                                                                                                                  \
  }                                                                                                                    \
  ATTRIBUTES static void pair_nontemporal_##NAME(                                                                      \
      float *first, float *second, const float *x, const float *y, const float *z, size_t count, float a, float b,     \
      float c, float d) {                                                                                              \
    vector_##NAME *to = (vector_##NAME *)first, *also_to = (vector_##NAME *)second;                                    \
    const vector_##NAME *p = (const vector_##NAME *)x, *q = (const vector_##NAME *)y, *r = (const vector_##NAME *)z;   \
    for (size_t i = 0; i < count * sizeof(float) / (BYTES); i++) {                                                     \
      const vector_##NAME u = p[i], v = q[i], w = r[i];                                                                \
      __builtin_nontemporal_store(a * u + b * v + w, to + i);                                                          \
      __builtin_nontemporal_store(c * u + d * v, also_to + i);                                                         \
    }                                                                                                                  \
    __sync_synchronize();                                                                                              \
  }

DEFINE_STREAMS(16, 16, )
#if defined(__x86_64__)
DEFINE_STREAMS(32, 32, __attribute__((target("avx2,fma"))))
DEFINE_STREAMS(64, 64, __attribute__((target("avx512f"))))
#endif

static const struct {
  const char *name;
  yardstick_stream stream;
  yardstick_stream2 pair;
  const char *feature;
} streams[] = {
    {"16-byte loop", stream3_16, pair_16, NULL},
    {"16-byte non-temporal loop", stream3_nontemporal_16, pair_nontemporal_16, NULL},
#if defined(__x86_64__)
    {"32-byte loop", stream3_32, pair_32, "avx2"},
    {"32-byte non-temporal loop", stream3_nontemporal_32, pair_nontemporal_32, "avx2"},
    {"64-byte loop", stream3_64, pair_64, "avx512f"},
    {"64-byte non-temporal loop", stream3_nontemporal_64, pair_nontemporal_64, "avx512f"},
#endif
};

yardstick_stream yardstick_stream_at(size_t index) {
  if (index >= sizeof streams / sizeof streams[0] || !is_supported(streams[index].feature)) return NULL;
  return streams[index].stream;
}

const char *yardstick_stream_name(size_t index) { return streams[index].name; }

yardstick_stream2 yardstick_stream2_at(size_t index) {
  return yardstick_stream_at(index) ? streams[index].pair : NULL;
}

const char *yardstick_stream2_name(size_t index) { return yardstick_stream_name(index); }
