// SPDX-License-Identifier: MIT

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
  let start: UnsafeMutableRawPointer
  /// The bytes of a block that the system maps for it alone; 0 for one of the allocator.
  private let mappedByteCount: Int

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
  ///
  /// A large block of zeros takes memory from the system only where it is touched, page by page.
  init(byteCount: Int, alignment: Int = pageAlignment, isZeroed: Bool = true) {
    let isLarge = byteCount >= Self.largeByteCount
    #if os(Linux)
      if isLarge, isZeroed, let block = unsafe Self.map(byteCount) {
        unsafe (start, mappedByteCount) = (block, byteCount)
        return
      }
    #endif
    let alignment = isLarge ? Self.largePageAlignment : alignment
    unsafe start = UnsafeMutableRawPointer.allocate(byteCount: byteCount, alignment: alignment)
    mappedByteCount = 0
    #if os(Linux)
      if alignment >= Self.pageAlignment { unsafe Self.askForLargePages(start, byteCount) }
    #endif
    if isZeroed { unsafe start.initializeMemory(as: UInt8.self, repeating: 0, count: byteCount) }
  }

  deinit {
    #if os(Linux)
      if mappedByteCount > 0 {
        unsafe munmap(start, mappedByteCount)
        return
      }
    #endif
    unsafe start.deallocate()
  }

  #if os(Linux)
    /// Maps zeros that begin on a large page; nil if the system has none.
    private static func map(_ byteCount: Int) -> UnsafeMutableRawPointer? {
      let room = byteCount + largePageAlignment
      let flags = MAP_PRIVATE | MAP_ANONYMOUS
      guard let whole = unsafe mmap(nil, room, PROT_READ | PROT_WRITE, flags, -1, 0), unsafe whole != MAP_FAILED else {
        return nil
      }
      let start = unsafe whole.alignedUp(toMultipleOf: largePageAlignment)
      let before = unsafe start - whole
      // The end of the block, on a page of the system.
      let used = (byteCount + pageAlignment - 1) & -pageAlignment
      if before > 0 { unsafe munmap(whole, before) }
      unsafe munmap(start + used, room - before - used)
      unsafe askForLargePages(start, byteCount)
      return unsafe start
    }

    /// A random row touches a dozen pages. Large pages save the processor from looking up each of them.
    private static func askForLargePages(_ start: UnsafeMutableRawPointer, _ byteCount: Int) {
      _ = unsafe madvise(start, byteCount, MADV_HUGEPAGE)
    }
  #endif
}

// The block has one owner, as the type cannot be copied, and nothing else points into it; so it may change threads, and
// may be read from several at once while no one mutates it.
extension MemoryBlock: @unchecked Sendable {}
