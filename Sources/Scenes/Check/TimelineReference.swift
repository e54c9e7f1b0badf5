// SPDX-License-Identifier: MIT
import Murmuration

/// Some tracks of a timeline group as the model plays them, in Double.
///
/// When which second of the timelines is shown follows from the definition of a playback alone. A batch counts in ticks,
/// 2⁻³² of a clip: what the model shows a little earlier and a little later is within the bound, so that at a boundary
/// either side is right.
struct TimelineReference: SampledReference {
  let index: Int
  let tracks: [Int]

  private struct Instance {
    var clip: ReferenceClip
    /// What later legs play, where the first began in mid-run.
    var later: ReferenceClip?
    var start: Double
    var speed: Double
    /// What a hand took, and when; nil while none holds it.
    var held: (since: Double, shown: [ReferenceTrack.Sample])?
    /// What a hand left to a spring; nil while timelines move it.
    var released: ReferenceTrack?
  }

  private var instances: [Instance]
  private let offsets: [[Double]]
  private let legs: Double
  private let autoreverses: Bool
  private let slowing: Double
  private let grab: Grab?
  private var course: GrabCourse?
  /// What the player's springs have.
  private let tolerance: RestTolerances

  /// Tracks of group number `index`. Timelines are slower than the scene's by the share `slowing`.
  init(_ group: TimelineGroup, index: Int, tracks: [Int], _ playable: PlayableScene, slowing: Double) throws {
    let scene = playable.scene
    let count = scene.groups[index].count
    self.index = index
    self.tracks = tracks
    self.slowing = slowing
    grab = group.grab
    tolerance = try ReleasedTracks.restTolerance()
    course = GrabCourse(group, count: count, index: index, seed: scene.seed)
    if case .count(let count) = group.repetition { legs = Double(count) } else { legs = .infinity }
    autoreverses = group.playback.autoreverses
    let clip = try ReferenceClip(group)
    let starts = group.starts(count: count, index: index, scene: scene)
    let speeds = group.playbacks(count: count, index: index, scene: scene).map(\.speed)
    instances = tracks.map { Instance(clip: clip, start: starts[$0], speed: speeds[$0] / (1 + slowing)) }
    let all = group.offsets?.offsets(count: count, index: index, scene: scene)
    offsets = tracks.map { track in
      (0..<scene.dimensions).map { component in all.map { Double($0[component * count + track]) } ?? 0 }
    }
  }

  mutating func play(to time: Double) throws {
    while let change = course?.next(until: time) {
      var part = change.tracks[...]
      for (position, track) in tracks.enumerated() {
        part = part.drop { $0 < track }
        guard part.first == track else { continue }
        let shown = offsets[position].indices.map { sample(position, $0, at: change.time) }
        switch change.kind {
        case .take: instances[position].held = (change.time, shown)
        case .hand(let release): hand(position, shown, to: release, at: change.time)
        case .restart, .resume: try restart(position, shown, at: change.time)
        }
      }
    }
  }

  /// Leaves a track to a spring, with the velocity of the hand.
  private mutating func hand(
    _ position: Int, _ shown: [ReferenceTrack.Sample], to release: Grab.Release, at time: Double
  ) {
    let start = shown.enumerated().map { component, sample in
      var start = sample
      start.velocity = grab?.speedAtRelease(component) ?? 0
      start.velocityBound = abs(start.velocity) * 0x1p-24
      return start
    }
    let spring = release.spring.spring
    let slower = Spring(duration: spring.duration * (1 + slowing), bounce: spring.bounce)
    instances[position].released = ReferenceTrack(
      spring: slowing == 0 ? spring : slower, start: start,
      targets: start.map { release.target($0.value, $0.velocity) }, at: time)
    instances[position].held = nil
  }

