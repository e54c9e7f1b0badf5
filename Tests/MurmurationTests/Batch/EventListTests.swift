// SPDX-License-Identifier: MIT
import Testing

@testable import Murmuration
@testable import MurmurationEngine

struct EventListTests {
  @Test func aListThatGrowsEventByEventIsSeldomCopied() {
    var list = EventList()
    var capacities: Set<Int> = []
    for index in 0..<16_000 {
      list.append(.settled, index: index, 1, at: 0)
      capacities.insert(list.events.capacity)
    }
    #expect(list.events.count == 16_000)
    #expect(capacities.count < 20)
  }
}
