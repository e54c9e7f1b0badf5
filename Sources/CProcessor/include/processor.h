// SPDX-License-Identifier: MIT
// The instruction sets that this processor can run. Swift has no way to ask.

#ifndef MURMURATION_PROCESSOR_H
#define MURMURATION_PROCESSOR_H

#include <stdbool.h>
#include <stddef.h>

/// Whether the processor and the operating system run x86-64-v3 code (AVX2, FMA, BMI2 and the rest of the level).
bool processor_supports_x86_64_v3(void);

/// Whether they run x86-64-v4 code (AVX-512 F, BW, CD, DQ and VL on top of v3).
bool processor_supports_x86_64_v4(void);

/// Whether there is memory now for blocks of so many bytes at the same time; none is taken. (An optimizer takes away an
/// allocation whose memory is freed at once, and answers that there is memory.)
bool processor_has_memory(const size_t *bytes, size_t count);

/// Takes, and gives back, the lock of what all threads of the process share, for a few instructions. A process that `fork` made
/// finds it free, whoever had it: a mutex of Swift's waits there for a thread that is gone, or stops the process.
void processor_lock(void);
void processor_unlock(void);

/// Tells the processor that a loop waits, so that the other half of its core and its clock are not held up.
static inline void processor_relax(void) {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ volatile("isb" ::: "memory");
#endif
}

#endif
