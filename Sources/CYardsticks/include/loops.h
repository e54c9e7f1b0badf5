// SPDX-License-Identifier: MIT
// The yardsticks of frames that change: tracks of two components that keep their lanes, and the loops that people write
// instead. Package.swift has the compiler's flags.

#ifndef MURMURATION_YARDSTICKS_LOOPS_H
#define MURMURATION_YARDSTICKS_LOOPS_H

#include <stddef.h>
#include <stdint.h>

/// An underdamped spring.
typedef struct {
  float decay;      ///< 1/s.
  float frequency;  ///< rad/s.
} yardstick_motion;

/// Springs of two components in tiles of 16, at rest at 0 first. A tile whose tracks share spring and start has these
/// once; else each lane has its own. Values are up to date after `advance`.
typedef struct yardstick_tracks yardstick_tracks;

/// Returns `count` tracks, or NULL without memory. With `stores_past_caches`, frames store values past the caches.
yardstick_tracks *yardstick_tracks_create(size_t count, int stores_past_caches);
void yardstick_tracks_destroy(yardstick_tracks *tracks);

/// The values of a component, 0 or 1, by index; valid as long as the tracks.
const float *yardstick_tracks_values(const yardstick_tracks *tracks, int component);

/// Tracks of two components whose effects add: r += p · (goal − r) for each one, in order, from 0.
typedef struct yardstick_effects yardstick_effects;

/// Returns `count` tracks with `layers` effects each, 1 or more, or NULL without memory.
yardstick_effects *yardstick_effects_create(size_t count, size_t layers);
void yardstick_effects_destroy(yardstick_effects *effects);

/// Replaces a layer's effects: goals by track and component, side by side; start and length in seconds. Layers are
/// evaluated from `first` on, and wrap around.
void yardstick_effects_set(
    yardstick_effects *effects, size_t layer, const float *goals, double start, float length, size_t first);

/// The values of a component, 0 or 1, by index; valid as long as the effects.
const float *yardstick_effects_values(const yardstick_effects *effects, int component);

/// A simulated value of two components, as programs have it.
typedef struct {
  float value[2], velocity[2], goal[2], stiffness, damping;
} yardstick_body;

/// What a spring does within a frame: with y, the distance from the goal, value += a·y + b·v and v += c·y + d·v.
typedef struct {
  float a, b, c, d;
} yardstick_step;

/// The loops of one instruction set. Counts are multiples of 16; pointers are aligned to 64 bytes but where it says so.
typedef struct {
  const char *name;
  /// Computes the values of a frame. Tiles at rest are passed over.
  void (*advance)(yardstick_tracks *tracks, double now);
  /// Sends one track to a goal, from its value and velocity now.
  void (*send_one)(yardstick_tracks *tracks, size_t index, float x, float y, yardstick_motion motion, double now);
  /// Sends some tracks to goals, in the order given. Goals are side by side, at any address.
  void (*send_some)(
      yardstick_tracks *tracks, const uint32_t *indices, size_t count, const float *goals, yardstick_motion motion,
      double now);
  /// Sends all tracks to goals, side by side by index, at any address.
  void (*send_all)(yardstick_tracks *tracks, const float *goals, yardstick_motion motion, double now);
  /// Computes the values of a frame. The curve of all effects is eight cubics of equal length: `curve[16 * k + i]` is the
  /// factor of uᵏ in part `i`, with u from 0 to 1.
  void (*add_effects)(yardstick_effects *effects, const float *curve, double now);
  /// Follows goals for a frame: one component, in columns. `moving` has a byte for each 16 tracks. A track that is within
  /// both tolerances stops at its goal.
  void (*follow)(
      float *values, float *velocities, const float *goals, uint8_t *moving, size_t count, yardstick_step step,
      float value_tolerance, float velocity_tolerance);
  /// The step that people write: explicit Euler, in columns of any alignment and count.
  void (*step_columns)(
      float *values, float *velocities, const float *goals, size_t count, float stiffness, float damping, float seconds);
  /// The same over structs. Goals are side by side.
  void (*step_bodies)(yardstick_body *bodies, const float *goals, size_t count, float seconds);
  /// Writes two columns side by side.
  void (*interleave)(float *output, const float *first, const float *second, size_t count);
} yardstick_loops;

/// The loops of the instruction sets that this processor has, the widest one last; NULL from the first `index` that is
/// not there.
const yardstick_loops *yardstick_loops_at(size_t index);

#endif
