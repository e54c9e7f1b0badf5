// SPDX-License-Identifier: MIT
package import Formats
import ModalMotion
import Murmuration
import MurmurationReference
package import Scenes

/// Compares a player's values with the scalar model, which plays the same scene in Double beside it.
///
/// If there are many tracks, a sample is compared, drawn evenly from each group. Of each drawn track, values and velocities
/// of every component are compared in every frame.
///
/// For instances of the animations of a glTF file, values alone are compared, with the formulas of the specification.
///
/// A track at rest must show exactly its target and a velocity of 0, and the model's motion must be within the tolerance of
/// rest. (A single frame does not tell whether it stays there; the next frames do.) A track of a burst must be absent
/// before its birth, and from the moment at which it comes to rest; that moment must not be too early. Whether a track
/// comes to rest in time is not checked.
package struct SceneCheck {
  /// The largest number of tracks that are compared.
  package static let sampleLimit = 2000

  /// The worst error of one kind, by its share of the bound.
  package struct Worst: Equatable, Sendable {
    /// The error.
    package private(set) var error = 0.0
    /// The bound at the same place.
    package private(set) var bound = 0.0
    /// The error as a share of the bound; infinite for an error with a bound of 0.
    package private(set) var share = 0.0
    /// The frame, track and component of the value.
    package private(set) var place = ""

    /// Takes an error into account. An infinite bound allows any finite error: a clip's velocity has such a bound where the
    /// timeline is vertical, and the timeline's own velocity infinite.
    mutating func add(error: Double, bound: Double, place: @autoclosure () -> String) {
      let quotient = error == 0 || !error.isNaN && bound == .infinity ? 0 : error / bound
      // A NaN is an error beyond all bounds, not one that compares false.
      let next = quotient.isNaN ? .infinity : quotient
      guard next > share || self.place.isEmpty else { return }
      (self.error, self.bound, share, self.place) = (error, bound, next, place())
    }
  }

  /// The worst error of a value.
  package private(set) var value = Worst()
  /// The worst error of a velocity, per second.
  package private(set) var velocity = Worst()
  /// Whether velocities were compared.
  package var comparesVelocities: Bool { !groups.isEmpty || !networks.isEmpty || !playbacks.isEmpty }
  /// The worst distance from the target, or speed, of a track that was at rest.
  package private(set) var rest = Worst()
  /// The number of times that a track was found at rest.
  package private(set) var rests = 0
  /// The number of values compared so far.
  package private(set) var comparisons = 0
  /// The number of tracks that are compared.
  package var tracks: Int {
    groups.reduce(0) { $0 + $1.tracks.count } + networks.reduce(0) { $0 + $1.tracks.count }
      + playbacks.reduce(0) { $0 + $1.tracks.count }
      + rigs.reduce(0) { $0 + $1.tracks.count }
  }
  /// Whether every error is within its bound.
  package var passed: Bool { value.share <= 1 && velocity.share <= 1 && rest.share <= 1 }

  private var groups: [ReferenceGroup] = []
  private var networks: [NetworkReference] = []
  private var playbacks: [any SampledReference] = []
  private var rigs: [RigReference] = []
  /// The tracks of each group that are dead.
  private var areDead: [[Bool]] = []
  private let dimensions: Int

  /// A check of `playable` from its start. It asks `player` to note what the check needs.
  ///
  /// With a `perturbation` the reference's springs are slower by that fraction, which shows that the check can fail.
  /// - Throws: `FileError` where the model cannot play a group.
  package init(
    _ playable: PlayableScene, watching player: borrowing ScenePlayer, sampleLimit: Int = SceneCheck.sampleLimit,
    perturbation: Double = 0
  ) throws(FileError) {
    dimensions = playable.scene.dimensions
    let total = playable.scene.groups.reduce(0) { $0 + $1.count }
    for (index, group) in playable.scene.groups.enumerated() {
      // Fewer instances are compared if each has many values.
      let limit = sampleLimit * 4 / max(4, dimensions)
      let share = total <= limit ? group.count : max(1, group.count * limit / total)
      let random = SceneRandom(seed: 0, purpose: .sample, group: index)
      let tracks = SceneCheck.sample(share, of: group.count, random: random)
      switch group.motion {
      case .springs(let springs):
        groups.append(ReferenceGroup(springs, index: index, tracks: tracks, playable, slowing: perturbation))
        areDead.append(Array(repeating: false, count: tracks.count))
        player.watch(tracks, ofGroup: index)
      case .networks(let networks):
        guard let modes = player.modes(ofGroup: index) else { continue }
        do {
          self.networks.append(
            try NetworkReference(networks, index: index, tracks: tracks, modes, playable, slowing: perturbation))
        } catch { throw FileError(place: "groups[\(index)]", "\(error)") }
      case .animations(let animations):
        playbacks.append(AnimationReference(animations, index: index, tracks: tracks, playable, slowing: perturbation))
      case .timelines(let timelines):
        do {
          playbacks.append(
            try TimelineReference(timelines, index: index, tracks: tracks, playable, slowing: perturbation))
        } catch { throw FileError(place: "groups[\(index)]", "\(error)") }
      case .phases(let phases):
        do {
          playbacks.append(try PhaseReference(phases, index: index, tracks: tracks, playable, slowing: perturbation))
        } catch { throw FileError(place: "groups[\(index)]", "\(error)") }
      case .rigs(let rig):
        guard let file = playable.rigs else { continue }
        rigs.append(RigReference(rig, index: index, tracks: tracks, playable, rigs: file, slowing: perturbation))
      }
    }
  }

  /// `size` of `count` indices, one drawn from each of `size` equal parts, so that no rhythm of the scene hides.
  private static func sample(_ size: Int, of count: Int, random: SceneRandom) -> [Int] {
    guard size < count else { return Array(0..<count) }
    var random = random
    return (0..<size).map { part in
      let (low, high) = (count * part / size, count * (part + 1) / size)
      return min(high - 1, low + Int(random.number(in: 0...1) * Double(high - low)))
    }
  }

  // MARK: - Comparing

  private mutating func compareNetworks(
    _ index: Int, _ player: borrowing ScenePlayer, frame: Int, time: Double
  ) throws(FileError) {
    let group = networks[index].index
    do { try networks[index].play(to: time) } catch {
      throw FileError(place: "groups[\(group)]", error.description)
    }
    let (tracks, samples) = (networks[index].tracks, networks[index].samples(at: time))
    let values = try player.withValues(group: group, component: dimensions - 1) { column in tracks.map { column[$0] } }
    let velocities = try player.withVelocities(group: group, component: dimensions - 1) { column in
      tracks.map { column[$0] }
    }
    for (position, sample) in samples.enumerated() {
      func place() -> String { "frame \(frame), group \(group), point \(sample.track)" }
      compare(values[position], velocities[position], sample.state, place: place())
    }
  }

  /// Compares a value and a velocity with the expected ones.
  private mutating func compare(
    _ shown: Float, _ speed: Float, _ exact: MotionSample, place: @autoclosure () -> String
  ) {
    value.add(error: abs(Double(shown) - exact.value), bound: exact.bound.value, place: place())
    // Where a timeline is vertical, a player may show any finite velocity.
    let error = speed.isFinite ? abs(Double(speed) - exact.velocity) : .nan
    velocity.add(error: error, bound: exact.bound.velocity, place: place())
    comparisons += 1
  }

  private mutating func comparePlaybacks(
    _ index: Int, _ player: borrowing ScenePlayer, frame: Int, time: Double
  ) throws(FileError) {
    let group = playbacks[index].index
    do { try playbacks[index].play(to: time) } catch { throw FileError(place: "groups[\(group)]", "\(error)") }
    let tracks = playbacks[index].tracks
    for component in 0..<dimensions {
      let values = try player.withValues(group: group, component: component) { column in tracks.map { column[$0] } }
      let velocities = try player.withVelocities(group: group, component: component) { column in
        tracks.map { column[$0] }
      }
      for (position, track) in tracks.enumerated() {
        let sample = playbacks[index].sample(position, component, at: time)
        func place() -> String { "frame \(frame), group \(group), track \(track), component \(component)" }
        compare(values[position], velocities[position], sample, place: place())
      }
    }
  }

  private mutating func compareRigs(
    _ reference: RigReference, _ player: borrowing ScenePlayer, frame: Int, time: Double
  ) throws(FileError) {
    let tracks = reference.tracks
    var shown = [[Float]](repeating: [], count: tracks.count)
    for column in reference.columns {
      try player.withValues(group: reference.index, component: column) { values in
        for (position, track) in tracks.enumerated() { shown[position].append(values[track]) }
      }
    }
    for (position, track) in tracks.enumerated() {
      let times = reference.times(ofTrackAt: position, at: time)
      reference.compare(shown[position], at: times) { dimension, error, bound in
        value.add(
          error: error, bound: bound,
          place: "frame \(frame), group \(reference.index), track \(track), component \(reference.columns[dimension])")
        comparisons += 1
      }
    }
  }

  /// Compares the player's current frame at `time`; frames come in order.
  package mutating func compare(_ player: borrowing ScenePlayer, frame: Int, time: Double) throws(FileError) {
    for index in networks.indices {
      try compareNetworks(index, player, frame: frame, time: time)
    }
    for index in playbacks.indices {
      try comparePlaybacks(index, player, frame: frame, time: time)
    }
    for reference in rigs { try compareRigs(reference, player, frame: frame, time: time) }
    for index in groups.indices {
      let number = groups[index].index
      let tolerance = player.playable.scene.groups[number].rest
      var rests: [(SpringMotion.Rest, String)] = []
      groups[index].play(to: time, player.takeNotes(ofGroup: number), tolerance) { rests.append(($0, $1)) }
      for (rest, place) in rests { add(rest, place) }
      let states = player.states(of: groups[index].tracks, ofGroup: number)
      compareLives(index, states, tolerance, frame: frame, time: time)
      for component in 0..<dimensions {
        try compare(groups[index], component, player, states, frame: frame, time: time)
      }
    }
  }

  /// Checks which tracks are there, and which are at rest.
  private mutating func compareLives(
    _ index: Int, _ states: [TrackState], _ tolerance: RestTolerances, frame: Int, time: Double
  ) {
    for (position, state) in states.enumerated() {
      let place = "frame \(frame), group \(groups[index].index), track \(groups[index].tracks[position])"
      guard let reference = groups[index].references[position] else {
        if state != .absent { value.add(error: .infinity, bound: 0, place: "\(place), which is not born yet") }
        continue
      }
      if areDead[index][position] {
        if state != .absent { value.add(error: .infinity, bound: 0, place: "\(place), which is dead") }
        continue
      }
      guard state != .moving else { continue }
      add(reference.rest(at: time, tolerance), place)
      if state == .absent {
        areDead[index][position] = true
      } else if groups[index].isMortal(groups[index].tracks[position]) {
        value.add(error: .infinity, bound: 0, place: "\(place), which should be dead")
      }
    }
  }

  private mutating func add(_ rest: SpringMotion.Rest, _ place: String) {
    rests += 1
    self.rest.add(error: rest.distance.value, bound: rest.limit.value, place: "distance, \(place)")
    self.rest.add(error: rest.distance.velocity, bound: rest.limit.velocity, place: "speed, \(place)")
  }

  private mutating func compare(
    _ group: ReferenceGroup, _ component: Int, _ player: borrowing ScenePlayer, _ states: [TrackState], frame: Int,
    time: Double
  ) throws(FileError) {
    let values = try player.withValues(group: group.index, component: component) { column in
      group.tracks.map { column[$0] }
    }
    let velocities = try player.withVelocities(group: group.index, component: component) { column in
      group.tracks.map { column[$0] }
    }
    for (position, reference) in group.references.enumerated() {
      func place() -> String {
        "frame \(frame), group \(group.index), track \(group.tracks[position]), component \(component)"
      }
      guard states[position] != .absent, let reference else {
        if !values[position].isNaN { value.add(error: .infinity, bound: 0, place: "\(place()), which is absent") }
        continue
      }
      var sample = reference.sample(component, at: time)
      if states[position] == .atRest {
        let target = Double(reference.target(component))
        sample = MotionSample(value: target, velocity: 0)
      }
      compare(values[position], velocities[position], sample, place: place())
    }
  }
}
