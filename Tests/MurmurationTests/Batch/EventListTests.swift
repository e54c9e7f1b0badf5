// SPDX-License-Identifier: MIT
import Testing

@testable import Murmuration

struct EventListTests {
  /// Room for exactly the events of each run would copy the whole list with each run.
  @Test func aListThatGrowsRunByRunIsSeldomCopied() throws {
    var batch = try AnimationBatch<Float>()
    try batch.add([Float](repeating: 0, count: 16_000))
    var list = EventList()
    var capacities: Set<Int> = []
    for tile in 0..<1_000 {
      list.append(.settled, tile..<tile + 1, batch.engine.tracks, 1, at: 0)
      capacities.insert(list.events.capacity)
    }
    #expect(list.events.count == 16_000)
    #expect(capacities.count < 20)
  }
}
