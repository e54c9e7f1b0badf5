// SPDX-License-Identifier: MIT
#include "objects.h"

#include <stddef.h>

#if !defined(__wasm__)
#include <pthread.h>
#endif

#include "murmuration.h"

// Declared here: a build for WebAssembly has the function, but no headers of a C library.
void *calloc(size_t count, size_t size);

struct object_entry *_Atomic object_chunks[1 << (OBJECT_INDEX_BITS - OBJECT_CHUNK_BITS)];

// Guards the rest, for a few instructions as objects come and go.
static atomic_flag lock = ATOMIC_FLAG_INIT;
// The index of the free entry that was used last; 0 for none.
static uint32_t first_free;
// One past the largest index in use. Index 0 is never used, and so 0 is no number.
static uint32_t index_end = 1;

static void acquire_lock(void) {
  while (atomic_flag_test_and_set_explicit(&lock, memory_order_acquire)) {
  }
}

static void release_lock(void) { atomic_flag_clear_explicit(&lock, memory_order_release); }

#if !defined(__wasm__)
// A process that forks while another thread holds the lock would leave it held for ever in the new process.
__attribute__((constructor)) static void keep_lock_free_across_fork(void) {
  pthread_atfork(acquire_lock, release_lock, release_lock);
}
#endif

// Takes a free entry, and returns its index; 0 if there is none. The lock must be held.
static uint32_t take_entry(void) {
  if (first_free) {
    uint32_t index = first_free;
    first_free = object_find(index)->next_free;
    return index;
  }
  if (index_end >> OBJECT_INDEX_BITS) return 0;
  uint32_t index = index_end;
  if (!object_find(index)) {
    struct object_entry *chunk = calloc((size_t)1 << OBJECT_CHUNK_BITS, sizeof(struct object_entry));
    if (!chunk) return 0;
    atomic_store_explicit(&object_chunks[index >> OBJECT_CHUNK_BITS], chunk, memory_order_release);
  }
  index_end += 1;
  object_find(index)->next_number = index;
  return index;
}

uint32_t object_register(void *object, uint32_t kind) {
  acquire_lock();
  uint32_t index = take_entry(), number = 0;
  if (index) {
    struct object_entry *entry = object_find(index);
    number = entry->next_number;
    entry->object = object;
    atomic_store_explicit(&entry->state, (uint64_t)number << 8 | kind << 1, memory_order_release);
  }
  release_lock();
  return number;
}

void object_retire(uint32_t number) {
  struct object_entry *entry = object_find(number);
  acquire_lock();
  entry->object = 0;
  entry->next_number = number + (1u << OBJECT_INDEX_BITS);
  // After the last generation the sum has begun again.
  if (entry->next_number >> OBJECT_INDEX_BITS) {
    entry->next_free = first_free;
    first_free = number & ((1u << OBJECT_INDEX_BITS) - 1);
  }
  atomic_store_explicit(&entry->state, 0, memory_order_release);
  release_lock();
}

bool object_exists(uint32_t number, uint32_t kind) {
  struct object_entry *entry = object_find(number);
  return entry && atomic_load_explicit(&entry->state, memory_order_relaxed) >> 1 == ((uint64_t)number << 7 | kind);
}

// MARK: Words of errors

// One for each thread, and one for a module of WebAssembly, which has no threads.
static _Thread_local char last_message[512];

void object_set_message(const char *message, intptr_t length) {
  intptr_t count = length < 511 ? length : 511;
  // A character that does not fit is left out as a whole.
  if (count < length) {
    while (count > 0 && (message[count] & 0xC0) == 0x80) count -= 1;
  }
  for (intptr_t index = 0; index < count; index++) last_message[index] = message[index];
  last_message[count] = 0;
}

const char *murmuration_error_message(void) { return last_message; }

const char *murmuration_error_name(int32_t status) {
  switch (status) {
#define NAME(CODE, TEXT) \
  case MURMURATION_##CODE: return TEXT;
    NAME(OK, "ok")
    NAME(NULL_POINTER, "nullPointer")
    NAME(UNKNOWN_OBJECT, "unknownObject")
    NAME(BUSY, "busy")
    NAME(INVALID_COUNT, "invalidCount")
    NAME(INVALID_STRIDE, "invalidStride")
    NAME(INVALID_CODE, "invalidCode")
    NAME(TOO_MANY_OBJECTS, "tooManyObjects")
    NAME(PART_OF_PARTICLES, "partOfParticles")
    NAME(INVALID_DIMENSIONS, "invalidDimensions")
    NAME(WRONG_DIMENSIONS, "wrongDimensions")
    NAME(DIMENSION_OUT_OF_RANGE, "dimensionOutOfRange")
    NAME(TRACK_OUT_OF_RANGE, "trackOutOfRange")
    NAME(INVALID_VALUE, "invalidValue")
    NAME(INVALID_SPRING, "invalidSpring")
    NAME(INVALID_ANIMATION, "invalidAnimation")
    NAME(INVALID_DECELERATION, "invalidDeceleration")
    NAME(INVALID_TOLERANCE, "invalidTolerance")
    NAME(INVALID_TIME, "invalidTime")
    NAME(INVALID_DELAY, "invalidDelay")
    NAME(TIME_BEFORE_START, "timeBeforeStart")
    NAME(INVALID_FRAME_RATE, "invalidFrameRate")
    NAME(INVALID_PLAYBACK, "invalidPlayback")
    NAME(INVALID_CLIP, "invalidClip")
    NAME(INVALID_PHASES, "invalidPhases")
    NAME(INVALID_MIXER, "invalidMixer")
    NAME(FILE_ERROR, "fileError")
    NAME(STALE_HANDLE, "staleHandle")
    NAME(STORE_MISMATCH, "storeMismatch")
    NAME(CAPACITY_EXCEEDED, "capacityExceeded")
    NAME(VELOCITIES_NOT_COMPUTED, "velocitiesNotComputed")
    NAME(CHANGE_WAITING, "changeWaiting")
    NAME(UNKNOWN_CLIP, "unknownClip")
    NAME(CLIP_IN_USE, "clipInUse")
    NAME(UNKNOWN_PHASES, "unknownPhases")
    NAME(PHASES_IN_USE, "phasesInUse")
    NAME(CANNOT_RESTART, "cannotRestart")
    NAME(UNSUPPORTED_KERNELS, "unsupportedKernels")
    NAME(RECORDS_FROM_START, "recordsFromStart")
    NAME(NOT_RECORDED, "notRecorded")
    NAME(SNAPSHOT_MISMATCH, "snapshotMismatch")
    NAME(IS_RECORDED, "isRecorded")
    NAME(INVALID_SNAPSHOT, "invalidSnapshot")
#undef NAME
  }
  return "unknown";
}

// MARK: Version

#define TEXT(NUMBER) #NUMBER
#define VERSION(MAJOR, MINOR, PATCH) TEXT(MAJOR) "." TEXT(MINOR) "." TEXT(PATCH)

const char *murmuration_version(void) {
  return VERSION(MURMURATION_VERSION_MAJOR, MURMURATION_VERSION_MINOR, MURMURATION_VERSION_PATCH);
}

int32_t murmuration_abi_version(void) { return MURMURATION_ABI_VERSION; }
