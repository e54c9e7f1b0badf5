// SPDX-License-Identifier: MIT
// A crowd that plays the animations of a glTF file, each member at a moment of its own; and blend shapes mixed from tracks.
//
//     Scripts/build-c
//     cc -I .build/c Sources/CExamples/gltf_crowd.c -L .build/c -lmurmuration-c -o gltf_crowd
//     LD_LIBRARY_PATH=.build/c ./gltf_crowd FILE.glb
#include "murmuration_native.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { MEMBERS = 1000, OUTPUTS = 6 };

// Stops the program with the words of the error unless a call did what it was asked to.
static void check(int32_t status) {
  if (status == MURMURATION_OK) return;
  fprintf(stderr, "%s: %s\n", murmuration_error_name(status), murmuration_error_message());
  exit(1);
}

// Plays one animation on a batch of its own, and prints a component of the last member.
static void play(murmuration_gltf gltf, int32_t animation) {
  murmuration_gltf_animation_info info;
  murmuration_batch batch;
  murmuration_clip clip;
  murmuration_playback *playbacks = (murmuration_playback *)malloc(MEMBERS * sizeof(murmuration_playback));
  const char *name, *component;
  float zero = 0;
  if (!playbacks) exit(1);

  check(murmuration_gltf_describe(gltf, animation, &info));
  check(murmuration_batch_create(info.dimensions, MEMBERS, 0, &batch));
  check(murmuration_gltf_load_clip(gltf, animation, batch, &clip, NULL));
  check(murmuration_add(batch, &zero, 0, 0, NULL, MEMBERS));
  for (int32_t member = 0; member < MEMBERS; member++) {
    check(murmuration_playback_default(&playbacks[member]));
    playbacks[member].iterations = INFINITY;
    playbacks[member].time_offset = info.duration * member / (double)MEMBERS;
  }
  check(murmuration_play_clip(
      batch, &clip, NULL, 0, MURMURATION_ALL, playbacks, MEMBERS, MURMURATION_FIRST_VALUE, 0, NULL));
  check(murmuration_advance(batch, 0.5, 0));

  float *value = (float *)malloc((size_t)info.dimensions * sizeof(float));
  if (!value) exit(1);
  check(murmuration_read(batch, MURMURATION_VALUES, NULL, MEMBERS - 1, 1, value, info.dimensions, 1));
  check(murmuration_gltf_text(gltf, MURMURATION_NAME, animation, 0, &name));
  printf("animation \"%s\": %.3f s", name, info.duration);
  check(murmuration_gltf_text(gltf, MURMURATION_COMPONENT_NAME, animation, 0, &component));
  printf(", %s of the last member is %.4f\n", component, (double)value[0]);
  free(value);
  free(playbacks);
  check(murmuration_batch_free(batch));
}

// Two shapes over a neutral one, whose weights are tracks of a batch.
static void mix(void) {
  const float neutral[OUTPUTS] = {0, 0, 0, 1, 1, 1};
  const float shapes[2][OUTPUTS] = {{1, 0, 0, 0, 0, 0}, {0, 2, 0, 0, 0, -1}};
  const murmuration_layer layer = {MURMURATION_ADDITIVE, 0, 2, 0};
  const float weights[2] = {0, 0}, goal[2] = {1, 0.5f};
  float output[OUTPUTS];
  murmuration_animation smooth = murmuration_spring_animation(murmuration_spring_of_duration(0.4, 0));
  murmuration_batch batch;
  murmuration_mixer mixer;

  check(murmuration_mixer_create(neutral, OUTPUTS, &layer, 1, shapes[0], 2 * OUTPUTS, MEMBERS, &mixer));
  check(murmuration_batch_create(2, MEMBERS, 0, &batch));
  check(murmuration_add(batch, weights, 0, 1, NULL, MEMBERS));
  check(murmuration_animate(batch, NULL, 0, MURMURATION_ALL, goal, 0, 1, &smooth, NULL, 0, NULL));
  check(murmuration_advance(batch, 10, 0));
  check(murmuration_mixer_set_tracks(mixer, 0, 2, 0, batch, 0, 0, MEMBERS));
  check(murmuration_mixer_mix(mixer, MEMBERS - 1, 1, output, OUTPUTS, 1));
  printf("shapes: the last member is at (%g, %g) and (%g, %g)\n", (double)output[0], (double)output[1],
         (double)output[4], (double)output[5]);
  check(murmuration_mixer_free(mixer));
  check(murmuration_batch_free(batch));
}

int main(int count, char **arguments) {
  murmuration_gltf gltf;
  int32_t animations;
  if (count != 2) {
    fprintf(stderr, "usage: gltf_crowd FILE.glb\n");
    return 64;
  }
  check(murmuration_gltf_open(arguments[1], &gltf));
  check(murmuration_gltf_count(gltf, &animations));
  for (int32_t animation = 0; animation < animations; animation++) play(gltf, animation);
  check(murmuration_gltf_free(gltf));
  mix();
  return 0;
}
