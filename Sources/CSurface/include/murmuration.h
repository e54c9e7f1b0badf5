/* SPDX-License-Identifier: MIT
 *
 * Murmuration for C and for every language that calls C: springs, curves, keyframes and phases for many values at once.
 *
 *     murmuration_batch batch;
 *     murmuration_track dots[3];
 *     float from[3][2] = {{0, 0}, {10, 0}, {20, 0}}, to[3][2] = {{0, 50}, {10, 50}, {20, 50}};
 *     murmuration_animation bouncy = murmuration_spring_animation(murmuration_spring_of_duration(0.5, 0.3));
 *
 *     murmuration_batch_create(2, 0, 0, &batch);
 *     murmuration_add(batch, from[0], 2, 1, dots, 3);
 *     murmuration_animate(batch, dots, 0, 3, to[0], 2, 1, &bouncy, NULL, 0, NULL);
 *     murmuration_advance(batch, 0.25, 0);
 *     murmuration_read(batch, MURMURATION_VALUES, NULL, 0, MURMURATION_ALL, from[0], 2, 1);
 *     murmuration_batch_free(batch);
 *
 * RESULTS. A function returns MURMURATION_OK (0) or a negative error code. After an error nothing has changed, and no
 * output was written, unless the function says otherwise. murmuration_error_message() tells what was wrong with which
 * number. Other results go through pointers named at the end; a pointer that may be NULL is said to be optional.
 *
 * BATCHES are named by numbers that are never used again. So a number that was freed, and a number that was never
 * given, is an error and no crash. 0 is never a batch. Other pointers cannot be checked: they must point to as much
 * memory as the call says, aligned as C aligns their type. Fields named `reserved` are 0 in structs that a call reads:
 * other numbers are errors; and they are 0 in structs that it writes.
 *
 * UNITS. Times are seconds and double, absolute on the batch's clock unless a function says otherwise, within +-1e10.
 * Values are float, finite and within +-1e15. Velocities are per second. NaN and infinities are errors.
 *
 * ARRAYS OF VALUES are a pointer and two strides, in floats and not in bytes: from one track to the next, and from one
 * component of a track to the next. Track t, component c is at start[t * track_stride + c * component_stride]. So
 * vectors side by side have the strides (dimensions, 1), columns of n tracks (1, n), the fields of a struct any other
 * strides, and NumPy arrays their own `strides` divided by 4. For input a stride may be 0: with a track stride of 0,
 * one value serves for all tracks. For output it may not. Strides are not negative. No array is kept: it is only read
 * or written during the call.
 *
 * WHICH TRACKS a call is about is said by three arguments, `tracks`, `first` and `count`:
 *   - tracks not NULL: the handles tracks[first] ... tracks[first + count - 1];
 *   - tracks NULL: the tracks with the indices first ... first + count - 1. Indices without a track are passed over.
 *     With MURMURATION_ALL as the count, all indices from `first` on. So NULL, 0, MURMURATION_ALL means every track.
 * Arrays that belong to the tracks have one element for each, the first for tracks[first] or for the index `first`. If
 * a track is named twice, the last element counts.
 *
 * CHANGES. A call that changes motions has a number, which goes up with each such call about a batch, from 1 on, and begins
 * anew after 2^32 of them. The events of the motions carry it. The end of a change is told if the call asks for its
 * completion: see murmuration_outcomes.
 *
 * THREADS. Any thread may call any function. A batch (or a set of trackers) is used by one thread at a time: a call
 * while another thread is in a call about the same one returns MURMURATION_BUSY, and nothing happens. Different batches
 * do not affect each other. Error messages are kept for each thread. In WebAssembly there is one thread.
 *
 * PROCESSES. After fork() the new process has its own copy of every object, and none of their threads: there a batch has
 * one thread until murmuration_set_thread_count gives it others, and freeing it waits for none. An object that another
 * thread was in a call about during the fork stays MURMURATION_BUSY in the new process.
 *
 * MEMORY. Counts are checked before memory is taken. A call that needs more memory than there is returns
 * MURMURATION_CAPACITY_EXCEEDED, or the error that the function names.
 *
 * ABI. All types have a fixed size; structs hold no pointers and have the same layout on 32-bit and 64-bit machines.
 * The codes and the layouts change only with MURMURATION_ABI_VERSION, which a program compares with
 * murmuration_abi_version() after loading. The library starts no thread unless asked to, installs no signal handler,
 * and prints nothing. */
#ifndef MURMURATION_H
#define MURMURATION_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define MURMURATION_API __attribute__((visibility("default")))
#else
#define MURMURATION_API
#endif

/* ---- Version ----------------------------------------------------------------------------------------------------- */

#define MURMURATION_VERSION_MAJOR 0
#define MURMURATION_VERSION_MINOR 1
#define MURMURATION_VERSION_PATCH 0
/* Changes when a program that was compiled with this header must be compiled anew. */
#define MURMURATION_ABI_VERSION 1

/* The version of the library as text, such as "0.1.0". It lasts as long as the library. Cannot fail. */
MURMURATION_API const char *murmuration_version(void);

/* The MURMURATION_ABI_VERSION that the library was compiled with. Cannot fail. */
MURMURATION_API int32_t murmuration_abi_version(void);

/* ---- Errors ------------------------------------------------------------------------------------------------------ */

enum {
  MURMURATION_OK = 0,

  /* Faults of a call. */
  MURMURATION_NULL_POINTER = -1,      /* An argument that must not be NULL is NULL. */
  MURMURATION_UNKNOWN_OBJECT = -2,    /* The batch, or whatever the number names, was freed or never existed. */
  MURMURATION_BUSY = -3,              /* Another thread is in a call about the same object. */
  MURMURATION_INVALID_COUNT = -4,     /* A count is negative, or no array of the needed length. */
  MURMURATION_INVALID_STRIDE = -5,    /* A stride is negative, 0 for output, or leads beyond memory. */
  MURMURATION_INVALID_CODE = -6,      /* A kind, form, order or flag is none that this header lists. */
  MURMURATION_TOO_MANY_OBJECTS = -7,  /* All numbers for objects were used. */
  MURMURATION_PART_OF_PARTICLES = -8, /* The batch is a property of particles, which are changed as a whole. */

  /* Faults of numbers. */
  MURMURATION_INVALID_DIMENSIONS = -20,   /* Dimensions are outside 1...4096. */
  MURMURATION_WRONG_DIMENSIONS = -21,     /* A clip, a sequence or a colour has other dimensions than the batch. */
  MURMURATION_DIMENSION_OUT_OF_RANGE = -22,
  MURMURATION_TRACK_OUT_OF_RANGE = -23,   /* An index is not below the index count. */
  MURMURATION_INVALID_VALUE = -24,        /* A value, goal or velocity is NaN, infinite or beyond +-1e15. */
  MURMURATION_INVALID_SPRING = -25,       /* The bounce is outside (-1, 1], or the duration not 0 or 1e-4...1e6. The
                                             spring of an animation is a MURMURATION_INVALID_ANIMATION. */
  MURMURATION_INVALID_ANIMATION = -26,    /* A number of an animation is out of range. */
  MURMURATION_INVALID_DECELERATION = -28,
  MURMURATION_INVALID_TOLERANCE = -29,
  MURMURATION_INVALID_TIME = -30,
  MURMURATION_INVALID_DELAY = -31,
  MURMURATION_TIME_BEFORE_START = -32,    /* The time lies before the latest start of a motion. */
  MURMURATION_INVALID_FRAME_RATE = -33,
  MURMURATION_INVALID_PLAYBACK = -34,
  MURMURATION_INVALID_CLIP = -35,         /* The keyframes make no clip; the message says why. */
  MURMURATION_INVALID_PHASES = -36,       /* The phases make no sequence; the message says why. */
  MURMURATION_INVALID_MIXER = -37,        /* Layers or inputs of a mixer; the message says why. */
  MURMURATION_FILE_ERROR = -38,           /* A file or scene is not as it must be; the message says what and where. */

