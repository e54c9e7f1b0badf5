/* SPDX-License-Identifier: MIT
 *
 * Murmuration for programs with files and many cores: particles, mixers, scenes, glTF, checks of recorded calls,
 * springs over columns of the caller's own, and staggers.
 * murmuration.h comes first; what it says about results, objects, units, arrays, tracks and threads holds here too. The modules for the web leave these
 * functions out; the library has them. */
#ifndef MURMURATION_NATIVE_H
#define MURMURATION_NATIVE_H

#include "murmuration.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Particles --------------------------------------------------------------------------------------------------- */

/* A set of particles. Each has several properties, such as a position and a colour, which move on their own. */
typedef uint32_t murmuration_particles;

/* Makes a set without particles. The caller frees it.
 *
 * A property is named as a batch, whose tracks are the particles: a handle and an index name a particle in every property.
 * All calls about batches work with it, but for those that add, remove, advance or free: they return
 * MURMURATION_PART_OF_PARTICLES, as the calls below do that for all properties at once.
 *
 * dimensions: Components of each property, 1...4096 each.
 * property_count: 1...64.
 * properties: Gets `property_count` batches. */
MURMURATION_API int32_t murmuration_particles_create(
    const int32_t *dimensions, int32_t property_count, murmuration_particles *particles, murmuration_batch *properties);

/* Frees particles and their properties. Their numbers become errors. */
MURMURATION_API int32_t murmuration_particles_free(murmuration_particles particles);

/* Snapshots of all properties: as those of a batch. */
MURMURATION_API int32_t murmuration_particles_snapshot_create(
    murmuration_particles particles, murmuration_snapshot *snapshot);
MURMURATION_API int32_t murmuration_particles_snapshot_update(
    murmuration_snapshot snapshot, murmuration_particles particles);
MURMURATION_API int32_t murmuration_particles_restore(murmuration_particles particles, murmuration_snapshot snapshot);

/* Makes particles that begin with a snapshot of others: see murmuration_batch_from_snapshot().
 *
 * property_count: As many as the snapshot has.
 * properties: Gets `property_count` batches. */
MURMURATION_API int32_t murmuration_particles_from_snapshot(
    murmuration_snapshot snapshot, int32_t property_count, murmuration_particles *particles,
    murmuration_batch *properties);

/* Adds particles that stand still. murmuration_animate sends a property of them to goals.
 *
 * values: The components of property 0, then those of property 1, ..., for each particle; NULL for zeros. The strides
 *     count only with a pointer.
 * tracks: Gets `count` handles; optional. */
MURMURATION_API int32_t murmuration_particles_add(
    murmuration_particles particles, const float *values, int32_t track_stride, int32_t component_stride,
    murmuration_track *tracks, int32_t count);

/* Removes particles, as murmuration_remove removes tracks. */
MURMURATION_API int32_t murmuration_particles_remove(
    murmuration_particles particles, const murmuration_track *tracks, int32_t first, int32_t count);

/* Removes the particles of which no property moves any more, and the motion of at least one has ended.
 *
 * removed: Gets the number of particles; optional. */
MURMURATION_API int32_t murmuration_particles_remove_settled(murmuration_particles particles, int32_t *removed);

/* Evaluates every property at a time, as murmuration_advance does for one batch. After an error no property has changed. */
MURMURATION_API int32_t murmuration_particles_advance(murmuration_particles particles, double seconds, int32_t flags);

/* Moves the clock by some seconds, and evaluates every property. Small steps lose nothing. */
MURMURATION_API int32_t murmuration_particles_advance_by(
    murmuration_particles particles, double seconds, int32_t flags);

/* Lends an event for each particle that came to rest as a whole with the last advance: the MURMURATION_SETTLED of the
 * property that rested last. murmuration_events gives those of one property.
 *
 * events: Gets the address of the first; NULL if there are none. It holds until the next call about the particles.
 * count: Gets their number. */
