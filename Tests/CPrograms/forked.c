// SPDX-License-Identifier: MIT
// Forks with batches that have threads. The new process has none of the threads: it advances and bakes alone with the same
// bits, frees the batches, and makes others with threads of its own. The old one goes on. Forks at any moment of threads that
// make curves ready, too, and lets threads of the new process do the same: what the process shares stays in no one's hands.
#include "murmuration_native.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
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

static atomic_bool isOver;

// Makes curves ready that no call had, by both ways.
static void *make_curves(void *rounds) {
  murmuration_batch batch;
  float zero = 0, half = 0.5f, eased;
  check(murmuration_batch_create(1, 0, 0, &batch));
  check(murmuration_add(batch, &zero, 0, 0, NULL, 1));
  for (long round = 0; round < (long)rounds && !isOver; round++) {
    float goal = (float)(round % 7);
    murmuration_curve curve = murmuration_bezier(0.1 + 1e-4 * (double)(round % 5000), 0, 0.5, 1);
    murmuration_animation animation = murmuration_curve_animation(curve, 0.3);
    check(murmuration_ease(&curve, 0, &half, 0, NULL, 0, NULL, 0, 1, &eased));
    check(murmuration_animate(batch, NULL, 0, MURMURATION_ALL, &goal, 0, 1, &animation, NULL, 0, NULL));
    if (round % 50 == 0) check(murmuration_advance_by(batch, 1, 0));
  }
  check(murmuration_batch_free(batch));
  return NULL;
}

// Makes curves ready in two threads, and in `forks` new processes meanwhile. Returns the status of the first that fails.
static int fork_while_curves_are_made(int forks) {
  pthread_t threads[2];
  int status = 0;
  // What the library makes at the first call of a kind is in the hands of the thread that makes it.
  make_curves((void *)3L);
  for (int thread = 0; thread < 2; thread++) {
    if (pthread_create(&threads[thread], NULL, make_curves, (void *)1000000000L)) exit(1);
  }
  for (int fork_ = 0; fork_ < forks && !status; fork_++) {
    pid_t child = fork();
    if (!child) {
      alarm(60);
      // Every tenth has threads of its own.
      int count = fork_ % 10 ? 0 : 2;
      for (int thread = 0; thread < count; thread++) {
        if (pthread_create(&threads[thread], NULL, make_curves, (void *)2000L)) _exit(1);
      }
      make_curves((void *)(count ? 2000L : 3L));
      for (int thread = 0; thread < count; thread++) pthread_join(threads[thread], NULL);
      _exit(0);
    }
    if (child < 0 || waitpid(child, &status, 0) != child) status = -1;
  }
  isOver = true;
  for (int thread = 0; thread < 2; thread++) pthread_join(threads[thread], NULL);
  return status;
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
  status = fork_while_curves_are_made(200);
  if (status) {
    fprintf(stderr, "forked: a process that was made while curves were made ended with the status %d\n", status);
    return 1;
  }
  puts("forked: all processes went on");
  return 0;
}
