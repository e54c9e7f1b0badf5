// SPDX-License-Identifier: MIT
#ifndef MURMURATION_YARDSTICKS_SUPPORT_H
#define MURMURATION_YARDSTICKS_SUPPORT_H

#include <stdbool.h>
#include <string.h>

/// Whether the processor has a feature; NULL names what every processor has.
static inline bool is_supported(const char *feature) {
#if defined(__x86_64__)
  __builtin_cpu_init();
  if (feature && !strcmp(feature, "avx2")) return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  if (feature && !strcmp(feature, "avx512f")) return __builtin_cpu_supports("avx512f");
  if (feature && !strcmp(feature, "avx512bw"))
    return __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
#endif
  return !feature;
}

#endif