MURMURATION_API int32_t murmuration_particles_events(
    murmuration_particles particles, const murmuration_event **events, int32_t *count);

/* ---- Mixers ------------------------------------------------------------------------------------------------------ */

/* A mixer: many outputs from few animated inputs, for many instances, such as blend shapes and layers of poses. */
typedef uint32_t murmuration_mixer;

/* How a layer changes the outputs below it. With w its weight, m its mask and layer = base + sum of input * shape: */
enum {
  MURMURATION_ADDITIVE = 0, /* output + w * m * layer */
  MURMURATION_OVERRIDE = 1  /* output + w * m * (layer - output) */
};

/* What a layer has besides shapes. */
enum {
  MURMURATION_HAS_BASE = 1,   /* Its value without inputs, `output_count` numbers; otherwise 0. */
  MURMURATION_HAS_MASK = 2,   /* The share of each output, `output_count` numbers in 0...1; otherwise 1. */
  MURMURATION_HAS_WEIGHT = 4  /* One more input, which is the weight of the layer; otherwise 1. */
};

typedef struct murmuration_layer {
  int32_t kind;
  int32_t flags;
  int32_t shape_count; /* 0 or more: its inputs, besides a weight. */
  int32_t reserved;    /* 0 */
} murmuration_layer;

/* Makes a mixer whose inputs are all 0. The caller frees it.
 *
 * Input columns: those of layer 0 first; in each layer one for each shape, and then its weight if it has one.
 *
 * base: The outputs below all layers, `output_count` numbers.
 * layers, layer_count: From the lowest to the highest; NULL and 0 for none.
 * numbers: For each layer its base and its mask, if it has them, and then its shapes, `output_count` numbers each.
 * number_count: How many numbers these are. Another number is an error. */
MURMURATION_API int32_t murmuration_mixer_create(
    const float *base, int32_t output_count, const murmuration_layer *layers, int32_t layer_count, const float *numbers,
    int64_t number_count, int32_t instance_count, murmuration_mixer *mixer);

/* Frees a mixer. Its number becomes an error. */
MURMURATION_API int32_t murmuration_mixer_free(murmuration_mixer mixer);

/* What is known of a mixer. */
typedef struct murmuration_mixer_info {
  int32_t output_count;
  int32_t instance_count;
  int32_t column_count; /* Input columns of all layers. */
  int32_t term_count;   /* Products for each output of an instance. */
} murmuration_mixer_info;

/* Gives what is known of a mixer. */
MURMURATION_API int32_t murmuration_mixer_describe(murmuration_mixer mixer, murmuration_mixer_info *info);

/* Sets input columns of instances.
 *
 * values: Instance i, column c is at values[i * instance_stride + c * column_stride]. A stride may be 0. */
MURMURATION_API int32_t murmuration_mixer_set(
    murmuration_mixer mixer, int32_t first_column, int32_t column_count, int32_t first_instance, int32_t instance_count,
    const float *values, int32_t instance_stride, int32_t column_stride);

/* Sets input columns of instances to the values of tracks: a column for each component, an instance for each index.
 *
 * batch: The batch, or a property of particles.
 * first_component: The component for the first column.
 * first_index, index_count: The tracks; each index must have one. */
MURMURATION_API int32_t murmuration_mixer_set_tracks(
    murmuration_mixer mixer, int32_t first_column, int32_t column_count, int32_t first_instance,
    murmuration_batch batch, int32_t first_component, int32_t first_index, int32_t index_count);

/* Writes the outputs of instances. The fastest are an output_stride of 1 and an instance_stride that is a multiple of 16.
 *
 * output: Instance i, output o goes to output[i * instance_stride + o * output_stride]. */
MURMURATION_API int32_t murmuration_mixer_mix(
    murmuration_mixer mixer, int32_t first_instance, int32_t instance_count, float *output, int32_t instance_stride,
    int32_t output_stride);

/* ---- Scenes ------------------------------------------------------------------------------------------------------ */