  /* Faults of the moment. */
  MURMURATION_STALE_HANDLE = -50,           /* The track was removed, or never existed. */
  MURMURATION_STORE_MISMATCH = -51,         /* The track belongs to another batch. */
  MURMURATION_CAPACITY_EXCEEDED = -52,      /* More tracks than 2^28, or more of anything than there is memory for. */
  MURMURATION_VELOCITIES_NOT_COMPUTED = -53, /* The last advance left velocities out. */
  MURMURATION_CHANGE_WAITING = -54,         /* A delayed call begins within the frames to bake. */
  MURMURATION_UNKNOWN_CLIP = -55,
  MURMURATION_CLIP_IN_USE = -56,
  MURMURATION_UNKNOWN_PHASES = -57,
  MURMURATION_PHASES_IN_USE = -58,
  MURMURATION_CANNOT_RESTART = -59,         /* The clip cannot start from the current value of a track. */
  MURMURATION_UNSUPPORTED_KERNELS = -60,    /* The processor lacks the instruction set that MURMURATION_ISA names. */
  MURMURATION_RECORDS_FROM_START = -61,     /* A batch that had tracks, clips or phases cannot begin to record its calls. */
  MURMURATION_NOT_RECORDED = -62,           /* The calls of the batch are not recorded. */
  MURMURATION_SNAPSHOT_MISMATCH = -63,      /* The snapshot is not one of the batch or of the particles. */
  MURMURATION_IS_RECORDED = -64,            /* A batch whose calls are recorded cannot go back to a snapshot. */
  MURMURATION_INVALID_SNAPSHOT = -65        /* Bytes are no snapshot that can be read here, or a snapshot cannot be written. */
};

/* What was wrong, in words and with the offending number, in the last call of this thread that failed; empty if none
 * has. UTF-8. It lasts until the next call of this thread that fails. Cannot fail. */
MURMURATION_API const char *murmuration_error_message(void);

/* The name of a code, such as "staleHandle"; "unknown" for a number that is no code. It lasts as long as the library.
 * Cannot fail. */
MURMURATION_API const char *murmuration_error_name(int32_t status);

/* ---- Types ------------------------------------------------------------------------------------------------------- */

/* A batch of tracks. Each track is an animated value with as many components as the batch has dimensions. */
typedef uint32_t murmuration_batch;

/* A set of velocity trackers. */
typedef uint32_t murmuration_trackers;

/* Names a track for as long as it lives. A handle is never used again: once its track is removed, every use of it is an
 * error, even after another track took its index. All zeros name no track. Three uint32_t, so an array of handles is
 * also an array of uint32_t with three columns. */
typedef struct murmuration_track {
  uint32_t index;      /* The index of the track in its batch, the same for as long as it lives. */
  uint32_t generation; /* Tells the tracks apart that had this index. */
  uint32_t store;      /* Tells batches apart. */
} murmuration_track;

/* Names a clip that a batch has loaded; never used again. */
typedef struct murmuration_clip {
  uint32_t index, generation, store;
} murmuration_clip;

/* Names a sequence of phases that a batch has loaded; never used again. */
typedef struct murmuration_phases {
  uint32_t index, generation, store;
} murmuration_phases;

/* As a count: all indices from `first` on; all components. */
#define MURMURATION_ALL (-1)

/* ---- Springs and curves ------------------------------------------------------------------------------------------ */

/* What the parameters of a spring are. */
enum {
  MURMURATION_DURATION_BOUNCE = 0,           /* Perceptual duration in seconds, bounce in (-1, 1]. */
  MURMURATION_RESPONSE_DAMPING_RATIO = 1,    /* Undamped period in seconds, damping ratio. */
  MURMURATION_MASS_STIFFNESS_DAMPING = 2,    /* Constants of the equation. Overdamped counts as critical. */
  MURMURATION_MASS_STIFFNESS_ANY_DAMPING = 3, /* The same, but it may be overdamped. */
  MURMURATION_SETTLING_DURATION = 4          /* Seconds until it settles within epsilon, damping ratio, epsilon. */
};

/* A spring. A duration of 0 jumps; so does a spring of zeros. Bounces outside of (-1, 1], durations outside of 1e-4...1e6
 * and springs that would grow or stand still are errors, in animations and keyframes too. */
typedef struct murmuration_spring {
  int32_t form;
  int32_t reserved; /* 0 */
  double parameters[3];
} murmuration_spring;

/* Timing curves. */
enum {
  MURMURATION_LINEAR = 0,
  MURMURATION_EASE_IN = 1,
  MURMURATION_EASE_OUT = 2,
  MURMURATION_EASE_IN_OUT = 3,
  MURMURATION_CIRCULAR_EASE_IN = 4,
  MURMURATION_CIRCULAR_EASE_OUT = 5,
  MURMURATION_CIRCULAR_EASE_IN_OUT = 6,
  MURMURATION_BEZIER = 7, /* From (0, 0) to (1, 1) with two control points, whose x count as the nearest in 0...1. */
  /* The eases of easings.net. Those of CIRC are the circular ones above. */
  MURMURATION_EASE_IN_SINE = 8, MURMURATION_EASE_OUT_SINE = 9, MURMURATION_EASE_IN_OUT_SINE = 10,
  MURMURATION_EASE_IN_QUAD = 11, MURMURATION_EASE_OUT_QUAD = 12, MURMURATION_EASE_IN_OUT_QUAD = 13,
  MURMURATION_EASE_IN_CUBIC = 14, MURMURATION_EASE_OUT_CUBIC = 15, MURMURATION_EASE_IN_OUT_CUBIC = 16,
  MURMURATION_EASE_IN_QUART = 17, MURMURATION_EASE_OUT_QUART = 18, MURMURATION_EASE_IN_OUT_QUART = 19,
  MURMURATION_EASE_IN_QUINT = 20, MURMURATION_EASE_OUT_QUINT = 21, MURMURATION_EASE_IN_OUT_QUINT = 22,
  MURMURATION_EASE_IN_EXPO = 23, MURMURATION_EASE_OUT_EXPO = 24, MURMURATION_EASE_IN_OUT_EXPO = 25,
  MURMURATION_EASE_IN_CIRC = 26, MURMURATION_EASE_OUT_CIRC = 27, MURMURATION_EASE_IN_OUT_CIRC = 28,
  MURMURATION_EASE_IN_BACK = 29, MURMURATION_EASE_OUT_BACK = 30, MURMURATION_EASE_IN_OUT_BACK = 31,
  MURMURATION_EASE_IN_ELASTIC = 32, MURMURATION_EASE_OUT_ELASTIC = 33, MURMURATION_EASE_IN_OUT_ELASTIC = 34,
  MURMURATION_EASE_IN_BOUNCE = 35, MURMURATION_EASE_OUT_BOUNCE = 36, MURMURATION_EASE_IN_OUT_BOUNCE = 37
};