  /// Has a track begin anew from what it shows.
  private mutating func restart(_ position: Int, _ shown: [ReferenceTrack.Sample], at time: Double) throws {
    let speed = instances[position].speed
    let start = shown.enumerated().map { component, sample in
      // The clip runs at its own speed.
      var start = sample
      start.value -= offsets[position][component]
      start.velocity /= speed
      start.velocityBound /= speed
      return start
    }
    let clip = instances[position].clip
    instances[position].clip = try clip.restarted(from: start)
    // A leg that turns back ends where it began; others begin where the timelines do.
    instances[position].later = autoreverses ? nil : clip
    instances[position].start = time
    instances[position].held = nil
    instances[position].released = nil
  }

  func sample(_ position: Int, _ component: Int, at time: Double) -> ReferenceTrack.Sample {
    let instance = instances[position]
    if let held = instance.held {
      var sample = held.shown[component]
      sample.value += grab?.way(component, after: time - held.since) ?? 0
      sample.valueBound += abs(sample.value) * 0x1p-24
      // Where the hand moves it, the batch has no velocity to show.
      (sample.velocity, sample.velocityBound) = (0, 0)
      return sample
    }
    if let released = instance.released { return released.sample(component, at: time, tolerance: tolerance) }
    let played = (time - instance.start) * abs(instance.speed)
    // Two ticks, and the rounding of the clock.
    let margin = instance.clip.duration * 0x1p-31 + max(abs(time), abs(instance.start)) * abs(instance.speed) * 0x1p-50
    var sample = shown(instance, component, played: time < instance.start ? -.leastNonzeroMagnitude : played)
    let offset = offsets[position][component]
    let middle = sample
    for other in [played - margin, played + margin] {
      let side = shown(instance, component, played: other)
      sample.valueBound = max(sample.valueBound, abs(side.value - middle.value) + side.valueBound)
      sample.velocityBound = max(sample.velocityBound, abs(side.velocity - middle.velocity) + side.velocityBound)
    }
    sample.value += offset
    // Adding the offset rounds once more, and so does the factor of the speed.
    sample.valueBound += abs(sample.value) * 0x1p-24
    sample.velocityBound += abs(sample.velocity) * 0x1p-23
    return sample
  }

  /// What is shown once so many seconds of the clip have been played, all legs together; fewer than none: it waits.
  private func shown(_ instance: Instance, _ component: Int, played: Double) -> ReferenceTrack.Sample {
    let duration = instance.clip.duration
    let isForwards = instance.speed >= 0
    func held(at time: Double, part: ReferenceClip.Part) -> ReferenceTrack.Sample {
      var sample = part.sample(at: time)
      (sample.velocity, sample.velocityBound) = (0, 0)
      return sample
    }
    guard played >= 0 else {
      // What it begins with: the last move of timelines is behind their end.
      return held(at: isForwards || duration == 0 ? -1 : duration, part: instance.clip.parts[component])
    }
    let count = duration == 0 && legs == .infinity ? 1 : legs
    // Timelines of no length begin and end in one instant, which shows their beginning.
    let isInstant = duration == 0 && played == 0
    guard instance.speed == 0 || isInstant || played < count * duration else {
      let turnsBack = autoreverses && count.truncatingRemainder(dividingBy: 2) == 0
      let last = count > 1 ? instance.later ?? instance.clip : instance.clip
      return held(at: isForwards != turnsBack ? duration + 1 : -1, part: last.parts[component])
    }
    let leg = duration == 0 ? 0 : max(0, (played / duration).rounded(.up) - 1)
    let local = min(max(played - leg * duration, 0), duration)
    let turnsBack = autoreverses && leg.truncatingRemainder(dividingBy: 2) == 1
    let goesBack = turnsBack == isForwards
    let clip = leg > 0 ? instance.later ?? instance.clip : instance.clip
    var sample = clip.parts[component].sample(at: goesBack ? duration - local : local)
    sample.velocity *= goesBack ? -abs(instance.speed) : abs(instance.speed)
    sample.velocityBound *= abs(instance.speed)
    return sample
  }
}
