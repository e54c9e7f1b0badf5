// SPDX-License-Identifier: MIT
// Numbers of columns in the formats of vertices. As in lanes.h, everything is compiled for the instruction set of the kernel
// that it is inlined into.

#ifndef MURMURATION_VERTICES_H
#define MURMURATION_VERTICES_H

#include "lanes.h"

// Bodies are inlined, so that no vector is ever an argument.
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wpsabi"

#define VERTICES_INLINE static inline __attribute__((always_inline, unused))

enum {
  VERTICES_FLOAT32 = 0,
  VERTICES_FLOAT16 = 1,
  VERTICES_UNORM8 = 2,
  VERTICES_SNORM8 = 3,
  VERTICES_UNORM16 = 4,
  VERTICES_SNORM16 = 5
};

// Lanes of a vector. Code for the web is downloaded, so there one short loop has all formats and layouts.
#if defined(__wasm__)
#define VERTICES_ARE_SHORT 1
#define VERTICES_LANES 4
typedef floats4 vertices_floats;
typedef ints4 vertices_ints;
#else
#define VERTICES_ARE_SHORT 0
#define VERTICES_LANES 16
typedef floats16 vertices_floats;
typedef ints16 vertices_ints;
#endif

// Tracks that are encoded at a time. Their words take 16 KiB, which stay in the first cache.
#define VERTICES_AT_ONCE 1024

// Each lane as a number of half precision, to nearest, ties to even, in the low bits.
VERTICES_INLINE vertices_ints vertices_half(vertices_floats a) {
#if defined(__F16C__) || defined(__aarch64__)
  typedef _Float16 halves __attribute__((ext_vector_type(VERTICES_LANES)));
  typedef unsigned short words __attribute__((ext_vector_type(VERTICES_LANES)));
  return __builtin_convertvector((words)__builtin_convertvector(a, halves), vertices_ints);
#else
  const vertices_ints size = (vertices_ints)a & 0x7FFFFFFF;
  // The exponent of a half, and half a unit of its last place, less one where the bit that stays is even.
  const vertices_ints normal = (size - (112 << 23) + 0xFFF + ((size >> 13) & 1)) >> 13;
  // Below 2⁻¹⁴ halves have steps of 2⁻²⁴, which is the step of floats at 0.5.
  const vertices_ints small = (vertices_ints)((vertices_floats)size + 0.5f) - 0x3F000000;
  const vertices_ints quiet = 0x7E00 | ((size >> 13) & 0x3FF);
  const vertices_ints large = size > 0x7F800000 ? quiet : (vertices_ints)0x7C00;
  const vertices_ints finite = size < 113 << 23 ? small : normal;
  return (size < 143 << 23 ? finite : large) | (((vertices_ints)a >> 16) & 0x8000);
#endif
}

// Each lane, kept within `least` and 1, times `scale`, as the nearest integer, ties to even, in the low bits; 0 for NaN. The
// statements keep the product from being fused with the sum.
VERTICES_INLINE vertices_ints vertices_normalized(vertices_floats a, float least, float scale) {
  // The maximum of arm64, which compilers take for the next statement, hands signalling NaNs on.
#if defined(__aarch64__)
  const bool checks = true;
#else
  const bool checks = least < 0;
#endif
  if (checks) a = a == a ? a : (vertices_floats)0;
  a = a > least ? a : (vertices_floats)least;
  a = a < 1 ? a : (vertices_floats)1;
  a *= scale;
  // 1.5 · 2²³ leaves no bit for a fraction.
  a += 12582912.0f;
  return (vertices_ints)a;
}

// Bytes of a number.
VERTICES_INLINE long vertices_size(int format) {
  return format == VERTICES_FLOAT32 ? 4 : format == VERTICES_UNORM8 || format == VERTICES_SNORM8 ? 1 : 2;
}

// The numbers of a vector in a format, in the low bits.
VERTICES_INLINE vertices_ints vertices_encoded(vertices_floats a, int format) {
  const bool is_byte = vertices_size(format) == 1;
  const float least = format == VERTICES_SNORM8 || format == VERTICES_SNORM16 ? -1 : 0;
  const float scale = least < 0 ? (is_byte ? 127 : 32767) : (is_byte ? 255 : 65535);
  return format == VERTICES_FLOAT16 ? vertices_half(a) : vertices_normalized(a, least, scale);
}

