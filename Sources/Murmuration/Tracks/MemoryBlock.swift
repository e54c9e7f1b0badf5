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
  /// A block that the system cannot give ends the process, as the memory of an array does. So callers whose size follows from
  /// an argument ask first, and throw. As much as the block takes is allocated and freed untouched: that costs no memory,
  /// and little time if the block is small.
  static func hasRoom(forBytes byteCount: Int, limit: Int = BatchLimits.maximumBytes) -> Bool {
    guard byteCount <= min(limit, .max / 2), let probe = unsafe malloc(extent(byteCount, pageByteCount).room) else {
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
    let (alignment, room) = Self.extent(byteCount, alignment)
    let memory = unsafe isZeroed ? calloc(1, room) : malloc(room)
    guard let memory = unsafe memory else { fatalError("no memory for \(room) bytes") }
    unsafe allocation = memory
    unsafe start = memory.alignedUp(toMultipleOf: alignment)
    #if os(Linux)
      if alignment >= Self.pageByteCount { _ = unsafe madvise(start, room - alignment, MADV_HUGEPAGE) }
    #endif
  }

  /// The alignment of a block that asks for one, and the bytes to allocate for it.
  ///
  /// A random row touches a dozen pages. Large pages save the processor from looking up each of them. The end of a block is on
  /// one too if it fills half of it.
  private static func extent(_ byteCount: Int, _ alignment: Int) -> (alignment: Int, room: Int) {
    let largePages = (byteCount + largePageByteCount / 2) / largePageByteCount
    let alignment = largePages > 0 ? largePageByteCount : alignment
    return (alignment, max(byteCount, largePages * largePageByteCount) + alignment)
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
