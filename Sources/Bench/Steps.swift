// SPDX-License-Identifier: MIT
import Murmuration

/// A batch that closures share, since it cannot be copied.
final class SharedBatch<Value: TrackValue> {
  var batch: AnimationBatch<Value>
  init(_ batch: consuming AnimationBatch<Value>) { self.batch = batch }

  /// Lends the batch to a loop of calls, as if it were a variable of the loop. Each access to a property of a class is
  /// checked, which takes 7 ns (Zen 5).
  func lend(_ body: (inout AnimationBatch<Value>) throws -> Void) rethrows { try body(&batch) }
}

/// Work in each round of a measurement. A step with a name is timed, and is a row of the report.
struct Step {
  let name: String?
  /// The number of tracks that it is about; nil for all.
  let called: Int?
  /// The step runs in the last of each `period` rounds only.
  let period: Int
  let work: (_ round: Int) throws -> Void

  init(
    _ name: String? = nil, called: Int? = nil, every period: Int = 1, _ work: @escaping (_ round: Int) throws -> Void
  ) {
    (self.name, self.called, self.period, self.work) = (name, called, period, work)
  }
}

/// The time of the calls of one row.
struct Timing {
  let name: String
  let tracks: Int
  let called: Int
  /// The nanoseconds of each call.
  var nanoseconds: [Double] = []

  var total: Double { nanoseconds.reduce(0, +) }
  var best: Double { nanoseconds.min() ?? .nan }
  var median: Double { nanoseconds.isEmpty ? .nan : nanoseconds.sorted()[nanoseconds.count / 2] }

  /// The row of these calls.
  func row(ratio: Double? = nil) -> OperationResult {
    OperationResult(name, tracks: tracks, called: called, nanoseconds, ratio: ratio)
  }

  /// The row of these calls beside a copy of some bytes, and a row of the copy. The ratio is the time of the fastest
  /// copy divided by that of the fastest call.
  func rows(besideCopyOf bytes: Int) -> [OperationResult] {
    let copy = CopyYardstick.nanosecondsPerByte(movingBytes: bytes) * Double(bytes)
    return [
      row(ratio: copy / best), OperationResult("\(name).copy", tracks: tracks, called: called, [copy]),
    ]
  }
}

/// A measurement: steps that run one after the other, round after round.
struct Rounds {
  /// The number of tracks in each batch.
  let tracks: Int
  let count: Int
  /// The number of rounds before those that count.
  var warmUp = 0
  /// The number of times that a step runs in a round: small batches run many times, as the clock of the processor is
  /// coarse.
  var repetitions = 1

  /// Runs the steps, and returns the timings of those with a name.
  func time(_ steps: [Step]) throws -> [Timing] {
    var timings = steps.map { step in
      step.name.map { Timing(name: $0, tracks: tracks, called: step.called ?? tracks) }
    }
    for round in 0..<warmUp + count {
      for (place, step) in steps.enumerated() where (round + 1) % step.period == 0 {
        let taken = try nanoseconds { for _ in 0..<repetitions { try step.work(round) } }
        if round >= warmUp { timings[place]?.nanoseconds.append(taken / Double(repetitions)) }
      }
    }
    return timings.compactMap { $0 }
  }

  /// Runs the steps, and returns a row for each that has a name.
  func rows(_ steps: [Step]) throws -> [OperationResult] { try time(steps).map { $0.row() } }
}

/// The time of some work, in nanoseconds.
func nanoseconds<Failure: Error>(_ work: () throws(Failure) -> Void) throws(Failure) -> Double {
  let start = ContinuousClock.now
  try work()
  let duration = ContinuousClock.now - start
  return Double(duration.components.seconds) * 1e9 + Double(duration.components.attoseconds) * 1e-9
}
