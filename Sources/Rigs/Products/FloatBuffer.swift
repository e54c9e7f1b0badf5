// SPDX-License-Identifier: MIT
package import Kernels
import Murmuration

/// Zeroed floats of our own, aligned to 64 bytes.
package struct FloatBuffer: ~Copyable, Sendable {
  package var start: Column<Float> { block.bytes.rebound(to: Float.self) }
  package let count: Int
  private let block: MemoryBlock

  /// Takes memory for `count` floats; there must be room.
  package init(count: Int) {
    block = MemoryBlock(byteCount: max(64, 4 * count), alignment: 64)
    self.count = count
  }

  /// The stride in floats for rows of `columns` floats: whole lines, and never a multiple of 4 KiB, at which one column
  /// of all rows would share the same few lines of a cache.
  package static func stride(columns: Int) -> Int {
    let lines = (max(1, columns) + laneCountOfTile - 1) / laneCountOfTile * laneCountOfTile
    return lines % 1024 == 0 ? lines + laneCountOfTile : lines
  }

  /// Throws if rows × columns floats exceed the largest size, or the memory that the system would give now.
  package static func check(_ what: String, rows: Int, columns: Int) throws(MatrixError) {
    for size in [rows, columns] where size < 0 || size > MatrixLimits.maximumSize {
      throw .invalidSize(of: what, size)
    }
    let (bytes, overflow) = rows.multipliedReportingOverflow(by: stride(columns: columns) * 4)
    guard !overflow, MemoryBlock.hasRoom(forBytes: bytes) else { throw .invalidSize(of: what, rows * columns) }
  }
}
