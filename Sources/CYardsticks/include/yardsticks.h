// SPDX-License-Identifier: MIT
// What the kernels are measured against: the fastest ways to copy memory, and the loop that a C programmer writes.
// They are C, so that no one can say that Swift slowed the yardstick down.

#ifndef MURMURATION_YARDSTICKS_H
#define MURMURATION_YARDSTICKS_H

#include <stdbool.h>
#include <stddef.h>

/// Copies `count` floats; both pointers 64-byte aligned, `count` a multiple of 64, no overlap.
typedef void (*yardstick_copy)(float *destination, const float *source, size_t count);

/// The ways to copy that this processor has: memcpy, and loops of 16, 32 and 64 bytes with ordinary and with
/// non-temporal stores. Returns NULL from the first `index` that is not there.
yardstick_copy yardstick_copy_at(size_t index);

/// What the copy of that index is called.
const char *yardstick_copy_name(size_t index);

/// Writes `a · x + b · y + z`, element by element: three loads and a store, the traffic of a cohort. All pointers 64-byte
/// aligned, `count` a multiple of 64, no overlap.
typedef void (*yardstick_stream)(
    float *destination, const float *x, const float *y, const float *z, size_t count, float a, float b);

/// The ways to stream that this processor has, like the copies. Returns NULL from the first `index` that is not there.
yardstick_stream yardstick_stream_at(size_t index);

/// What the stream of that index is called.
const char *yardstick_stream_name(size_t index);

/// One underdamped spring of the scalar loop, with everything computed that can be before the first frame.
typedef struct {
  double start;      ///< Seconds.
  double decay;      ///< d, 1/s.
  double frequency;  ///< w, rad/s.
  double target;
  double cosine;         ///< x0 − target.
  double sine;           ///< (v0 + d(x0 − target)) / w.
  double value, velocity;  ///< Results.
} yardstick_spring;

/// Evaluates springs one by one in double with the C library's exp and sincos: value and velocity at `now`.
void yardstick_scalar_springs(yardstick_spring *springs, size_t count, double now);

#endif
