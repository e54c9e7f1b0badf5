// SPDX-License-Identifier: MIT
import Kernels
import Testing

@testable import Murmuration
@testable import MurmurationClips

/// Memory that clips of different lengths take and give back in any order.
struct RecordArenaTests {
  /// Records that are taken, with a mark in the first and the last of them.
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