// `vertices_write` writes numbers of `count` tracks into vertices, and no other byte of these.
//
// column: The column of component 0; the others follow, `column_stride` floats apart.
// components: The component of each of `slots` neighbouring numbers of a vertex; NULL for the first ones in their order.
// output: The first number of the first vertex. The vertices are `stride` bytes apart.
#if VERTICES_ARE_SHORT
static __attribute__((noinline, minsize, unused)) void vertices_write(
    const float *column, long column_stride, const long *components, long slots, int format, long count,
    unsigned char *output, long stride) {
  const long size = vertices_size(format);
  for (long slot = 0; slot < slots; slot++) {
    const float *numbers = column + (components ? components[slot] : slot) * column_stride;
    unsigned char *to = output + slot * size;
    for (long track = 0; track < count; track += VERTICES_LANES) {
      const long lanes = track + VERTICES_LANES <= count ? VERTICES_LANES : count - track;
      vertices_floats a = 0;
      for (long lane = 0; lane < lanes; lane++) a[lane] = numbers[track + lane];
      const vertices_ints bits = size == 4 ? (vertices_ints)a : vertices_encoded(a, format);
      for (long lane = 0; lane < lanes; lane++, to += stride) {
        const int number = bits[lane];
        to[0] = (unsigned char)number;
        if (size > 1) to[1] = (unsigned char)(number >> 8);
        if (size > 2) to[2] = (unsigned char)(number >> 16), to[3] = (unsigned char)(number >> 24);
      }
    }
  }
}
#else
typedef float vertices_row __attribute__((ext_vector_type(16), aligned(4)));
typedef int vertices_line __attribute__((ext_vector_type(16), aligned(1)));

// Encodes numbers of columns into a word for each track, the first number in its lowest bits. A vector is read and written
// where there is one track.
VERTICES_INLINE void vertices_encode(
    const float *const *columns, long slots, int format, long count, unsigned char *restrict words) {
  const int bits = vertices_size(format) == 1 ? 8 : 16;
  for (long track = 0; track < count; track += 16) {
    ints16 word = 0;
    for (long slot = 0; slot < slots; slot++) {
      const ints16 number = vertices_encoded(*(const vertices_row *)(columns[slot] + track), format);
      word |= (number & ((1 << bits) - 1)) << (int)(bits * slot);
    }
    *(vertices_line *)(words + 4 * track) = word;
  }
}

// Writes words of each track side by side.
VERTICES_INLINE void vertices_put(
    const unsigned *const *words, long each, long count, unsigned char *restrict output, long stride) {
  for (long track = 0; track < count; track++) {
    for (long word = 0; word < each; word++) __builtin_memcpy(output + track * stride + 4 * word, words[word] + track, 4);
  }
}

// Writes words of each track without gaps between tracks, whose number is a multiple of 16.
VERTICES_INLINE void vertices_interleave(
    const unsigned *const *words, long each, long count, unsigned char *restrict output) {
  const unsigned *a = words[0], *b = words[each > 1], *c = words[each > 2 ? 2 : 0], *d = words[each > 3 ? 3 : 0];
#define LOAD(X) (*(const vertices_line *)(X + track))
#define STORE(I, V) *(vertices_line *)(output + track * 4 * each + 64 * I) = V
#define LOW(x, y) __builtin_shufflevector(x, y, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23)
#define HIGH(x, y) __builtin_shufflevector(x, y, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31)
  for (long track = 0; track < count; track += 16) {
    const ints16 x = LOAD(a), y = LOAD(b), z = LOAD(c), w = LOAD(d);
    if (each == 1) {
      STORE(0, x);
    } else if (each == 2) {
      STORE(0, LOW(x, y));
      STORE(1, HIGH(x, y));
    } else if (each == 3) {
      const ints16 p = __builtin_shufflevector(x, y, 0, 16, -1, 1, 17, -1, 2, 18, -1, 3, 19, -1, 4, 20, -1, 5);
      const ints16 q = __builtin_shufflevector(x, y, 21, -1, 6, 22, -1, 7, 23, -1, 8, 24, -1, 9, 25, -1, 10, 26);
      const ints16 r = __builtin_shufflevector(x, y, -1, 11, 27, -1, 12, 28, -1, 13, 29, -1, 14, 30, -1, 15, 31, -1);
      STORE(0, __builtin_shufflevector(p, z, 0, 1, 16, 3, 4, 17, 6, 7, 18, 9, 10, 19, 12, 13, 20, 15));
      STORE(1, __builtin_shufflevector(q, z, 0, 21, 2, 3, 22, 5, 6, 23, 8, 9, 24, 11, 12, 25, 14, 15));
      STORE(2, __builtin_shufflevector(r, z, 26, 1, 2, 27, 4, 5, 28, 7, 8, 29, 10, 11, 30, 13, 14, 31));
    } else {
      const ints16 p = LOW(x, z), q = LOW(y, w), r = HIGH(x, z), s = HIGH(y, w);
      STORE(0, LOW(p, q));
      STORE(1, HIGH(p, q));
      STORE(2, LOW(r, s));
      STORE(3, HIGH(r, s));
    }
  }
#undef LOAD
#undef STORE
#undef LOW
#undef HIGH
}

