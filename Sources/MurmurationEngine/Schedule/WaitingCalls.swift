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
  var motions: [Shared] = []
  /// The indices of motions without users.
  private var free: [UInt32] = []
  /// The targets of each track, all dimensions side by side.
  private(set) var targets = OwnedColumn<Float>()
  var schedule = StepSchedule()
  /// The number of calls that wait.
  private(set) var count = 0
  /// The columns that calls need: the union over all calls since the last time without any.
  private(set) var columns: Engine.ColumnGroups = .springs

  init(dimensions: Int) { self.dimensions = dimensions }

  /// The lowest index of a range with a call that waits until a time at the latest, and the moment of the call.
  ///
  /// - Complexity: O(indices).
  func first(of indices: Range<Int>, until time: Double) -> (index: Int, time: Double)? {
    indices.clamped(to: orders.indices).first { isWaiting($0) && orders[$0].time <= time }.map { ($0, orders[$0].time) }
  }

  /// Bytes for all indices.
  var byteCount: Int { orders.count * (MemoryLayout<Order>.stride + 4 * dimensions + StepSchedule.bytesOfTrack) }

  mutating func code(_ coder: inout StateCoder) {
    orders.code(&coder)
    coder.code(&free)
    targets.code(&coder)
    schedule.code(&coder)
    coder.code(&count)
    coder.code(&columns)
  }

  // MARK: - Calls

  /// Makes room for the calls of a number of indices.
  ///
  /// - Throws: ``BatchError/capacityExceeded(_:)`` if there is no memory; nothing changes then.
  mutating func makeRoom(for indexCount: Int) throws(BatchError) {
    guard indexCount > orders.count else { return }
    try BatchLimits.checkRoom(
      forIndices: indexCount, beyond: orders.count,
      bytes: [MemoryLayout<Order>.stride, 4 * dimensions, StepSchedule.bytesOfTrack])
    orders.grow(to: indexCount, with: Order())
    targets.grow(to: indexCount * dimensions, with: 0)
    schedule.grow(to: indexCount)
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

  /// Adds a call for a track; there must be room.
  ///
  /// - Parameter motion: The index of its motion; nil to keep the track's spring.
  mutating func add(_ index: Int, at time: Double, _ motion: UInt32?, change: UInt32, target: (Int) -> Float) {
    cancel(index)
    orders[index] = Order(motion: motion, change: change, time: time)
    if let motion { motions[Int(motion)].users += 1 }
    for dimension in 0..<dimensions {
      targets[index * dimensions + dimension] = target(dimension)
    }
    enter(index)
  }

  /// Enters the order of a track, which waits from now on.
  private mutating func enter(_ index: Int) {
    if count == 0 { columns = [] }
    columns.formUnion(orders[index].motion.map { motions[Int($0)].motion.columns } ?? .springs)
    orders[index].isWaiting = true
    count += 1
    schedule.set(index, orders[index].time)
  }

  private mutating func leave(_ index: Int) {
    orders[index].isWaiting = false
    count -= 1
    schedule.set(index, .infinity)
  }

  /// Cancels the call of a track, if there is one.
  @inline(__always)
  mutating func cancel(_ index: Int) {
    if isWaiting(index) || isHeld(index) { end(index) }
  }

  /// Ends the call of a track, which waits or is held.
  private mutating func end(_ index: Int) {
    if orders[index].isWaiting { leave(index) }
    orders[index].heldAt = nil
    guard let motion = orders[index].motion else { return }
    motions[Int(motion)].users -= 1
    if motions[Int(motion)].users == 0 {
      motions[Int(motion)].motion = .jump
      free.append(motion)
    }
  }

  /// The motion of the call of a track; nil if the track keeps its spring.
  func motion(of index: Int) -> MotionRequest? { orders[index].motion.map { motions[Int($0)].motion } }

  /// Whether a call waits for a track.
  func isWaiting(_ index: Int) -> Bool { index < orders.count && orders[index].isWaiting }

  /// Whether the call of a track is held.
  func isHeld(_ index: Int) -> Bool { index < orders.count && orders[index].heldAt != nil }

  /// Whether the call of a change waits for a track, or is held.
  func hasCall(of index: Int, _ change: UInt32) -> Bool {
    (isWaiting(index) || isHeld(index)) && orders[index].change == change
  }

  /// Holds the call of a track, if there is one: its time stands still.
  mutating func hold(_ index: Int, at now: Double) {
    guard isWaiting(index) else { return }
    leave(index)
    orders[index].heldAt = now
  }

  /// Lets the time of the held call of a track go on.
  mutating func release(_ index: Int, at now: Double) {
    guard index < orders.count, let since = orders[index].heldAt else { return }
    orders[index].time = now + (orders[index].time - since)
    orders[index].heldAt = nil
    enter(index)
  }

  /// Cancels every call.
  mutating func removeAll() {
    for index in orders.indices { cancel(index) }
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

  /// Takes the call of a track that was found.
  mutating func take(_ index: Int) -> Order {
    end(index)
    return orders[index]
  }

  /// Lets the calls that were found wait on: the clock stays.
  mutating func putBackDue(at now: Double) {
    let orders = orders.column
    schedule.putBackDue(at: now) { orders[$0].time }
  }

  /// Prefetches the call of a track.
  @inline(__always)
  func prefetch(_ index: Int) {
    guard index < orders.count else { return }
    orders.column.prefetch(index)
    targets.column.prefetch(index * dimensions)
  }
}
