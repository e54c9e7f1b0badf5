// SPDX-License-Identifier: MIT
import Murmuration
import MurmurationReference
import Scenes

/// The motion of some tracks of a group that animations move, by the model: each event is a call, or one that waits.
struct AnimationReference: SampledReference {
  let index: Int
  let tracks: [Int]
  private var states: [ReferenceTrack]
  /// The states of the tracks now, each with a sample for each dimension.
  private var samples: [[MotionSample]] = []
  private var course: AnimationCourse
  private let count: Int
  private let slowing: Double
  /// The number of events so far.
  private var changes = 0

  /// Tracks of group `index` at their start. Their animations are slower than the scene's by the fraction `slowing`.
  init(_ group: AnimationGroup, index: Int, tracks: [Int], _ playable: PlayableScene, slowing: Double) {
    let scene = playable.scene
    let count = scene.groups[index].count
    (self.index, self.tracks, self.count, self.slowing) = (index, tracks, count, slowing)
    let values = group.values(count: count, index: index, scene: scene)
    course = AnimationCourse(group, index: index, count: count, scene: scene)
    states = tracks.map { track in
      var state = ReferenceTrack((0..<scene.dimensions).map { values[$0 * count + track] }, at: 0)
      state.setRestTolerance(scene.groups[index].rest)
      return state
    }
  }

  mutating func play(to time: Double) {
    while let change = course.next(until: time) {
      changes += 1
      for (position, track) in tracks.enumerated() {
        _ = states[position].advance(to: change.time)
        let animation = change.animations[track]
        states[position].animate(
          to: stride(from: track, to: change.targets.count, by: count).map { change.targets[$0] },
          with: slowing == 0 ? animation : animation.speed(1 / (1 + slowing)),
          delay: change.delays.isEmpty ? nil : change.delays[track], change: changes)
      }
    }
    for position in tracks.indices { _ = states[position].advance(to: time) }
    samples = states.map(\.samples)
  }

  func sample(_ position: Int, _ component: Int, at time: Double) -> MotionSample { samples[position][component] }
}
