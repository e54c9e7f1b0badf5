// SPDX-License-Identifier: MIT
#include "support.h"
#include "yardsticks.h"

#if defined(__x86_64__)

// Six rows, and the number of vectors that registers allow; shapes in panels, all of them in the first cache.
#define DEFINE_TILE(NAME, BYTES, VECTORS, ATTRIBUTES, STORE, FENCE)                                                    \
  ATTRIBUTES static void tile_##NAME(const yardstick_tile_product *p) {                                                \
    typedef float vector __attribute__((vector_size(BYTES)));                                                          \
    enum { lanes = (BYTES) / 4, width = lanes * (VECTORS), rows = 6 };                                                 \
    size_t block = 8192 / (p->inner * width) * width;                                                                  \
    if (!block) block = width;                                                                                         \
    for (size_t first = 0; first < p->columns; first += block)                                                         \
      for (size_t row = 0; row < p->rows; row += rows)                                                                 \
        for (size_t column = first; column < first + block && column < p->columns; column += width) {                  \
          vector sums[rows][VECTORS];                                                                                  \
          for (int i = 0; i < rows; i++)                                                                               \
            for (int j = 0; j < (VECTORS); j++) sums[i][j] = *(const vector *)(p->base + column + j * lanes);          \
          const float *shapes = p->shapes + column * p->inner, *weights = p->weights + row;                            \
          for (size_t k = 0; k < p->inner; k++, shapes += width, weights += p->weight_stride) {                        \
            vector shape[VECTORS];                                                                                     \
            for (int j = 0; j < (VECTORS); j++) shape[j] = *(const vector *)(shapes + j * lanes);                      \
            for (int i = 0; i < rows; i++) {                                                                           \
              const vector weight = (vector){} + weights[i];                                                           \
              for (int j = 0; j < (VECTORS); j++) sums[i][j] += weight * shape[j];                                     \
            }                                                                                                          \
          }                                                                                                            \
          for (int i = 0; i < rows; i++)                                                                               \
            for (int j = 0; j < (VECTORS); j++)                                                                        \
              STORE(sums[i][j], (vector *)(p->outputs + (row + i) * p->output_stride + column + j * lanes));           \
        }                                                                                                              \
    FENCE;                                                                                                             \
  }

#define STORE_ORDINARY(value, address) (*(address) = (value))
#define STORE_PAST(value, address) __builtin_nontemporal_store(value, address)

DEFINE_TILE(256, 32, 2, __attribute__((target("avx2,fma"))), STORE_ORDINARY, )
DEFINE_TILE(256_nontemporal, 32, 2, __attribute__((target("avx2,fma"))), STORE_PAST, __sync_synchronize())
DEFINE_TILE(512, 64, 4, __attribute__((target("avx512f"))), STORE_ORDINARY, )
DEFINE_TILE(512_nontemporal, 64, 4, __attribute__((target("avx512f"))), STORE_PAST, __sync_synchronize())
#endif

static const struct {
  const char *name;
  size_t width;
  yardstick_tile multiply;
  const char *feature;
} tiles[] = {
#if defined(__x86_64__)
    {"avx2 tile", 16, tile_256, "avx2"},
    {"avx2 tile non-temporal", 16, tile_256_nontemporal, "avx2"},
    {"avx512 tile", 64, tile_512, "avx512f"},
    {"avx512 tile non-temporal", 64, tile_512_nontemporal, "avx512f"},
#endif
    // Ends the table, which C does not allow to be empty.
    {NULL, 0, NULL, NULL},
};

yardstick_tile yardstick_tile_at(size_t index) {
  if (index >= sizeof tiles / sizeof tiles[0] || !is_supported(tiles[index].feature)) return NULL;
  return tiles[index].multiply;
}

const char *yardstick_tile_name(size_t index) { return tiles[index].name; }

size_t yardstick_tile_width(size_t index) { return tiles[index].width; }
