// SPDX-License-Identifier: MIT
#include "processor.h"

#if !defined(__wasm__)
#include <pthread.h>
#endif

// Declared here: a build for WebAssembly has the functions, but no headers of a C library.
void *malloc(size_t bytes);
void free(void *memory);

bool processor_has_memory(const size_t *bytes, size_t count) {
  if (count == 0) return true;
  void *volatile memory = malloc(*bytes);
  bool has_all = memory && processor_has_memory(bytes + 1, count - 1);
  free(memory);
  return has_all;
}

#if defined(__x86_64__)

bool processor_supports_x86_64_v3(void) {
  __builtin_cpu_init();
  return __builtin_cpu_supports("x86-64-v3");
}

bool processor_supports_x86_64_v4(void) {
  __builtin_cpu_init();
  return __builtin_cpu_supports("x86-64-v4");
}

#else

bool processor_supports_x86_64_v3(void) { return false; }
bool processor_supports_x86_64_v4(void) { return false; }

#endif

// MARK: The lock of the process

#if defined(__wasm__)
void processor_lock(void) {}
void processor_unlock(void) {}
#else
static pthread_mutex_t process_lock = PTHREAD_MUTEX_INITIALIZER;

void processor_lock(void) { pthread_mutex_lock(&process_lock); }
void processor_unlock(void) { pthread_mutex_unlock(&process_lock); }

// The thread that forks has the lock meanwhile, and so has its copy, which gives it back in the new process.
__attribute__((constructor)) static void keep_process_lock_free_across_fork(void) {
  pthread_atfork(processor_lock, processor_unlock, processor_unlock);
}
#endif