// Writes the lowest bytes of a word of each track, 1 to 3.
VERTICES_INLINE void vertices_put_bytes(
    const unsigned *words, long bytes, long count, unsigned char *restrict output, long stride) {
  if (bytes & 2) {
    for (long track = 0; track < count; track++) {
      const unsigned short pair = (unsigned short)words[track];
      __builtin_memcpy(output + track * stride, &pair, 2);
    }
  }
  if (bytes & 1) {
    const int shift = 8 * (int)(bytes - 1);
    output += bytes - 1;
    for (long track = 0; track < count; track++) output[track * stride] = (unsigned char)(words[track] >> shift);
  }
}

VERTICES_INLINE void vertices_write(
    const float *column, long column_stride, const long *components, long slots, int format, long count,
    unsigned char *output, long stride) {
  const long size = vertices_size(format), all = slots * size;
  __attribute__((aligned(64))) unsigned memory[4][VERTICES_AT_ONCE];
  long tracks;
  for (long first = 0; first < count; first += tracks) {
    const long rest = count - first, whole = rest & -16;
    // Whole vectors, and then those tracks that fill none. Floats alone are not encoded.
    tracks = !whole ? rest : whole < VERTICES_AT_ONCE || (size == 4 && slots <= 4) ? whole : VERTICES_AT_ONCE;
    // Four words of a vertex at a time.
    for (long begin = 0; begin < all; begin += 16) {
      const long bytes = begin + 16 <= all ? 16 : all - begin, each = bytes / 4;
      unsigned char *const to = output + first * stride + begin;
      // A word of a number or more, without gaps, needs no other memory.
      const bool is_direct = size < 4 && bytes == 4 && stride == 4 && whole;
      const unsigned *words[4];
      for (long word = 0; 4 * word < bytes; word++) {
        const long slot = (begin + 4 * word) / size, left = slots - slot, some = left < 4 / size ? left : 4 / size;
        const float *sources[4];
        float padded[4][16] = {0};
        for (long i = 0; i < some; i++) {
          sources[i] = column + (components ? components[slot + i] : slot + i) * column_stride + first;
          if (size < 4 && !whole) {
            __builtin_memcpy(padded[i], sources[i], 4 * (unsigned long)tracks);
            sources[i] = padded[i];
          }
        }
        words[word] = memory[word];
        unsigned char *const place = is_direct ? to : (unsigned char *)memory[word];
        if (size == 4) {
          words[word] = (const unsigned *)sources[0];
          continue;
        }
        // Each format has a loop for full words, which tests nothing.
#define ENCODE(FORMAT)                                                                                                \
  case FORMAT:                                                                                                        \
    if (some == 4 / vertices_size(FORMAT)) {                                                                          \
      vertices_encode(sources, 4 / vertices_size(FORMAT), FORMAT, tracks, place);                                     \
    } else {                                                                                                          \
      vertices_encode(sources, some, FORMAT, tracks, place);                                                          \
    }                                                                                                                 \
    break;
        switch (format) {
          ENCODE(VERTICES_FLOAT16)
          ENCODE(VERTICES_UNORM8)
          ENCODE(VERTICES_SNORM8)
          ENCODE(VERTICES_UNORM16)
          default: ENCODE(VERTICES_SNORM16)
        }
#undef ENCODE
      }
      if (is_direct) continue;
#define PUT(EACH)                                                                                                     \
  case EACH:                                                                                                          \
    if (stride == 4 * EACH && whole) {                                                                                \
      vertices_interleave(words, EACH, tracks, to);                                                                   \
    } else {                                                                                                          \
      vertices_put(words, EACH, tracks, to, stride);                                                                  \
    }                                                                                                                 \
    break;
      switch (each) {
        PUT(1)
        PUT(2)
        PUT(3)
        PUT(4)
        default: break;
      }
#undef PUT
      if (bytes % 4) vertices_put_bytes(words[each], bytes % 4, tracks, to + 4 * each, stride);
    }
  }
}

#endif

#undef VERTICES_INLINE
#undef VERTICES_ARE_SHORT
#undef VERTICES_LANES
#undef VERTICES_AT_ONCE

#pragma clang diagnostic pop

#endif
