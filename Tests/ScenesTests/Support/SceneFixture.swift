// SPDX-License-Identifier: MIT
@testable import Formats
@testable import Scenes

/// A scene of springs that uses every way to move targets, small enough to be played many times.
enum SceneFixture {
  static func scene(framesPerSecond: Double = 60, seed: UInt64 = 9, dimensions: Int = 2) -> Scene {
    let shared = SpringChoice.drawn(SpringRanges(duration: 0.5...0.5, bounce: 0.25...0.25))
    let drawn = SpringChoice.drawn(SpringRanges(duration: 0.2...0.9, bounce: -0.5...0.8))
    let events = [
      SceneEvent(at: 0, target: Layout(.line, size: [9])),
      SceneEvent(at: 0.3217, target: Layout(.cloud, size: [20]), waves: SceneEvent.Waves(count: 5, over: 0.2)),
      SceneEvent(at: 0.7, target: Layout(.box, size: [5]), springs: drawn),
      SceneEvent(at: 0.7, target: Layout(.line, size: [7]), springs: .shared(smooth)),
      SceneEvent(at: 0.93, target: Layout(.point)),
    ]
    let start = Layout(.box, size: [30])
    let wander = Wander(every: 0.21, waves: 3, reach: 40, pace: 0.7, around: start)
    let groups: [SpringGroup] = [
      SpringGroup(springs: shared, start: start, course: .events(events)),
      SpringGroup(
        springs: .shared(smooth), start: start, velocity: [Double](repeating: 3, count: dimensions),
        course: .events(events)),
      SpringGroup(springs: drawn, start: start, course: .wander(wander)),
    ]
    return Scene(
      name: "fixture", dimensions: dimensions, framesPerSecond: framesPerSecond, duration: 1.25, seed: seed,
      groups: groups.map { SceneGroup(count: 37, motion: .springs($0)) })
  }

  /// A scene of one group that follows `recording`.
  static func following(_ recording: Recording, count: Int, dimensions: Int = 1, scale: Double = 1) throws
    -> PlayableScene
  {
    let springs = SpringChoice.drawn(SpringRanges(duration: 0.1...0.8, bounce: -0.3...0.6))
    let group = SpringGroup(springs: springs, course: .follow(Follow(file: "data", framesPerSecond: 24, scale: scale)))
    let scene = Scene(
      name: "follow", dimensions: dimensions, framesPerSecond: 60, duration: Double(recording.frames) / 24,
      groups: [SceneGroup(count: count, motion: .springs(group))])
    return try PlayableScene(scene, recordings: [recording])
  }

  private static let smooth: SpringDescription = {
    guard let spring = try? SpringDescription(duration: 0.4, bounce: 0) else { preconditionFailure("a valid spring") }
    return spring
  }()

  /// The bits of every value and velocity at the given frames.
  static func bits(_ playable: PlayableScene, frames: some Sequence<Int>) throws -> [[UInt32]] {
    var player = try ScenePlayer(playable)
    var result: [[UInt32]] = []
    for frame in frames {
      try player.advance(toFrame: frame)
      var bits: [UInt32] = []
      for group in playable.scene.groups.indices {
        for component in 0..<playable.scene.dimensions {
          bits += try player.column(component, group: group).map(\.bitPattern)
          bits += try player.velocities(component, group: group).map(\.bitPattern)
        }
      }
      result.append(bits)
    }
    return result
  }
}
