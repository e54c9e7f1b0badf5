// SPDX-License-Identifier: MIT
// One body for each loop, compiled for three instruction sets.
#include "loops.h"

#include <math.h>

#include "loops_support.h"
#include "support.h"

static const float two_pi = 6.2831853f;

// MARK: - Tracks that keep their lanes

/// The header of a tile, which a frame reads first.
typedef struct {
  double due;    ///< All lanes are at rest from then on; −∞ once their values are their goals.
  double start;  ///< Of all lanes, if `uniform`.
  yardstick_motion motion;
  uint32_t uniform;
} header;

/// The columns that are read only where lanes differ.
typedef struct {
  _Alignas(64) double start[lanes];
  double turns[lanes];  ///< A second.
  float decay[lanes], frequency[lanes], due[lanes];
} lane_block;

struct yardstick_tracks {
  size_t tiles;
  int stores_past_caches;
  header *headers;
  lane_block *blocks;
  /// The distance from the goal, what multiplies the sine, the goal, and the value now, by component.
  float *displacement[2], *amplitude[2], *goal[2], *value[2];
};

/// The motion of a tile at some age: value = goal + c·displacement + s·amplitude; velocity with the other two.
typedef struct {
  floats c, s, velocity_c, velocity_s;
} factors;

enum { column_count = 8 };

static float **column(yardstick_tracks *tracks, int index) {
  float **groups[] = {tracks->displacement, tracks->amplitude, tracks->goal, tracks->value};
  return groups[index / 2] + index % 2;
}

yardstick_tracks *yardstick_tracks_create(size_t count, int stores_past_caches) {
  yardstick_tracks *tracks = calloc(1, sizeof *tracks);
  if (!tracks) return NULL;
  tracks->tiles = (count + lanes - 1) / lanes;
  tracks->stores_past_caches = stores_past_caches;
  tracks->headers = zeros(tracks->tiles * sizeof(header), 0);
  tracks->blocks = zeros(tracks->tiles * sizeof(lane_block), 0);
  int complete = tracks->headers && tracks->blocks;
  for (int i = 0; i < column_count; i++) {
    *column(tracks, i) = zeros(tracks->tiles * lanes * sizeof(float), i + 1);
    complete = complete && *column(tracks, i);
  }
  if (!complete) {
    yardstick_tracks_destroy(tracks);
    return NULL;
  }
  // At rest at 0, with a spring that a first call can start from.
  for (size_t i = 0; i < tracks->tiles; i++) tracks->headers[i] = (header){0, 0, {1, 1}, 1};
  return tracks;
}

void yardstick_tracks_destroy(yardstick_tracks *tracks) {
  if (!tracks) return;
  release(tracks->headers, 0);
  release(tracks->blocks, 0);
  for (int i = 0; i < column_count; i++) release(*column(tracks, i), i + 1);
  free(tracks);
}

const float *yardstick_tracks_values(const yardstick_tracks *tracks, int component) { return tracks->value[component]; }

BODY factors factors_of_lanes(const lane_block *block, double now) {
  const doubles age = now - *(const doubles *)block->start;
  const doubles turns = *(const doubles *)block->turns * age;
  const floats phase = narrow(turns - ((turns + wide_shifter) - wide_shifter));
  const floats decay = load(block->decay), frequency = load(block->frequency);
  const floats envelope = exp2_of(decay * -1.4426950408889634f * narrow(age));
  floats sine, cosine;
  sine_and_cosine(phase, &sine, &cosine);
  return (factors){
      envelope * cosine,
      envelope * sine,
      -envelope * (frequency * sine + decay * cosine),
      envelope * (frequency * cosine - decay * sine),
  };
}

BODY factors factors_of_header(const header *h, double now) {
  const double age = now - h->start, decay = h->motion.decay, frequency = h->motion.frequency;
  const double envelope = exp(-decay * age), c = envelope * cos(frequency * age), s = envelope * sin(frequency * age);
  return (factors){
      splat(c), splat(s), splat(-(frequency * s + decay * c)), splat(frequency * c - decay * s)};
}

/// The value of a lane: three operations, with the sum rounded where it is small.
BODY floats value_of(const yardstick_tracks *tracks, int component, size_t first, factors f) {
  return (f.c * load(tracks->displacement[component] + first) + f.s * load(tracks->amplitude[component] + first)) +
         load(tracks->goal[component] + first);
}

