// SPDX-License-Identifier: MIT
import Testing

@testable import Murmuration
@testable import MurmurationEngine

/// Columns that own their memory.
struct OwnedColumnTests {
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
}
