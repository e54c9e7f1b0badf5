// SPDX-License-Identifier: MIT
// Ten thousand dots: springs, keyframes, phases, a throw and a bake, from C.
//
//     Scripts/build-c
//     cc -I .build/c Sources/CExamples/first_tracks.c -L .build/c -lmurmuration-c -o first_tracks
//     LD_LIBRARY_PATH=.build/c ./first_tracks
#include "murmuration.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { DOTS = 10000 };

// Stops the program with the words of the error unless a call did what it was asked to.
static void check(int32_t status) {
  if (status == MURMURATION_OK) return;
  fprintf(stderr, "%s: %s\n", murmuration_error_name(status), murmuration_error_message());
  exit(1);
}

struct dot {
  float x, y;
  uint32_t colour;  // Between the positions, and left alone by the library.
};

static murmuration_batch batch;
static murmuration_track tracks[DOTS];
static struct dot dots[DOTS];

// The positions of all dots go straight into the array of structs.
static void read_dots(void) {
  check(murmuration_read(
      batch, MURMURATION_VALUES, tracks, 0, DOTS, &dots[0].x, sizeof(struct dot) / sizeof(float), 1));
}

static void springs(void) {
  float goal[2] = {100, 50};
  murmuration_animation bouncy = murmuration_spring_animation(murmuration_spring_of_duration(0.5, 0.3));
  uint32_t change;
  // One goal for all: a track stride of 0.
  check(murmuration_animate(batch, tracks, 0, DOTS, goal, 0, 1, &bouncy, NULL, 0, &change));
  int32_t settled = 0;
  for (int frame = 1; frame <= 120; frame++) {
    const murmuration_event *events;
    int32_t count;
    check(murmuration_advance(batch, frame / 60.0, 0));
    check(murmuration_events(batch, &events, &count));
    for (int32_t index = 0; index < count; index++) {
      settled += events[index].kind == MURMURATION_SETTLED && events[index].change == change;
    }
  }
  read_dots();
  printf("springs: the first dot is at (%.3f, %.3f), and %" PRId32 " have settled\n", dots[0].x, dots[0].y, settled);
}

static void keyframes(void) {
  murmuration_keyframe up = {MURMURATION_CUBIC_KEYFRAME, 0, 80, 0.25, {0, 0, 0, 0, 0, 0}, {0, 0, {0, 0, 0}}, 0, 0};
  murmuration_keyframe down = {
      MURMURATION_SPRING_KEYFRAME, 0, 50, 0, {0, 0, 0, 0, 0, 0}, murmuration_spring_of_duration(0.4, 0.4), 0, 0};
  murmuration_keyframe list[2] = {up, down};
  double initial[2] = {100, 50}, duration;
  int32_t counts[2] = {0, 2};  // x stays, y jumps up and springs back.
  murmuration_clip clip;
  check(murmuration_load_clip(batch, initial, list, counts, 2, 0, &clip, &duration));
  check(murmuration_play_clip(batch, &clip, tracks, 0, DOTS / 2, NULL, 0, MURMURATION_FIRST_VALUE, 0, NULL));
  check(murmuration_advance(batch, 2.25, 0));
  read_dots();
  printf("keyframes: at the top (%.3f, %.3f) of a clip of %.3f s\n", dots[0].x, dots[0].y, duration);
}

static void phases(void) {
  float targets[6] = {100, 50, 110, 60, 90, 40};
  murmuration_animation smooth = murmuration_spring_animation(murmuration_spring_of_duration(0.5, 0));
  murmuration_animation steps[3] = {smooth, smooth, smooth};
  murmuration_phases pulse;
  check(murmuration_load_phases(batch, targets, steps, 2, 3, &pulse));
  check(murmuration_play_phases(
      batch, &pulse, tracks, DOTS / 2, DOTS / 2, MURMURATION_TRIGGERED, NULL, NULL, 0, 0, NULL, 0, 0, NULL));
  check(murmuration_trigger(batch, tracks, DOTS / 2, DOTS / 2, 0, NULL));
  check(murmuration_advance(batch, 2.75, 0));
  murmuration_track_info info;
  check(murmuration_track_describe(batch, &tracks[DOTS - 1], &info));
  printf("phases: the last dot heads for phase %" PRId32 "\n", info.phase);
}

static void thrown(void) {
  murmuration_trackers hand;
  check(murmuration_trackers_create(1, 2, &hand));
  for (int sample = 0; sample < 3; sample++) {
    float at[2] = {100 + 4.0f * (float)sample, 50};
    check(murmuration_trackers_record(hand, at, 2, 1, 2.75 + sample / 60.0));
    check(murmuration_set(batch, tracks, 0, 1, at, 2, 1, NULL, 0, 0, NULL));
  }
  float velocity[2], end[2];
  check(murmuration_trackers_velocities(hand, 2.75 + 2 / 60.0, velocity, 2, 1));
  check(murmuration_trackers_free(hand));
  check(murmuration_decelerate(batch, tracks, 0, 1, velocity, 2, 1, 0.998, NULL, NULL, 0, NULL, 0, NULL));
  check(murmuration_read(batch, MURMURATION_TARGETS, tracks, 0, 1, end, 2, 1));
  printf("a throw: %.1f a second leads to x = %.1f\n", velocity[0], end[0]);
}

static void bake(void) {
  murmuration_bake_request request = {2.75, 60, 0, 60, 0, 1, 0, MURMURATION_ALL, MURMURATION_TRACK_MAJOR, 0};
  float values[2 * 60];
  check(murmuration_bake(batch, &request, NULL, 0, values, NULL, 2 * 60));
  printf("a bake of 60 frames: x goes from %.3f to %.3f\n", values[0], values[59]);
}

int main(void) {
  if (murmuration_abi_version() != MURMURATION_ABI_VERSION) {
    fprintf(stderr, "the library has another ABI: %" PRId32 "\n", murmuration_abi_version());
    return 1;
  }
  for (int index = 0; index < DOTS; index++) {
    struct dot start = {(float)(index % 100), (float)(index / 100), 0xFF8800u};
    dots[index] = start;
  }
  check(murmuration_batch_create(2, DOTS, 0, &batch));
  check(murmuration_add(batch, &dots[0].x, sizeof(struct dot) / sizeof(float), 1, tracks, DOTS));
  springs();
  keyframes();
  phases();
  thrown();
  bake();
  if (dots[0].colour != 0xFF8800u) return 1;
  check(murmuration_batch_free(batch));
  // The number of a batch that was freed is an error, and no crash.
  int32_t status = murmuration_advance(batch, 11, 0);
  printf("afterwards: %s: %s\n", murmuration_error_name(status), murmuration_error_message());
  uint64_t hash;
  check(murmuration_same_bits(&hash));
  printf("same bits: %016" PRIx64 "\n", hash);
  return status == MURMURATION_UNKNOWN_OBJECT && hash == MURMURATION_SAME_BITS ? 0 : 1;
}
