// SPDX-License-Identifier: MIT
#define _GNU_SOURCE
#include "yardsticks.h"

#include <math.h>

static inline void sine_and_cosine(double x, double *sine, double *cosine) {
#if defined(__linux__)
  sincos(x, sine, cosine);
#else
  *sine = sin(x);
  *cosine = cos(x);
#endif
}

void yardstick_scalar_springs(yardstick_spring *springs, size_t count, double now) {
  for (size_t i = 0; i < count; i++) {
    yardstick_spring *spring = springs + i;
    const double age = now - spring->start;
    double sine, cosine;
    sine_and_cosine(spring->frequency * age, &sine, &cosine);
    const double envelope = exp(-spring->decay * age);
    const double y = envelope * (spring->cosine * cosine + spring->sine * sine);
    spring->value = spring->target + y;
    spring->velocity =
        envelope * spring->frequency * (spring->sine * cosine - spring->cosine * sine) - spring->decay * y;
  }
}
