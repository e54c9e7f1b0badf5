// SPDX-License-Identifier: MIT
// The functions of a C library that Embedded Swift asks for. The functions of mathematics are JavaScript's.
#include <stddef.h>
#include <stdint.h>

void *memcpy(void *to, const void *from, size_t size) { return __builtin_memcpy(to, from, size); }
void *memmove(void *to, const void *from, size_t size) { return __builtin_memmove(to, from, size); }
void *memset(void *to, int value, size_t size) { return __builtin_memset(to, value, size); }

int memcmp(const void *a, const void *b, size_t size) {
  const unsigned char *p = a, *q = b;
  for (; size; size--, p++, q++) {
    if (*p != *q) return *p - *q;
  }
  return 0;
}

size_t strlen(const char *text) {
  size_t length = 0;
  while (text[length]) length++;
  return length;
}

// Math.random of JavaScript.
double random(void);

void arc4random_buf(void *buffer, size_t size) {
  unsigned char *bytes = buffer;
  for (size_t place = 0; place < size; place++) bytes[place] = (unsigned char)(256 * random());
}

// There is no environment.
char *getenv(const char *name) {
  (void)name;
  return NULL;
}

// Nobody reads what is printed.
int putchar(int letter) { return letter; }

// The product of integers of 128 bits, which the compiler calls.
__int128 __multi3(__int128 a, __int128 b) {
  const uint64_t x = (uint64_t)a, y = (uint64_t)b, low = 0xFFFFFFFF;
  const uint64_t ll = (x & low) * (y & low), lh = (x & low) * (y >> 32), hl = (x >> 32) * (y & low);
  const uint64_t middle = (ll >> 32) + (lh & low) + (hl & low);
  const uint64_t high = (x >> 32) * (y >> 32) + (lh >> 32) + (hl >> 32) + (middle >> 32) +
                        (uint64_t)((unsigned __int128)a >> 64) * y + x * (uint64_t)((unsigned __int128)b >> 64);
  return (__int128)((unsigned __int128)high << 64 | middle << 32 | (ll & low));
}

// The nearest whole number, halves away from zero. (JavaScript's goes up.)
double round(double x) {
  const double whole = __builtin_trunc(x);
  return __builtin_fabs(x - whole) < 0.5 ? whole : whole + __builtin_copysign(1, x);
}

// Unicode's tables, which comparing strings asks for: the engine compares only its own names, which are ASCII.
uint16_t _swift_stdlib_getNormData(uint32_t scalar) {
  (void)scalar;
  return 0;
}
uint32_t _swift_stdlib_getComposition(uint32_t first, uint32_t second) {
  (void)first, (void)second;
  return UINT32_MAX;
}
uint32_t _swift_stdlib_getDecompositionEntry(uint32_t scalar) {
  (void)scalar;
  return 0;
}
const uint8_t *const _swift_stdlib_nfd_decompositions = NULL;

// The array without elements, which the compiler aligns to four bytes in each object file: the elements that it does not have
// must be aligned too, or a span of them stops the program. The linker takes this one, as the others are weak.
_Alignas(64) intptr_t empty_array_storage[4] __asm__("$es23_swiftEmptyArrayStorageSi_S3itvp") = {0, -1, 0, 1};
