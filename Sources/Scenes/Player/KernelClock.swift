// SPDX-License-Identifier: MIT
import Murmuration

/// What the batches of a run did, and how long it took: measured around the calls of a batch alone.
package struct KernelClock: Equatable, Sendable {
  /// The seconds spent in `advance`.
  package private(set) var seconds = 0.0
  /// The track evaluations done in them: for each advance, the tracks of its batch, asleep or not.
  package private(set) var evaluations = 0
  /// Those of them for which the track was in motion.
  package private(set) var awake = 0
  /// The bytes that the kernels had to read and write in them.
  package private(set) var bytes = 0

  /// The seconds spent in changes: retargets, births and deaths.
  package private(set) var changeSeconds = 0.0
  /// The tracks that got new targets.
  package private(set) var retargets = 0
  /// The tracks that were added after the start.
  package private(set) var births = 0
  /// The tracks that were removed.
  package private(set) var deaths = 0

  /// The reports that a motion is logically complete.
  package private(set) var completions = 0
  /// The reports that a track came to rest.
  package private(set) var rests = 0

  /// A clock that has measured nothing.
  package init() {}

  /// What changes a batch.
  enum Change { case retarget, birth, death }

  /// Advances a batch, of whose tracks so many are in motion, and adds what it took.
  mutating func advance(_ batch: inout SpringBatch, to time: Double, awake: Int) throws(BatchError) {
    let start = ContinuousClock.now
    try batch.advance(to: time)
    seconds += KernelClock.seconds(since: start)
    evaluations += batch.count
    self.awake += awake
    bytes += batch.bytesPerFrame
    completions += batch.logicallyComplete.count
    rests += batch.settled.count
  }

  /// Adds what a change of so many tracks takes.
  mutating func measure(
    _ change: Change, tracks: Int, _ body: () throws(BatchError) -> Void
  ) throws(BatchError) {
    let start = ContinuousClock.now
    try body()
    changeSeconds += KernelClock.seconds(since: start)
    switch change {
    case .retarget: retargets += tracks
    case .birth: births += tracks
    case .death: deaths += tracks
    }
  }

  private static func seconds(since start: ContinuousClock.Instant) -> Double {
    let (whole, atto) = (ContinuousClock.now - start).components
    return Double(whole) + Double(atto) * 1e-18
  }

  /// This clock's and another's measurements together.
  static func + (left: KernelClock, right: KernelClock) -> KernelClock {
    var sum = left
    sum.seconds += right.seconds
    sum.evaluations += right.evaluations
    sum.awake += right.awake
    sum.bytes += right.bytes
    sum.changeSeconds += right.changeSeconds
    sum.retargets += right.retargets
    sum.births += right.births
    sum.deaths += right.deaths
    sum.completions += right.completions
    sum.rests += right.rests
    return sum
  }
}
