// SPDX-License-Identifier: MIT
import CProcessor
package import Kernels

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Memory with one owner.
@safe
@usableFromInline
package struct MemoryBlock: ~Copyable {
  private let start: UnsafeMutableRawPointer
  private let byteCount: Int
  /// The allocation from the heap. It begins up to one alignment before `start`.
  @usableFromInline let allocation: UnsafeMutableRawPointer

  package static let pageByteCount = 4096
  private static let largePageByteCount = 1 << 21

  /// Whether the system has memory for a block now; false for a block larger than `limit`.
  ///
  /// A block for which there is no memory ends the process, as an array does. So callers ask here first, and throw: for
  /// everything that a call makes, at once. Only blocks of a fixed size are made without. The answer comes from allocations
  /// of the same sizes, which are freed untouched: it takes no memory, and little time if the blocks are small.
  package static func hasRoom(forBytes byteCount: Int, limit: Int = BatchLimits.maximumBytes) -> Bool {
    guard byteCount <= min(limit, .max / 2) else { return false }
    var room = extent(byteCount, pageByteCount).room
    return unsafe processor_has_memory(&room, 1)
  }

  /// Whether the system has memory for several blocks at the same time; false if the size of one is nil.
  package static func hasRoom(forBlocks byteCounts: [Int?]) -> Bool {
    var rooms: [Int] = []
    for byteCount in byteCounts {
      guard let byteCount, byteCount <= min(BatchLimits.maximumBytes, .max / 2) else { return false }
      rooms.append(extent(byteCount, pageByteCount).room)
    }
    return unsafe processor_has_memory(rooms, rooms.count)
  }

  /// A block of `byteCount` bytes, zeroed if `isZeroed` is true. It begins on a multiple of `alignment`, or on a large
  /// page if it fills at least half of one.
  ///
  /// Large blocks come from the system as zeros, and take no memory before they are touched. If `isSparse` is true, they
  /// take it in small pages, as only a part may ever be touched.
  ///
  /// Without memory the process ends, as with an array of Swift's. So a call whose size a program decides asks
  /// ``hasRoom(forBytes:)`` before it changes anything, and throws.
  package init(byteCount: Int, alignment: Int = pageByteCount, isZeroed: Bool = true, isSparse: Bool = false) {
    self.byteCount = byteCount
    let (alignment, room) = Self.extent(byteCount, alignment)
    let memory = unsafe isZeroed ? calloc(1, room) : malloc(room)
    guard let memory = unsafe memory else { fatalError("no memory for \(room) bytes") }
    unsafe allocation = memory
    unsafe start = memory.alignedUp(toMultipleOf: alignment)
    #if os(Linux)
      // In smaller blocks there is no room for a large page, and the call would take its time.
      if alignment == Self.largePageByteCount, !isSparse { _ = unsafe madvise(start, room - alignment, MADV_HUGEPAGE) }
    #endif
  }

  /// The alignment of a block, given the one that was asked for, and the bytes to allocate for the block.
  ///
  /// The columns of one track lie on a dozen pages. With large pages the processor need not look up each of them. The end
  /// of a block lies on a large page too if it fills at least half of it.
  private static func extent(_ byteCount: Int, _ alignment: Int) -> (alignment: Int, room: Int) {
    let largePages = (byteCount + largePageByteCount / 2) / largePageByteCount
    let alignment = largePages > 0 ? largePageByteCount : alignment
    return (alignment, max(byteCount, largePages * largePageByteCount) + alignment)
  }

  /// The bytes of the block; columns are parts of them.
  package var bytes: Column<UInt8> { unsafe Column(start.assumingMemoryBound(to: UInt8.self), count: byteCount) }

  // Embedded builds must see it wherever a block is owned.
  @inlinable
  deinit {
    unsafe Self.giveBack(allocation)
  }

  @usableFromInline
  static func giveBack(_ allocation: UnsafeMutableRawPointer) { unsafe free(allocation) }
}

// The type cannot be copied, so a block has one owner, and only columns of that owner point into it. So a block may
// change threads, and several threads may read it while none writes.
extension MemoryBlock: @unchecked Sendable {}
