// SPDX-License-Identifier: MIT
import Kernels

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Memory with one owner.
@safe
struct MemoryBlock: ~Copyable {
  private let start: UnsafeMutableRawPointer
  private let byteCount: Int

  /// The alignment of a page. Blocks with this alignment ask the system for large pages.
  static let pageAlignment = 4096
  private static let largeByteCount = 1 << 22
  private static let largePageAlignment = 1 << 21

  /// Whether the system has memory for a block now, which must not be larger than `limit`.
  ///
  /// An allocation that fails ends the process, so callers ask first. The block is allocated and freed untouched: that
  /// costs no memory, and little time if the block is small.
  static func hasRoom(forBytes byteCount: Int, limit: Int = BatchLimits.maximumBytes) -> Bool {
    guard byteCount <= limit, let probe = unsafe malloc(max(1, byteCount)) else {
      return false
    }
    unsafe free(probe)
    return true
  }

  /// A block of a number of bytes, zeroed unless said otherwise. Large blocks begin on a large page.
  init(byteCount: Int, alignment: Int = pageAlignment, isZeroed: Bool = true) {
    self.byteCount = byteCount
    let alignment = byteCount >= Self.largeByteCount ? Self.largePageAlignment : alignment
    unsafe start = UnsafeMutableRawPointer.allocate(byteCount: byteCount, alignment: alignment)
    #if os(Linux)
      if alignment >= Self.pageAlignment {
        // A random row touches a dozen pages. Large pages save the processor from looking up each of them.
        _ = unsafe madvise(start, byteCount, MADV_HUGEPAGE)
      }
    #endif
    if isZeroed { unsafe start.initializeMemory(as: UInt8.self, repeating: 0, count: byteCount) }
  }

  /// The bytes of the block, which columns are parts of.
  var bytes: Column<UInt8> { unsafe Column(start.assumingMemoryBound(to: UInt8.self), count: byteCount) }

  deinit {
    unsafe start.deallocate()
  }
}

// The block has one owner, as the type cannot be copied, and nothing else points into it; so it may change threads, and
// may be read from several at once while no one mutates it.
extension MemoryBlock: @unchecked Sendable {}
