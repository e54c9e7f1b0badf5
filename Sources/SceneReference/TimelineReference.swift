// SPDX-License-Identifier: MIT
import Murmuration
import MurmurationReference
import Scenes

/// The motion of some tracks of a timeline group by the model, in Double.
struct TimelineReference: SampledReference {
  let index: Int
  let tracks: [Int]

  private struct Instance {
    var motion: ClipMotion
    /// The state at which a hand took the track, and when; nil while no hand holds it.
    var held: (since: Double, shown: [MotionSample])?
    /// The spring that a hand left the track to; nil while timelines move it.
    var released: SpringMotion?
  }

  private var instances: [Instance]
  private let content: ClipContent
  private let playbacks: [Playback]
  private let slowing: Double
  private let grab: Grab?
  private var course: GrabCourse?
  /// The tolerances of the player's springs.
  private let tolerance: RestTolerances

  /// Tracks of group `index`. Their timelines are slower than the scene's by the fraction `slowing`.
  init(_ group: TimelineGroup, index: Int, tracks: [Int], _ playable: PlayableScene, slowing: Double) throws {
    let scene = playable.scene
    let count = scene.groups[index].count
    self.index = index
    self.tracks = tracks
    self.slowing = slowing
    tolerance = scene.groups[index].rest
    grab = group.grab
    course = GrabCourse(group, count: count, index: index, seed: scene.seed)
    let content = ClipContent(try group.clip())
    let starts = group.starts(count: count, index: index, scene: scene)
    let all = group.playbacks(count: count, index: index, scene: scene)
    let playbacks = tracks.map { track in
      Playback(
        start: starts[track], speed: all[track].speed / (1 + slowing), repetition: group.repetition,
        autoreverses: group.playback.autoreverses)
    }
    let offsets = group.offsets?.offsets(count: count, index: index, scene: scene)
    let own = [MotionSample](repeating: MotionSample(value: 0, velocity: 0), count: scene.dimensions)
    self.content = content
    self.playbacks = playbacks
    instances = try tracks.indices.map { position in
      var motion = try ClipMotion(content, playbacks[position], own: own, at: starts[tracks[position]])
      motion.variation = offsets.map { offsets in
        (own.map { _ in 1 }, own.indices.map { offsets[$0 * count + tracks[position]] })
      }
      return Instance(motion: motion)
    }
  }

  mutating func play(to time: Double) throws {
    while let change = course?.next(until: time) {
      var part = change.tracks[...]
      for (position, track) in tracks.enumerated() {
        part = part.drop { $0 < track }
        guard part.first == track else { continue }
        let shown = instances[position].motion.own.indices.map { sample(position, $0, at: change.time) }
        switch change.kind {
        case .take: instances[position].held = (change.time, shown)
        case .hand(let release): hand(position, shown, to: release, at: change.time)
        case .restart: try restart(position, shown, at: change.time)
        }
      }
    }
  }

  /// Leaves a track to a spring, with the velocity of the hand.
  private mutating func hand(_ position: Int, _ shown: [MotionSample], to release: Grab.Release, at time: Double) {
    var (start, targets): ([MotionSample], [Double]) = ([], [])
    for (component, sample) in shown.enumerated() {
      let speed = grab?.speedAtRelease(component) ?? 0
      targets.append(release.target(sample.value, speed))
      // Targets have the error of the values that they are computed from, and are rounded.
      start.append(
        MotionSample(
          value: sample.value, velocity: speed,
          bound: ErrorBound(
            value: sample.bound.value + ErrorBound.rounding(of: targets[component]),
            velocity: abs(speed) * ErrorBound.unit)))
    }
    let spring = release.spring.spring
    let slower = Spring(duration: spring.duration * (1 + slowing), bounce: spring.bounce)
    instances[position].released = SpringMotion(slowing == 0 ? spring : slower, from: start, to: targets, at: time)
    instances[position].held = nil
  }

  /// Starts a track's timelines anew from its current state.
  private mutating func restart(_ position: Int, _ shown: [MotionSample], at time: Double) throws {
    let motion = instances[position].motion
    var playback = playbacks[position]
    playback.start = time
    // If iterations turn back, later ones play the content from the current state too; otherwise they play the clip's own.
    instances[position] = Instance(
      motion: try ClipMotion(
        content, playback, from: shown, later: playback.autoreverses ? nil : content, own: motion.own,
        variation: motion.variation, at: time))
  }

  func sample(_ position: Int, _ component: Int, at time: Double) -> MotionSample {
    let instance = instances[position]
    if let held = instance.held {
      var sample = held.shown[component].standing
      // While the hand moves it, the batch shows no velocity.
      sample.value += grab?.way(component, after: time - held.since) ?? 0
      sample.bound.value += abs(sample.value) * ErrorBound.unit
      return sample
    }
    if let released = instance.released { return released.samples(at: time, tolerance)[component] }
    return instance.motion.sample(component, at: time)
  }
}