/* A timing curve. The control points are ignored unless it is MURMURATION_BEZIER. */
typedef struct murmuration_curve {
  int32_t kind;
  int32_t reserved; /* 0 */
  double x1, y1, x2, y2;
} murmuration_curve;

/* ---- Animations -------------------------------------------------------------------------------------------------- */

enum {
  MURMURATION_JUMP = 0,                 /* To the goal at once. */
  MURMURATION_SPRING = 1,               /* A spring, which takes over the value and velocity of the track. */
  MURMURATION_INTERPOLATING_SPRING = 2, /* A spring that adds to the motion under way. Overdamped counts as critical. */
  MURMURATION_CURVE = 3                 /* A curve, whose effect adds to the motion under way. */
};

/* Modifiers of an animation. A delay inside a repetition applies to each iteration, a delay outside only once; so they
 * apply in their order. */
enum {
  MURMURATION_DELAY = 1,               /* value: seconds of pause. Negative seconds skip the beginning. */
  MURMURATION_SPEED = 2,               /* value: how many times as fast. */
  MURMURATION_REPEAT = 3,              /* value: iterations, a whole number; INFINITY for ever. */
  MURMURATION_REPEAT_AUTOREVERSED = 4, /* The same; every second iteration runs backwards. */
  MURMURATION_LOGICALLY_COMPLETE = 5   /* value: seconds after which it is logically complete at the latest. */
};
#define MURMURATION_MAXIMUM_MODIFIERS 8

typedef struct murmuration_modifier {
  int32_t kind;
  int32_t reserved; /* 0 */
  double value;
} murmuration_modifier;

/* How a track goes to a goal. Zeros are a jump. */
typedef struct murmuration_animation {
  int32_t kind;
  int32_t modifier_count;   /* 0...MURMURATION_MAXIMUM_MODIFIERS. A jump has none. */
  murmuration_spring spring; /* Of both kinds of springs. */
  double initial_velocity;  /* Of an interpolating spring, in fractions of the way per second. */
  murmuration_curve curve;  /* Of a curve. */
  double duration;          /* Of a curve, seconds within +-1e10; 0 or less jumps. */
  murmuration_modifier modifiers[MURMURATION_MAXIMUM_MODIFIERS];
} murmuration_animation;

/* The spring of a perceptual duration in seconds and a bounce in (-1, 1]. Smooth springs have a bounce of 0, snappy
 * ones 0.15, bouncy ones 0.3. */
static inline murmuration_spring murmuration_spring_of_duration(double duration, double bounce) {
  murmuration_spring spring = {MURMURATION_DURATION_BOUNCE, 0, {duration, bounce, 0}};
  return spring;
}

/* The spring of an undamped period in seconds and a damping ratio. */
static inline murmuration_spring murmuration_spring_of_response(double response, double damping_ratio) {
  murmuration_spring spring = {MURMURATION_RESPONSE_DAMPING_RATIO, 0, {response, damping_ratio, 0}};
  return spring;
}

/* The spring of the constants of its equation. A damping above the critical counts as critical. */
static inline murmuration_spring murmuration_spring_of_stiffness(double mass, double stiffness, double damping) {
  murmuration_spring spring = {MURMURATION_MASS_STIFFNESS_DAMPING, 0, {mass, stiffness, damping}};
  return spring;
}

/* The spring that settles within epsilon (such as 0.001) in some seconds, with a damping ratio. */
static inline murmuration_spring murmuration_spring_of_settling(double seconds, double damping_ratio, double epsilon) {
  murmuration_spring spring = {MURMURATION_SETTLING_DURATION, 0, {seconds, damping_ratio, epsilon}};
  return spring;
}

/* A curve by its name. */
static inline murmuration_curve murmuration_named_curve(int32_t kind) {
  murmuration_curve curve = {kind, 0, 0, 0, 0, 0};
  return curve;
}

/* The curve of two control points. */
static inline murmuration_curve murmuration_bezier(double x1, double y1, double x2, double y2) {
  murmuration_curve curve = {MURMURATION_BEZIER, 0, x1, y1, x2, y2};
  return curve;
}

/* The animation that follows a spring and takes over the motion under way. */
static inline murmuration_animation murmuration_spring_animation(murmuration_spring spring) {
  murmuration_animation animation = {MURMURATION_SPRING, 0, spring, 0, {0, 0, 0, 0, 0, 0}, 0, {{0, 0, 0}}};
  return animation;
}

/* The animation that follows a spring and adds its effect to the motion under way. */
static inline murmuration_animation murmuration_interpolating_spring(
    murmuration_spring spring, double initial_velocity) {
  murmuration_animation animation = {
      MURMURATION_INTERPOLATING_SPRING, 0, spring, initial_velocity, {0, 0, 0, 0, 0, 0}, 0, {{0, 0, 0}}};
  return animation;
}

/* The animation along a curve during some seconds. */
static inline murmuration_animation murmuration_curve_animation(murmuration_curve curve, double duration) {
  murmuration_animation animation = {MURMURATION_CURVE, 0, {0, 0, {0, 0, 0}}, 0, curve, duration, {{0, 0, 0}}};
  return animation;
}

/* The animation with a modifier around it. Modifiers beyond the largest number make a call refuse it. */
static inline murmuration_animation murmuration_modified(murmuration_animation animation, int32_t kind, double value) {
  if (animation.modifier_count >= 0 && animation.modifier_count < MURMURATION_MAXIMUM_MODIFIERS) {
    animation.modifiers[animation.modifier_count].kind = kind;
    animation.modifiers[animation.modifier_count].value = value;
  }
  animation.modifier_count += 1;
  return animation;
}

/* ---- The model, for charts --------------------------------------------------------------------------------------- */

/* What is known of a spring. */
typedef struct murmuration_spring_info {
  double duration; /* Perceptual, seconds; also the response. */
  double bounce;   /* NaN for a spring that jumps, as its damping ratio; its stiffness and damping are infinite. */
  double damping_ratio;
  double mass, stiffness, damping;
} murmuration_spring_info;

/* Gives all parameters of a spring. */
MURMURATION_API int32_t murmuration_spring_describe(const murmuration_spring *spring, murmuration_spring_info *info);

/* Computes the value and the velocity of one spring at times since its start, in double. Numbers that are not finite are no
 * errors here: NaN gives NaN.
 *
 * values, velocities: Get `count` numbers each; each is optional. */
MURMURATION_API int32_t murmuration_spring_values(
    const murmuration_spring *spring, double from, double to, double velocity, const double *times, int32_t count,
    double *values, double *velocities);

/* Gives the seconds after which a spring from 0 to `target` stays within `epsilon` of it; infinite if it never does. */
MURMURATION_API int32_t murmuration_spring_settling_duration(
    const murmuration_spring *spring, double target, double velocity, double epsilon, double *seconds);

/* Computes a curve at progresses, which count as the nearest in 0...1. NaN gives NaN.
 *
 * values, velocities: Get `count` numbers each; each is optional. */
MURMURATION_API int32_t murmuration_curve_values(
    const murmuration_curve *curve, const double *progress, int32_t count, double *values, double *velocities);

/* ---- Batches ----------------------------------------------------------------------------------------------------- */

