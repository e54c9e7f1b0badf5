// SPDX-License-Identifier: MIT
import Kernels
import TestSupport
import Testing

@testable import MurmurationClips
@testable import Murmuration
@testable import MurmurationEngine

#if canImport(Glibc)
  import Glibc
#endif

/// Memory that grows, is given away and comes back.
struct StorageTests {
  /// Numbers lie in several words of words, far from each other.
  @Test func numbersAreTakenLowestFirst() {
    var random = SplitMix64(seed: 5)
    var (numbers, expected) = (FreeNumbers(), Set<Int>())
    for _ in 0..<20_000 {
      let number = Int(random.next() % 3) * 70_000 + Int(random.next() % 300)
      if expected.contains(number) {
        numbers.take(number)
        expected.remove(number)
      } else {
        numbers.giveBack(number)
        expected.insert(number)
      }
      #expect(numbers.count == expected.count && numbers.isFree(number) == expected.contains(number))
      // Mostly the lowest are taken, so that none is left among the lower ones now and then.
      if random.next() % 4 != 0, let least = expected.min() {
        #expect(numbers.first == least && numbers.takeFirst() == least)
        expected.remove(least)
      }
      let needed = Int(random.next() % UInt64(expected.count + 1))
      let end = numbers.end(of: needed)
      #expect(expected.count { $0 < end } >= needed)
    }
  }

  @Test func aColumnKeepsItsElementsAsItGrows() {
    var column = OwnedColumn<Int32>()
    var elements: [Int32] = []
    var allocations = 0
    for count in 1...1_000 {
      let before = column.column
      column.grow(to: count, with: -1)
      if column.column != before { allocations += 1 }
      column[count - 1] = Int32(count)
      elements.append(Int32(count))
    }
    #expect(column.indices.map { column[$0] } == elements)
    // 1, 2, 4, …, 1 024
    #expect(allocations == 11)
    column.grow(to: 1_003, with: -1)
    column.grow(to: 5, with: 7)
    #expect((998..<1_003).map { column[$0] } == [999, 1_000, -1, -1, -1])
  }

  @Test func aColumnThatIsClearedKeepsItsMemoryAndForgetsItsElements() {
    var column = OwnedColumn<UInt16>()
    column.grow(to: 40, with: 3)
    let before = column.column
    column.clear()
    #expect(column.count == 0)
    column.grow(to: 40, with: 4)
    #expect(column.column == before)
    #expect(column.indices.map { column[$0] } == [UInt16](repeating: 4, count: 40))
  }

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

  // MARK: - Records of clips

  /// Records of pieces that are taken, with a mark in the first and the last of them.
  private struct Taken {
    let records: Column<PieceRecord>
    let count: Int
    let mark: Int32

    init(_ arena: RecordArena, _ count: Int, _ mark: Int32) throws {
      records = try #require(arena.take(count))
      (self.count, self.mark) = (count, mark)
      for index in 0..<count { records[index] = .everything }
      records[0].center = mark
      records[count - 1].center = mark
    }

    var isWhole: Bool { records[0].center == mark && records[count - 1].center == mark }
  }

  @Test func keepsWhatIsTakenApartAndTakesAgainWhatCameBack() throws {
    var random = SplitMix64(seed: 3)
    let arena = RecordArena()
    var taken: [Taken] = []
    for round in 0..<20_000 {
      if taken.isEmpty || random.uniform(0...1) < 0.52 {
        taken.append(try Taken(arena, Int(random.uniform(1...40)), Int32(round)))
        #expect(UInt(bitPattern: taken[taken.count - 1].records.address) % 64 == 0)
      } else {
        taken.swapAt(Int(random.uniform(0...Double(taken.count) - 0.01)), taken.count - 1)
        let last = taken.removeLast()
        #expect(last.isWhole)
        arena.giveBack(last.records, last.count)
      }
    }
    let areWhole = taken.allSatisfy { $0.isWhole }
    #expect(areWhole)
    for left in taken { arena.giveBack(left.records, left.count) }
    #expect(arena.taken == 0 && arena.capacity == 0)
  }

  @Test func comingAndGoingTakesNoMoreThanAtOnce() throws {
    let arena = RecordArena()
    let kept = try #require(arena.take(17))
    let first = try #require(arena.take(17))
    arena.giveBack(first, 17)
    let capacity = arena.capacity
    for _ in 0..<1000 {
      let again = try #require(arena.take(18))
      #expect(again == first)
      arena.giveBack(again, 18)
    }
    #expect(arena.capacity == capacity)
    let large = try #require(arena.take(5_000_000))
    large[4_999_999] = .everything
    arena.giveBack(large, 5_000_000)
    arena.giveBack(kept, 17)
    #expect(arena.capacity == 0)
  }

  @Test("Without memory for its pieces, a clip has no records, and the arena is as it was")
  func noMemory() throws {
    let arena = RecordArena(limit: 512 * MemoryLayout<PieceRecord>.stride)
    let first = try #require(arena.take(500))
    #expect(arena.take(513) == nil)
    let keyframes = (0..<600).map { Keyframe<Double>.linear(to: Double($0), duration: 0.1, timingCurve: .linear) }
    let clip = try Clip(initialValues: [0], keyframes: [keyframes], tolerance: 0x1p-16)
    #expect(ClipRecords(clip, in: arena) == nil)
    #expect(arena.taken == 500 && arena.capacity == 512)
    arena.giveBack(first, 500)
    #expect(arena.taken == 0 && arena.capacity == 0)
  }
}
