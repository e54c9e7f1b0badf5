// SPDX-License-Identifier: MIT
#include "yardsticks.h"

#include <string.h>

#include "support.h"

#define DEFINE_COPIES(NAME, BYTES, ATTRIBUTES)                                                                         \
  typedef float vector_##NAME __attribute__((vector_size(BYTES), aligned(BYTES)));                                     \
  ATTRIBUTES static void copy_##NAME(float *destination, const float *source, size_t count) {                          \
    vector_##NAME *to = (vector_##NAME *)destination;                                                                  \
    const vector_##NAME *from = (const vector_##NAME *)source;                                                         \
    const size_t vectors = count * sizeof(float) / (BYTES);                                                            \
    for (size_t i = 0; i < vectors; i += 4) {                                                                          \
      const vector_##NAME a = from[i], b = from[i + 1], c = from[i + 2], d = from[i + 3];                              \
      to[i] = a, to[i + 1] = b, to[i + 2] = c, to[i + 3] = d;                                                          \
      /* Keeps the compiler from calling memcpy, which is measured by itself. */                                       \
      __asm__ volatile("" ::: "memory");                                                                               \
    }                                                                                                                  \
  }                                                                                                                    \
  ATTRIBUTES static void stream_##NAME(float *destination, const float *source, size_t count) {                        \
    vector_##NAME *to = (vector_##NAME *)destination;                                                                  \
    const vector_##NAME *from = (const vector_##NAME *)source;                                                         \
    const size_t vectors = count * sizeof(float) / (BYTES);                                                            \
    for (size_t i = 0; i < vectors; i += 4) {                                                                          \
      const vector_##NAME a = from[i], b = from[i + 1], c = from[i + 2], d = from[i + 3];                              \
      __builtin_nontemporal_store(a, to + i);                                                                          \
      __builtin_nontemporal_store(b, to + i + 1);                                                                      \
      __builtin_nontemporal_store(c, to + i + 2);                                                                      \
      __builtin_nontemporal_store(d, to + i + 3);                                                                      \
    }                                                                                                                  \
    __sync_synchronize();                                                                                              \
  }

static void copy_memcpy(float *destination, const float *source, size_t count) {
  memcpy(destination, source, count * sizeof(float));
}

DEFINE_COPIES(16, 16, )
#if defined(__x86_64__)
DEFINE_COPIES(32, 32, __attribute__((target("avx2"))))
DEFINE_COPIES(64, 64, __attribute__((target("avx512f"))))
#endif

static const struct {
  const char *name;
  yardstick_copy copy;
  const char *feature;
} copies[] = {
    {"memcpy", copy_memcpy, NULL},
    {"16-byte loop", copy_16, NULL},
    {"16-byte non-temporal loop", stream_16, NULL},
#if defined(__x86_64__)
    {"32-byte loop", copy_32, "avx2"},
    {"32-byte non-temporal loop", stream_32, "avx2"},
    {"64-byte loop", copy_64, "avx512f"},
    {"64-byte non-temporal loop", stream_64, "avx512f"},
#endif
};

yardstick_copy yardstick_copy_at(size_t index) {
  if (index >= sizeof copies / sizeof copies[0] || !is_supported(copies[index].feature)) return NULL;
  return copies[index].copy;
}

const char *yardstick_copy_name(size_t index) { return copies[index].name; }
