// SPDX-License-Identifier: MIT
import Formats
import Text

/// Springs, their start, and the course of their targets.
package struct SpringGroup: Equatable, Sendable {
  /// The changes of a group's targets.
  package enum Course: Equatable, Sendable {
    /// New targets at given times.
    case events([SceneEvent])
    /// Targets that follow recorded data.
    case follow(Follow)
    /// Targets spread about a point that wanders.
    case wander(Wander)
    /// Targets near a pointer, and tracks that come and go.
    case particles(Particles)
  }

  /// The springs: one for all or one for each track.
  package var springs: SpringChoice
  /// The positions where the tracks start, which are their targets until the course gives others. Nil for the first
  /// recorded frame, or for the origin.
  package var start: Layout?
  /// The velocity of every track at the start, a number a dimension; empty for rest.
  package var velocity: [Double]
  /// The changes of the targets.
  package var course: Course

  /// A group put together in code.
  package init(springs: SpringChoice, start: Layout? = nil, velocity: [Double] = [], course: Course = .events([])) {
    self.springs = springs
    self.start = start
    self.velocity = velocity
    self.course = course
  }

  init(_ fields: StrictFields<SceneGroup.Key>) throws(DescriptionError) {
    springs =
      fields.has(.spring)
      ? .shared(try fields.value(.spring)) : .drawn(try fields.value(.springs, as: SpringRanges.self))
    start = try fields.optional(.start)
    velocity = fields.has(.velocity) ? try fields.numbers(.velocity, .coordinate) : []
    let courses = [SceneGroup.Key.events, .follow, .wander].filter { fields.has($0) }
    // A pointer and bursts may stand together: either makes the group a group of particles.
    let particles = [SceneGroup.Key.pointer, .bursts].filter { fields.has($0) }
    let all = courses + particles.prefix(1)
    guard all.count <= 1 else {
      throw fields.error("has \(all.map(\.stringValue).joined(separator: " and ")); one of them moves the targets")
    }
    guard particles.isEmpty || fields.has(.spring) else {
      throw fields.error(particles[0], "does not go with springs; particles share a spring")
    }
    switch all.first {
    case .pointer, .bursts: course = .particles(try Particles(fields))
    case .follow: course = .follow(try fields.value(.follow))
    case .wander: course = .wander(try fields.value(.wander))
    default: course = .events(try SpringGroup.readEvents(fields))
    }
  }

  private static func readEvents(_ fields: StrictFields<SceneGroup.Key>) throws(DescriptionError) -> [SceneEvent] {
    let events: [SceneEvent] = try fields.optional(.events) ?? []
    guard events.count <= SceneLimits.events else {
      throw fields.error(.events, "must hold at most \(SceneLimits.events) events, holds \(events.count)")
    }
    for index in events.indices.dropFirst() where events[index].time < events[index - 1].end {
      let earlier = events[index - 1]
      let reason =
        earlier.waves.count > 1
        ? "must not be before the waves of the event before it end, at \(NumberText.short(earlier.end))"
        : "must not be before the event before it, at \(NumberText.short(earlier.time))"
      throw DescriptionError(
        path: fields.path(.events) + [.index(index), .key("at")],
        reason: "\(reason), is \(NumberText.short(events[index].time))")
    }
    return events
  }

  /// The number of times that the course changes targets in a run of `seconds`, without the frames of a recording.
  func changes(in seconds: Double) -> Double {
    switch course {
    case .follow: 0
    case .wander(let wander): (seconds / wander.every + 1) * Double(wander.waves)
    case .events(let events): events.reduce(0) { $0 + Double($1.waves.count) }
    case .particles(let particles): particles.changes(in: seconds)
    }
  }

  func check(count: Int, dimensions: Int, path: [DescriptionError.Step]) throws(DescriptionError) {
    var startCount = count
    if case .particles(let particles) = course {
      try particles.check(count: count, dimensions: dimensions, path: path)
      startCount = particles.fieldCount(of: count)
    }
    try start?.check(count: startCount, dimensions: dimensions, path: path + [.key("start")])
    guard velocity.isEmpty || velocity.count == dimensions else {
      throw DescriptionError(
        path: path + [.key("velocity")],
        reason: "must hold \(dimensions) numbers, one a dimension, holds \(velocity.count)")
    }
    switch course {
    case .follow, .particles: break
    case .wander(let wander):
      try wander.around.check(
        count: count, dimensions: dimensions, path: path + [.key("wander"), .key("around")])
    case .events(let events):
      for (index, event) in events.enumerated() {
        try event.target.check(
          count: count, dimensions: dimensions, path: path + [.key("events"), .index(index), .key("target")])
      }
    }
  }
}
