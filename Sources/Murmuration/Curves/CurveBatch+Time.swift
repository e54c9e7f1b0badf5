// SPDX-License-Identifier: MIT
import Kernels

extension CurveBatch {
  /// Evaluates every track at a time, and reports what was completed on the way.
  ///
  /// The clock may be set to any time from the latest change on, forwards or back. Going back, tracks that were at rest move
  /// again; what was reported is not reported again. A track that a `CustomAnimation` has brought to rest stays there, and one
  /// that steps from frame to frame does not go back.
  ///
  /// - Parameter seconds: Absolute time, within ±``BatchLimits/maximumTime``.
  /// - Throws: ``BatchError/invalidTime(_:)`` or ``BatchError/timeBeforeStart(time:start:)``.
  /// - Complexity: O(moving tracks), and O(tiles) if tiles came to rest or began to move since the last call.
  public mutating func advance(to seconds: Double) throws(BatchError) {
    try check(time: seconds)
    advance(toChecked: seconds)
  }

  /// Evaluates every track at a time that ``advance(to:)`` accepts; otherwise as that.
  mutating func advance(toChecked seconds: Double) {
    evaluate(at: seconds)
    clock.forgetLoss()
  }

  /// Moves the clock by a number of seconds. The clock sums with compensation, so that many small steps lose nothing.
  ///
  /// - Throws: As ``advance(to:)``.
  public mutating func advance(by seconds: Double) throws(BatchError) {
    let next = try clock.after(seconds)
    try check(time: next.time)
    evaluate(at: next.time)
    clock = next
  }

  private mutating func evaluate(at seconds: Double) {
    logicallyComplete.removeAll(keepingCapacity: true)
    settled.removeAll(keepingCapacity: true)
    let goesBack = seconds < time
    clock.time = seconds
    if goesBack {
      schedule.turnBack(to: time)
      called.merge(finishedCalls) { $1 }
      finishedCalls.removeAll()
      for slot in 0..<slots.count where slots.isLive(slot) && !tracks[slot].isPaused {
        if tracks[slot].lastSpan != nil || called[slot] != nil {
          follow(slot)
        }
      }
    }
    schedule.collect(
      until: time, prefetch: { [looks] in looks.prefetch($0) }, next: { [looks] in looks[$0] }, into: &due)
    due.putInOrder()
    for index in 0..<due.count {
      if index + Self.lead < due.count { prefetch(slot: due[index + Self.lead]) }
      look(at: due[index])
    }
    callAnimations()
    evaluateSingles()
    runKernels(velocities: computesVelocities)
    velocitiesAreStale = !computesVelocities
  }

  /// Lets the time pass for tracks whose animation is called, and reports what they complete.
  private mutating func callAnimations() {
    guard !called.isEmpty else { return }
    for slot in called.keys.sorted() where !tracks[slot].isPaused && tracks[slot].kind == .called {
      let moment = time
      called[slot]?.advance(to: moment)
      let isFinished = called[slot]?.isFinished(at: moment) ?? true
      if !tracks[slot].reportedLogical, isFinished || time >= tracks[slot].logicalEnd {
        tracks[slot].reportedLogical = true
        logicallyComplete.append(slots.handle(ofSlot: slot))
      }
      if isFinished {
        if !tracks[slot].reportedSettled {
          settled.append(slots.handle(ofSlot: slot))
        }
        let ended = called[slot]
        rest(slot)
        if let ended, ended.isPure {
          finishedCalls[slot] = ended
        }
      }
    }
  }

  private mutating func evaluateSingles() {
    let columns = storage.columns
    for index in singles.indices {
      let slot = Int(singles[index])
      evaluate(slot, at: time)
      let row = slots.row(of: slot)
      for dimension in 0..<dimensions {
        let element = dimension * columns.dimensionStride + row
        unsafe columns.value[element] = Float(shown[dimension])
        unsafe columns.velocity[element] = Self.velocity(shownVelocities[dimension])
      }
    }
  }

  /// A velocity as columns have it: never beyond what a spring may start with.
  static func velocity(_ velocity: Double) -> Float {
    let largest = Double(AmplitudeRule.largestVelocity)
    return Float(max(-largest, min(largest, velocity))) + 0
  }

  /// Threads that ``advance(to:)`` may use for tracks that follow one curve, the caller's included: 1…64, others are taken
  /// for the nearest. Default 1: no thread is started unasked.
  ///
  /// The bits do not depend on it. A frame too short to gain from it is evaluated by the caller alone.
  public var threadCount: Int {
    get { workers?.count ?? 1 }
    set {
      let count = min(max(1, newValue), 64)
      if count != threadCount {
        workers = count > 1 ? WorkerPool(count: count) : nil
      }
    }
  }

  /// Runs the kernels of the last frame again, and nothing else: what a benchmark compares a whole frame with.
  package mutating func runKernels() { runKernels(velocities: computesVelocities) }

  private mutating func runKernels(velocities: Bool) {
    if tiles.hasChanged {
      tiles.collectRuns(into: &runs, &ends)
      tiles.hasChanged = false
    }
    guard let tileCount = ends.last else { return }
    let isParallel = tileCount * dimensions >= ClipFrame.parallelTiles
    unsafe runs.withUnsafeBufferPointer { runs in
      unsafe ends.withUnsafeBufferPointer { ends in
        unsafe tables.lent.withUnsafeBufferPointer { tables in
          let frame = unsafe ClipFrame(
            kernel: table.evaluateClips, columns: storage.columns, runs: runs, ends: ends,
            tables: tables.baseAddress.unsafelyUnwrapped, time: time, velocities: velocities)
          frame.evaluate(with: isParallel ? workers : nil)
        }
      }
    }
  }

  /// Computes the velocities of the current time, where ``computesVelocities`` left them out.
  public mutating func refreshVelocities() {
    if velocitiesAreStale {
      runKernels(velocities: true)
      velocitiesAreStale = false
    }
  }
}
