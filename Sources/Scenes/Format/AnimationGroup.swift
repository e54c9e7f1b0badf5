// SPDX-License-Identifier: MIT
package import Formats
import Murmuration
import Text

/// Tracks that events send to targets with animations: curves, springs, and these repeated, delayed and at other speeds.
package struct AnimationGroup: Equatable, Sendable {
  /// The animation of events that have none of their own.
  package var animation: AnimationChoice
  /// When each track sets out at an event that has no stagger of its own.
  package var stagger: StaggerDescription
  /// The positions where the tracks start; nil for the origin.
  package var start: Layout?
  /// The events, in the order of their times.
  package var events: [Event]

  /// New targets for all tracks.
  package struct Event: Equatable, Sendable, Decodable {
    /// The time in seconds; delays count from it.
    package var time: Double
    /// The targets.
    package var target: Layout
    /// The animation; nil for the group's.
    package var animation: AnimationChoice?
    /// When each track sets out; nil for the group's.
    package var stagger: StaggerDescription?

    /// The keys of an event.
    package enum Key: String, CodingKey, CaseIterable { case at, target, animation, stagger }

    /// An event put together in code.
    package init(
      at time: Double, target: Layout, animation: AnimationChoice? = nil, stagger: StaggerDescription? = nil
    ) {
      (self.time, self.target, self.animation, self.stagger) = (time, target, animation, stagger)
    }

    /// Reads an event, strictly.
    package init(from decoder: any Decoder) throws(DescriptionError) {
      let fields = try StrictFields<Key>(decoder)
      time = try fields.number(.at, .sceneTime)
      target = try fields.value(.target)
      animation = try fields.optional(.animation)
      stagger = try fields.optional(.stagger)
    }
  }

  /// A group put together in code.
  package init(
    _ animation: AnimationChoice, stagger: StaggerDescription = StaggerDescription(), start: Layout? = nil,
    events: [Event] = []
  ) {
    (self.animation, self.stagger, self.start, self.events) = (animation, stagger, start, events)
  }

  init(_ fields: StrictFields<SceneGroup.Key>) throws(DescriptionError) {
    animation = try fields.value(.animation)
    stagger = try fields.optional(.stagger) ?? StaggerDescription()
    start = try fields.optional(.start)
    events = try fields.optional(.events) ?? []
    guard events.count <= SceneLimits.events else {
      throw fields.error(.events, "must hold at most \(SceneLimits.events) events, holds \(events.count)")
    }
    for index in events.indices.dropFirst() where events[index].time < events[index - 1].time {
      throw DescriptionError(
        path: fields.path(.events) + [.index(index), .key("at")],
        reason: "must not be before the event before it, at \(NumberText.short(events[index - 1].time)), is "
          + NumberText.short(events[index].time))
    }
  }

  /// The values with which the tracks of group `index` start: component-major.
  package func values(count: Int, index: Int, scene: Scene) -> [Float] {
    start?.points(
      count: count, dimensions: scene.dimensions, random: SceneRandom(seed: scene.seed, purpose: .start, group: index))
      ?? [Float](repeating: 0, count: count * scene.dimensions)
  }

  func check(count: Int, dimensions: Int, path: [DescriptionError.Step]) throws(DescriptionError) {
    try start?.check(count: count, dimensions: dimensions, path: path + [.key("start")])
    try stagger.check(count: count, path: path + [.key("stagger")])
    try Self.check(animation, path: path + [.key("animation")])
    let delays = events.count { $0.stagger != nil } * count
    guard delays <= SceneLimits.delays else {
      throw DescriptionError(
        path: path + [.key("events")],
        reason: "have \(delays) delays in their staggers; the limit is \(SceneLimits.delays)")
    }
    for (index, event) in events.enumerated() {
      let path = path + [.key("events"), .index(index)]
      try event.target.check(count: count, dimensions: dimensions, path: path + [.key("target")])
      try event.stagger?.check(count: count, path: path + [.key("stagger")])
      if let animation = event.animation { try Self.check(animation, path: path + [.key("animation")]) }
    }
  }

  /// Checks that batches accept an animation: a line may go far beyond its points.
  private static func check(_ choice: AnimationChoice, path: [DescriptionError.Step]) throws(DescriptionError) {
    do throws(AnimationDefect) { try choice.animation.animation.check() } catch {
      throw DescriptionError(path: path, reason: error.reason)
    }
  }
}
