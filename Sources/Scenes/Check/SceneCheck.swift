// SPDX-License-Identifier: MIT
import Murmuration

/// Compares what a player shows with the scalar model, which plays the same scene in Double beside it.
///
/// Of many tracks, a sample is compared, drawn evenly from each group; of these every component in every frame, values
/// and velocities. Keyframe timelines are played by the model itself, so there is nothing to compare them with.
///
/// Where a track is at rest, it has to show exactly its target and no velocity, and the model's motion has to be within
/// the tolerance of rest. (That it stays there is not looked at in a frame, but in those that follow.)
package struct SceneCheck {
  /// The largest number of tracks that are compared.
  package static let sampleLimit = 2000

  /// The worst error of one kind, by its share of the bound.
  package struct Worst: Equatable, Sendable {
    /// The error.
    package private(set) var error = 0.0
    /// The bound at the same place.
    package private(set) var bound = 0.0
    /// The error as a share of the bound; infinite where an error met a bound of 0.
    package private(set) var share = 0.0
    /// Where it was: frame, track and component.
    package private(set) var place = ""

    mutating func add(error: Double, bound: Double, place: @autoclosure () -> String) {
      // A NaN is an error beyond all bounds, not one that compares false.
      let next = error == 0 ? 0 : error.isNaN ? .infinity : error / bound
      guard next > share || self.place.isEmpty else { return }
      (self.error, self.bound, share, self.place) = (error, bound, next, place())
    }
  }

  /// The worst error of a value.
  package private(set) var value = Worst()
  /// The worst error of a velocity, per second.
  package private(set) var velocity = Worst()
  /// The worst distance from the target, or speed, of a track that was at rest.
  package private(set) var rest = Worst()
  /// The number of times that a track was found at rest.
  package private(set) var rests = 0
  /// The number of values compared so far.
  package private(set) var comparisons = 0
  /// The number of tracks that are compared.
  package var tracks: Int { groups.reduce(0) { $0 + $1.tracks.count } }
  /// Whether every error is within its bound.
  package var passed: Bool { value.share <= 1 && velocity.share <= 1 && rest.share <= 1 }

  private struct Group {
    var index: Int
    /// The numbers of the tracks in the sample, ascending.
    var tracks: [Int]
    var references: [ReferenceTrack]
    var course: GroupCourse
  }

  private var groups: [Group] = []
  private let dimensions: Int
  private let perturbation: Double

  /// A check of `playable` from its start, which has `player` note what the check has to know.
  ///
  /// A `perturbation` makes the reference's springs slower by that share: a check that cannot fail proves nothing, so
  /// this shows that it can.
  package init(
    _ playable: PlayableScene, watching player: borrowing ScenePlayer, sampleLimit: Int = SceneCheck.sampleLimit,
    perturbation: Double = 0
  ) {
    dimensions = playable.scene.dimensions
    self.perturbation = perturbation
    let total = playable.scene.groups.reduce(0) { $0 + $1.count }
    for (index, group) in playable.scene.groups.enumerated() {
      guard case .springs(let springs) = group.motion else { continue }
      let share = total <= sampleLimit ? group.count : max(1, group.count * sampleLimit / total)
      let random = SceneRandom(seed: 0, purpose: .sample, group: index)
      let tracks = SceneCheck.sample(share, of: group.count, random: random)
      groups.append(makeGroup(springs, index: index, count: group.count, playable, tracks: tracks))
      player.watch(tracks, ofGroup: index)
    }
  }

  private func makeGroup(
    _ springs: SpringGroup, index: Int, count: Int, _ playable: PlayableScene, tracks: [Int]
  ) -> Group {
    let recording = playable.recordings[index]
    let start = GroupStart(springs, index: index, count: count, scene: playable.scene, recording: recording)
    let velocities = start.velocity.isEmpty ? [Float](repeating: 0, count: dimensions) : start.velocity
    let references = tracks.map { track in
      let values = (0..<dimensions).map { start.values[$0 * count + track] }
      return ReferenceTrack(spring: perturbed(start.springs[track]), values: values, velocities: velocities)
    }
    let course = GroupCourse(springs, index: index, count: count, scene: playable.scene, recording: recording)
    return Group(index: index, tracks: tracks, references: references, course: course)
  }

  /// `size` of `count` numbers, one drawn from each of as many equal parts, so that no rhythm of the scene hides.
  private static func sample(_ size: Int, of count: Int, random: SceneRandom) -> [Int] {
    guard size < count else { return Array(0..<count) }
    var random = random
    return (0..<size).map { part in
      let (low, high) = (count * part / size, count * (part + 1) / size)
      return min(high - 1, low + Int(random.number(in: 0...1) * Double(high - low)))
    }
  }

  private func perturbed(_ spring: Spring) -> Spring {
    guard perturbation != 0, spring.duration > 0 else { return spring }
    return Spring(duration: spring.duration * (1 + perturbation), bounce: spring.bounce)
  }

  // MARK: - Comparing

  /// Compares the player's current frame, which shows `time`; frames come in order.
  package mutating func compare(_ player: borrowing ScenePlayer, frame: Int, time: Double) throws(SceneError) {
    for index in groups.indices {
      guard let tolerance = player.restTolerance(ofGroup: groups[index].index) else { continue }
      play(index, to: time, player.takeNotes(ofGroup: groups[index].index), tolerance)
      let areAtRest = try player.areAtRest(groups[index].tracks, ofGroup: groups[index].index)
      for component in 0..<dimensions {
        try compare(groups[index], component, player, areAtRest, frame: frame, time: time)
      }
      for position in areAtRest.indices where areAtRest[position] {
        let group = groups[index]
        add(group.references[position].rest(at: time, tolerance: tolerance)) {
          "frame \(frame), group \(group.index), track \(group.tracks[position])"
        }
      }
    }
  }

  private mutating func play(
    _ index: Int, to time: Double, _ notes: [RetargetNote], _ tolerance: RestTolerances
  ) {
    var notes = notes[...]
    var group = groups[index]
    defer { groups[index] = group }
    while let change = group.course.next(until: time) {
      for (position, track) in group.tracks.enumerated() {
        guard let place = change.tracks.position(of: track) else { continue }
        // A player that missed the change noted nothing, and will show it.
        if let note = notes.first, note.track == track, note.time == change.time {
          notes.removeFirst()
          if note.wasAtRest {
            add(group.references[position].rest(at: change.time, tolerance: tolerance)) {
              "group \(group.index), track \(track), at \(change.time) s"
            }
            group.references[position].comeToRest(at: change.time)
          }
        }
        let size = change.targets.count / dimensions
        let targets = (0..<dimensions).map { change.targets[$0 * size + place] }
        let spring = change.springs.map { perturbed($0[place]) }
        group.references[position].retarget(to: targets, spring: spring, at: change.time)
      }
    }
  }

  private mutating func add(_ rest: ReferenceTrack.Rest, place: () -> String) {
    rests += 1
    self.rest.add(error: rest.distance, bound: rest.distanceBound, place: "distance, \(place())")
    self.rest.add(error: rest.speed, bound: rest.speedBound, place: "speed, \(place())")
  }

  private mutating func compare(
    _ group: Group, _ component: Int, _ player: borrowing ScenePlayer, _ areAtRest: [Bool], frame: Int, time: Double
  ) throws(SceneError) {
    let values = try player.withValues(group: group.index, component: component) { column in
      group.tracks.map { column[$0] }
    }
    let velocities = try player.withVelocities(group: group.index, component: component) { column in
      group.tracks.map { column[$0] }
    }
    for (position, reference) in group.references.enumerated() {
      var sample = reference.sample(component, at: time)
      if areAtRest[position] {
        let target = Double(reference.target(component))
        sample = ReferenceTrack.Sample(value: target, velocity: 0, valueBound: 0, velocityBound: 0)
      }
      func place() -> String {
        "frame \(frame), group \(group.index), track \(group.tracks[position]), component \(component)"
      }
      value.add(error: abs(Double(values[position]) - sample.value), bound: sample.valueBound, place: place())
      comparisons += 1
      guard let velocities else { continue }
      velocity.add(
        error: abs(Double(velocities[position]) - sample.velocity), bound: sample.velocityBound, place: place())
    }
  }
}
