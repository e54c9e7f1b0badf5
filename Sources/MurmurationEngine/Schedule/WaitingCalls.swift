// SPDX-License-Identifier: MIT
import Kernels

/// Calls that wait for their moment: at most one a track, as a newer call cancels it.
///
/// A timer wheel finds the tracks whose calls are due, as another one finds those with steps. They are served by
/// index, so that neighbours come together: no call depends on another track's.
struct WaitingCalls: ~Copyable {
  /// The waiting call of a track.
  struct Order {
    /// Whether it waits.
    var isWaiting = false
    /// The index of the motion in ``WaitingCalls/motions``; nil to keep the track's spring.
    var motion: UInt32?
    /// The number of the call.
    var change: UInt32 = 0
    /// The moment at which the call begins.
    var time = 0.0
    /// When it was held, as the track was paused; nil if it is not held.
    var heldAt: Double?
  }

  /// A motion, and the number of waiting calls that are to begin it. The tracks of one call share it.
  struct Shared {
    var motion: MotionRequest
    var users = 0
  }

  private let dimensions: Int
  private(set) var orders = OwnedColumn<Order>()
  private(set) var motions: [Shared] = []
  /// The indices of motions without users.
  private var free: [UInt32] = []
  /// The targets of each row, all dimensions side by side.
  private(set) var targets = OwnedColumn<Float>()
  var schedule = StepSchedule()
  /// The number of calls that wait.
  private(set) var count = 0
  /// The columns that calls need: the union over all calls since the last time without any.
  private(set) var columns: Engine.ColumnGroups = .springs

  init(dimensions: Int) { self.dimensions = dimensions }

  /// The lowest row of a range with a call that waits until a time at the latest, and the moment of the call.
  ///
  /// - Complexity: O(rows).
  func first(of rows: Range<Int>, until time: Double) -> (row: Int, time: Double)? {
    rows.clamped(to: orders.indices).first { isWaiting($0) && orders[$0].time <= time }.map { ($0, orders[$0].time) }
  }

  // MARK: - Calls

  /// Makes room for the calls of a number of rows.
  ///
  /// - Throws: ``BatchError/capacityExceeded(_:)`` if there is no memory; nothing changes then.
  mutating func makeRoom(for rows: Int) throws(BatchError) {
    guard rows > orders.count else { return }
    try BatchLimits.checkRoom(
      forRows: rows, beyond: orders.count,
      bytes: [MemoryLayout<Order>.stride, 4 * dimensions, StepSchedule.bytesOfTrack])
    orders.grow(to: rows, with: Order())
    targets.grow(to: rows * dimensions, with: 0)
    schedule.grow(to: rows)
  }

  /// Keeps a motion for calls that are added next, and returns its index; nil if tracks keep their springs.
  mutating func keep(_ motion: MotionRequest?) -> UInt32? {
    guard let motion else { return nil }
    guard let index = free.popLast() else {
      motions.append(Shared(motion: motion))
      return UInt32(motions.count - 1)
    }
    motions[Int(index)].motion = motion
    return index
  }

  /// Adds a call for the track of a row; there must be room.
  ///
  /// - Parameter motion: The index of its motion; nil to keep the track's spring.
  mutating func add(_ row: Int, at time: Double, _ motion: UInt32?, change: UInt32, target: (Int) -> Float) {
    cancel(row)
    orders[row] = Order(motion: motion, change: change, time: time)
    if let motion { motions[Int(motion)].users += 1 }
    for dimension in 0..<dimensions {
      targets[row * dimensions + dimension] = target(dimension)
    }
    enter(row)
  }

  /// Enters the order of a row, which waits from now on.
  private mutating func enter(_ row: Int) {
    if count == 0 { columns = [] }
    columns.formUnion(orders[row].motion.map { motions[Int($0)].motion.columns } ?? .springs)
    orders[row].isWaiting = true
    count += 1
    schedule.set(row, orders[row].time)
  }

  private mutating func leave(_ row: Int) {
    orders[row].isWaiting = false
    count -= 1
    schedule.set(row, .infinity)
  }

  /// Cancels the call of a row, if there is one.
  @inline(__always)
  mutating func cancel(_ row: Int) {
    if isWaiting(row) || isHeld(row) { end(row) }
  }

  /// Ends the call of a row, which waits or is held.
  private mutating func end(_ row: Int) {
    if orders[row].isWaiting { leave(row) }
    orders[row].heldAt = nil
    guard let motion = orders[row].motion else { return }
    motions[Int(motion)].users -= 1
    if motions[Int(motion)].users == 0 {
      motions[Int(motion)].motion = .jump
      free.append(motion)
    }
  }

  /// The motion of the call of a row; nil if the track keeps its spring.
  func motion(of row: Int) -> MotionRequest? { orders[row].motion.map { motions[Int($0)].motion } }

  /// Whether a call waits for the track of a row.
  func isWaiting(_ row: Int) -> Bool { row < orders.count && orders[row].isWaiting }

  /// Whether the call of a row is held.
  func isHeld(_ row: Int) -> Bool { row < orders.count && orders[row].heldAt != nil }

  /// Holds the call of a row, if there is one: its time stands still.
  mutating func hold(_ row: Int, at now: Double) {
    guard isWaiting(row) else { return }
    leave(row)
    orders[row].heldAt = now
  }

  /// Lets the time of the held call of a row go on.
  mutating func release(_ row: Int, at now: Double) {
    guard row < orders.count, let since = orders[row].heldAt else { return }
    orders[row].time = now + (orders[row].time - since)
    orders[row].heldAt = nil
    enter(row)
  }

  /// Cancels every call.
  mutating func removeAll() {
    for row in orders.indices { cancel(row) }
    orders.clear()
    motions.clear()
    free.clear()
    targets.clear()
  }

  // MARK: - A frame

  /// Finds the calls whose moment comes until a time.
  mutating func collectDue(until seconds: Double) {
    guard count > 0 else { return }
    let orders = orders.column
    schedule.collectDue(until: seconds, prefetch: { orders.prefetch($0) }, next: { orders[$0].time })
  }

  /// Takes the call of a row that was found.
  mutating func take(_ row: Int) -> Order {
    end(row)
    return orders[row]
  }

  /// Lets the calls that were found wait on: the clock stays.
  mutating func putBackDue(at now: Double) {
    let orders = orders.column
    schedule.putBackDue(at: now) { orders[$0].time }
  }

  /// Prefetches the call of a row.
  @inline(__always)
  func prefetch(_ row: Int) {
    guard row < orders.count else { return }
    orders.column.prefetch(row)
    targets.column.prefetch(row * dimensions)
  }
}