BODY floats velocity_of(const yardstick_tracks *tracks, int component, size_t first, factors f) {
  return f.velocity_c * load(tracks->displacement[component] + first) +
         f.velocity_s * load(tracks->amplitude[component] + first);
}

BODY void store_ordinary(floats value, floats *to) { *to = value; }
BODY void store_past_caches(floats value, floats *to) { __builtin_nontemporal_store(value, to); }

/// With a function, as the compiler would merge two stores in one loop, and forget that one is non-temporal.
BODY void advance_storing(yardstick_tracks *tracks, double now, void (*store)(floats value, floats *to)) {
  factors f = {0, 0, 0, 0};
  // The last uniform tile's.
  double start = NAN;
  yardstick_motion motion = {0, 0};
  for (size_t tile = 0; tile < tracks->tiles; tile++) {
    header *h = tracks->headers + tile;
    const size_t first = tile * lanes;
    if (now >= h->due) {
      if (h->due == -INFINITY) continue;
      for (int d = 0; d < 2; d++) store(load(tracks->goal[d] + first), (floats *)(tracks->value[d] + first));
      h->due = -INFINITY;
      continue;
    }
    if (!h->uniform) {
      f = factors_of_lanes(tracks->blocks + tile, now);
      start = NAN;
    } else if (h->start != start || h->motion.frequency != motion.frequency || h->motion.decay != motion.decay) {
      f = factors_of_header(h, now);
      (start = h->start, motion = h->motion);
    }
    for (int d = 0; d < 2; d++) store(value_of(tracks, d, first, f), (floats *)(tracks->value[d] + first));
  }
}

BODY void advance(yardstick_tracks *tracks, double now) {
  if (!tracks->stores_past_caches) return advance_storing(tracks, now, store_ordinary);
  advance_storing(tracks, now, store_past_caches);
  __sync_synchronize();
}

/// About the binary logarithm, from above: an envelope's age need not be exact, only never too early.
BODY floats log2_above(floats x) {
  const ints bits = (ints)x;
  const floats exponent = __builtin_convertvector((bits >> 23) - 127, floats);
  const floats f = (floats)((bits & 0x7FFFFF) | 0x3F800000) - 1;
  return ((f * -0.05f + 0.19f) * f + -0.43f) * f * f + 1.44f * f + exponent + 0.01f;
}

/// The seconds until value and velocity of both components are within a thousandth of their goals.
BODY floats time_to_rest(const floats displacement[2], const floats amplitude[2], floats decay, floats frequency) {
  const floats reach = larger(
      magnitude(displacement[0]) + magnitude(amplitude[0]), magnitude(displacement[1]) + magnitude(amplitude[1]));
  const floats scaled = reach * (larger(frequency + decay, splat(1)) * 1000);
  return larger(log2_above(scaled) * 0.6931472f / decay, splat(0));
}

/// Gives each lane of a tile the spring and the start that all of them shared.
BODY void spread(header *h, lane_block *block) {
  *(doubles *)block->start = (doubles)h->start;
  *(doubles *)block->turns = (doubles)(h->motion.frequency / 6.283185307179586);
  store(splat(h->motion.decay), block->decay);
  store(splat(h->motion.frequency), block->frequency);
  h->uniform = 0;
}

BODY void send(yardstick_tracks *tracks, size_t index, float x, float y, yardstick_motion motion, double now) {
  const size_t tile = index / lanes, first = tile * lanes, lane = index % lanes;
  header *h = tracks->headers + tile;
  lane_block *block = tracks->blocks + tile;
  if (h->uniform) spread(h, block);
  const factors f = factors_of_lanes(block, now);
  const ints numbers = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}, mask = numbers == (int)lane;
  const float goals[2] = {x, y};
  const float inverse = 1 / motion.frequency;
  floats displacement[2], amplitude[2];
  for (int d = 0; d < 2; d++) {
    displacement[d] = value_of(tracks, d, first, f) - goals[d];
    amplitude[d] = (motion.decay * displacement[d] + velocity_of(tracks, d, first, f)) * inverse;
    float *to = tracks->displacement[d] + first, *also_to = tracks->amplitude[d] + first;
    store(blend(mask, displacement[d], load(to)), to);
    store(blend(mask, amplitude[d], load(also_to)), also_to);
    tracks->goal[d][index] = goals[d];
  }
  block->start[lane] = now;
  block->turns[lane] = motion.frequency / two_pi;
  block->decay[lane] = motion.decay;
  block->frequency[lane] = motion.frequency;
  const floats rest = time_to_rest(displacement, amplitude, splat(motion.decay), splat(motion.frequency));
  store(blend(mask, rest, load(block->due)), block->due);
  const double due = now + block->due[lane];
  if (due > h->due) h->due = due;
}

