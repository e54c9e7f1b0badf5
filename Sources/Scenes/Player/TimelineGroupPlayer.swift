// SPDX-License-Identifier: MIT
import Murmuration

/// Plays a group of keyframe timelines through the scalar model, one track after another.
struct TimelineGroupPlayer {
  private let timelines: [KeyframeTimeline<Double>]
  /// The seconds after which every timeline stands still.
  private let duration: Double
  private let repeatEvery: Double?
  private let starts: [Double]
  /// The columns of the current frame, one a component.
  private(set) var columns: [[Float]]

  var count: Int { starts.count }

  init(_ group: TimelineGroup, index: Int, count: Int, scene: Scene) {
    timelines = group.timelines.map(\.timeline)
    duration = timelines.map(\.duration).max() ?? 0
    repeatEvery = group.repeatEvery
    starts = group.stagger.starts(
      count: count, random: SceneRandom(seed: scene.seed, purpose: .stagger, group: index))
    columns = timelines.map { [Float](repeating: Float($0.value(time: 0)), count: count) }
  }

  /// Evaluates all tracks at `time`.
  mutating func advance(to time: Double) {
    // Before its start and after its end a track stands still, which is most of a staggered scene.
    let first = timelines.map { Float($0.value(time: 0)) }
    let last = timelines.map { Float($0.value(time: duration)) }
    for track in starts.indices {
      let local = localTime(of: track, at: time)
      for component in timelines.indices {
        columns[component][track] =
          local <= 0
          ? first[component]
          : local >= duration ? last[component] : Float(timelines[component].value(time: local))
      }
    }
  }

  /// The time in the timelines of `track` at `time` of the scene.
  private func localTime(of track: Int, at time: Double) -> Double {
    let since = time - starts[track]
    guard let repeatEvery, since > 0 else { return since }
    return since.truncatingRemainder(dividingBy: repeatEvery)
  }
}
