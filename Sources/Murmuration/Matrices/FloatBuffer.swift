// SPDX-License-Identifier: MIT
import Kernels

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Zeroed floats of our own, aligned to 64 bytes.
@safe
struct FloatBuffer: ~Copyable, Sendable {
  nonisolated(unsafe) let start: UnsafeMutablePointer<Float>
  let count: Int

  init(count: Int) {
    let bytes = max(64, 4 * count)
    let block = UnsafeMutableRawPointer.allocate(byteCount: bytes, alignment: bytes >= 1 << 22 ? 1 << 21 : 64)
    #if os(Linux)
      if bytes >= 1 << 22 {
        _ = unsafe madvise(block, bytes, MADV_HUGEPAGE)
      }
    #endif
    unsafe block.initializeMemory(as: UInt8.self, repeating: 0, count: bytes)
    unsafe start = block.assumingMemoryBound(to: Float.self)
    self.count = count
  }

  deinit { unsafe start.deallocate() }

  /// The floats from one row to the next that rows of `columns` should have: whole lines, and never a multiple of 4 KiB,
  /// which would put the same place of all rows into the same few lines of a cache.
  static func stride(columns: Int) -> Int {
    let lines = (max(1, columns) + laneCountOfTile - 1) / laneCountOfTile * laneCountOfTile
    return lines % 1024 == 0 ? lines + laneCountOfTile : lines
  }

  /// Throws if rows × columns floats are past what sizes may be, or what the system would give now. An allocation that
  /// fails would end the process, so this asks first, and gives back at once.
  static func check(_ what: String, rows: Int, columns: Int) throws(MatrixError) {
    for size in [rows, columns] where size < 0 || size > MatrixLimits.maximumSize {
      throw .invalidSize(of: what, size)
    }
    let (bytes, overflow) = rows.multipliedReportingOverflow(by: stride(columns: columns) * 4)
    guard !overflow, bytes <= BatchLimits.maximumBytes, let probe = unsafe malloc(max(1, bytes)) else {
      throw .invalidSize(of: what, rows * columns)
    }
    unsafe free(probe)
  }
}
