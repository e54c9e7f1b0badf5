// SPDX-License-Identifier: MIT
// Compares the quick products of the exact module with products that are rounded once, over numbers that look for ties.
#include "lanes.h"

static unsigned long long state;
static unsigned draw(void) {
  state = state * 6364136223846793005ull + 1442695040888963407ull;
  return (unsigned)(state >> 32);
}

// A number with few bits, or all; about 1, or of any size down to 0.
static float number(void) {
  const unsigned bits = draw(), kind = draw() & 15;
  const unsigned bit = 1u << (bits >> 8) % 23;
  const unsigned mantissa = kind < 4 ? 0 : kind < 8 ? bit : kind < 12 ? 0x7fffffu ^ bit : bits;
  const unsigned exponent = kind & 1 ? 130 - draw() % 60 : draw() % 190;
  union {
    unsigned bits;
    float value;
  } result = {(bits & 0x80000000u) | (exponent & 255) << 23 | (mantissa & 0x7fffffu)};
  return result.value;
}

// `a · b + c`, rounded once: the sum in Double is made odd if it is inexact, so that it is no tie.
static float fused(float a, float b, float c) {
  union {
    double value;
    unsigned long long bits;
  } sum;
  const double product = (double)a * b;
  sum.value = product + c;
  const double part = sum.value - product, rest = (product - (sum.value - part)) + (c - part);
  if (rest != 0 && (sum.bits & 1) == 0) sum.bits += (rest > 0) == (sum.value > 0) ? 1 : -1;
  return (float)sum.value;
}

static unsigned differing, undoubted;

// Draws products. Those that differ from the exact ones are counted, and those of them that are in no doubt.
void compare(unsigned seed, unsigned count) {
  state = seed;
  differing = undoubted = 0;
  for (unsigned index = 0; index < count; index++) {
    floats4 a, b, c;
    for (int lane = 0; lane < 4; lane++) {
      a[lane] = number();
      b[lane] = number();
      c[lane] = number();
    }
    const floats4 quick = lanes_quick_fused4(a, b, c);
    const bool isInDoubt = lanes_take_doubts();
    for (int lane = 0; lane < 4; lane++) {
      if (quick[lane] == fused(a[lane], b[lane], c[lane])) continue;
      differing++;
      if (!isInDoubt) undoubted++;
    }
  }
}

unsigned differing_products(void) { return differing; }
unsigned undoubted_products(void) { return undoubted; }
