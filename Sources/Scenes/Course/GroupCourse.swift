// SPDX-License-Identifier: MIT
package import Formats
import Murmuration

/// The changes of a spring group's targets, one after another in time. (Particles have a `ParticleCourse`.)
///
/// Both the player and the reference that checks it walk a course of their own: it says what happens, not how.
package struct GroupCourse {
  private let group: SpringGroup
  private let index: Int
  private let count: Int
  private let dimensions: Int
  private let seed: UInt64
  private let recording: Recording?
  private let wanderingPoint: (@Sendable (Double) -> [Double])?
  /// The positions about the wandering point.
  private let around: [Float]
  /// The number of changes so far; for events, the number of events whose waves are all over.
  private var step = 0
  /// The number of waves so far of the event under way.
  private var wave = 0
  /// The layout of the event under way, for its remaining waves.
  private var layout: EventLayout?

  private struct EventLayout {
    var targets: [Float]
    var springs: DrawnSprings?
  }

  /// The course of group `index` of `scene`, from the start.
  package init(_ group: SpringGroup, index: Int, count: Int, scene: Scene, recording: Recording?) {
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

  /// The moment of the next change; infinite after the last.
  package var nextTime: Double {
    switch group.course {
    case .events(let events): step < events.count ? events[step].time(wave: wave) : .infinity
    case .follow(let follow):
      recording.map { step < $0.frames ? Double(step) / follow.rate(of: $0) : .infinity } ?? .infinity
    case .wander(let wander): wander.every * Double(step) / Double(wander.waves)
    case .particles: .infinity
    }
  }

  /// The next change up to and including `time`, or nil without one; each change is returned once.
  package mutating func next(until time: Double) -> TargetChange? {
    let moment = nextTime
    guard moment <= time else { return nil }
    switch group.course {
    case .events(let events): return next(events[step])
    case .follow(let follow): return next(follow, at: moment)
    case .wander(let wander): return next(wander, at: moment)
    case .particles: return nil
    }
  }

  // MARK: - The kinds

  private mutating func next(_ follow: Follow, at moment: Double) -> TargetChange? {
    guard let recording else { return nil }
    defer { step += 1 }
    return TargetChange(
      time: moment, tracks: .all,
      targets: follow.targets(recording, frame: step, count: count, dimensions: dimensions))
  }

  private mutating func next(_ wander: Wander, at moment: Double) -> TargetChange? {
    guard let wanderingPoint else { return nil }
    let tracks = wander.waves == 1 ? TrackSubset.all : .strided(first: step % wander.waves, step: wander.waves)
    defer { step += 1 }
    let indices = tracks.indices(of: count)
    var targets = [Float](repeating: 0, count: indices.count * dimensions)
    let center = wanderingPoint(moment)
    for (place, track) in indices.enumerated() {
      let (ahead, share) = wander.heading(ofTrack: track, of: count, at: moment)
      let middle = ahead == 0 ? center : wanderingPoint(moment + ahead)
      for component in 0..<dimensions {
        targets[component * indices.count + place] =
          Float(middle[component]) + around[component * count + track] * Float(share)
      }
    }
    return TargetChange(time: moment, tracks: tracks, targets: targets)
  }

  private mutating func next(_ event: SceneEvent) -> TargetChange {
    let layout = self.layout ?? lay(out: event, number: step)
    defer {
      wave += 1
      // The layout is kept only while waves of it remain.
      self.layout = wave < event.waves.count ? layout : nil
      if wave == event.waves.count { (step, wave) = (step + 1, 0) }
    }
    return change(event, wave: wave, layout)
  }

  private func lay(out event: SceneEvent, number: Int) -> EventLayout {
    let random = SceneRandom(seed: seed, purpose: .targets, group: index, event: number)
    return EventLayout(
      targets: event.target.points(count: count, dimensions: dimensions, random: random),
      // Event 0 of this purpose drew the springs with which the group starts.
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