/* Makes an empty batch. The caller frees it.
 *
 * dimensions: Components of each track, 1...4096.
 * capacity: Tracks to make room for now; more may come.
 * curve_tolerance: How far the fitted pieces of curves may be from them, as a share of the way, 2^-40...2^-2; 0 for
 *     2^-16. */
MURMURATION_API int32_t murmuration_batch_create(
    int32_t dimensions, int32_t capacity, double curve_tolerance, murmuration_batch *batch);

/* Frees a batch and everything in it. Pointers that were lent are void. Its number becomes an error. */
MURMURATION_API int32_t murmuration_batch_free(murmuration_batch batch);

/* Makes another batch with the same state: tracks, motions, delays, pauses, phases, clips, the clock and events. From now on
 * each goes its own way. A track of the copy has the index of the original, and a handle of its own, which
 * murmuration_track_at() tells; clips and phases that are loaded now have the same names in both. */
MURMURATION_API int32_t murmuration_batch_copy(murmuration_batch batch, murmuration_batch *copy);

/* The state of a batch, or of particles, at one time. The caller frees it. */
typedef uint32_t murmuration_snapshot;

/* Takes a snapshot of a batch. */
MURMURATION_API int32_t murmuration_snapshot_create(murmuration_batch batch, murmuration_snapshot *snapshot);

/* Makes a snapshot one of a batch now. If it was one of this batch, with as many tracks and kinds of motions or more, nothing is
 * allocated. */
MURMURATION_API int32_t murmuration_snapshot_update(murmuration_snapshot snapshot, murmuration_batch batch);

MURMURATION_API int32_t murmuration_snapshot_free(murmuration_snapshot snapshot);

/* Makes a batch what it was. Every later frame has the bits that it would have had. Handles, clips and phases of that time are
 * good again; what was given out since then names nothing, for ever, and numbers of changes go on from the largest. Columns
 * that were lent are void. */
MURMURATION_API int32_t murmuration_restore(murmuration_batch batch, murmuration_snapshot snapshot);

/* Gives a snapshot as bytes, which go to a file or to another process: a version, the length, a checksum, and the whole state
 * with its clips, phases and animations. Machines of one byte order and word size read each other's. The bytes last until the
 * next call about the snapshot. A clip that was made by a function of its start keeps its pieces, and cannot start from other
 * values any more. */
MURMURATION_API int32_t murmuration_snapshot_bytes(murmuration_snapshot snapshot, const void **bytes, int64_t *count);

/* Reads a snapshot of bytes. The caller frees it. Bytes of another version or kind of machine, and bytes that were cut or
 * damaged, are a MURMURATION_INVALID_SNAPSHOT. The checksum finds damage, and nothing finds intent: read no bytes of
 * strangers. If they are of this process, murmuration_restore() takes the batch back to them. */
MURMURATION_API int32_t murmuration_snapshot_read(const void *bytes, int64_t count, murmuration_snapshot *snapshot);

/* Makes a batch that begins with a snapshot of another one: see murmuration_batch_copy(). The caller frees it. What another
 * process gave out names nothing here: clips and phases that play go on, and others are loaded anew. */
MURMURATION_API int32_t murmuration_batch_from_snapshot(murmuration_snapshot snapshot, murmuration_batch *batch);

/* What is known of a batch. */
typedef struct murmuration_batch_info {
  double time;            /* The clock. */
  int32_t dimensions;
  int32_t count;          /* Live tracks. */
  int32_t index_count;    /* One past the largest index that a track has had since murmuration_compact or
                             murmuration_remove_all lowered it: the length of every column. */
  int32_t event_count;    /* Events of the last advance. */
  int32_t clip_count;     /* Clips: loaded ones, and those made anew for one track. */
  int32_t called_count;   /* Tracks that no kernel computes; each costs far more than a spring. */
  int32_t thread_count;
  uint32_t latest_change; /* The number of the last call that changed a motion. */
  int32_t reports;        /* See murmuration_set_reports. */
} murmuration_batch_info;

/* Gives what is known of a batch. */
MURMURATION_API int32_t murmuration_batch_describe(murmuration_batch batch, murmuration_batch_info *info);

/* Makes room for some tracks beyond the live ones. */
MURMURATION_API int32_t murmuration_reserve(murmuration_batch batch, int32_t additional);

/* Gives back the memory behind the last track. Handles and indices stay. */
MURMURATION_API int32_t murmuration_compact(murmuration_batch batch);

/* Sets the number of threads that a call about the batch may use, the caller's included: 1...64, others count as the
 * nearest. The default is 1. It changes no bit. In WebAssembly it has no effect. */
MURMURATION_API int32_t murmuration_set_thread_count(murmuration_batch batch, int32_t count);

/* Sets the tolerances within which a motion counts as at rest, for motions under way too.
 *
 * value: The largest distance from the target, 1e-30...1e15; at first 0.001.
 * velocity: The largest speed, 1e-30...1e30; 0 for the speed that belongs to the distance. */
MURMURATION_API int32_t murmuration_set_rest_tolerance(murmuration_batch batch, float value, float velocity);

/* ---- Tracks ------------------------------------------------------------------------------------------------------ */

/* Adds tracks that stand still at some values.
 *
 * tracks: Gets `count` handles; optional. */
MURMURATION_API int32_t murmuration_add(
    murmuration_batch batch, const float *values, int32_t track_stride, int32_t component_stride,
    murmuration_track *tracks, int32_t count);

/* Removes tracks: their handles go stale, and the next new tracks take their indices. A track that is named twice is
 * removed once. */
MURMURATION_API int32_t murmuration_remove(
    murmuration_batch batch, const murmuration_track *tracks, int32_t first, int32_t count);

/* Removes the tracks whose motion is over: springs at rest, curves and clips at their ends, triggered phases that are
 * back at rest.
 *
 * removed: Gets the number of tracks; optional. */
MURMURATION_API int32_t murmuration_remove_settled(murmuration_batch batch, int32_t *removed);

/* Removes every track; clips and phases stay loaded. */
MURMURATION_API int32_t murmuration_remove_all(murmuration_batch batch);

/* Gives the handle of the track at an index; all zeros for an index without a track. */
MURMURATION_API int32_t murmuration_track_at(murmuration_batch batch, int32_t index, murmuration_track *track);

/* Gives the handles of those tracks that are there: handles of tracks that are gone are passed over.
 *
 * live: Gets at most as many handles as there are tracks, in their order; may be `tracks` itself where `first` is 0.
 * live_count: Gets the number of these handles. */
MURMURATION_API int32_t murmuration_live(
    murmuration_batch batch, const murmuration_track *tracks, int32_t first, int32_t count, murmuration_track *live,
    int32_t *live_count);

/* Motions. */
enum {
  MURMURATION_MOTION_STILL = 0,
  MURMURATION_MOTION_SPRING = 1, /* Also at rest. */
  MURMURATION_MOTION_DECELERATION = 2,
  MURMURATION_MOTION_CURVE = 3,
  MURMURATION_MOTION_SUM = 4, /* Effects that add up. */
  MURMURATION_MOTION_CLIP = 5,
  MURMURATION_MOTION_FOLLOWING = 6 /* Also at its goal. */
};

