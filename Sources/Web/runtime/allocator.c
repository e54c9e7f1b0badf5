// SPDX-License-Identifier: MIT
// The memory of a WebAssembly module: blocks side by side, the free ones in lists by size. Free neighbours become one block.
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define UNIT 16u
#define PAGE 65536u
#define SMALLEST 32u

// What is in front of each block's memory. Blocks begin 8 bytes before an address that is a multiple of 16, where their
// memory begins. The last block has no memory, and is always in use.
typedef struct {
  uint32_t before;  // The size of the block before it; 0 for the first.
  uint32_t size;    // With these bytes. The lowest bit is set while the block is in use.
} block;

typedef struct free_block {
  block header;
  struct free_block *next, **place;  // Its neighbour in its list, and what points to it.
} free_block;

extern unsigned char __heap_base;
// Throws an exception in JavaScript.
extern _Noreturn void out_of_memory(void) __attribute__((import_module("murmuration"), import_name("outOfMemory")));

// Four lists for each power of two, from 32 bytes on.
enum { lists = 4 * 27 };
static free_block *heads[lists];
static uint64_t filled[2];
static block *last;

static uint32_t size_of(const block *b) { return b->size & ~1u; }
static bool is_used(const block *b) { return b->size & 1; }
static block *block_after(block *b, uint32_t size) { return (block *)((char *)b + size); }

static void set_size(block *b, uint32_t size, bool used) {
  b->size = size | used;
  block_after(b, size)->before = size;
}

static unsigned list_of(uint32_t size) {
  const unsigned power = 31 - (unsigned)__builtin_clz(size);
  return 4 * (power - 5) + (size >> (power - 2) & 3);
}

static void insert(block *b) {
  free_block *const item = (free_block *)b;
  const unsigned list = list_of(size_of(b));
  item->next = heads[list];
  item->place = &heads[list];
  if (item->next) item->next->place = &item->next;
  heads[list] = item;
  filled[list / 64] |= 1ull << list % 64;
}

static void take_out(block *b) {
  free_block *const item = (free_block *)b;
  *item->place = item->next;
  if (item->next) item->next->place = item->place;
  const unsigned list = list_of(size_of(b));
  if (!heads[list]) filled[list / 64] &= ~(1ull << list % 64);
}

// Makes a block free, and one with its free neighbours.
static void release(block *b) {
  uint32_t size = size_of(b);
  block *const next = block_after(b, size), *const previous = (block *)((char *)b - b->before);
  if (!is_used(next)) {
    take_out(next);
    size += size_of(next);
  }
  if (b->before && !is_used(previous)) {
    take_out(previous);
    size += size_of(previous);
    b = previous;
  }
  set_size(b, size, false);
  insert(b);
}

// Leaves a block in use with the first bytes of it, and makes the others free if they are a block.
static void cut(block *b, uint32_t size) {
  const uint32_t rest = size_of(b) - size;
  if (rest < SMALLEST) {
    set_size(b, size_of(b), true);
    return;
  }
  set_size(b, size, true);
  block *const other = block_after(b, size);
  set_size(other, rest, true);
  release(other);
}

// Adds memory for a block of a size; false where there is none.
static bool grow(uint32_t size) {
  const uint64_t pages = __builtin_wasm_memory_size(0);
  if (!last) {
    last = (block *)((((uintptr_t)&__heap_base + sizeof(block) + UNIT - 1) & ~(uintptr_t)(UNIT - 1)) - sizeof(block));
    *last = (block){0, 1};
  }
  const uint64_t room = pages * PAGE - (uintptr_t)last, wanted = (uint64_t)size + 2 * sizeof(block);
  uint64_t end = pages * PAGE;
  if (room < wanted) {
    // An eighth more than needed, as each step renews the views that JavaScript has.
    const uint64_t missing = (wanted - room + PAGE - 1) / PAGE;
    uint64_t more = missing + pages / 8;
    // The last page stays out of reach, so that no address after a block is 0.
    if (pages + more > 65535) more = missing;
    if (pages + more > 65535) return false;
    if (__builtin_wasm_memory_grow(0, more) == (size_t)-1) {
      more = missing;
      if (__builtin_wasm_memory_grow(0, more) == (size_t)-1) return false;
    }
    end += more * PAGE;
  }
  block *const b = last;
  const uint32_t added = (uint32_t)(end - (uintptr_t)b - sizeof(block)) & ~(UNIT - 1);
  last = block_after(b, added);
  last->size = 1;
  set_size(b, added, true);
  release(b);
  return true;
}

// Takes a free block of at least a size out of its list; null where there is none.
static block *find(uint32_t size) {
  unsigned list = list_of(size);
  // Of its own list only a few blocks are looked at. All blocks of the lists after it are large enough.
  free_block *item = heads[list];
  for (int tries = 0; item && tries < 8; item = item->next, tries++) {
    if (size_of(&item->header) < size) continue;
    take_out(&item->header);
    return &item->header;
  }
  list++;
  uint64_t word = list < 64 ? filled[0] >> list << list : 0;
  unsigned base = 0;
  if (!word) {
    base = 64;
    word = list < 64 ? filled[1] : list < 128 ? filled[1] >> (list - 64) << (list - 64) : 0;
  }
  if (!word) return NULL;
  block *const b = &heads[base + (unsigned)__builtin_ctzll(word)]->header;
  take_out(b);
  return b;
}

static void *allocate(size_t alignment, size_t size) {
  if (size > 0xE0000000u || alignment > 0x1000000u) return NULL;
  uint32_t whole = ((uint32_t)size + (uint32_t)sizeof(block) + UNIT - 1) & ~(UNIT - 1);
  if (whole < SMALLEST) whole = SMALLEST;
  // Room in front of the aligned address for a block of its own.
  const uint32_t wanted = alignment > UNIT ? whole + (uint32_t)alignment + SMALLEST : whole;
  block *b = find(wanted);
  if (!b && grow(wanted)) b = find(wanted);
  if (!b) return NULL;
  set_size(b, size_of(b), true);
  uintptr_t memory = (uintptr_t)(b + 1);
  if (alignment > UNIT && memory % alignment) {
    memory = (memory + SMALLEST + alignment - 1) & ~(uintptr_t)(alignment - 1);
    block *const aligned = (block *)memory - 1;
    const uint32_t front = (uint32_t)((char *)aligned - (char *)b), rest = size_of(b) - front;
    set_size(b, front, true);
    set_size(aligned, rest, true);
    release(b);
    b = aligned;
  }
  cut(b, whole);
  return (void *)memory;
}

void *malloc(size_t size) { return allocate(UNIT, size); }

void *calloc(size_t count, size_t size) {
  size_t bytes;
  if (__builtin_mul_overflow(count, size, &bytes)) return NULL;
  void *const memory = malloc(bytes);
  if (memory) __builtin_memset(memory, 0, bytes);
  return memory;
}

// Swift's objects and arrays, which do not expect that there is no memory.
int posix_memalign(void **result, size_t alignment, size_t size) {
  *result = allocate(alignment, size);
  if (!*result) out_of_memory();
  return 0;
}

void free(void *memory) {
  if (memory) release((block *)memory - 1);
}
