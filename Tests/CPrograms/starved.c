// SPDX-License-Identifier: MIT
// Makes calls in processes that may take little further memory: too large a request is an error, and no process ends.
#include "murmuration_native.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { KEYFRAMES = 200000, LARGE = 2000000, CROWD = 1000000 };

static murmuration_batch batch, mixed, crowd, late;
static murmuration_phases loop;
static float *floats;
static double *doubles;

static int32_t add(void) { return murmuration_add(batch, floats, 0, 1, NULL, LARGE); }
static int32_t add_most(void) { return murmuration_add(batch, floats, 0, 1, NULL, INT32_MAX); }
static int32_t reserve(void) { return murmuration_reserve(batch, 10 * LARGE); }
static murmuration_animation ease_in(void) {
  murmuration_animation ease = {0};
  ease.kind = MURMURATION_CURVE;
  ease.curve = murmuration_named_curve(MURMURATION_EASE_IN);
  ease.duration = 1;
  return ease;
}

static murmuration_animation spring_to_goal(murmuration_spring spring) {
  murmuration_animation animation = {0};
  animation.kind = MURMURATION_SPRING;
  animation.spring = spring;
  return animation;
}

/* A batch with every kind of motion has several blocks of memory, which grow together. */
static int32_t reserve_mixed(void) { return murmuration_reserve(mixed, LARGE); }
/* A million tracks on springs need more for another motion, or for what is kept of them. */
static int32_t follow_all(void) {
  const murmuration_spring spring = murmuration_spring_of_duration(1, 0);
  return murmuration_follow(crowd, NULL, 0, CROWD, &spring, 1, NULL);
}
static int32_t ease_all(void) {
  const float goal = 1;
  const murmuration_animation ease = ease_in();
  return murmuration_animate(crowd, NULL, 0, CROWD, &goal, 0, 1, &ease, NULL, 0, NULL);
}
static int32_t delay_all(void) {
  const float goal = 1;
  const murmuration_animation ease = ease_in();
  return murmuration_animate(crowd, NULL, 0, CROWD, &goal, 0, 1, &ease, doubles, 0, NULL);
}
static int32_t tell_all(void) {
  const float goal = 1;
  const murmuration_animation ease = ease_in();
  return murmuration_animate(crowd, NULL, 0, CROWD, &goal, 0, 1, &ease, NULL, MURMURATION_UNTIL_SETTLED, NULL);
}
/* One track waits for a call already, so there is room for the calls of all. */
static int32_t delay_others(void) {
  const float goal = 1;
  const murmuration_animation ease = ease_in();
  return murmuration_animate(late, NULL, 0, CROWD, &goal, 0, 1, &ease, doubles, 0, NULL);
}
static int32_t pause_all(void) { return murmuration_pause(crowd, NULL, 0, CROWD); }
static int32_t slow_all(void) {
  const double speed = 0.5;
  return murmuration_set_speed(crowd, NULL, 0, CROWD, &speed, 1);
}
static int32_t loop_all(void) {
  return murmuration_play_phases(crowd, &loop, NULL, 0, CROWD, MURMURATION_LOOPS, NULL, NULL, 0, 0, NULL, 0, 0, NULL);
}
static int32_t create(void) {
  murmuration_batch other;
  return murmuration_batch_create(64, LARGE, 0, &other);
}
static int32_t trackers(void) {
  murmuration_trackers hand;
  return murmuration_trackers_create(LARGE, 8, &hand);
}
static int32_t clip(void) {
  murmuration_keyframe *keyframes = (murmuration_keyframe *)doubles;
  murmuration_clip loaded;
  int32_t counts[1] = {KEYFRAMES};
  return murmuration_load_clip(batch, doubles, keyframes, counts, 1, 0, &loaded, NULL);
}
static int32_t phases(void) {
  murmuration_batch wide;
  murmuration_phases loaded;
  int32_t status = murmuration_batch_create(400, 0, 0, &wide);
  return status ? status : murmuration_load_phases(wide, floats, NULL, 400, 2048, &loaded);
}
static int32_t mixer(void) {
  murmuration_mixer made;
  return murmuration_mixer_create(floats, LARGE, NULL, 0, NULL, 0, 1000, &made);
}
static int32_t particles(void) {
  murmuration_particles sparks;
  murmuration_batch properties[2];
  const int32_t dimensions[2] = {3, 1};
  int32_t status = murmuration_particles_create(dimensions, 2, &sparks, properties);
  return status ? status : murmuration_particles_add(sparks, NULL, 0, 0, NULL, LARGE);
}
static int32_t bytes(void) {
  murmuration_gltf gltf;
  return murmuration_gltf_open_bytes(doubles, 200000000, &gltf);
}