/* What is known of a track. */
typedef struct murmuration_track_info {
  double rest_time;      /* When its spring rests or its last curve ends; infinite for never; NaN for other motions. */
  double clip_time;      /* The second of the clip that it shows; NaN if it shows none. */
  double next_step_time; /* When it takes its next step of phases; infinite for never; NaN without phases. */
  int32_t motion;
  int32_t phase;         /* The phase that it shows or heads for; -1 without phases. */
  int32_t is_at_rest;    /* 1 if it showed its target and no velocity in the last frame. */
  int32_t is_paused;     /* 1 in a pause. */
} murmuration_track_info;

/* Gives what is known of a track. */
MURMURATION_API int32_t murmuration_track_describe(
    murmuration_batch batch, const murmuration_track *track, murmuration_track_info *info);

/* ---- Sending tracks to goals ------------------------------------------------------------------------------------- */

/* Sends tracks from their current states to goals, with one animation for all.
 *
 * A spring without modifiers is the fastest. A track that heads for its goal already is left alone.
 *
 * goals: One for each track.
 * animation: How they get there; NULL to jump.
 * delays: Seconds until each track sets out, 0 or more, `count` of them; optional. Until then it keeps its motion.
 * completion: When the change is complete, if its end is to be told: MURMURATION_UNTOLD (0),
 *     MURMURATION_UNTIL_LOGICALLY_COMPLETE or MURMURATION_UNTIL_SETTLED.
 * change: Gets the number of the change; optional. */
MURMURATION_API int32_t murmuration_animate(
    murmuration_batch batch, const murmuration_track *tracks, int32_t first, int32_t count, const float *goals,
    int32_t track_stride, int32_t component_stride, const murmuration_animation *animation, const double *delays,
    int32_t completion, uint32_t *change);

/* Sends tracks to goals with an animation each, `count` of them: this is the call for tracks one
 * by one. Otherwise as murmuration_animate. */
MURMURATION_API int32_t murmuration_animate_each(
    murmuration_batch batch, const murmuration_track *tracks, int32_t first, int32_t count, const float *goals,
    int32_t track_stride, int32_t component_stride, const murmuration_animation *animations, const double *delays,
    int32_t completion, uint32_t *change);

/* Sends tracks to goals with the springs that they follow; a track that follows none takes a spring of half a second. A
 * track that heads for its goal already is left alone. Otherwise as murmuration_animate. */
MURMURATION_API int32_t murmuration_retarget(
    murmuration_batch batch, const murmuration_track *tracks, int32_t first, int32_t count, const float *goals,
    int32_t track_stride, int32_t component_stride, const double *delays, int32_t completion, uint32_t *change);

/* Lets tracks follow goals: from each frame to the next a track takes the exact step of its spring towards the goal that
 * stands in its column of goals. It is the motion for goals that change in every frame. The goal of a track that did not
 * follow before is its value. murmuration_retarget sets the goal; murmuration_set and murmuration_displace change the state,
 * and the track goes on following; other motions take over. While tracks follow, the clock cannot go back.
 *
 * springs: One for all, or one for each; spring_count says how many. A spring of zeros is at its goal with the next frame.
 * change: Gets the number of the change; optional. */
MURMURATION_API int32_t murmuration_follow(
    murmuration_batch batch, const murmuration_track *tracks, int32_t first, int32_t count,
    const murmuration_spring *springs, int32_t spring_count, uint32_t *change);

/* Lets tracks follow the values of other tracks: the goal of a track is the value that its leader showed in the frame
 * before, plus an offset. A goal that is set by a call ends the lead, and so does another motion of the track. Where a
 * leader is removed, the goal stays as it is.
 *
 * leaders: One for each track; leader_count must be the number of tracks.
 * offsets: One for each track; NULL for none. */
MURMURATION_API int32_t murmuration_follow_tracks(
    murmuration_batch batch, const murmuration_track *tracks, int32_t first, int32_t count,
    const murmuration_track *leaders, int32_t leader_count, const float *offsets, int32_t track_stride,
    int32_t component_stride, const murmuration_spring *springs, int32_t spring_count, uint32_t *change);

/* Sets the goals of tracks that follow. Goals of other tracks have no effect.
 *
 * goals: One for each track. */
MURMURATION_API int32_t murmuration_set_goals(
    murmuration_batch batch, const murmuration_track *tracks, int32_t first, int32_t count, const float *goals,
    int32_t track_stride, int32_t component_stride);

/* Lends the goals of one component by index, to be written in place: the quickest way to move goals in every frame.
 * Nothing is checked: a goal that is no number within 1e15 keeps its track where it is, and is reported once.
 *
 * goals: Gets the address of `count` floats; NULL if no track ever followed. It holds until a call about following or goals
 *     that comes after new tracks, and until the batch is freed.
 * count: Gets the number of indices. */
MURMURATION_API int32_t murmuration_goals(murmuration_batch batch, int32_t component, float **goals, int32_t *count);

/* Cancels the calls of these tracks that wait for their delays. */
MURMURATION_API int32_t murmuration_cancel_delays(
    murmuration_batch batch, const murmuration_track *tracks, int32_t first, int32_t count);

/* Sets the values and velocities of tracks, as a dragging hand does. They stay there, and the next spring takes over
 * the velocities.
 *
 * velocities: One for each track; NULL for none. Their strides count only with a pointer.
 * change: Gets the number of the change; optional. */
MURMURATION_API int32_t murmuration_set(
    murmuration_batch batch, const murmuration_track *tracks, int32_t first, int32_t count, const float *values,
    int32_t track_stride, int32_t component_stride, const float *velocities, int32_t velocity_track_stride,
    int32_t velocity_component_stride, uint32_t *change);

/* Sets the values and velocities of tracks; from there they go on to their targets with the springs that they follow.
 * Otherwise as murmuration_set. */
MURMURATION_API int32_t murmuration_displace(
    murmuration_batch batch, const murmuration_track *tracks, int32_t first, int32_t count, const float *values,
    int32_t track_stride, int32_t component_stride, const float *velocities, int32_t velocity_track_stride,
    int32_t velocity_component_stride, uint32_t *change);

/* Adds to the velocities of tracks, which go on from their values as with murmuration_displace.
 *
 * velocities: Added to the velocity of each track, per second.
 * change: Gets the number of the change; optional. */
MURMURATION_API int32_t murmuration_push(
    murmuration_batch batch, const murmuration_track *tracks, int32_t first, int32_t count, const float *velocities,
    int32_t track_stride, int32_t component_stride, uint32_t *change);

/* Stands for the number of snap points where these are a grid. */
#define MURMURATION_GRID (-1)

/* Lets tracks slide from their values to their projected ends, ever more slowly, as a scroll view does after a throw, or
 * spring to points near these ends.
 *
 * velocities: One for each track; NULL for the velocities of the tracks.
 * rate: The part of the velocity that is left after a millisecond, in (0, 1): 0.998 is normal, 0.99 is fast.
 * bounds: The lower bounds of all components, then the upper ones; infinite for none; NULL for no bounds at all. A
 *     component that meets a bound goes on with the spring, which holds it there.
 * snap_points: Where tracks may end, the components of each point side by side; NULL for anywhere. Each track takes the
 *     spring, from its value and velocity, to the point nearest to the end of its slide. The end is limited to the bounds
 *     first, and a point beyond a bound counts at the bound.
 * snap_count: The number of points, or MURMURATION_GRID: then the first point is the spacing of a grid, above 0 in each
 *     component, and the second one a point of the grid. It counts only with a pointer.
 * spring: The spring at a bound, or to a point; NULL for one of half a second.
 * completion: When the change is complete: 0, MURMURATION_UNTIL_LOGICALLY_COMPLETE or MURMURATION_UNTIL_SETTLED.
 * change: Gets the number of the change; optional. The ends are the targets from now on. */
