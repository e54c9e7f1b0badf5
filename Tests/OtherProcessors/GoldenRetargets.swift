// SPDX-License-Identifier: MIT
import Kernels
@testable import Murmuration
@testable import MurmurationEngine

/// A spring and a target that a motion is given at a time.
private struct Event {
  static let numberCount = 4
  let time: Double
  let target: Float
  let coefficients: SpringCoefficients
  let frequency: Double

  init(_ numbers: UnsafePointer<Double>) {
    (time, target) = (numbers[0], Float(numbers[1]))
    coefficients = SpringCoefficients(accepted: Spring(duration: numbers[2], bounce: numbers[3]))
    frequency = 2 * Double.pi / numbers[2]
  }
}

/// A lane whose motion is evaluated, and begun anew, by kernels alone.
private struct Lane {
  private let columns = emptySprings(laneCountOfTile, dimensions: 1)
  private let run = LaneRun(firstLane: 0, laneCount: laneCountOfTile)

  /// A lane that shows a value and a velocity.
  init(value: Double, velocity: Double) { (columns.value[0], columns.velocity[0]) = (Float(value), Float(velocity)) }

  /// Evaluates the lane at a time.
  func show(at time: Double) -> (value: Float, velocity: Float) {
    kernels.evaluateMixed(columns, run, time, true)
    return (columns.value[0], columns.velocity[0])
  }

  /// Starts a motion from what the lane shows.
  mutating func start(_ event: Event) {
    columns.rate[0] = event.coefficients.rate
    columns.decay[0] = event.coefficients.decay
    let targets = zeroed(laneCountOfTile, of: Float.self)
    targets[0] = event.target
    kernels.restartMixed(columns, run, event.time, targets.constant, laneCountOfTile)
  }
}

/// A chain of retargets: the first state, events of time, target, duration and bounce, and samples of time, value and velocity.
///
/// Each retarget adds at most one error of the motion that it ends, which later motions carry on.
@_cdecl("golden_retargets")
public func goldenRetargets(
  _ initial: UnsafePointer<Double>, _ eventNumbers: UnsafePointer<Double>, _ eventCount: Int,
  _ samples: UnsafePointer<Double>, _ count: Int, _ worst: UnsafeMutablePointer<Double>
) -> UInt64 {
  let events = (0..<eventCount / Event.numberCount).map { Event(eventNumbers + Event.numberCount * $0) }
  var (slowest, fastest, scale) = (events[0].frequency, events[0].frequency, 0.0)
  var lane = Lane(value: initial[0], velocity: initial[1])
  lane.start(events[0])
  var (next, tally) = (1, GoldenTally())
  for index in 0..<count / 3 {
    let sample = samples + 3 * index
    while next < events.count, events[next].time < sample[0] {
      _ = lane.show(at: events[next].time)
      lane.start(events[next])
      slowest = min(slowest, events[next].frequency)
      fastest = max(fastest, events[next].frequency)
      next += 1
    }
    scale = max(scale, sample[1].magnitude + 100, sample[2].magnitude / slowest)
    let bound = 8 * 0x1p-24 * scale * Double(events.count + 1)
    let (value, velocity) = lane.show(at: sample[0])
    tally.add(
      value: value, velocity: velocity, expected: (sample[1], sample[2]), bound: (bound, bound * fastest))
  }
  return tally.report(to: worst)
}
