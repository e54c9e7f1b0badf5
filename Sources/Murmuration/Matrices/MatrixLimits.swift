// SPDX-License-Identifier: MIT

/// The sizes at which one way to multiply gives place to another, each with the measurements that decided.
///
/// Measured on a Zen 5 core (AVX-512, 48 KiB + 1 MiB of own caches, 32 MiB shared) with OpenBLAS 0.3.21, one thread, nanoseconds an
/// output of [rows × columns] from `inner` terms. *Auto* is the core OpenBLAS chooses there, Cooperlake; *Haswell* what
/// `OPENBLAS_CORETYPE=Haswell` makes of it.
enum MatrixLimits {
  /// Multiplications up to which OpenBLAS' kernels for AVX-512 work without packing. One call against chunks of that size:
  ///
  /// | rows × columns, inner | auto, one call | auto, chunks | Haswell, one call | Haswell, chunks |
  /// |---|---|---|---|---|
  /// | 240 × 10 048, 3 | 0.090 | 0.044 | 0.100 | 0.112 |
  /// | 1 000 × 3 008, 8 | 0.134 | 0.079 | 0.183 | 0.191 |
  /// | 1 000 × 3 008, 16 | 0.201 | 0.143 | 0.317 | 0.330 |
  /// | 1 000 × 3 008, 64 | 0.611 | 0.533 | 1.09 | 1.19 |
  /// | 1 000 × 3 008, 200 | 1.77 | 1.68 | 3.61 | 4.04 |
  /// | 1 000 × 3 008, 512 | 4.49 | 4.34 | 8.62 | 10.2 |
  ///
  /// So chunks are for the cores that have such kernels, and for nobody else.
  static let chunk = 1_000_000

  /// Rows of a chunk: 240 is best up to 64 terms (0.0785 against 0.0808 with 60 at 8 terms), 120 at 200 terms, 60 at 512.
  static func chunkRows(inner: Int) -> Int { inner <= 64 ? 240 : inner <= 256 ? 120 : 60 }

  /// Columns of a chunk of so many rows: whole lines, at least one.
  static func chunkColumns(rows: Int, inner: Int) -> Int { max(16, chunk / max(1, rows * inner) / 16 * 16) }
}
