// SPDX-License-Identifier: MIT

/// Calls that wait for their moment: at most one a track, as a newer call cancels it.
///
/// The calls are a binary heap by time. A cancelled call stays in it until its moment, and is skipped then, or until
/// there is no room for more.
struct WaitingCalls {
  /// The waiting call of a track.
  struct Order {
    /// The serial number of its entry in the heap; 0 if nothing waits.
    var serial: UInt64 = 0
    /// The motion; nil to keep the track's spring.
    var motion: MotionRequest?
    /// The number of the call.
    var change: UInt32 = 0
    /// The moment at which the call begins.
    var time = 0.0
    /// When it was held, as the track was paused; nil if it is not held.
    var heldAt: Double?
  }

  struct Entry {
    var time: Double
    /// Entries of one moment leave in the order in which they came.
    var serial: UInt64
    var slot: UInt32

    func isBefore(_ other: Entry) -> Bool { time != other.time ? time < other.time : serial < other.serial }
  }

  private let dimensions: Int
  private(set) var orders: [Order] = []
  /// The targets of each slot, all dimensions side by side.
  private(set) var targets: [Float] = []
  private(set) var heap: [Entry] = []
  private var serial: UInt64 = 0
  /// The columns that calls need: the union over all calls since the heap was last empty.
  private(set) var columns: Engine.ColumnGroups = []

  init(dimensions: Int) { self.dimensions = dimensions }

  /// The number of entries, including cancelled ones.
  var count: Int { heap.count }

  /// The earliest moment for which a call may wait; infinite without calls.
  var nextTime: Double { heap.first?.time ?? .infinity }

  /// The lowest slot of a range with a call that waits until a time at the latest, and the moment of the call.
  ///
  /// - Complexity: O(slots).
  func first(of slots: Range<Int>, until time: Double) -> (slot: Int, time: Double)? {
    slots.clamped(to: orders.indices).first { isWaiting($0) && orders[$0].time <= time }.map { ($0, orders[$0].time) }
  }

  /// Makes room for more calls, in a batch with a number of slots.
  mutating func reserve(_ additional: Int, slots: Int) {
    orders.grow(to: slots, with: Order())
    targets.grow(to: slots * dimensions, with: 0)
    guard heap.capacity < heap.count + additional else { return }
    forgetCancelled()
    // Twice the number, so that repeated small additions stay cheap.
    if heap.capacity < 2 * (heap.count + additional) {
      heap.reserveCapacity(2 * max(heap.count + additional, heap.capacity))
    }
  }

  /// Adds a call for the track of a slot; there must be room.
  mutating func add(
    _ slot: Int, at time: Double, _ motion: MotionRequest?, change: UInt32, target: (Int) -> Float
  ) {
    orders[slot] = Order(motion: motion, change: change, time: time)
    for dimension in 0..<dimensions {
      targets[slot * dimensions + dimension] = target(dimension)
    }
    enter(slot)
  }

  /// Enters the order of a slot, which waits from now on.
  private mutating func enter(_ slot: Int) {
    serial += 1
    orders[slot].serial = serial
    if heap.isEmpty { columns = [] }
    columns.formUnion(orders[slot].motion?.columns ?? .springs)
    heap.append(Entry(time: orders[slot].time, serial: serial, slot: UInt32(slot)))
    var place = heap.count - 1
    while place > 0, heap[place].isBefore(heap[(place - 1) / 2]) {
      heap.swapAt(place, (place - 1) / 2)
      place = (place - 1) / 2
    }
  }

  /// Cancels the call of a slot.
  mutating func cancel(_ slot: Int) {
    if slot < orders.count {
      orders[slot].serial = 0
      orders[slot].heldAt = nil
    }
  }

  /// Whether a call waits for the track of a slot.
  func isWaiting(_ slot: Int) -> Bool { slot < orders.count && orders[slot].serial != 0 }

  /// Whether the call of a slot is held.
  func isHeld(_ slot: Int) -> Bool { slot < orders.count && orders[slot].heldAt != nil }

  /// Holds the call of a slot, if there is one: its time stands still.
  mutating func hold(_ slot: Int, at now: Double) {
    guard isWaiting(slot) else { return }
    orders[slot].serial = 0
    orders[slot].heldAt = now
  }

  /// Lets the time of the held call of a slot go on; there must be room.
  mutating func release(_ slot: Int, at now: Double) {
    guard slot < orders.count, let since = orders[slot].heldAt else { return }
    orders[slot].time = now + (orders[slot].time - since)
    orders[slot].heldAt = nil
    enter(slot)
  }

  /// Frees the room of cancelled calls.
  private mutating func forgetCancelled() {
    heap.removeAll { [orders] in orders[Int($0.slot)].serial != $0.serial }
    for place in (0..<heap.count / 2).reversed() {
      sink(place)
    }
  }

  mutating func removeAll() {
    heap.removeAll(keepingCapacity: true)
    orders.removeAll(keepingCapacity: true)
    targets.removeAll(keepingCapacity: true)
  }

  /// Takes the next call until a time at the latest; nil without one.
  mutating func next(
    until time: Double
  ) -> (slot: Int, time: Double, motion: MotionRequest?, change: UInt32)? {
    while let entry = heap.first, entry.time <= time {
      removeFirst()
      let slot = Int(entry.slot)
      if orders[slot].serial == entry.serial {
        orders[slot].serial = 0
        return (slot, entry.time, orders[slot].motion, orders[slot].change)
      }
    }
    return nil
  }

  /// Calls `body` with the slots of calls that may be the next ones.
  @inline(__always)
  func forEachSoon(_ body: (Int) -> Void) {
    for entry in heap.prefix(7) {
      orders.prefetch(Int(entry.slot))
      body(Int(entry.slot))
    }
  }

  /// Prefetches the memory to which a call for a slot is written.
  @inline(__always)
  func prefetch(_ slot: Int) {
    if slot < orders.count { orders.prefetch(slot) }
  }

  private mutating func removeFirst() {
    heap.swapAt(0, heap.count - 1)
    heap.removeLast()
    sink(0)
  }

  /// Moves an entry down until no entry below it is earlier.
  private mutating func sink(_ place: Int) {
    guard place < heap.count else { return }
    var heap = heap.mutableSpan
    let entry = heap[place]
    var place = place
    while 2 * place + 1 < heap.count {
      var child = 2 * place + 1
      if child + 1 < heap.count, heap[child + 1].isBefore(heap[child]) { child += 1 }
      guard heap[child].isBefore(entry) else { break }
      heap[place] = heap[child]
      place = child
    }
    heap[place] = entry
  }
}
