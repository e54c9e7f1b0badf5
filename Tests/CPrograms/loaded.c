// SPDX-License-Identifier: MIT
// Loads the library with dlopen, and uses it from several threads: each its own batch, and then all the same one.
#include "murmuration.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS = 4, TRACKS = 5000, FRAMES = 200 };

static __typeof__(murmuration_batch_create) *create;
static __typeof__(murmuration_batch_free) *release;
static __typeof__(murmuration_add) *add;
static __typeof__(murmuration_animate) *animate;
static __typeof__(murmuration_advance) *advance;
static __typeof__(murmuration_read) *read_values;
static __typeof__(murmuration_error_message) *message;

static void *find(void *library, const char *name) {
  void *symbol = dlsym(library, name);
  if (!symbol) {
    fprintf(stderr, "loaded: no %s\n", name);
    exit(1);
  }
  return symbol;
}

// Animates a batch of its own, and leaves a sum of the last values.
static void *own_batch(void *result) {
  murmuration_batch batch;
  float *values = calloc(TRACKS, sizeof(float));
  float goal = 10;
  murmuration_animation spring = murmuration_spring_animation(murmuration_spring_of_duration(0.5, 0.3));
  int32_t status = create(1, TRACKS, 0, &batch);
  if (!status) status = add(batch, values, 1, 1, NULL, TRACKS);
  if (!status) status = animate(batch, NULL, 0, MURMURATION_ALL, &goal, 0, 1, &spring, NULL, 0, NULL);
  for (int frame = 1; frame <= FRAMES && !status; frame++) {
    status = advance(batch, frame / 100.0, 0);
    // A fault of this thread has its own words, whatever other threads do.
    if (!status && (advance(batch, -2e10, 0) != MURMURATION_INVALID_TIME || !strstr(message(), "is -2"))) status = 1;
  }
  if (!status) status = read_values(batch, MURMURATION_VALUES, NULL, 0, MURMURATION_ALL, values, 1, 1);
  double sum = 0;
  for (int track = 0; track < TRACKS; track++) sum += (double)values[track];
  free(values);
  if (!status) status = release(batch);
  *(double *)result = status ? -1 : sum;
  return NULL;
}

static murmuration_batch shared;

// Advances a batch that other threads use too: each call does its work or is refused.
static void *shared_batch(void *result) {
  int32_t fault = 0;
  for (int frame = 0; frame < FRAMES; frame++) {
    int32_t status = advance(shared, frame / 100.0, 0);
    if (status != MURMURATION_OK && status != MURMURATION_BUSY) fault = status;
  }
  *(double *)result = fault;
  return NULL;
}

static int run(void *(*body)(void *), double *results) {
  pthread_t threads[THREADS];
  for (int index = 0; index < THREADS; index++) {
    if (pthread_create(&threads[index], NULL, body, &results[index])) return 0;
  }
  for (int index = 0; index < THREADS; index++) pthread_join(threads[index], NULL);
  return 1;
}

int main(int count, char **arguments) {
  void *library = count == 2 ? dlopen(arguments[1], RTLD_NOW | RTLD_LOCAL) : NULL;
  if (!library) {
    fprintf(stderr, "loaded: %s\n", count == 2 ? dlerror() : "needs the path of the library");
    return 1;
  }
  *(void **)&create = find(library, "murmuration_batch_create");
  *(void **)&release = find(library, "murmuration_batch_free");
  *(void **)&add = find(library, "murmuration_add");
  *(void **)&animate = find(library, "murmuration_animate");
  *(void **)&advance = find(library, "murmuration_advance");
  *(void **)&read_values = find(library, "murmuration_read");
  *(void **)&message = find(library, "murmuration_error_message");
  double results[THREADS];
  if (!run(own_batch, results)) return 1;
  for (int index = 0; index < THREADS; index++) {
    if (results[index] < 0 || results[index] != results[0]) return 1;
  }
  float zero = 0;
  if (create(1, 0, 0, &shared) || add(shared, &zero, 0, 1, NULL, TRACKS) || !run(shared_batch, results)) return 1;
  for (int index = 0; index < THREADS; index++) {
    if (results[index] != 0) return 1;
  }
  printf("loaded: %d threads with a batch each, and with one batch\n", THREADS);
  return release(shared) ? 1 : 0;
}
