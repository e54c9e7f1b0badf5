// SPDX-License-Identifier: MIT
// Forks with batches that have threads. The new process has none of the threads: it advances and bakes alone with the same
// bits, frees the batches, and makes others with threads of its own. The old one goes on.
#include "murmuration.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { TRACKS = 1000000, FRAMES = 64, BAKED = 4096 };

static float values[TRACKS], others[TRACKS], baked[2][FRAMES * BAKED];

// Stops the process with the words of the error unless a call did what it was asked to.
static void check(int32_t status) {
  if (status == MURMURATION_OK) return;
  fprintf(stderr, "forked: %s\n", murmuration_error_message());
  exit(1);
}

static murmuration_batch make(void) {
  murmuration_batch batch;
  float zero = 0, goal = 10;
  murmuration_animation spring = murmuration_spring_animation(murmuration_spring_of_duration(0.5, 0.3));
  check(murmuration_batch_create(1, TRACKS, 0, &batch));
  check(murmuration_set_thread_count(batch, 4));
  check(murmuration_add(batch, &zero, 0, 0, NULL, TRACKS));
  check(murmuration_animate(batch, NULL, 0, MURMURATION_ALL, &goal, 0, 1, &spring, NULL, 0, NULL));
  check(murmuration_advance(batch, 0.1, 0));
  return batch;
}

static int32_t thread_count(murmuration_batch batch) {
  murmuration_batch_info info;
  check(murmuration_batch_describe(batch, &info));
  return info.thread_count;
}

static void go_on(murmuration_batch batch, float *numbers, float *frames) {
  murmuration_bake_request request = {0.2, 60, 0, FRAMES, 0, BAKED, 0, MURMURATION_ALL, MURMURATION_TIME_MAJOR, 0};
  check(murmuration_advance(batch, 0.2, 0));
  check(murmuration_read(batch, MURMURATION_VALUES, NULL, 0, TRACKS, numbers, 1, 1));
  check(murmuration_bake(batch, &request, NULL, 0, frames, NULL, FRAMES * BAKED));
}

int main(void) {
  murmuration_batch batch = make(), freed = make();
  pid_t child = fork();
  if (child < 0) return 1;
  if (!child) {
    alarm(120);
    go_on(batch, values, baked[0]);
    if (thread_count(batch) != 1) return 2;
    check(murmuration_set_thread_count(batch, 4));
    go_on(batch, others, baked[1]);
    if (memcmp(values, others, sizeof values) || memcmp(baked[0], baked[1], sizeof baked[0])) return 3;
    check(murmuration_batch_free(freed));
    check(murmuration_batch_free(batch));
    batch = make();
    go_on(batch, others, baked[1]);
    if (memcmp(values, others, sizeof values)) return 4;
    check(murmuration_batch_free(batch));
    return 0;
  }
  int status;
  if (waitpid(child, &status, 0) != child || status) {
    fprintf(stderr, "forked: the new process ended with the status %d\n", status);
    return 1;
  }
  if (thread_count(batch) != 4) return 1;
  go_on(batch, values, baked[0]);
  check(murmuration_batch_free(batch));
  check(murmuration_batch_free(freed));
  puts("forked: both processes went on");
  return 0;
}
