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

  /// The state of a dimension at a time of the clock.
  package func sample(_ dimension: Int, at now: Double) -> MotionSample {
    let time = max(clock.time(at: now), changedAt)
    var sample = sample(dimension, localTime: time)
    if time == changedAt, let shownBefore { sample.allow(shownBefore[dimension]) }
    if isUndecided { sample.bound = ErrorBound(value: .infinity, velocity: .infinity) }
    return clock.isPaused ? sample.standing : sample
  }

  func sample(_ dimension: Int, localTime time: Double) -> MotionSample {
    switch motion {
    case .still(let samples): samples[dimension]
    case .spring(let motion): motion.sample(dimension, at: time, restTolerance)
    case .slide(let motion): slide(motion, dimension, at: time)
    case .sum(let motion): motion.sample(dimension, at: time)
    case .clip(let motion): motion.sample(dimension, at: time)
    }
  }

  /// A slide that a batch may have at rest.
  private func slide(_ motion: SlideMotion, _ dimension: Int, at time: Double) -> MotionSample {
    var sample = motion.sample(dimension, at: time)
    if time >= motion.earliestRest(restTolerance) { sample.allow(motion.end(dimension)) }
    return sample
  }

  /// How far a batch is from the track in its worst dimension.
  package func excess(values: [Float], velocities: [Float]?, at now: Double) -> Excess {
    var worst = Excess()
    for dimension in 0..<dimensions {
      worst.merge(
        Excess(value: values[dimension], velocity: velocities?[dimension], of: sample(dimension, at: now)))
    }
    return worst
  }

  /// Whether a batch may have the track at rest at its target.
  package func mayRest(at now: Double) -> Bool { standing(localTime: clock.time(at: now)) != .moves }
}
