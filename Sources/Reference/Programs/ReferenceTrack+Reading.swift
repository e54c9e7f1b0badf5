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
  ///
  /// - Parameter moves: Whether the batch is known not to have the track at rest.
  package func sample(_ dimension: Int, at now: Double, moves: Bool = false) -> MotionSample {
    let time = max(clock.time(at: now), changedAt)
    if moves, !clock.isPaused, case .spring(let motion) = motion { return motion.sample(dimension, at: time) }
    var sample = sample(dimension, localTime: time)
    if case .sum = motion, time == changedAt, let shownBefore { sample.allow(shownBefore[dimension]) }
    return clock.isPaused ? sample.standing : sample
  }

  /// Whether a motion was added to what the track did at this very time of the clock.
  func isJoined(at now: Double) -> Bool {
    if case .sum = motion { clock.time(at: now) == changedAt } else { false }
  }

  func sample(_ dimension: Int, localTime time: Double) -> MotionSample {
    switch motion {
    case .still(let samples): samples[dimension]
    case .spring(let motion): motion.sample(dimension, at: time, rules.restTolerance)
    case .slide(let motion): slide(motion, dimension, at: time)
    case .sum(let motion): motion.sample(dimension, at: time)
    case .clip(let motion): motion.sample(dimension, at: time)
    }
  }

  /// A slide that a batch may have at rest.
  private func slide(_ motion: SlideMotion, _ dimension: Int, at time: Double) -> MotionSample {
    var sample = motion.sample(dimension, at: time)
    if time >= motion.earliestRest(rules.restTolerance) { sample.allow(motion.end(dimension)) }
    return sample
  }

  /// How far a batch is from the track in its worst dimension.
  package func excess(values: [Float], velocities: [Float]?, at now: Double, moves: Bool = false) -> Excess {
    var worst = Excess()
    for dimension in 0..<dimensions {
      let sample = sample(dimension, at: now, moves: moves)
      worst.merge(Excess(value: values[dimension], velocity: velocities?[dimension], of: sample))
    }
    return worst
  }
}
