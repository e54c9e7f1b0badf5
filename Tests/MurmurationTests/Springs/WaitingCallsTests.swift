// SPDX-License-Identifier: MIT
import Testing

@testable import Murmuration

/// The heap of waiting calls against a list that is searched.
struct WaitingCallsTests {
  private struct Order {
    var slot: Int
    var time: Double
    var serial: Int
    var target: Float
    var change: UInt32
  }

  @Test func ordersLeaveAsASortedListHasThem() {
    var random = SplitMix64(seed: 90)
    var waiting = WaitingCalls(dimensions: 2)
    var orders: [Order] = []
    var (now, serial, taken) = (0.0, 0, 0)
    for step in 0..<20_000 {
      let slot = Int(random.next() % 300)
      switch random.next() % 16 {
      case 0..<9:
        serial += 1
        // Ties are common, and some wait for long.
        let delay = random.next() % 20 == 0 ? 1e6 : Double(random.next() % 12)
        let change = UInt32(truncatingIfNeeded: random.next())
        waiting.reserve(1, slots: 300)
        waiting.add(slot, at: now + delay, nil, change: change) { Float(serial + $0) }
        orders.removeAll { $0.slot == slot }
        orders.append(Order(slot: slot, time: now + delay, serial: serial, target: Float(serial), change: change))
      case 9..<12:
        waiting.cancel(slot)
        orders.removeAll { $0.slot == slot }
      case 12..<15:
        now += Double(random.next() % 3)
        orders.sort { ($0.time, $0.serial) < ($1.time, $1.serial) }
        while let order = waiting.next(until: now) {
          taken += 1
          guard let expected = orders.first, expected.time <= now else {
            Issue.record("slot \(order.slot) at \(order.time) should not leave in step \(step)")
            return
          }
          orders.removeFirst()
          #expect(order.slot == expected.slot && order.time == expected.time, "step \(step)")
          #expect(order.change == expected.change)
          #expect(waiting.targets[2 * order.slot] == expected.target)
          #expect(waiting.targets[2 * order.slot + 1] == expected.target + 1)
        }
        let late = orders.contains { $0.time <= now }
        #expect(!late, "step \(step)")
      default:
        if random.next() % 50 == 0 {
          waiting.removeAll()
          orders.removeAll()
        }
      }
      #expect(waiting.nextTime <= orders.map(\.time).min() ?? .infinity)
      #expect(waiting.count >= orders.count)
    }
    #expect(taken > 1_500)
  }

  /// Calls that are cancelled again and again are forgotten in the end, however long they were to wait.
  @Test func whatIsCancelledTakesNoMemoryForLong() {
    var waiting = WaitingCalls(dimensions: 1)
    for frame in 0..<2_000 {
      waiting.reserve(100, slots: 100)
      for slot in 0..<100 {
        waiting.add(slot, at: 1e9 + Double(frame), nil, change: 0) { _ in 0 }
      }
    }
    #expect(waiting.count < 1_000)
    var left = 0
    while waiting.next(until: 1e10) != nil {
      left += 1
    }
    #expect(left == 100)
  }
}