MURMURATION_API int32_t murmuration_decelerate(
    murmuration_batch batch, const murmuration_track *tracks, int32_t first, int32_t count, const float *velocities,
    int32_t track_stride, int32_t component_stride, double rate, const float *bounds, const float *snap_points,
    int32_t snap_count, const murmuration_spring *spring, int32_t completion, uint32_t *change);

/* Pauses tracks: no time passes for them, whatever they follow. */
MURMURATION_API int32_t murmuration_pause(
    murmuration_batch batch, const murmuration_track *tracks, int32_t first, int32_t count);

/* Resumes paused tracks, from where they are and with the velocities that they had; others are left alone. */
MURMURATION_API int32_t murmuration_resume(
    murmuration_batch batch, const murmuration_track *tracks, int32_t first, int32_t count);

/* Ends the motions, phases and waiting calls of tracks, which stay where they are. */
MURMURATION_API int32_t murmuration_stop(
    murmuration_batch batch, const murmuration_track *tracks, int32_t first, int32_t count);

/* ---- Clips: keyframes -------------------------------------------------------------------------------------------- */

enum {
  MURMURATION_MOVE = 0,            /* A jump, without a duration. */
  MURMURATION_LINEAR_KEYFRAME = 1, /* From the keyframe before, along a curve. */
  MURMURATION_CUBIC_KEYFRAME = 2,  /* A piece of a smooth spline. */
  MURMURATION_SPRING_KEYFRAME = 3
};

/* Which of the optional fields of a keyframe count. */
enum {
  MURMURATION_HAS_START_VELOCITY = 1, /* Of a cubic and of a spring; otherwise it takes over the velocity there. */
  MURMURATION_HAS_END_VELOCITY = 2,   /* Of a cubic; otherwise it follows from the next keyframe. */
  MURMURATION_HAS_DURATION = 4        /* Of a spring; otherwise it lasts until it settles. Others always have one. */
};

/* A keyframe of one component. */
typedef struct murmuration_keyframe {
  int32_t kind;
  int32_t flags;
  double to;       /* The value that it leads to. */
  double duration; /* Seconds, at most 1e10; 0 or less jumps. */
  murmuration_curve curve;
  murmuration_spring spring;
  double start_velocity;
  double end_velocity;
} murmuration_keyframe;

/* Makes a clip of keyframes and loads it.
 *
 * initial_values: Where each component starts, `dimensions` of them.
 * keyframes: The keyframes of component 0, then those of component 1, ...
 * keyframe_counts: The number of keyframes of each component, `dimensions` of them. A component without keyframes keeps
 *     its initial value.
 * tolerance: The largest error of fitted keyframes, as a share of their way, 2^-40...2^-2; 0 for 2^-16.
 * clip: Gets the clip, for this batch only.
 * duration: Gets the seconds of the clip; optional. */
MURMURATION_API int32_t murmuration_load_clip(
    murmuration_batch batch, const double *initial_values, const murmuration_keyframe *keyframes,
    const int32_t *keyframe_counts, int32_t dimensions, double tolerance, murmuration_clip *clip, double *duration);

/* Unloads a clip that no track plays. */
MURMURATION_API int32_t murmuration_unload_clip(murmuration_batch batch, const murmuration_clip *clip);

/* Flags of a playback. */
enum {
  MURMURATION_AUTOREVERSES = 1, /* Every second iteration goes the other way. */
  MURMURATION_STARTS_AT = 2,    /* `start` counts; otherwise it starts now. */
  MURMURATION_TARGET_BEFORE = 4, /* Shows the track's target while it waits, and not the first value of the clip. */
  MURMURATION_TARGET_AFTER = 8   /* Shows the track's target when it is over, and not the last value of the clip. */
};

/* Where a playback starts. */
enum {
  MURMURATION_FIRST_VALUE = 0, /* With the first value of the clip. */
  MURMURATION_SHOWN_VALUE = 1, /* From the value and velocity that the track shows: the clip is made anew for it. */
  MURMURATION_AUTOMATIC = 2    /* From what the track shows if it is on its way, otherwise with the first value. */
};

/* How a track plays a clip. Begin with murmuration_playback_default: zeros would stand still. */
typedef struct murmuration_playback {
  double start;       /* Seconds on the clock. */
  double delay;       /* Seconds from the start during which it waits. Negative seconds skip the beginning. */
  double speed;       /* Seconds of the clip per second of the clock. Negative plays backwards. */
  double iterations;  /* A whole number of at least 1; INFINITY for ever. */
  double time_offset; /* Seconds that count as played when the delay is over. */
  int32_t flags;
  int32_t reserved; /* 0 */
} murmuration_playback;

/* Gives the playback that plays once, now, at the clip's own speed. */
MURMURATION_API int32_t murmuration_playback_default(murmuration_playback *playback);

/* Plays a clip on tracks, in place of their motions. The next advance shows it.
 *
 * playbacks, playback_count: NULL and 0 for the default; one for all tracks; or one for each.
 * start: MURMURATION_FIRST_VALUE, MURMURATION_SHOWN_VALUE or MURMURATION_AUTOMATIC.
 * completion: When the change is complete: 0, MURMURATION_UNTIL_LOGICALLY_COMPLETE or MURMURATION_UNTIL_SETTLED.
 * change: Gets the number of the change; optional. */
MURMURATION_API int32_t murmuration_play_clip(
    murmuration_batch batch, const murmuration_clip *clip, const murmuration_track *tracks, int32_t first,
    int32_t count, const murmuration_playback *playbacks, int32_t playback_count, int32_t start, int32_t completion,
    uint32_t *change);

/* Changes the speed of motions, from the values that tracks show; tracks at rest are left alone. The speed lasts until
 * another call gives the track a motion.
 *
 * speeds, speed_count: Seconds of the motion per second, one for all tracks, or one for each: any finite numbers for clips,
 * and 1e-6 to 1e6 for other motions. */
MURMURATION_API int32_t murmuration_set_speed(
    murmuration_batch batch, const murmuration_track *tracks, int32_t first, int32_t count, const double *speeds,
    int32_t speed_count);

/* Moves tracks that play clips to seconds of their clips, within the current iterations; others are left alone.
 *
 * times, time_count: One for all tracks, or one for each; times outside of the clip count as the nearest. */
MURMURATION_API int32_t murmuration_seek(
    murmuration_batch batch, const murmuration_track *tracks, int32_t first, int32_t count, const double *times,
    int32_t time_count);

/* Gives variations to tracks that play clips: they show scale * value + offset of the clip's values. A variation stays
 * while the track plays clips. Tracks that play none are left alone.
 *
 * scales, offsets: One for each track. */
MURMURATION_API int32_t murmuration_vary(
    murmuration_batch batch, const murmuration_track *tracks, int32_t first, int32_t count, const float *scales,
    int32_t scale_track_stride, int32_t scale_component_stride, const float *offsets, int32_t offset_track_stride,
    int32_t offset_component_stride);

/* ---- Phases ------------------------------------------------------------------------------------------------------ */

