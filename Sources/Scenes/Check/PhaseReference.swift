// SPDX-License-Identifier: MIT
import Murmuration

/// Some tracks of a phase group as the model moves them: springs in Double, sent to each phase at the sum of the durations
/// before.
struct PhaseReference: SampledReference {
  /// A track and where it is in its phases.
  private struct Track {
    var motion: ReferenceTrack
    /// The targets of each phase.
    var targets: [[Float]]
    var phase = 0
    /// When the run under way sets out; nil if none is.
    var origin: Double?
    /// The steps of the run so far.
    var steps = 0
    var lastTrigger = -Double.infinity
  }

  let index: Int
  let tracks: [Int]
  private var states: [Track] = []
  private let springs: [Spring?]
  /// Seconds from the first step of a round to each step, and to the end of the round.
  private var stepStarts: [Double] = [0]
  private let loops: Bool
  private let slowing: Double
  private let tolerance: RestTolerances
  private var course: WaveCourse

  /// Tracks of group number `index` at their start. Springs are slower than the scene's by the share `slowing`.
  init(_ group: PhaseGroup, index: Int, tracks: [Int], _ playable: PlayableScene, slowing: Double) throws {
    let scene = playable.scene
    let count = scene.groups[index].count
    self.index = index
    self.tracks = tracks
    self.slowing = slowing
    loops = group.triggers == nil
    springs = group.phases.map(\.motion)
    // A batch of phases has the tolerance of the model.
    tolerance = try RestTolerances(value: 0.001)
    course = WaveCourse(group.triggers ?? [], count: count, index: index, seed: scene.seed)
    for step in group.phases.indices {
      let next = group.phases[(step + 1) % springs.count]
      stepStarts.append(stepStarts[step] + duration(from: group.phases[step], to: next))
    }
    let starts = group.starts(count: count, index: index, scene: scene)
    let offsets = group.offsets?.offsets(count: count, index: index, scene: scene)
    let zeros = [Float](repeating: 0, count: scene.dimensions)
    states = tracks.map { track in
      let targets = group.phases.map { phase in
        phase.target.enumerated().map { component, value in
          Float(Double(Float(value)) + (offsets.map { Double($0[component * count + track]) } ?? 0))
        }
      }
      let motion = ReferenceTrack(spring: Spring(), values: targets[0], velocities: zeros)
      return Track(motion: motion, targets: targets, origin: loops && springs.count > 1 ? starts[track] : nil)
    }
  }

  /// Seconds of a step: none for a jump and where nothing changes.
  private func duration(from phase: PhaseDescription, to next: PhaseDescription) -> Double {
    phase.target.map { Float($0) } == next.target.map { Float($0) } ? 0 : next.motion?.duration ?? 0
  }

  mutating func play(to time: Double) {
    while let wave = course.next(until: time) {
      var part = wave.tracks[...]
      for (position, track) in tracks.enumerated() {
        part = part.drop { $0 < track }
        if part.first == track { trigger(position, at: wave.time) }
      }
    }
    for position in tracks.indices { takeSteps(position, until: time) }
  }

  private mutating func trigger(_ position: Int, at time: Double) {
    takeSteps(position, until: time)
    guard springs.count > 1, states[position].lastTrigger != time else { return }
    states[position].lastTrigger = time
    guard states[position].origin != nil else {
      (states[position].origin, states[position].steps) = (time, 0)
      return
    }
    // On the way it returns to the first phase, and sets out from there.
    let isStill = springs[0] != nil && states[position].targets[states[position].phase] == states[position].targets[0]
    move(position, to: 0, at: time)
    (states[position].origin, states[position].steps) = (time + (isStill ? 0 : springs[0]?.duration ?? 0), 0)
  }

  private mutating func takeSteps(_ position: Int, until time: Double) {
    let count = springs.count
    let cycle = stepStarts[count]
    while let origin = states[position].origin {
      let (round, step) = states[position].steps.quotientAndRemainder(dividingBy: count)
      let moment = origin + (round == 0 ? stepStarts[step] : Double(round) * cycle + stepStarts[step])
      guard moment <= time else { return }
      if round > 0, !loops || cycle == 0 {
        states[position].origin = nil
        return
      }
      move(position, to: (step + 1) % count, at: moment)
      states[position].steps += 1
    }
  }

  private mutating func move(_ position: Int, to phase: Int, at time: Double) {
    let targets = states[position].targets
    let isStill = springs[phase] != nil && targets[phase] == targets[states[position].phase]
    states[position].phase = phase
    guard !isStill else { return }
    if states[position].motion.mayRest(at: time, tolerance: tolerance) {
      states[position].motion.allowRest(at: time)
    }
    let next = springs[phase].map { Spring(duration: $0.duration * (1 + slowing), bounce: $0.bounce) }
    states[position].motion.retarget(to: targets[phase], spring: slowing == 0 ? springs[phase] : next, at: time)
    if springs[phase] == nil { states[position].motion.comeToRest(at: time) }
  }

  func sample(_ position: Int, _ component: Int, at time: Double) -> ReferenceTrack.Sample {
    states[position].motion.sample(component, at: time, tolerance: tolerance)
  }
}
