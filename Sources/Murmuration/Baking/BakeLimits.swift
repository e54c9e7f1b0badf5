// SPDX-License-Identifier: MIT

/// Sizes from which on a bake does something another way.
enum BakeLimits {
  /// Bytes of output from which on it is stored past the caches. Measured on a Zen 5 core with 32 MiB of shared cache, a tile
  /// in C that writes 9.6 MB takes 0.052 ns an output through the caches and 0.096 past them; with 96 MB 0.211 and 0.099.
  static let streamedBytes = 1 << 24

  /// The least number of blocks of lanes times frames that is worth waking other threads for: some 40 µs of work.
  static let parallelBlocks = 4_000
}