/* Makes a sequence of phases and loads it.
 *
 * targets: The value of each phase, side by side: phase_count * dimensions.
 * animations: The animation to each phase from the one before, phase_count of them; NULL for jumps.
 * dimensions: As the batch has.
 * phase_count: 1...65536.
 * phases: Gets the sequence, for this batch only. */
MURMURATION_API int32_t murmuration_load_phases(
    murmuration_batch batch, const float *targets, const murmuration_animation *animations, int32_t dimensions,
    int32_t phase_count, murmuration_phases *phases);

/* Unloads a sequence that no track plays. */
MURMURATION_API int32_t murmuration_unload_phases(murmuration_batch batch, const murmuration_phases *phases);

enum {
  MURMURATION_LOOPS = 0,    /* Sets out at its start, and again after each round. */
  MURMURATION_TRIGGERED = 1 /* Sets out at a trigger, for one round. */
};

/* Plays a sequence of phases on tracks. A track keeps its motion until its start or trigger.
 *
 * mode: MURMURATION_LOOPS or MURMURATION_TRIGGERED.
 * starts: When each track sets out, `count` of them; NULL for now.
 * scales, offsets: Of the targets of each track, scale * target + offset; NULL for 1 and 0.
 * change: Gets the number of the change; optional. */
MURMURATION_API int32_t murmuration_play_phases(
    murmuration_batch batch, const murmuration_phases *phases, const murmuration_track *tracks, int32_t first,
    int32_t count, int32_t mode, const double *starts, const float *scales, int32_t scale_track_stride,
    int32_t scale_component_stride, const float *offsets, int32_t offset_track_stride, int32_t offset_component_stride,
    uint32_t *change);

/* Triggers tracks: each runs once through the sequence that it plays or played last.
 *
 * completion: When the run is complete: 0, MURMURATION_UNTIL_LOGICALLY_COMPLETE or MURMURATION_UNTIL_SETTLED.
 * change: Gets the number of the change; optional. */
MURMURATION_API int32_t murmuration_trigger(
    murmuration_batch batch, const murmuration_track *tracks, int32_t first, int32_t count, int32_t completion,
    uint32_t *change);

/* ---- Time -------------------------------------------------------------------------------------------------------- */

/* As `flags` of an advance: computes velocities along with values. */
#define MURMURATION_WITH_VELOCITIES 1

/* Evaluates every track at a time, and lists what happened on the way. The clock may be set to any time since the
 * latest change or step of phases, forwards or back, at the cost of one frame.
 *
 * flags: 0 or MURMURATION_WITH_VELOCITIES. */
MURMURATION_API int32_t murmuration_advance(murmuration_batch batch, double seconds, int32_t flags);

/* Moves the clock by some seconds, and evaluates every track. Small steps lose nothing. */
MURMURATION_API int32_t murmuration_advance_by(murmuration_batch batch, double seconds, int32_t flags);

/* Kinds of events. */
enum {
  MURMURATION_LOGICALLY_COMPLETED = 0, /* The perceptual duration has passed, or the track came to rest before that. */
  MURMURATION_SETTLED = 1,             /* The track came to rest at its target, or its playback is over. */
  MURMURATION_ITERATION_BEGAN = 2,     /* A playback began its iteration `number`, counted from 0. Only if asked for. */
  MURMURATION_PHASE_BEGAN = 3,         /* A track set out for phase `number`. Only if asked for. */
  MURMURATION_INVALID_GOAL = 4         /* A track that follows has a goal that is no number: it stays where it is. */
};

/* Something that happened on the way to the time of the last frame. */
typedef struct murmuration_event {
  double time;             /* The moment. */
  int64_t number;          /* The iteration or the phase; 0 for other events. */
  murmuration_track track;
  uint32_t change;         /* The number of the change that began the motion. */
  int32_t kind;
  int32_t reserved;        /* 0 */
} murmuration_event;

/* Lends the events of the last advance, in the order of index and then of moment.
 *
 * events: Gets the address of the first; NULL if there are none. It holds until the next call about the batch.
 * count: Gets their number. */
MURMURATION_API int32_t murmuration_events(murmuration_batch batch, const murmuration_event **events, int32_t *count);

/* As `reports`: events that are reported only where they are asked for. */
#define MURMURATION_REPORT_ITERATIONS 1
#define MURMURATION_REPORT_PHASES 2
#define MURMURATION_REPORT_ARRIVALS 4 /* MURMURATION_SETTLED of tracks that follow, each time they reach their goals. */

/* Sets the events that are reported besides completion. */
MURMURATION_API int32_t murmuration_set_reports(murmuration_batch batch, int32_t reports);

/* When a change is complete for a track: the `completion` of a call. */
enum {
  MURMURATION_UNTOLD = 0,                   /* The end of the change is not told. */
  MURMURATION_UNTIL_LOGICALLY_COMPLETE = 1, /* With the event MURMURATION_LOGICALLY_COMPLETED. */
  MURMURATION_UNTIL_SETTLED = 2             /* With the event MURMURATION_SETTLED. */
};

/* The end of a change as a whole: the numbers of its tracks by how it ended for them. */
typedef struct murmuration_outcome {
  uint32_t change;
  int32_t completed, replaced, removed;
} murmuration_outcome;

/* Lends the changes that have ended, of calls that asked for their completion. Each is told once, with the advance that ends
 * it, or that comes after the call that ends it.
 *
 * A change ends when it has ended for all of its tracks. It never does while one of them repeats for ever, has a spring
 * without damping, or is paused. It is complete at once for a track for which the call has nothing to do: a jump, the goal
 * that the track heads for already, a new goal for a track that follows.
 *
 * outcomes: Gets the address of the first; NULL if there are none. It holds until the next call about the batch.
 * count: Gets their number. */
MURMURATION_API int32_t murmuration_outcomes(
    murmuration_batch batch, const murmuration_outcome **outcomes, int32_t *count);

/* How a change ends for a track. */
enum {
  MURMURATION_COMPLETE = 0, /* The motion met the completion, or had nothing to do. */
  MURMURATION_REPLACED = 1, /* Another call took over, stopped the track, or cancelled the delay. */
  MURMURATION_REMOVED = 2   /* The track was removed. */
};

/* The end of a change for one track. */
typedef struct murmuration_track_outcome {
  murmuration_track track; /* No longer there if it was removed. */
  uint32_t change;
  int32_t result;
} murmuration_track_outcome;

/* Lends how changes have ended for their tracks, one by one, in the order in which that was found. Otherwise as
 * murmuration_outcomes. */
MURMURATION_API int32_t murmuration_track_outcomes(
    murmuration_batch batch, const murmuration_track_outcome **outcomes, int32_t *count);

/* ---- Reading ----------------------------------------------------------------------------------------------------- */

enum {
  MURMURATION_VALUES = 0,
  MURMURATION_VELOCITIES = 1, /* Per second. By index, the last advance must have computed them. */
  MURMURATION_TARGETS = 2
};

/* Copies numbers of tracks. Indices without a track give zeros. What lies between the numbers in the output is left as
 * it is.
 *
 * what: MURMURATION_VALUES, MURMURATION_VELOCITIES or MURMURATION_TARGETS.
 * output: Gets one value for each track. */
