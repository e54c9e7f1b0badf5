// SPDX-License-Identifier: MIT
import Murmuration
import MurmurationReference
import Scenes

/// The motion of some tracks of a phase group by the model: springs in Double, each sent to its phase at the sum of the
/// durations before it.
struct PhaseReference: SampledReference {
  /// A track, and its position in its phases.
  private struct Track {
    var motion: SpringMotion
    var schedule: PhaseSchedule
    /// The targets of each phase.
    var targets: [[Float]]
    var lastTrigger = -Double.infinity
  }

  let index: Int
  let tracks: [Int]
  private var states: [Track] = []
  private let springs: [Spring?]
  private let slowing: Double
  private let tolerance: RestTolerances
  private var course: WaveCourse

  /// Tracks of group `index` at their start. Their springs are slower than the scene's by the fraction `slowing`.
  init(_ group: PhaseGroup, index: Int, tracks: [Int], _ playable: PlayableScene, slowing: Double) throws {
    let scene = playable.scene
    let count = scene.groups[index].count
    self.index = index
    self.tracks = tracks
    self.slowing = slowing
    tolerance = scene.groups[index].rest
    springs = group.phases.map(\.motion)
    course = WaveCourse(group.triggers ?? [], count: count, index: index, seed: scene.seed)
    let plan = PhasePlan(
      targets: group.phases.map { $0.target.map { Float($0) } }, animations: springs.map { $0.map { .spring($0) } })
    let starts = group.starts(count: count, index: index, scene: scene)
    let offsets = group.offsets?.offsets(count: count, index: index, scene: scene)
    states = tracks.map { track in
      let own = offsets.map { offsets in (0..<scene.dimensions).map { offsets[$0 * count + track] } }
      let targets = plan.targets(scales: [], offsets: own ?? [])
      return Track(
        motion: SpringMotion(Spring(), values: targets[0], at: 0),
        schedule: PhaseSchedule(plan, startingAt: starts[track], loops: group.triggers == nil), targets: targets)
    }
  }

  mutating func play(to time: Double) {
    while let wave = course.next(until: time) {
      var part = wave.tracks[...]
      for (position, track) in tracks.enumerated() {
        part = part.drop { $0 < track }
        // A second trigger at the same moment changes nothing.
        guard part.first == track, states[position].lastTrigger != wave.time else { continue }
        takeSteps(position, until: wave.time)
        _ = states[position].schedule.trigger(at: wave.time)
        states[position].lastTrigger = wave.time
      }
    }
    for position in tracks.indices { takeSteps(position, until: time) }
  }

  private mutating func takeSteps(_ position: Int, until time: Double) {
    while let step = states[position].schedule.step(until: time) {
      guard case .setsOut(let phase, false, let moment) = step else { continue }
      move(position, to: phase, at: moment)
    }
  }

  private mutating func move(_ position: Int, to phase: Int, at time: Double) {
    let (motion, target) = (states[position].motion, states[position].targets[phase])
    guard let spring = springs[phase] else {
      states[position].motion = SpringMotion(motion.spring, values: target, at: time)
      return
    }
    let slower = Spring(duration: spring.duration * (1 + slowing), bounce: spring.bounce)
    states[position].motion = SpringMotion(
      slowing == 0 ? spring : slower, from: motion.samples(at: time, tolerance), to: target.map(Double.init), at: time,
      after: motion.mayRest(at: time, tolerance) ? nil : motion)
  }

  func sample(_ position: Int, _ component: Int, at time: Double) -> MotionSample {
    states[position].motion.samples(at: time, tolerance)[component]
  }
}