/* A scene that can be played: built in, or from a file. */
typedef uint32_t murmuration_scene;

/* Opens a scene. The caller frees it.
 *
 * name: The name of a built-in scene, such as "murmuration", or the path of a file: a scene (.json), a recording to follow
 *     (.bvh, .csv, .npy, .npz) or animations (.gltf, .glb). UTF-8. */
MURMURATION_API int32_t murmuration_scene_open(const char *name, murmuration_scene *scene);

/* Opens the scene that JSON text describes. It reads no other file, so its groups follow no recordings.
 *
 * bytes, count: The text, in UTF-8. */
MURMURATION_API int32_t murmuration_scene_open_json(const char *bytes, int64_t count, murmuration_scene *scene);

/* Frees a scene. Its number becomes an error. */
MURMURATION_API int32_t murmuration_scene_free(murmuration_scene scene);

/* What is known of a scene. */
typedef struct murmuration_scene_info {
  double frames_per_second;
  double duration;     /* Seconds that the scene lasts, whatever the number of frames is. */
  int64_t frame_count; /* Frames that can be baked. Frame n is at n / frames_per_second. */
  uint64_t seed;       /* From which everything random is drawn. */
  int32_t track_count; /* Of all groups. */
  int32_t dimensions;
  int32_t group_count;
  int32_t reserved;    /* 0 */
} murmuration_scene_info;

/* Gives what is known of a scene. */
MURMURATION_API int32_t murmuration_scene_describe(murmuration_scene scene, murmuration_scene_info *info);

/* What is known of a group of tracks. The tracks of group 0 come first. */
typedef struct murmuration_group_info {
  int32_t first_track;
  int32_t track_count;
} murmuration_group_info;

/* Gives what is known of a group. */
MURMURATION_API int32_t murmuration_scene_group(murmuration_scene scene, int32_t group, murmuration_group_info *info);

/* Texts of a scene, and of the animations of a glTF file. */
enum {
  MURMURATION_NAME = 0,           /* Of the scene; of animation `index`. */
  MURMURATION_DESCRIPTION = 1,    /* Of the scene. */
  MURMURATION_COMPONENT_NAME = 2, /* Of component `index` of each track; of component `component` of animation `index`. */
  MURMURATION_GROUP_NAME = 3      /* Of group `index` of the scene. */
};

/* Lends a text of a scene.
 *
 * what: MURMURATION_NAME, MURMURATION_DESCRIPTION, MURMURATION_COMPONENT_NAME or MURMURATION_GROUP_NAME.
 * index: The component or the group; 0 otherwise.
 * text: Gets UTF-8 text, which holds until the next text of this scene. */
MURMURATION_API int32_t murmuration_scene_text(
    murmuration_scene scene, int32_t what, int32_t index, const char **text);

/* Which of the settings count. Those of a call are all accepted, or none is. */
enum {
  MURMURATION_SET_FRAME_RATE = 1,
  MURMURATION_SET_FRAME_COUNT = 2,
  MURMURATION_SET_TRACK_COUNT = 4,
  MURMURATION_SET_SEED = 8
};

/* What may be changed about a scene. */
typedef struct murmuration_scene_settings {
  double frames_per_second;
  int64_t frame_count; /* In place of the frames that fill the duration. */
  uint64_t seed;
  int32_t track_count; /* Shared among the groups in proportion to their counts, at least one each. */
  int32_t flags;
} murmuration_scene_settings;

/* Changes settings of a scene. */
MURMURATION_API int32_t murmuration_scene_set(murmuration_scene scene, const murmuration_scene_settings *settings);

