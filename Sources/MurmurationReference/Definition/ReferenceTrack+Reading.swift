// SPDX-License-Identifier: MIT
import Murmuration

// What the track shows.
extension ReferenceTrack {
  /// The track in a few words, for reports.
  package func summary(at now: Double) -> String {
    let kind =
      switch motion {
      case .still: "still"
      case .spring(let motion): "spring \(motion.spring.duration) s bounce \(motion.spring.bounce)"
      case .slide(let motion): "slide \(motion.deceleration.rate)"
      case .sum: "sum"
      case .clip(let motion): "clip of \(motion.content.duration) s"
      }
    return "\(kind), change \(change) \(clock.time(at: now) - changedAt) s ago, to \(target)"
      + (phase.map { ", phase \($0)" } ?? "") + (isPaused ? ", paused" : "")
  }

  /// The state at a time of the clock, by dimension.
  package func samples(at now: Double) -> [MotionSample] {
    let time = max(clock.time(at: now), changedAt)
    var samples = samples(localTime: time)
    for dimension in samples.indices {
      if let found, found.time == time { samples[dimension].allow(found.state[dimension]) }
      if clock.isPaused, !isUndecided { samples[dimension] = samples[dimension].standing }
    }
    return samples
  }

  /// The state of a dimension at a time of the clock.
  package func sample(_ dimension: Int, at now: Double) -> MotionSample { samples(at: now)[dimension] }

  func samples(localTime time: Double) -> [MotionSample] {
    guard !isUndecided else { return moving(at: time).map(\.undecided) }
    return moving(at: time)
  }

  private func moving(at time: Double) -> [MotionSample] {
    switch motion {
    case .still(let samples): samples
    case .spring(let motion): motion.samples(at: time, restTolerance)
    case .slide(let motion):
      motion.samples(at: time).enumerated().map { dimension, sample in
        var sample = sample
        // A batch may have it at rest.
        if time >= motion.earliestRest(restTolerance) { sample.allow(motion.end(dimension)) }
        return sample
      }
    case .sum(let motion): motion.samples(at: time)
    case .clip(let motion): motion.samples(at: time)
    }
  }

  /// How far a batch is from the track in its worst dimension.
  package func excess(values: [Float], velocities: [Float]?, at now: Double) -> Excess {
    var worst = Excess()
    for (dimension, sample) in samples(at: now).enumerated() {
      worst.merge(Excess(value: values[dimension], velocity: velocities?[dimension], of: sample))
    }
    return worst
  }

  /// Whether a batch may have the track at rest at its target.
  package func mayRest(at now: Double) -> Bool { rested || standing(localTime: clock.time(at: now)) != .moves }
}
