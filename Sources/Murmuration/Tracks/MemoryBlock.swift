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
  /// What the heap gave, which begins up to one alignment earlier.
  private let allocation: UnsafeMutableRawPointer

  static let pageByteCount = 4096
  private static let largePageByteCount = 1 << 21

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

  /// A block of a number of bytes, zeroed unless said otherwise. It begins on a page, or on a large page if it fills half of
  /// one.
  ///
  /// Large blocks come from the system as zeros, and take no memory before they are touched.
  init(byteCount: Int, alignment: Int = pageByteCount, isZeroed: Bool = true) {
    self.byteCount = byteCount
    // A random row touches a dozen pages. Large pages save the processor from looking up each of them. The end of a block
    // has one too if it fills half of it.
    let largePages = (byteCount + Self.largePageByteCount / 2) / Self.largePageByteCount
    let alignment = largePages > 0 ? Self.largePageByteCount : alignment
    let room = max(byteCount, largePages * Self.largePageByteCount) + alignment
    let memory = unsafe isZeroed ? calloc(1, room) : malloc(room)
    guard let memory = unsafe memory else { fatalError("no memory for \(room) bytes") }
    unsafe allocation = memory
    unsafe start = memory.alignedUp(toMultipleOf: alignment)
    #if os(Linux)
      if alignment >= Self.pageByteCount { _ = unsafe madvise(start, room - alignment, MADV_HUGEPAGE) }
    #endif
  }

  /// The bytes of the block, which columns are parts of.
  var bytes: Column<UInt8> { unsafe Column(start.assumingMemoryBound(to: UInt8.self), count: byteCount) }

  deinit {
    unsafe free(allocation)
  }
}

// The block has one owner, as the type cannot be copied, and nothing else points into it; so it may change threads, and
// may be read from several at once while no one mutates it.
extension MemoryBlock: @unchecked Sendable {}
