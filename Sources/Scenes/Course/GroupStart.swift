// SPDX-License-Identifier: MIT
import Murmuration

/// How the tracks of a spring group begin.
struct GroupStart {
  /// Places, which are the first targets too: component-major.
  var values: [Float]
  /// The velocity of every track, a number a dimension.
  var velocity: [Float]
  /// The springs.
  var springs: Springs

  /// One spring for all, or one a track.
  enum Springs {
    case shared(Spring)
    case each([Spring])
  }

  /// Lays out group number `index` of `scene`.
  init(_ group: SpringGroup, index: Int, count: Int, scene: Scene, recording: Recording?) {
    let dimensions = scene.dimensions
    let random = SceneRandom(seed: scene.seed, purpose: .start, group: index)
    if let start = group.start {
      values = start.points(count: count, dimensions: dimensions, random: random)
    } else if case .follow(let follow) = group.course, let recording {
      values = follow.targets(recording, frame: 0, count: count, dimensions: dimensions)
    } else {
      values = [Float](repeating: 0, count: count * dimensions)
    }
    velocity = group.velocity.isEmpty ? [] : group.velocity.map { Float($0) }
    switch group.springs.drawn(count: count, seed: scene.seed, group: index, event: 0) {
    case .shared(let spring): springs = .shared(spring)
    case .each(let each): springs = .each(each)
    case .keep: springs = .shared(Spring())
    }
  }
}

extension SpringChoice {
  /// The springs of `count` tracks. The first `n` are the same for any count from `n` on.
  func drawn(count: Int, seed: UInt64, group: Int, event: Int) -> TargetChange.Springs {
    switch self {
    case .shared(let description): return .shared(description.spring)
    case .drawn(let ranges):
      var random = SceneRandom(seed: seed, purpose: .springs, group: group, event: event)
      return .each((0..<count).map { _ in ranges.draw(using: &random) })
    }
  }
}

extension Follow {
  /// The targets that `frame` of `recording` gives: component-major.
  func targets(_ recording: Recording, frame: Int, count: Int, dimensions: Int) -> [Float] {
    var targets = [Float](repeating: 0, count: count * dimensions)
    for component in 0..<dimensions {
      var channel = component % recording.channels
      let step = dimensions % recording.channels
      for track in 0..<count {
        // Scaled in Double, so that a scale of 1 changes no bit.
        targets[component * count + track] = Float(Double(recording.value(frame: frame, channel: channel)) * scale)
        channel += step
        if channel >= recording.channels { channel -= recording.channels }
      }
    }
    return targets
  }
}
