// SPDX-License-Identifier: MIT
import Testing

@testable import Murmuration
@testable import MurmurationEngine

/// The calls that wait, against a list that is searched.
struct WaitingCallsTests {
  private struct Order: Equatable {
    var index: Int
    var time: Double
    var change: UInt32
    var target: Float
    /// The duration of its curve; nil if it keeps the spring.
    var duration: Double?
  }

  @Test func callsAreFoundAsInAList() throws {
    var random = SplitMix64(seed: 90)
    var waiting = WaitingCalls(dimensions: 2)
    var orders: [Order] = []
    var (now, taken) = (0.0, 0)
    try waiting.makeRoom(for: 300)
    for step in 0..<20_000 {
      let index = Int(random.next() % 300)
      switch random.next() % 16 {
      case 0..<9:
        // Some calls wait for no time, some for the second wheel, and some for longer than the wheels turn.
        let delay = random.next() % 20 == 0 ? 1e6 : Double(random.next() % 12)
        let change = UInt32(truncatingIfNeeded: random.next())
        let duration = random.next() % 4 == 0 ? nil : Double(step)
        // The calls of two tracks share a motion.
        let motion = waiting.keep(duration.map { .curve(.linear, duration: $0) })
        for index in [index, (7 * index + 1) % 300] {
          let order = Order(index: index, time: now + delay, change: change, target: Float(step), duration: duration)
          waiting.add(index, at: order.time, motion, change: order.change) { order.target + Float($0) }
          orders.removeAll { $0.index == index }
          orders.append(order)
        }
      case 9..<12:
        waiting.cancel(index)
        orders.removeAll { $0.index == index }
      case 12..<15:
        // Sometimes the clock goes back, though not past a moment at which a call began.
        let last = now + Double(random.next() % 3)
        waiting.collectDue(until: last)
        if random.next() % 8 == 0 {
          waiting.putBackDue(at: now)
          continue
        }
        now = last
        let found = (0..<waiting.schedule.due.count).map { position in
          let index = waiting.schedule.due[position]
          var duration: Double?
          if case .curve(_, let seconds) = waiting.motion(of: index) { duration = seconds }
          let order = waiting.take(index)
          return Order(
            index: index, time: order.time, change: order.change, target: waiting.targets[2 * index], duration: duration
          )
        }
        waiting.schedule.forgetDue()
        waiting.schedule.pass(to: now)
        #expect(found == orders.filter { $0.time <= now }.sorted { $0.index < $1.index }, "step \(step)")
        orders.removeAll { $0.time <= now }
        taken += found.count
        if random.next() % 8 == 0 {
          now -= 0.5
          waiting.schedule.pass(to: now)
        }
      default:
        if random.next() % 50 == 0 {
          waiting.removeAll()
          try waiting.makeRoom(for: 300)
          orders.removeAll()
        }
      }
      #expect(waiting.count == orders.count)
    }
    #expect(taken > 1_500)
  }

  @Test func callsForWhichThereIsNoMemoryAreRefused() throws {
    var waiting = WaitingCalls(dimensions: 4)
    try waiting.makeRoom(for: 20)
    let needed = BatchLimits.maximumBytes / 16
    #expect(throws: BatchError.capacityExceeded(needed)) { try waiting.makeRoom(for: needed) }
    let count = waiting.orders.count
    #expect(count == 20)
  }

  /// Calls that are replaced again and again are forgotten in the end, however long they were to wait.
  @Test func whatIsReplacedTakesNoMemoryForLong() throws {
    var waiting = WaitingCalls(dimensions: 1)
    try waiting.makeRoom(for: 100)
    for frame in 0..<2_000 {
      let motion = waiting.keep(.jump)
      for index in 0..<100 { waiting.add(index, at: 3 + Double(frame) / 256, motion, change: 0) { _ in 0 } }
    }
    #expect(waiting.motions.count == 2)
    #expect(waiting.schedule.entries.count < 2_000)
    waiting.collectDue(until: 1e3)
    #expect(waiting.schedule.due.count == 100)
  }
}
