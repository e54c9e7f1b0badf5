// SPDX-License-Identifier: MIT
// The yardsticks of the kernels: the fastest ways to copy memory, the loop that a C programmer writes, and the loop of a C
// programmer who counts instructions. They are written in C, so that Swift cannot slow them down.

#ifndef MURMURATION_YARDSTICKS_H
#define MURMURATION_YARDSTICKS_H

#include <stdbool.h>
#include <stddef.h>

/// Copies `count` floats; both pointers 64-byte aligned, `count` a multiple of 64, no overlap.
typedef void (*yardstick_copy)(float *destination, const float *source, size_t count);

/// The ways to copy that this processor has: memcpy, and loops of 16, 32 and 64 bytes with ordinary and with
/// non-temporal stores. Returns NULL from the first `index` that is not there.
yardstick_copy yardstick_copy_at(size_t index);

/// The name of the copy at an index.
const char *yardstick_copy_name(size_t index);

/// Reads `reads` floats and writes `writes` floats, which are at least as many: nothing but the traffic of work whose
/// results are larger than its inputs. Both pointers 64-byte aligned, no overlap; whole vectors are moved.
typedef void (*yardstick_spread)(float *destination, const float *source, size_t reads, size_t writes);

/// The ways to spread that this processor has, like the copies. Returns NULL from the first `index` that is not there.
yardstick_spread yardstick_spread_at(size_t index);

/// The name of the way to spread at an index.
const char *yardstick_spread_name(size_t index);

/// Computes about `count` products that are added to sums in registers, and returns a number that depends on all.
typedef float (*yardstick_fused)(size_t count, float seed);

/// The multiply-adds of each width that this processor has. Returns NULL from the first `index` that is not there.
yardstick_fused yardstick_fused_at(size_t index);

/// The name of the multiply-adds at an index.
const char *yardstick_fused_name(size_t index);

/// Writes `a · x + b · y + z`, element by element: three loads and a store, the traffic of a uniform run. All pointers 64-byte
/// aligned, `count` a multiple of 64, no overlap.
typedef void (*yardstick_stream)(
    float *destination, const float *x, const float *y, const float *z, size_t count, float a, float b);

/// The ways to stream that this processor has, like the copies. Returns NULL from the first `index` that is not there.
yardstick_stream yardstick_stream_at(size_t index);

/// The name of the stream at an index.
const char *yardstick_stream_name(size_t index);

/// Writes `a · x + b · y + z` and `c · x + d · y`, element by element: three loads and two stores, the traffic of a uniform run
/// with velocities. The same conditions hold as for the other streams.
typedef void (*yardstick_stream2)(
    float *first, float *second, const float *x, const float *y, const float *z, size_t count, float a, float b,
    float c, float d);

/// The ways to write two streams that this processor has, like the copies. Returns NULL from the first `index` that is
/// not there.
yardstick_stream2 yardstick_stream2_at(size_t index);

/// The name of the pair of streams at an index.
const char *yardstick_stream2_name(size_t index);

/// Bakes lanes of one spring and start: writes the product of `basis`, [frames × 3] with a last column of 1, and the rows x, y and z, of `tracks`
/// each, as [frames × tracks]. All pointers 64-byte aligned, `tracks` a multiple of 16, no overlap.
typedef void (*yardstick_bake)(
    float *output, const float *basis, const float *x, const float *y, const float *z, size_t tracks, size_t frames);

/// The ways to bake that this processor has, like the copies. Returns NULL from the first `index` that is not there.
yardstick_bake yardstick_bake_at(size_t index);

/// The name of the way to bake at an index.
const char *yardstick_bake_name(size_t index);

/// The columns of oscillating springs, each with its own start and its own coefficients.
typedef struct {
  const double *start;        ///< Seconds.
  const double *rate;         ///< Quarter turns per second, negative.
  const float *decay;         ///< The envelope is 2^(−decay · age); 1/s; sign set: 0, as the lane is at rest.
  const float *displacement;  ///< What multiplies the cosine.
  const float *sine;          ///< What multiplies the sine.
  const float *target;
  float *value;     ///< Result.
  float *velocity;  ///< Result, left alone by what computes only values.
} yardstick_mixed_columns;

/// Evaluates springs at `now`. All pointers 64-byte aligned, `count` a multiple of 64, no overlap.
typedef void (*yardstick_mixed)(const yardstick_mixed_columns *columns, size_t count, double now);

/// The formula of the kernels, by hand in the instruction sets that this processor has: only values or velocities as well,
/// with ordinary and with non-temporal stores. Returns NULL from the first `index` that is not there; for 0 if the
/// processor has no such instruction set.
yardstick_mixed yardstick_mixed_at(size_t index);

/// The instruction set, results and stores of that index, as in "avx512 value and velocity non-temporal".
const char *yardstick_mixed_name(size_t index);

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

/// A product outputs [rows × columns] = base + weights [rows × inner] · shapes [inner × columns].
typedef struct {
  const float *weights;  ///< [inner][row].
  size_t weight_stride;
  const float *shapes;  ///< In panels as wide as the tile: [panel][inner][column of the panel].
  const float *base;    ///< One for each column.
  float *outputs;       ///< [row][column].
  size_t output_stride;
  size_t rows;     ///< A multiple of 6.
  size_t columns;  ///< A multiple of the tile's width.
  size_t inner;
} yardstick_tile_product;

/// Computes a product; all pointers and strides but that of the weights are aligned to 64 bytes.
typedef void (*yardstick_tile)(const yardstick_tile_product *product);

/// The register tiles of six rows that this processor has, with ordinary and with non-temporal stores. Returns NULL from the
/// first `index` that is not there.
yardstick_tile yardstick_tile_at(size_t index);

/// The instruction set and stores of that index.
const char *yardstick_tile_name(size_t index);

/// The columns of a panel.
size_t yardstick_tile_width(size_t index);

#endif