/* Lets tracks of a batch move in every way. */
static int32_t mix(void) {
  const murmuration_spring spring = murmuration_spring_of_duration(1, 0);
  const float goal = 1;
  const float goals[2] = {0, 1};
  const murmuration_animation ease = ease_in(), soft = spring_to_goal(spring);
  int32_t status = murmuration_batch_create(1, 0, 0, &mixed);
  if (!status) status = murmuration_add(mixed, floats, 0, 1, NULL, 4);
  if (!status) status = murmuration_batch_create(1, CROWD, 0, &crowd);
  if (!status) status = murmuration_add(crowd, floats, 0, 1, NULL, CROWD);
  if (!status) status = murmuration_animate(crowd, NULL, 0, CROWD, &goal, 0, 1, &soft, NULL, 0, NULL);
  if (!status) status = murmuration_load_phases(crowd, goals, NULL, 1, 2, &loop);
  if (!status) status = murmuration_batch_create(1, CROWD, 0, &late);
  if (!status) status = murmuration_add(late, floats, 0, 1, NULL, CROWD);
  if (!status) status = murmuration_animate(late, NULL, CROWD - 1, 1, &goal, 0, 1, &ease, doubles, 0, NULL);
  if (!status) status = murmuration_animate(mixed, NULL, 0, 1, &goal, 0, 1, &ease, NULL, 0, NULL);
  return status ? status : murmuration_follow(mixed, NULL, 1, 1, &spring, 1, NULL);
}

int main(void) {
  static const struct {
    const char *name;
    int32_t (*call)(void);
  } calls[] = {{"add", add}, {"add_most", add_most}, {"reserve", reserve}, {"reserve_mixed", reserve_mixed},
               {"follow_all", follow_all}, {"ease_all", ease_all}, {"delay_all", delay_all},
               {"delay_others", delay_others}, {"tell_all", tell_all},
               {"pause_all", pause_all}, {"slow_all", slow_all}, {"loop_all", loop_all}, {"create", create},
               {"trackers", trackers}, {"clip", clip}, {"phases", phases}, {"mixer", mixer}, {"particles", particles},
               {"bytes", bytes}};
  int refused = 0, done = 0;
  floats = (float *)calloc(65536 * 40, sizeof(float));
  doubles = (double *)calloc(25000000, sizeof(double));
  if (!floats || !doubles || murmuration_batch_create(1, 0, 0, &batch)) return 1;
  for (int32_t frame = 0; frame < KEYFRAMES; frame++) {
    murmuration_keyframe keyframe = {MURMURATION_LINEAR_KEYFRAME, 0, frame % 7, 0.1, {0, 0, 0, 0, 0, 0},
                                     {0, 0, {0, 0, 0}}, 0, 0};
    memcpy((murmuration_keyframe *)doubles + frame, &keyframe, sizeof keyframe);
  }
  if (mix()) return 1;
  // The pages of this process, as its memory is what a child begins with.
  long pages = 0;
  FILE *file = fopen("/proc/self/statm", "r");
  if (!file || fscanf(file, "%ld", &pages) != 1) return 1;
  fclose(file);
  for (size_t index = 0; index < sizeof calls / sizeof calls[0]; index++) {
    for (long megabytes = 1; megabytes <= 1024; megabytes += megabytes / 2 + 1) {
      pid_t child = fork();
      if (child < 0) return 1;
      if (!child) {
        rlim_t limit = (rlim_t)(pages * sysconf(_SC_PAGESIZE) + (megabytes << 20));
        struct rlimit memory = {limit, limit};
        if (setrlimit(RLIMIT_AS, &memory)) _exit(3);
        int32_t status = calls[index].call();
        _exit(status == MURMURATION_OK ? 0
              : status == MURMURATION_CAPACITY_EXCEEDED || status == MURMURATION_INVALID_MIXER ||
                      status == MURMURATION_FILE_ERROR
                  ? 1
                  : 2);
      }
      int status;
      if (waitpid(child, &status, 0) != child) return 1;
      if (!WIFEXITED(status) || WEXITSTATUS(status) > 1) {
        fprintf(stderr, "starved: %s with %ld MB more ended with the status %d\n", calls[index].name, megabytes, status);
        done = -1000;
      }
      *(WEXITSTATUS(status) ? &refused : &done) += 1;
    }
  }
  printf("starved: %d calls were done and %d refused\n", done, refused);
  return done > 0 && refused > 0 ? 0 : 1;
}