MURMURATION_API int32_t murmuration_read(
    murmuration_batch batch, int32_t what, const murmuration_track *tracks, int32_t first, int32_t count, float *output,
    int32_t track_stride, int32_t component_stride);

/* The format of a number in a vertex. Formats but the first round to nearest, ties to even. */
enum {
  MURMURATION_FLOAT32 = 0,
  MURMURATION_FLOAT16 = 1, /* IEEE half precision: infinite from 65520 on. */
  MURMURATION_UNORM8 = 2,  /* 0...1 as 0...255; numbers beyond are clamped, NaN is 0. So it is below. */
  MURMURATION_SNORM8 = 3,  /* -1...1 as -127...127 */
  MURMURATION_UNORM16 = 4, /* 0...1 as 0...65535 */
  MURMURATION_SNORM16 = 5  /* -1...1 as -32767...32767 */
};

/* The encodings of a colour: the space of its first three numbers. The fourth is alpha. */
enum {
  MURMURATION_SRGB = 1,         /* Red, green and blue, gamma-encoded, as in web colours: IEC 61966-2-1. */
  MURMURATION_LINEAR_SRGB = 2,  /* Red, green and blue as amounts of light. */
  MURMURATION_OKLAB = 3,        /* Lightness, a and b of Bjorn Ottosson's OKLab, in which equal steps look equal. */
  MURMURATION_PREMULTIPLIED = 4 /* Added to a space: the three numbers are multiplied by alpha. */
};

/* Where the numbers of tracks lie in vertices. */
typedef struct murmuration_vertex_layout {
  const int32_t *components; /* The component of each number of a vertex, in any order; NULL for all in theirs. */
  int32_t component_count;   /* 0 with NULL */
  int32_t format;
  int32_t offset; /* Bytes before the first number of the first vertex, 0 or more, also odd. */
  int32_t stride; /* Bytes from vertex to vertex, at least those of the numbers; 0 for these alone, without gaps. */
  int32_t color_source; /* The encodings from and to which colours of four numbers are converted before they are written; */
  int32_t color_destination; /* 0 and 0 for numbers as they are. */
} murmuration_vertex_layout;

/* Copies numbers of tracks into vertices, colours also into another encoding: see murmuration_convert_colors. Indices
 * without a track give zeros. All other bytes of the output are left as they are, so that several batches fill one vertex by
 * a call each.
 *
 * what: MURMURATION_VALUES, MURMURATION_VELOCITIES or MURMURATION_TARGETS; no velocities of colours.
 * output: Gets a vertex for each track; any address.
 * byte_count: The bytes of the output, so that nothing is written beyond. Fewer than the vertices need are an error. */
MURMURATION_API int32_t murmuration_copy_vertices(
    murmuration_batch batch, int32_t what, const murmuration_track *tracks, int32_t first, int32_t count,
    const murmuration_vertex_layout *layout, void *output, int64_t byte_count);

/* Converts colours of four numbers each, for a batch to move. All processors give the same bits. Colours out of gamut are kept.
 * Premultiplied components become 0 in another encoding where alpha is 0.
 *
 * source, destination: The encodings before and after.
 * colors: Side by side.
 * format: MURMURATION_FLOAT32, or MURMURATION_UNORM8 for bytes that have 0...1 as 0...255.
 * output: Gets floats. It may be `colors`, if these are floats and the strides 4 and 1. */
MURMURATION_API int32_t murmuration_convert_colors(
    int32_t source, int32_t destination, const void *colors, int32_t format, int32_t count, float *output,
    int32_t track_stride, int32_t component_stride);

/* Lends the numbers of one component of all tracks by index, without a copy, for uploads. An index without a track holds a
 * meaningless number; murmuration_track_at tells which have one.
 *
 * what: MURMURATION_VALUES, MURMURATION_VELOCITIES or MURMURATION_TARGETS.
 * column: Gets the address of `index_count` floats, aligned to 64 bytes; NULL without indices. It holds until the next call
 *     about the batch that is no reading.
 * count: Gets `index_count`. */
MURMURATION_API int32_t murmuration_column(
    murmuration_batch batch, int32_t what, int32_t component, const float **column, int32_t *count);

/* ---- Baking ------------------------------------------------------------------------------------------------------ */

/* The order of baked numbers. */
enum {
  MURMURATION_TIME_MAJOR = 0,  /* [frames][components][tracks] */
  MURMURATION_INTERLEAVED = 1, /* [frames][tracks][components] */
  MURMURATION_TRACK_MAJOR = 2  /* [tracks][components][frames] */
};

/* What to bake. Frame n is at start + n / frames_per_second. */
typedef struct murmuration_bake_request {
  double start; /* Seconds on the clock. */
  double frames_per_second;
  int64_t first_frame;
  int64_t frame_count;
  int32_t first_index;
  int32_t index_count; /* MURMURATION_ALL: to the last index. */
  int32_t first_component;
  int32_t component_count; /* MURMURATION_ALL: to the last component. */
  int32_t order;
  int32_t reserved; /* 0 */
} murmuration_bake_request;

/* Computes many frames as the motions and schedules stand. Nothing of the batch changes.
 *
 * times, time_count: The moments, in any order; NULL and 0 for the frames of the request.
 * values: Gets frames * indices * components numbers in the order of the request.
 * velocities: Gets as many velocities; optional.
 * number_count: Frames * indices * components, so that nothing is written beyond. Another number is an error. */
MURMURATION_API int32_t murmuration_bake(
    murmuration_batch batch, const murmuration_bake_request *request, const double *times, int32_t time_count,
    float *values, float *velocities, int64_t number_count);

/* ---- Velocity trackers ------------------------------------------------------------------------------------------- */

/* Makes trackers, which estimate velocities from samples of pointers. The caller frees them.
 *
 * count: Tracks, 0...2^28, all sampled at the same times.
 * dimensions: Components of each, 1...4096. */
MURMURATION_API int32_t murmuration_trackers_create(int32_t count, int32_t dimensions, murmuration_trackers *trackers);

/* Frees trackers. Their number becomes an error. */
MURMURATION_API int32_t murmuration_trackers_free(murmuration_trackers trackers);

/* Takes a sample of every track, at a time not before the sample before. A sample at the same time replaces it. */
MURMURATION_API int32_t murmuration_trackers_record(
    murmuration_trackers trackers, const float *values, int32_t track_stride, int32_t component_stride, double seconds);

/* Estimates the velocity of every track, per second. It fades from the newest sample on, and is 0 after 2 s. */
MURMURATION_API int32_t murmuration_trackers_velocities(
    murmuration_trackers trackers, double seconds, float *output, int32_t track_stride, int32_t component_stride);

/* Forgets the samples of some tracks: their next sample is their first. With 0 and MURMURATION_ALL, also the time of
 * the newest. */
MURMURATION_API int32_t murmuration_trackers_reset(murmuration_trackers trackers, int32_t first, int32_t count);

/* ---- Bits -------------------------------------------------------------------------------------------------------- */

/* Runs springs, curves, clips and phases through this library, and gives a hash of all bits. It is the same on every
 * processor, and in WebAssembly: MURMURATION_SAME_BITS. It takes some milliseconds. */
MURMURATION_API int32_t murmuration_same_bits(uint64_t *hash);

/* What murmuration_same_bits gives. */
#define MURMURATION_SAME_BITS UINT64_C(0x4e4b347432ddaacd)

#ifdef __cplusplus
}
#endif

#endif