/* Computes frames of tracks. Any part has the same bits as in one call for the whole, in any order of calls and with any
 * number of threads. Parts that follow each other in time are the fastest: a call for earlier frames plays the scene
 * anew. Memory beyond the arrays is bounded by the scene's tracks. Bits are the same on every processor, but for groups of
 * networks of springs.
 *
 * thread_count: Threads that the call may use, the caller's included: 1...64.
 * values: Gets [frames][tracks][components] numbers; NaN for an absent value.
 * velocities: Gets as many velocities, per second; optional.
 * number_count: Frames * tracks * components. Another number is an error. */
MURMURATION_API int32_t murmuration_scene_bake(
    murmuration_scene scene, int64_t first_frame, int64_t frame_count, int32_t first_track, int32_t track_count,
    int32_t thread_count, float *values, float *velocities, int64_t number_count);

/* ---- glTF -------------------------------------------------------------------------------------------------------- */

/* The animations of a glTF file. */
typedef uint32_t murmuration_gltf;

/* Reads a .gltf or .glb file and the side files that it names in its folder. The caller frees it.
 *
 * path: UTF-8. */
MURMURATION_API int32_t murmuration_gltf_open(const char *path, murmuration_gltf *gltf);

/* Reads the bytes of a .gltf or .glb file, and no side file. The caller frees it. */
MURMURATION_API int32_t murmuration_gltf_open_bytes(const void *bytes, int64_t count, murmuration_gltf *gltf);

/* Frees what was read. Clips that were loaded stay. Its number becomes an error. */
MURMURATION_API int32_t murmuration_gltf_free(murmuration_gltf gltf);

/* Gives the number of animations that move nodes; at least one. */
MURMURATION_API int32_t murmuration_gltf_count(murmuration_gltf gltf, int32_t *count);

/* What is known of an animation. */
typedef struct murmuration_gltf_animation_info {
  double duration;    /* Seconds. */
  int32_t dimensions; /* Components of all channels. */
  int32_t reserved;   /* 0 */
} murmuration_gltf_animation_info;

/* Gives what is known of an animation. */
MURMURATION_API int32_t murmuration_gltf_describe(
    murmuration_gltf gltf, int32_t animation, murmuration_gltf_animation_info *info);

/* Lends a text of an animation.
 *
 * what: MURMURATION_NAME, or MURMURATION_COMPONENT_NAME such as "Hip.rotation.x".
 * component: The component; 0 for the name.
 * text: Gets UTF-8 text, which holds until the next text of this file. */
MURMURATION_API int32_t murmuration_gltf_text(
    murmuration_gltf gltf, int32_t what, int32_t animation, int32_t component, const char **text);

/* Loads an animation as a clip into a batch of as many dimensions.
 *
 * clip: Gets the clip, for this batch only.
 * duration: Gets the seconds of the clip; optional. */
MURMURATION_API int32_t murmuration_gltf_load_clip(
    murmuration_gltf gltf, int32_t animation, murmuration_batch batch, murmuration_clip *clip, double *duration);

/* ---- Work -------------------------------------------------------------------------------------------------------- */

/* The work of the last frame of a batch. Each live track is in one of springs, effects, clips, following, called, paused and
 * still. A tile, sixteen neighbouring indices, counts for each kernel that ran over it. */
typedef struct murmuration_work {
  int64_t bytes;               /* Bytes that the kernels read and wrote. */
  int32_t springs;             /* Tracks with springs and decelerations, at rest or not. */
  int32_t effects;             /* Tracks that effects along curves lead, over or not. */
  int32_t clips;               /* Tracks that play clips, paused or not. */
  int32_t following;           /* Tracks that follow goals. */
  int32_t called;              /* Tracks that no kernel computes. */
  int32_t paused;              /* Paused tracks, but those that play clips or whose motion is over already. */
  int32_t still;               /* Tracks without a motion. */
  int32_t at_rest;             /* Tracks at rest, still ones among them. */
  int32_t waiting;             /* Tracks for which a call waits for its moment. */
  int32_t in_phases;           /* Tracks that go through phases. */
  int32_t uniform_tiles;       /* Tiles of springs with one spring and one start. */
  int32_t lane_wise_tiles;     /* Tiles of springs that are evaluated lane by lane. */
  int32_t effect_tiles;        /* Tiles with effects. */
  int32_t clip_tiles;          /* Tiles whose tracks look their pieces up in the tables of one clip. */
  int32_t piece_tiles;         /* Tiles whose tracks keep copies of their pieces. */
  int32_t following_tiles;     /* Tiles of tracks that follow. */
  int32_t resting_tiles;       /* Tiles with tracks that the frame left out. */
  int32_t effect_count;        /* Effects that the frame added up. */
  int32_t due_tracks;          /* Tracks that the frame had to see to besides running its kernels. */
  int32_t computed_ends;       /* Tracks with springs whose ends the frame computed. */
  int32_t event_count;         /* Events of the frame. */
  int32_t reserved;
} murmuration_work;

