// SPDX-License-Identifier: MIT
import Murmuration
import MurmurationReference
import Scenes

/// The motion of some tracks of a group of springs by the model.
struct ReferenceGroup {
  private enum Course {
    case targets(GroupCourse)
    case particles(ParticleCourse, home: Spring, following: Spring)
  }

  /// The index of the group in its scene.
  let index: Int
  /// The indices of the tracks, ascending.
  let tracks: [Int]
  /// The motion of each track; nil before its birth.
  private(set) var references: [SpringMotion?] = []
  private var course: Course
  /// The first track of a burst.
  private let firstMortal: Int
  private let dimensions: Int
  private let slowing: Double
  /// The player's notes that are still to be used.
  private var notes: ArraySlice<RetargetNote> = []

  /// Tracks of group `index` at their start. Their springs are slower than the scene's by the fraction `slowing`.
  init(_ group: SpringGroup, index: Int, tracks: [Int], _ playable: PlayableScene, slowing: Double) {
    self.index = index
    self.tracks = tracks
    self.slowing = slowing
    let scene = playable.scene
    let recording = playable.recordings[index]
    let count = scene.groups[index].count
    dimensions = scene.dimensions
    var started = count
    if case .particles(let particles) = group.course {
      started = particles.fieldCount(of: count)
      let start = GroupStart(group, index: index, count: started, scene: scene, recording: nil)
      course = .particles(
        ParticleCourse(group, particles, start: start, index: index, count: count, scene: scene),
        home: start.springs[0], following: particles.pointer?.spring?.spring ?? start.springs[0])
    } else {
      course = .targets(GroupCourse(group, index: index, count: count, scene: scene, recording: recording))
    }
    firstMortal = started
    let start = GroupStart(group, index: index, count: started, scene: scene, recording: recording)
    let velocities = start.velocity.isEmpty ? [Float](repeating: 0, count: dimensions) : start.velocity
    references = tracks.map { track in
      guard track < started else { return nil }
      let values = (0..<dimensions).map { start.values[$0 * started + track] }
      return SpringMotion(slowed(start.springs[track]), values: values, velocities: velocities, at: 0)
    }
  }

  /// Whether a track dies when it comes to rest.
  func isMortal(_ track: Int) -> Bool { track >= firstMortal }

  /// Plays to `time`, with the rests that the player noted; `check` is called with each rest and its place.
  mutating func play(
    to time: Double, _ noted: [RetargetNote], _ tolerance: RestTolerances,
    check: (SpringMotion.Rest, String) -> Void
  ) {
    notes = noted[...]
    switch course {
    case .targets(var course):
      while let change = course.next(until: time) {
        for (position, track) in tracks.enumerated() {
          guard let place = change.tracks.position(of: track) else { continue }
          let spring = change.springs.map { $0[place] }
          retarget(position, to: change.targets, place, spring, at: change.time, tolerance, check)
        }
      }
      self.course = .targets(course)
    case .particles(var course, let home, let following):
      while let change = course.next(until: time) {
        switch change.kind {
        case .move(let released, let followers):
          retarget(released, home, at: change.time, tolerance, check)
          retarget(followers, following, at: change.time, tolerance, check)
        case .birth(let sparks): bear(sparks, at: change.time)
        }
      }
      self.course = .particles(course, home: home, following: following)
    }
  }

  private mutating func retarget(
    _ flock: Flock, _ spring: Spring, at time: Double, _ tolerance: RestTolerances,
    _ check: (SpringMotion.Rest, String) -> Void
  ) {
    for (place, track) in flock.tracks.enumerated() {
      guard let position = position(of: track) else { continue }
      retarget(position, to: flock.targets, place, spring, at: time, tolerance, check)
    }
  }

  /// Sends a track to the target at index `place` of component-major targets.
  private mutating func retarget(
    _ position: Int, to targets: [Float], _ place: Int, _ spring: Spring?, at time: Double,
    _ tolerance: RestTolerances, _ check: (SpringMotion.Rest, String) -> Void
  ) {
    guard var reference = references[position] else { return }
    // A player that missed the change has noted nothing; its values then differ.
    if let note = notes.first, note.track == tracks[position], note.time == time {
      notes.removeFirst()
      if note.wasAtRest {
        check(
          reference.rest(at: time, tolerance), "group \(index), track \(tracks[position]), at \(time) s")
        let targets = (0..<dimensions).map { reference.target($0) }
        reference = SpringMotion(reference.spring, values: targets, at: time)
      }
    }
    let size = targets.count / dimensions
    let goal = (0..<dimensions).map { targets[$0 * size + place] }
    // A track that is sent to its current target with a spring keeps its motion.
    if spring == nil || !goal.indices.allSatisfy({ goal[$0] == reference.target($0) }) {
      reference.retarget(to: goal.map(Double.init), spring.map(slowed), at: time)
    }
    references[position] = reference
  }

  private mutating func bear(_ sparks: Sparks, at time: Double) {
    let size = sparks.tracks.count
    for (position, track) in tracks.enumerated() where sparks.tracks.contains(track) {
      let place = track - sparks.tracks.lowerBound
      func component(_ values: [Float]) -> [Float] { (0..<dimensions).map { values[$0 * size + place] } }
      references[position] = SpringMotion(
        slowed(sparks.springs[place]), values: component(sparks.values),
        velocities: component(sparks.velocities), targets: component(sparks.targets), at: time)
    }
  }

  /// The position of a track among those that are compared.
  private func position(of track: Int) -> Int? {
    var (low, high) = (0, tracks.count)
    while low < high {
      let middle = (low + high) / 2
      if tracks[middle] < track { low = middle + 1 } else { high = middle }
    }
    return low < tracks.count && tracks[low] == track ? low : nil
  }

  private func slowed(_ spring: Spring) -> Spring {
    guard slowing != 0, spring.duration > 0 else { return spring }
    return Spring(duration: spring.duration * (1 + slowing), bounce: spring.bounce)
  }
}
