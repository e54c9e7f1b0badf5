// SPDX-License-Identifier: MIT
// The objects that programs name by numbers, and the words of their last errors. Only the surface uses this header.

#ifndef MURMURATION_OBJECTS_H
#define MURMURATION_OBJECTS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

// A number is an index into a table and the generation of the entry. An entry whose generations are used up is never taken
// again, so no number ever names two objects. The table only grows, so any number can be looked up.
#define OBJECT_INDEX_BITS 20
#define OBJECT_CHUNK_BITS 8

struct object_entry {
  // The number of its object, shifted by 8 bits, the kind, shifted by 1, and whether a call is under way; 0 without an
  // object. One exchange finds out all three and takes the object.
  _Atomic uint64_t state;
  void *object;
  // The number that the next object of the entry gets, and the index of the next free entry; 0 for the last.
  uint32_t next_number, next_free;
};

extern struct object_entry *_Atomic object_chunks[1 << (OBJECT_INDEX_BITS - OBJECT_CHUNK_BITS)];

enum {
  OBJECT_BATCH = 1,
  OBJECT_TRACKERS = 2,
  OBJECT_PARTICLES = 3,
  OBJECT_MIXER = 4,
  OBJECT_SCENE = 5,
  OBJECT_GLTF = 6,
  OBJECT_REPORT = 7,
  OBJECT_SNAPSHOT = 8,
  OBJECT_SPRINGS = 9
};

// Gives an object a number; 0 if there are no more numbers or no memory.
uint32_t object_register(void *object, uint32_t kind);

// Ends the number of an object that this thread has taken.
void object_retire(uint32_t number);

// The entry of a number; null if there never was one.
static inline struct object_entry *object_find(uint32_t number) {
  uint32_t index = number & ((1u << OBJECT_INDEX_BITS) - 1);
  struct object_entry *chunk = atomic_load_explicit(&object_chunks[index >> OBJECT_CHUNK_BITS], memory_order_acquire);
  return chunk ? chunk + (index & ((1u << OBJECT_CHUNK_BITS) - 1)) : 0;
}

// Takes an object for a call of this thread; null if there is none of this number and kind, or another call is under way.
static inline void *object_take(uint32_t number, uint32_t kind) {
  struct object_entry *entry = object_find(number);
  uint64_t free = (uint64_t)number << 8 | kind << 1, seen = free;
  if (!entry ||
      !atomic_compare_exchange_strong_explicit(
          &entry->state, &seen, free | 1, memory_order_acquire, memory_order_relaxed)) {
    return 0;
  }
  return entry->object;
}

// Gives a taken object back.
static inline void object_give_back(uint32_t number, uint32_t kind) {
  atomic_store_explicit(&object_find(number)->state, (uint64_t)number << 8 | kind << 1, memory_order_release);
}

// Whether there is an object of this number and kind: then another call was under way when it could not be taken.
bool object_exists(uint32_t number, uint32_t kind);

// Keeps the words of an error for this thread, in UTF-8. They are cut off at 511 bytes.
void object_set_message(const char *message, intptr_t length);

#endif