BODY void send_some(
    yardstick_tracks *tracks, const uint32_t *indices, size_t count, const float *goals, yardstick_motion motion,
    double now) {
  enum { ahead = 4 };
  for (size_t i = 0; i < count; i++) {
    if (i + ahead < count) {
      const size_t tile = indices[i + ahead] / lanes;
      __builtin_prefetch(tracks->headers + tile, 1);
      for (int d = 0; d < 2; d++) {
        __builtin_prefetch(tracks->displacement[d] + tile * lanes, 1);
        __builtin_prefetch(tracks->amplitude[d] + tile * lanes, 1);
        __builtin_prefetch(tracks->goal[d] + tile * lanes, 1);
      }
      for (size_t line = 0; line < sizeof(lane_block); line += 64)
        __builtin_prefetch((char *)(tracks->blocks + tile) + line, 1);
    }
    send(tracks, indices[i], goals[2 * i], goals[2 * i + 1], motion, now);
  }
}

BODY void send_all(yardstick_tracks *tracks, const float *goals, yardstick_motion motion, double now) {
  factors f = {0, 0, 0, 0};
  double start = NAN;
  yardstick_motion last = {0, 0};
  const float inverse = 1 / motion.frequency;
  for (size_t tile = 0; tile < tracks->tiles; tile++) {
    const size_t first = tile * lanes;
    header *h = tracks->headers + tile;
    if (!h->uniform) {
      f = factors_of_lanes(tracks->blocks + tile, now);
      start = NAN;
    } else if (h->start != start || h->motion.frequency != last.frequency || h->motion.decay != last.decay) {
      f = factors_of_header(h, now);
      (start = h->start, last = h->motion);
    }
    const floats a = load_loose(goals + 2 * first), b = load_loose(goals + 2 * first + lanes);
    const floats goal[2] = {
        __builtin_shufflevector(a, b, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30),
        __builtin_shufflevector(a, b, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31),
    };
    floats displacement[2], amplitude[2];
    for (int d = 0; d < 2; d++) {
      displacement[d] = value_of(tracks, d, first, f) - goal[d];
      amplitude[d] = (motion.decay * displacement[d] + velocity_of(tracks, d, first, f)) * inverse;
      store(displacement[d], tracks->displacement[d] + first);
      store(amplitude[d], tracks->amplitude[d] + first);
      store(goal[d], tracks->goal[d] + first);
    }
    const floats rest = time_to_rest(displacement, amplitude, splat(motion.decay), splat(motion.frequency));
    *h = (header){now + largest(rest), now, motion, 1};
  }
}

// MARK: - Steps from frame to frame

BODY void follow(
    float *values, float *velocities, const float *goals, uint8_t *moving, size_t count, yardstick_step step,
    float value_tolerance, float velocity_tolerance) {
  for (size_t i = 0; i < count; i += lanes) {
    const floats goal = load(goals + i), value = load(values + i), velocity = load(velocities + i);
    const floats distance = value - goal;
    const floats next = value + (step.a * distance + step.b * velocity);
    const floats next_velocity = velocity + (step.c * distance + step.d * velocity);
    const ints moves = (magnitude(next - goal) > value_tolerance) | (magnitude(next_velocity) > velocity_tolerance);
    store(blend(moves, next, goal), values + i);
    store(blend(moves, next_velocity, splat(0)), velocities + i);
    moving[i / lanes] = __builtin_reduce_or(moves) != 0;
  }
}

BODY void step_columns(
    float *restrict values, float *restrict velocities, const float *restrict goals, size_t count, float stiffness,
    float damping, float seconds) {
  for (size_t i = 0; i < count; i++) {
    const float acceleration = stiffness * (goals[i] - values[i]) - damping * velocities[i];
    velocities[i] += acceleration * seconds;
    values[i] += velocities[i] * seconds;
  }
}

