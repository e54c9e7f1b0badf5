// SPDX-License-Identifier: MIT
// Prints the hash of each section and program, and how far kernels are from golden numbers: main SPRINGS.json EASING.json
#include <stdint.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern long section_count(void);
extern const char *section_name(long index);
extern uint64_t section_hash(long index);
extern long program_count(void);
extern const char *program_name(long index);
extern uint64_t program_hash(long index, uint64_t *pinned);

typedef uint64_t golden_check(const double *numbers, long count, double *worst);
extern golden_check golden_springs, golden_hermite, golden_bezier;
extern uint64_t golden_retargets(const double *initial, const double *events, long eventCount, const double *samples,
                                 long count, double *worst);
extern uint64_t golden_catmull_rom(const double *times, const double *values, long keys, const double *samples,
                                   long count, double *worst);

static int failures = 0;

// The whole of a file, which ends with a zero.
static char *read_text(const char *path) {
  FILE *const file = fopen(path, "rb");
  if (!file || fseek(file, 0, SEEK_END)) {
    perror(path);
    exit(1);
  }
  const long size = ftell(file);
  rewind(file);
  char *const text = malloc(size + 1);
  if (!text || fread(text, 1, size, file) != (size_t)size) {
    perror(path);
    exit(1);
  }
  text[size] = 0;
  fclose(file);
  return text;
}

// Finds a key from a place on, and moves the place after it; 0 if the key is missing.
static int find_key(const char **place, const char *key) {
  char quoted[32];
  snprintf(quoted, sizeof quoted, "\"%s\":", key);
  const char *const found = strstr(*place, quoted);
  if (found) *place = found + strlen(quoted);
  return found != NULL;
}

// All numbers of the array or object after a key, nested ones included; null is NaN. Moves the place after it.
static double *read_numbers(const char **place, const char *key, long *count) {
  if (!find_key(place, key) || !strpbrk(*place, "[{")) {
    fprintf(stderr, "no \"%s\" in the golden numbers\n", key);
    exit(1);
  }
  const char *text = strpbrk(*place, "[{");
  double *numbers = NULL;
  long room = 0, depth = 0;
  *count = 0;
  do {
    char *end = NULL;
    const double number = strncmp(text, "null", 4) ? strtod(text, &end) : NAN;
    if (end == text) {
      depth += (*text == '[' || *text == '{') - (*text == ']' || *text == '}');
      text++;
      continue;
    }
    if (*count == room) numbers = realloc(numbers, (room = 2 * room + 64) * sizeof *numbers);
    numbers[(*count)++] = number;
    text = end ? end : text + 4;
  } while (*text && depth > 0);
  *place = text;
  return numbers;
}

// Prints the result of a check; errors are shares of their bounds.
static void report(const char *name, long rows, uint64_t hash, const double worst[2]) {
  printf("golden %s: %016llx, %ld rows, worst value %.3f and velocity %.3f of the bound\n", name,
         (unsigned long long)hash, rows, worst[0], worst[1]);
  // Written so that NaN fails. A smaller error than any rounding would mean that nothing was compared.
  if (!(worst[0] <= 1 && worst[1] <= 1 && worst[0] > 0.01)) failures++;
}

static void check_rows(const char *name, golden_check check, const double *numbers, long count, long columns) {
  double worst[2];
  const uint64_t hash = check(numbers, count, worst);
  report(name, count / columns, hash, worst);
}

// Adds the result of one of several checks.
static void add(uint64_t *hash, double worst[2], uint64_t more, const double other[2]) {
  *hash = *hash * 31 + more;
  for (int index = 0; index < 2; index++) {
    if (!(other[index] <= worst[index])) worst[index] = other[index];
  }
}

static void check_retargets(const char *place) {
  long rows = 0, numbers, events, samples;
  uint64_t hash = 0;
  double worst[2] = {0, 0}, chain[2];
  for (const char *next = place; find_key(&next, "initial"); next = place) {
    double *const initial = read_numbers(&place, "initial", &numbers);
    double *const changes = read_numbers(&place, "events", &events);
    double *const states = read_numbers(&place, "samples", &samples);
    add(&hash, worst, golden_retargets(initial, changes, events, states, samples, chain), chain);
    rows += samples / 3;
  }
  report("retargets", rows, hash, worst);
}

static void check_catmull_rom(const char *place) {
  long rows = 0, keys, values, samples;
  uint64_t hash = 0;
  double worst[2] = {0, 0}, track[2];
  const char *const end = strstr(place, "\"linear\":");
  for (const char *next = place; find_key(&next, "times") && (!end || next < end); next = place) {
    double *const times = read_numbers(&place, "times", &keys);
    double *const heights = read_numbers(&place, "values", &values);
    double *const points = read_numbers(&place, "samples", &samples);
    add(&hash, worst, golden_catmull_rom(times, heights, keys, points, samples, track), track);
    rows += samples / 2;
  }
  report("Catmull-Rom tracks", rows, hash, worst);
}

int main(int count, char **arguments) {
  if (count != 3) {
    fprintf(stderr, "usage: %s SPRINGS.json EASING.json\n", arguments[0]);
    return 2;
  }
  // Output before a crash is of interest too.
  setvbuf(stdout, NULL, _IOLBF, 0);
  for (long index = 0; index < section_count(); index++) {
    printf("%s: %016llx\n", section_name(index), (unsigned long long)section_hash(index));
  }
  for (long index = 0; index < program_count(); index++) {
    uint64_t pinned;
    const uint64_t hash = program_hash(index, &pinned);
    printf("%s: %016llx\n", program_name(index), (unsigned long long)hash);
    if (hash == pinned) continue;
    printf("  expected %016llx\n", (unsigned long long)pinned);
    failures++;
  }
  const char *springs = read_text(arguments[1]), *const easing = read_text(arguments[2]);
  long numbers;
  const double *rows = read_numbers(&springs, "rows", &numbers);
  check_rows("springs", golden_springs, rows, numbers, 7);
  check_retargets(springs);
  const char *place = easing;
  find_key(&place, "bezier");
  rows = read_numbers(&place, "rows", &numbers);
  check_rows("Bézier curves", golden_bezier, rows, numbers, 8);
  find_key(&place, "hermite");
  rows = read_numbers(&place, "rows", &numbers);
  check_rows("Hermite cubics", golden_hermite, rows, numbers, 9);
  find_key(&place, "catmull_rom");
  check_catmull_rom(place);
  return failures ? 1 : 0;
}
