// SPDX-License-Identifier: MIT
// Prints what single calls cost: the best of many rounds, nanoseconds a call.
#define _POSIX_C_SOURCE 199309L
#include "murmuration.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { CALLS = 100000, ROUNDS = 30 };

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

static murmuration_batch batch, empty;
static murmuration_track track;
static float value[2] = {1, 2};
static murmuration_animation spring;

static int32_t advance_empty(void) { return murmuration_advance(empty, 1, 0); }
static int32_t set_one(void) { return murmuration_set(batch, &track, 0, 1, value, 2, 1, NULL, 0, 0, NULL); }
static int32_t read_one(void) {
  float output[2];
  return murmuration_read(batch, MURMURATION_VALUES, &track, 0, 1, output, 2, 1);
}
static int32_t animate_one(void) {
  value[0] = -value[0];
  return murmuration_animate_each(batch, &track, 0, 1, value, 2, 1, &spring, NULL, 0, NULL);
}
static int32_t retarget_one(void) {
  value[0] = -value[0];
  return murmuration_retarget(batch, &track, 0, 1, value, 2, 1, NULL, 0, NULL);
}
static int32_t refused(void) { return murmuration_advance(0, 1, 0) == MURMURATION_UNKNOWN_OBJECT ? MURMURATION_OK : 1; }

static void measure(const char *name, int32_t (*call)(void)) {
  double best = 1e30;
  for (int round = 0; round < ROUNDS; round++) {
    double start = now();
    for (int index = 0; index < CALLS; index++) {
      if (call() != MURMURATION_OK) {
        fprintf(stderr, "%s: %s\n", name, murmuration_error_message());
        exit(1);
      }
    }
    double each = (now() - start) / CALLS;
    if (each < best) best = each;
  }
  printf("overhead: %-34s %6.1f ns\n", name, best);
}

int main(void) {
  spring = murmuration_spring_animation(murmuration_spring_of_duration(0.5, 0.3));
  if (murmuration_batch_create(2, 0, 0, &empty) || murmuration_batch_create(2, 0, 0, &batch)) return 1;
  if (murmuration_add(batch, value, 2, 1, &track, 1)) return 1;
  measure("advance of an empty batch", advance_empty);
  measure("set of one track", set_one);
  measure("read of one track", read_one);
  measure("animate of one track by a spring", animate_one);
  measure("retarget of one track", retarget_one);
  measure("a call about no batch", refused);
  return murmuration_batch_free(batch) || murmuration_batch_free(empty);
}