/// A body is copied and written back: with its fields in place, the compiler gathers and scatters lanes, which takes three
/// times as long.
BODY void step_bodies(yardstick_body *restrict bodies, const float *restrict goals, size_t count, float seconds) {
  for (size_t i = 0; i < count; i++) {
    yardstick_body body = bodies[i];
    for (int d = 0; d < 2; d++) {
      body.goal[d] = goals[2 * i + d];
      const float acceleration = body.stiffness * (body.goal[d] - body.value[d]) - body.damping * body.velocity[d];
      body.velocity[d] += acceleration * seconds;
      body.value[d] += body.velocity[d] * seconds;
    }
    bodies[i] = body;
  }
}

BODY void interleave(float *output, const float *first, const float *second, size_t count) {
  for (size_t i = 0; i < count; i += lanes) {
    const floats a = load(first + i), b = load(second + i);
    store(
        __builtin_shufflevector(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23), output + 2 * i);
    store(
        __builtin_shufflevector(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31),
        output + 2 * i + lanes);
  }
}

// MARK: - Instruction sets

#define DEFINE_LOOPS(NAME, ATTRIBUTES)                                                                                 \
  ATTRIBUTES static void advance_##NAME(yardstick_tracks *tracks, double now) { advance(tracks, now); }                \
  ATTRIBUTES static void send_one_##NAME(                                                                              \
      yardstick_tracks *tracks, size_t index, float x, float y, yardstick_motion motion, double now) {                 \
    send(tracks, index, x, y, motion, now);                                                                            \
  }                                                                                                                    \
  ATTRIBUTES static void send_some_##NAME(                                                                             \
      yardstick_tracks *tracks, const uint32_t *indices, size_t count, const float *goals, yardstick_motion motion,    \
      double now) {                                                                                                    \
    send_some(tracks, indices, count, goals, motion, now);                                                             \
  }                                                                                                                    \
  ATTRIBUTES static void send_all_##NAME(                                                                              \
      yardstick_tracks *tracks, const float *goals, yardstick_motion motion, double now) {                             \
    send_all(tracks, goals, motion, now);                                                                              \
  }                                                                                                                    \
  ATTRIBUTES static void follow_##NAME(                                                                                \
      float *values, float *velocities, const float *goals, uint8_t *moving, size_t count, yardstick_step step,        \
      float value_tolerance, float velocity_tolerance) {                                                               \
    follow(values, velocities, goals, moving, count, step, value_tolerance, velocity_tolerance);                       \
  }                                                                                                                    \
  ATTRIBUTES static void step_columns_##NAME(                                                                          \
      float *values, float *velocities, const float *goals, size_t count, float stiffness, float damping,              \
      float seconds) {                                                                                                 \
    step_columns(values, velocities, goals, count, stiffness, damping, seconds);                                       \
  }                                                                                                                    \
  ATTRIBUTES static void step_bodies_##NAME(                                                                           \
      yardstick_body *bodies, const float *goals, size_t count, float seconds) {                                       \
    step_bodies(bodies, goals, count, seconds);                                                                        \
  }                                                                                                                    \
  ATTRIBUTES static void interleave_##NAME(                                                                            \
      float *output, const float *first, const float *second, size_t count) {                                          \
    interleave(output, first, second, count);                                                                          \
  }

#define LOOPS(NAME)                                                                                                    \
  {#NAME,        advance_##NAME,      send_one_##NAME,    send_some_##NAME, send_all_##NAME, yardstick_add_effects_##NAME,       \
   follow_##NAME, step_columns_##NAME, step_bodies_##NAME, interleave_##NAME}

DEFINE_LOOPS(portable, )
#if defined(__x86_64__)
DEFINE_LOOPS(avx2, AVX2)
DEFINE_LOOPS(avx512, AVX512)
#endif

static const struct {
  yardstick_loops loops;
  const char *feature;
} sets[] = {
    {LOOPS(portable), NULL},
#if defined(__x86_64__)
    {LOOPS(avx2), "avx2"},
    {LOOPS(avx512), "avx512bw"},
#endif
};

const yardstick_loops *yardstick_loops_at(size_t index) {
  if (index >= sizeof sets / sizeof sets[0] || !is_supported(sets[index].feature)) return NULL;
  return &sets[index].loops;
}
