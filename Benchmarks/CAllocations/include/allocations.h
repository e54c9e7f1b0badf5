// SPDX-License-Identifier: MIT
// Counts the allocations of a process, on Linux with glibc: linking this replaces malloc and its relatives for the whole
// process, the Swift runtime and the C library's own calls through them included.

#ifndef MURMURATION_ALLOCATIONS_H
#define MURMURATION_ALLOCATIONS_H

#include <stdbool.h>
#include <stdint.h>

/// Whether allocations are counted in this build.
bool allocations_are_counted(void);

/// How often any thread has allocated memory so far; each malloc, calloc, realloc (which may move), aligned_alloc,
/// memalign, posix_memalign, valloc or pvalloc counts once.
uint64_t allocations_so_far(void);

/// The ways to allocate that can be planted.
typedef enum {
  allocation_malloc,
  allocation_calloc,
  allocation_realloc,
  allocation_aligned,
  allocation_posix,
} allocation_kind;

/// Allocates once, in the given way, and frees it; the compiler cannot remove it.
void allocations_plant(allocation_kind kind);

#endif
