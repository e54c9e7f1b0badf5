// SPDX-License-Identifier: MIT
#include "allocations.h"

#include <stdlib.h>

#if defined(__GLIBC__)

#include <errno.h>
#include <malloc.h>
#include <stdatomic.h>
#include <unistd.h>

static _Atomic uint64_t count;

static inline void count_one(void) { atomic_fetch_add_explicit(&count, 1, memory_order_relaxed); }

// glibc exports its own functions under these names, for those who replace the public ones.
extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

void *malloc(size_t size) {
  count_one();
  return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
  count_one();
  return __libc_calloc(number, size);
}

void *realloc(void *old, size_t size) {
  count_one();
  return __libc_realloc(old, size);
}

void *memalign(size_t alignment, size_t size) {
  count_one();
  return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
  count_one();
  return __libc_memalign(alignment, size);
}

void *valloc(size_t size) {
  count_one();
  return __libc_memalign((size_t)sysconf(_SC_PAGESIZE), size);
}

void *pvalloc(size_t size) {
  count_one();
  const size_t page = (size_t)sysconf(_SC_PAGESIZE);
  return __libc_memalign(page, (size + page - 1) / page * page);
}

int posix_memalign(void **result, size_t alignment, size_t size) {
  count_one();
  if (alignment < sizeof(void *) || (alignment & (alignment - 1))) return EINVAL;
  void *memory = __libc_memalign(alignment, size);
  if (!memory) return ENOMEM;
  *result = memory;
  return 0;
}

bool allocations_are_counted(void) { return true; }
uint64_t allocations_so_far(void) { return atomic_load_explicit(&count, memory_order_relaxed); }

#else

bool allocations_are_counted(void) { return false; }
uint64_t allocations_so_far(void) { return 0; }

#endif

void allocations_plant(allocation_kind kind) {
  void *memory = NULL;
  switch (kind) {
  case allocation_malloc: memory = malloc(100); break;
  case allocation_calloc: memory = calloc(10, 10); break;
  case allocation_realloc: memory = realloc(NULL, 100); break;
  case allocation_aligned: memory = aligned_alloc(64, 128); break;
  case allocation_posix:
    if (posix_memalign(&memory, 64, 128)) memory = NULL;
    break;
  }
  // The compiler may remove an allocation that is never used.
  __asm__ volatile("" : : "r"(memory) : "memory");
  free(memory);
}