/* Gives the work of the last frame. Call it after an advance. It takes time for each tile. */
MURMURATION_API int32_t murmuration_batch_work(murmuration_batch batch, murmuration_work *work);

/* ---- Recordings -------------------------------------------------------------------------------------------------- */

/* Begins to keep every call that a batch accepts, for checks against the reference and for reports of faults. A recorded
 * call costs what it takes to copy its arguments. A batch that ever had tracks, clips or phases is a
 * MURMURATION_RECORDS_FROM_START, and a property of particles a MURMURATION_PART_OF_PARTICLES. */
MURMURATION_API int32_t murmuration_record(murmuration_batch batch);

/* Lends the calls so far, from murmuration_record on, as JSON text: `murmuration verify` takes it as a file.
 *
 * text: Gets UTF-8 text, which holds until the next call for this text or the end of the batch. */
MURMURATION_API int32_t murmuration_recording(murmuration_batch batch, const char **text);

/* Ends the recording and frees its memory. */
MURMURATION_API int32_t murmuration_stop_recording(murmuration_batch batch);

/* What came of a check. */
typedef uint32_t murmuration_report;

/* Plays a recording on a new batch and on the reference in double precision, one track at a time, and compares values,
 * velocities, targets, events and counts after every advance. The caller frees the report. If the check fails, it plays up
 * to 4000 shorter recordings to find the shortest that fails.
 *
 * bytes, count: The JSON text of a recording, in UTF-8. Another text is a MURMURATION_FILE_ERROR. */
MURMURATION_API int32_t murmuration_check(const char *bytes, int64_t count, murmuration_report *report);

/* Frees a report. Its number becomes an error. */
MURMURATION_API int32_t murmuration_report_free(murmuration_report report);

/* What is known of a report. */
typedef struct murmuration_report_info {
  int64_t comparisons;   /* Components that were compared, each with its velocity. */
  double value_error;    /* The largest error of a value, in units of its bound; 0 without comparisons. */
  double velocity_error; /* The same of velocities. */
  int32_t passed;        /* 1 if the batch does as the reference says, 0 if it differs anywhere. */
  int32_t reserved;      /* 0 */
} murmuration_report_info;

/* Gives what is known of a report. */
MURMURATION_API int32_t murmuration_report_describe(murmuration_report report, murmuration_report_info *info);

/* Lends the words of a report: the largest errors, where and when they were seen, and if the check failed, the shortest
 * program that still fails, as Swift source.
 *
 * text: Gets UTF-8 text, which holds as long as the report. */
MURMURATION_API int32_t murmuration_report_text(murmuration_report report, const char **text);

/* ---- Columns ----------------------------------------------------------------------------------------------------- */

/* Springs and curves for programs that keep their values in columns of their own and need no batch: there is no clock, and
 * nothing comes to rest. A stride of these calls is 1, or 0 for one number that counts for all elements. Values, velocities and targets are
 * not checked: a NaN or an infinity stays in its element. A result may be the very array of an input. */

/* One spring for all elements, or one for each, made ready for many calls. One thread at a time uses them, as a batch. */
typedef uint32_t murmuration_springs;

