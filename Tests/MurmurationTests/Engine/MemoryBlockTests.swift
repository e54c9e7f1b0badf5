// SPDX-License-Identifier: MIT
import Kernels
import Testing

@testable import Murmuration

#if canImport(Glibc)
  import Glibc
#endif

@Suite("Memory of columns")
struct MemoryBlockTests {
  @Test("A block of zeros holds zeros, and begins on a page, or on a large page if it fills half of one")
  func zeros() {
    for byteCount in [1, 64, 4095, 1 << 20, (4 << 20) + 1, 5_000_011] {
      let block = MemoryBlock(byteCount: byteCount)
      let address = unsafe UInt(bitPattern: block.bytes.address)
      #expect(address % UInt(byteCount < 1 << 20 ? MemoryBlock.pageByteCount : 2 << 20) == 0)
      let bytes = unsafe UnsafeBufferPointer(start: block.bytes.address, count: byteCount)
      #expect(unsafe bytes.allSatisfy { $0 == 0 })
      block.bytes[byteCount - 1] = 1
    }
  }

  #if os(Linux)
    @Test("A large block of zeros takes memory only where it is touched")
    func untouchedPages() {
      let byteCount = 1 << 28
      let block = MemoryBlock(byteCount: byteCount)
      block.bytes[1 << 27] = 1
      let pages = unsafe Self.residentPages(block.bytes.address, byteCount)
      // The touched byte makes one large page resident at most.
      #expect(1...512 ~= pages.count { $0 & 1 != 0 })
    }

    /// Whether each page of some memory is resident; nothing if it is not mapped.
    private static func residentPages(_ start: UnsafeMutablePointer<UInt8>, _ byteCount: Int) -> [UInt8] {
      var pages = [UInt8](repeating: 0, count: byteCount / 4096)
      return unsafe mincore(start, byteCount, &pages) == 0 ? pages : []
    }
  #endif
}
