// SPDX-License-Identifier: MIT
// Prints the hash of each section and program. Programs must have the hashes that tests expect of them.
#include <stdint.h>
#include <stdio.h>

extern long section_count(void);
extern const char *section_name(long index);
extern uint64_t section_hash(long index);
extern long program_count(void);
extern const char *program_name(long index);
extern uint64_t program_hash(long index, uint64_t *pinned);

int main(void) {
  int failures = 0;
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
  return failures ? 1 : 0;
}
