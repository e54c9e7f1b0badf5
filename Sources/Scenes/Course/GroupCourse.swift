// SPDX-License-Identifier: MIT
import Murmuration

/// The changes of a spring group's targets, one after another in time. (Particles have a `ParticleCourse`.)
///
/// Both the player and the reference that checks it walk one of these, each its own: it says what happens, not how.
struct GroupCourse {
  private let group: SpringGroup
  private let index: Int
  private let count: Int
  private let dimensions: Int
  private let seed: UInt64
  private let recording: Recording?
  private let wanderingPoint: (@Sendable (Double) -> [Double])?
  /// The places about the wandering point.
  private let around: [Float]
  /// The changes so far; of events, those whose waves are all over.
  private var step = 0
  /// The waves so far of the event under way.
  private var wave = 0
  /// What the event under way lays out, for the waves that are left.
  private var layout: EventLayout?

  private struct EventLayout {
    var targets: [Float]
    var springs: DrawnSprings?
  }

  /// The course of group number `index` of `scene`, from the start.
  init(_ group: SpringGroup, index: Int, count: Int, scene: Scene, recording: Recording?) {
    self.group = group
    self.index = index
    self.count = count
    dimensions = scene.dimensions
    seed = scene.seed
    self.recording = recording
    if case .wander(let wander) = group.course {
      wanderingPoint = Wander.path(
        reach: wander.reach, pace: wander.pace, dimensions: dimensions,
        seed: SceneRandom(seed: seed, purpose: .path, group: index))
      around = wander.around.points(
        count: count, dimensions: dimensions, random: SceneRandom(seed: seed, purpose: .targets, group: index))
    } else {
      wanderingPoint = nil
      around = []
    }
  }

  /// The next change up to and including `time`, or nil when there is none; each is returned once.
  mutating func next(until time: Double) -> TargetChange? {
    switch group.course {
    case .events(let events): return next(events, until: time)
    case .follow(let follow): return next(follow, until: time)
    case .wander(let wander): return next(wander, until: time)
    case .particles: return nil
    }
  }

  // MARK: - The kinds

  private mutating func next(_ follow: Follow, until time: Double) -> TargetChange? {
    guard let recording, step < recording.frames else { return nil }
    let moment = Double(step) / follow.rate(of: recording)
    guard moment <= time else { return nil }
    defer { step += 1 }
    return TargetChange(
      time: moment, tracks: .all,
      targets: follow.targets(recording, frame: step, count: count, dimensions: dimensions))
  }

  private mutating func next(_ wander: Wander, until time: Double) -> TargetChange? {
    let moment = wander.every * Double(step) / Double(wander.waves)
    guard moment <= time, let center = wanderingPoint?(moment) else { return nil }
    let tracks = wander.waves == 1 ? TrackSubset.all : .strided(first: step % wander.waves, step: wander.waves)
    defer { step += 1 }
    var targets: [Float] = []
    let indices = tracks.indices(of: count)
    targets.reserveCapacity(indices.count * dimensions)
    for component in 0..<dimensions {
      let offset = Float(center[component])
      for track in indices { targets.append(around[component * count + track] + offset) }
    }
    return TargetChange(time: moment, tracks: tracks, targets: targets)
  }

  private mutating func next(_ events: [SceneEvent], until time: Double) -> TargetChange? {
    guard step < events.count, events[step].time(wave: wave) <= time else { return nil }
    let event = events[step]
    let layout = self.layout ?? lay(out: event, number: step)
    defer {
      wave += 1
      // The layout is kept while waves of it are left, and no longer.
      self.layout = wave < event.waves.count ? layout : nil
      if wave == event.waves.count { (step, wave) = (step + 1, 0) }
    }
    return change(event, wave: wave, layout)
  }

  private func lay(out event: SceneEvent, number: Int) -> EventLayout {
    let random = SceneRandom(seed: seed, purpose: .targets, group: index, event: number)
    return EventLayout(
      targets: event.target.points(count: count, dimensions: dimensions, random: random),
      // Event 0 of this purpose drew the springs that the group starts with.
      springs: event.springs?.drawn(count: count, seed: seed, group: index, event: number + 1))
  }

  private func change(_ event: SceneEvent, wave: Int, _ layout: EventLayout) -> TargetChange {
    let waves = event.waves.count
    let time = event.time(wave: wave)
    let (targets, springs) = (layout.targets, layout.springs)
    guard waves > 1 else { return TargetChange(time: time, tracks: .all, targets: targets, springs: springs) }
    let range = (count * wave / waves)..<(count * (wave + 1) / waves)
    var part: [Float] = []
    part.reserveCapacity(range.count * dimensions)
    for component in 0..<dimensions {
      part.append(contentsOf: targets[(component * count + range.lowerBound)..<(component * count + range.upperBound)])
    }
    var change = TargetChange(time: time, tracks: .range(range), targets: part, springs: springs)
    if case .each(let each) = springs { change.springs = .each(Array(each[range])) }
    return change
  }
}