/* Makes springs ready. The caller frees them.
 *
 * list, count: One spring for any number of elements, or one for each of them. */
MURMURATION_API int32_t murmuration_springs_create(
    const murmuration_spring *list, int32_t count, murmuration_springs *springs);

/* Frees springs. Their number becomes an error. */
MURMURATION_API int32_t murmuration_springs_free(murmuration_springs springs);

/* Computes the values and velocities of elements at ages.
 *
 * values: Where the elements start.
 * velocities: Velocities at the start; NULL for elements that start at rest.
 * targets: Where the springs pull to; NULL for 0, so that values are displacements.
 * ages: Seconds since the start, 0...1e10, one for each element; NULL if `age` counts for all.
 * age: Not read beside `ages`.
 * new_values, new_velocities: Get `count` numbers each; the velocities are optional. */
MURMURATION_API int32_t murmuration_springs_values(
    murmuration_springs springs, const float *values, int32_t value_stride, const float *velocities,
    int32_t velocity_stride, const float *targets, int32_t target_stride, const float *ages, double age, int32_t count,
    float *new_values, float *new_velocities);

/* Moves elements on by a step, which is exact for targets that stand still meanwhile, however long it is.
 *
 * values, velocities: `count` numbers each, changed in place.
 * seconds: 0...1e10. */
MURMURATION_API int32_t murmuration_springs_step(
    murmuration_springs springs, float *values, float *velocities, const float *targets, int32_t target_stride,
    double seconds, int32_t count);

/* Computes what a curve makes of progresses in time, which count as the nearest in 0...1.
 *
 * tolerance: How far the fitted pieces of the curve may be from it, as a share of the way, 2^-40...2^-2; 0 for 2^-16.
 * from, to: Where values begin and end; both NULL for shares of the way. Their strides count only with a pointer.
 * values: Gets `count` numbers. */
MURMURATION_API int32_t murmuration_ease(
    const murmuration_curve *curve, double tolerance, const float *progress, int32_t progress_stride, const float *from,
    int32_t from_stride, const float *to, int32_t to_stride, int32_t count, float *values);

/* ---- Staggers ---------------------------------------------------------------------------------------------------- */

/* Where the tracks are that set out first. Position t of a line is (t, 0), and of a grid (t % columns, t / columns). */
enum {
  MURMURATION_FROM_FIRST = 0,
  MURMURATION_FROM_LAST = 1,
  MURMURATION_FROM_CENTER = 2,
  MURMURATION_FROM_EDGES = 3,  /* Both ends, or the four sides of a grid. */
  MURMURATION_FROM_POINT = 4,  /* At `column` and `row`, also between tracks. */
  MURMURATION_FROM_RANDOM = 5  /* Nowhere: the order is drawn from `seed`. */
};

/* Delays of tracks that set out one after another. Let d be the distance of a track from the origin, less the smallest one:
 * the delay is seconds * d, or with `is_total` seconds * d / (the largest d). Where an ease goes below 0, it is 0. */
typedef struct murmuration_stagger {
  double seconds;         /* For a step of distance, or until the last track sets out: 0...1e10. */
  int32_t is_total;       /* 0 or 1 */
  int32_t origin;
  double column, row;     /* Of MURMURATION_FROM_POINT. */
  uint64_t seed;          /* Of MURMURATION_FROM_RANDOM. */
  int32_t columns;        /* Tracks in a row of the grid that they fill row by row; 0 for a line. */
  int32_t reserved;       /* 0 */
  murmuration_curve ease; /* Bends the course of the delays, and leaves the first and the last. Zeros bend nothing. */
} murmuration_stagger;

/* Computes delays as calls take them, such as murmuration_animate.
 *
 * delays: Gets `count` numbers. */
MURMURATION_API int32_t murmuration_stagger_delays(const murmuration_stagger *stagger, int32_t count, double *delays);

#ifdef __cplusplus
}
#endif

#endif
