// SPDX-License-Identifier: MIT
import Murmuration

/// The work of a run's batches and the time that it took, measured around the calls of a batch alone.
package struct KernelClock: Equatable, Sendable {
  /// The seconds spent in `advance`.
  package private(set) var seconds = 0.0
  /// The number of track evaluations: for each advance, the tracks of its batch, asleep or not.
  package private(set) var evaluations = 0
  /// The number of these evaluations for which the track was in motion.
  package private(set) var awake = 0
  /// The number of bytes that the kernels had to read and write for the evaluations.
  package private(set) var bytes = 0

  /// The seconds spent in changes: retargets, births and deaths.
  package private(set) var changeSeconds = 0.0
  /// The number of new targets.
  package private(set) var retargets = 0
  /// The number of tracks that were added after the start.
  package private(set) var births = 0
  /// The number of tracks that were removed.
  package private(set) var deaths = 0

  /// The number of events of logical completion.
  package private(set) var completions = 0
  /// The number of events of rest.
  package private(set) var rests = 0

  /// A clock that has measured nothing.
  package init() {}

  /// A change of a batch.
  enum Change { case retarget, birth, death }

  /// Advances a batch of which `awake` tracks are in motion, and adds the time that it took.
  mutating func advance(
    _ batch: inout AnimationBatch<Components>, to time: Double, awake: Int
  ) throws(BatchError) {
    let start = ContinuousClock.now
    try batch.advance(to: time, velocities: true)
    seconds += KernelClock.seconds(since: start)
    evaluations += batch.count
    self.awake += awake
    bytes += batch.bytesPerFrame
    for event in batch.events {
      if event.kind == .settled { rests += 1 } else { completions += 1 }
    }
  }

  /// Adds the time of a change of `count` tracks.
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
    (ContinuousClock.now - start).seconds
  }

  /// The sum of two clocks' measurements.
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
