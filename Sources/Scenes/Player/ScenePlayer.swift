// SPDX-License-Identifier: MIT
package import Murmuration
import Text

/// Plays a scene frame by frame, each group through a batch of its own.
///
/// Retargets happen at their own times between frames, so that what a frame shows does not depend on the frame rate.
/// One owner at a time.
package struct ScenePlayer: ~Copyable {
  /// The scene that is played.
  package let playable: PlayableScene
  private var groups: [GroupPlayer] = []

  /// A player at time 0 of `playable`, whose springs run on `kernels`, or on the best set when that is nil.
  /// - Throws: `SceneError` when a batch refuses a group.
  package init(_ playable: PlayableScene, kernels: KernelSet? = nil) throws(SceneError) {
    let scene = playable.scene
    var groups: [GroupPlayer] = []
    for (index, group) in scene.groups.enumerated() {
      switch group.motion {
      case .springs(let springs):
        do {
          groups.append(.kernels(try ScenePlayer.player(springs, index: index, playable, kernels)))
        } catch { throw SceneError(place: "groups[\(index)]", "\(error)") }
      case .timelines(let timelines):
        do {
          groups.append(
            .timelines(
              try TimelineGroupPlayer(
                timelines, index: index, count: group.count, scene: scene, kernels: kernels, threads: playable.threads))
          )
        } catch { throw SceneError(place: "groups[\(index)].timelines", "\(error)") }
      case .phases(let phases):
        do {
          groups.append(
            .phases(
              try PhaseGroupPlayer(
                phases, index: index, count: group.count, scene: scene, kernels: kernels, threads: playable.threads)))
        } catch { throw SceneError(place: "groups[\(index)].phases", "\(error)") }
      case .networks(let networks):
        do {
          groups.append(
            .networks(
              try NetworkGroupPlayer(
                networks, index: index, count: group.count, scene: scene, kernels: kernels, threads: playable.threads)))
        } catch { throw SceneError(place: "groups[\(index)].network", "\(error)") }
      case .rigs(let group):
        guard let rigs = playable.rigs else { throw SceneError(place: "groups[\(index)]", "needs its glTF file") }
        do {
          groups.append(.rigs(try RigGroupPlayer(group, index: index, playable, rigs: rigs, kernels: kernels)))
        } catch { throw SceneError(place: "animation \(rigs.parts[group.part].name.printable)", "\(error)") }
      }
    }
    self.playable = playable
    self.groups = groups
  }

  private static func player(
    _ springs: SpringGroup, index: Int, _ playable: PlayableScene, _ kernels: KernelSet?
  ) throws -> any KernelGroupPlayer {
    let scene = playable.scene
    let count = scene.groups[index].count
    if case .particles(let particles) = springs.course {
      return try ParticleGroupPlayer(
        springs, particles, index: index, count: count, scene: scene, kernels: kernels, threads: playable.threads)
    }
    return try SpringGroupPlayer(
      springs, index: index, count: count, scene: scene, recording: playable.recordings[index], kernels: kernels,
      threads: playable.threads)
  }

  /// Plays on to `frame`, which is not before the current one.
  ///
  /// Much can happen between two frames: `isStopped` is asked before each change, and once it says so the player stays
  /// where it is, short of the frame.
  package mutating func advance(toFrame frame: Int, unless isStopped: () -> Bool = { false }) throws(SceneError) {
    try advance(to: playable.time(ofFrame: frame), unless: isStopped)
  }

  /// Plays on to `time` in seconds, which is not before the current one.
  package mutating func advance(to time: Double, unless isStopped: () -> Bool = { false }) throws(SceneError) {
    for index in groups.indices { try advance(group: index, to: time, unless: isStopped) }
  }

  /// Plays one group on to `time`, leaving the others where they are.
  mutating func advance(group index: Int, to time: Double, unless isStopped: () -> Bool) throws(SceneError) {
    do {
      switch groups[index] {
      case .kernels(let player): try player.advance(to: time, unless: isStopped)
      case .timelines(let player): try player.advance(to: time, unless: isStopped)
      case .phases(let player): try player.advance(to: time, unless: isStopped)
      case .networks(let player): try player.advance(to: time, unless: isStopped)
      case .rigs(let player): if !isStopped() { try player.advance(to: time) }
      }
    } catch { throw SceneError(place: "groups[\(index)]", "\(error)") }
  }

  /// The player of a group that can be baked: of springs, but not particles; nil for others.
  func springGroup(_ index: Int) -> SpringGroupPlayer? {
    if case .kernels(let player) = groups[index] { player as? SpringGroupPlayer } else { nil }
  }

  /// The player of a group of keyframes, phases or animations; nil for others.
  func bakingGroup(_ index: Int) -> (any BakingGroupPlayer)? {
    switch groups[index] {
    case .timelines(let player): player
    case .phases(let player): player
    case .rigs(let player): player
    case .kernels, .networks: nil
    }
  }

  /// Whether values of a group may be absent.
  func hasAbsentValues(group index: Int) -> Bool { groups[index].hasAbsentValues }

  // MARK: - What was played

  /// The number of tracks that springs move.
  package var springTracks: Int {
    groups.reduce(0) { sum, group in if case .kernels(let player) = group { sum + player.count } else { sum } }
  }

  /// The number of tracks that play keyframes.
  package var timelineTracks: Int {
    groups.reduce(0) { sum, group in if case .timelines(let player) = group { sum + player.count } else { sum } }
  }

  /// The number of tracks that go through phases.
  package var phaseTracks: Int {
    groups.reduce(0) { sum, group in if case .phases(let player) = group { sum + player.count } else { sum } }
  }

  /// The number of tracks that are points of networks.
  package var networkTracks: Int {
    groups.reduce(0) { sum, group in if case .networks(let player) = group { sum + player.count } else { sum } }
  }

  /// The number of tracks that are instances of animations.
  package var rigTracks: Int {
    groups.reduce(0) { sum, group in if case .rigs(let player) = group { sum + player.count } else { sum } }
  }

  /// What the animations took so far.
  package var rigClock: RigClock {
    groups.reduce(RigClock()) { sum, group in if case .rigs(let player) = group { sum + player.clock } else { sum } }
  }

  /// What the networks took so far.
  package var networkClock: NetworkClock {
    groups.reduce(NetworkClock()) { sum, group in
      if case .networks(let player) = group { sum + player.clock } else { sum }
    }
  }

  /// What keyframes took so far.
  package var timelineClock: PlaybackClock {
    groups.reduce(PlaybackClock()) { sum, group in
      if case .timelines(let player) = group { sum + player.clock } else { sum }
    }
  }

  /// What phases took so far.
  package var phaseClock: PlaybackClock {
    groups.reduce(PlaybackClock()) { sum, group in
      if case .phases(let player) = group { sum + player.clock } else { sum }
    }
  }

  /// The modes of a group of networks and what one at rest may be off; nil for other groups.
  func modes(ofGroup group: Int) -> (basis: ModalBasis, tolerance: Float)? {
    if case .networks(let player) = groups[group] { (player.basis, player.modalTolerance) } else { nil }
  }

  /// The time that springs took so far.
  package var kernelClock: KernelClock {
    groups.reduce(KernelClock()) { sum, group in
      if case .kernels(let player) = group { sum + player.clock } else { sum }
    }
  }

  // MARK: - Watching

  /// Notes from now on what becomes of some tracks of a group of springs, whose numbers ascend.
  func watch(_ tracks: [Int], ofGroup group: Int) {
    if case .kernels(let player) = groups[group] { player.watch(tracks) }
  }

  /// What was noted of a group of springs since the last call, in the order in which it happened.
  func takeNotes(ofGroup group: Int) -> [RetargetNote] {
    if case .kernels(let player) = groups[group] { player.takeNotes() } else { [] }
  }

  /// What each of some tracks of a group of springs shows.
  func states(of tracks: [Int], ofGroup group: Int) throws(SceneError) -> [TrackState] {
    guard case .kernels(let player) = groups[group] else { return tracks.map { _ in .moving } }
    do { return try tracks.map { track in try player.state(of: track) } } catch {
      throw SceneError(place: "groups[\(group)]", "\(error)")
    }
  }

  /// What the batch of a group of springs takes for rest; nil for other groups.
  func restTolerance(ofGroup group: Int) -> RestTolerances? {
    if case .kernels(let player) = groups[group] { player.restTolerance } else { nil }
  }

  // MARK: - Reading

  /// Lends the values of one component of a group, track after track.
  package func withValues<R>(
    group: Int, component: Int, _ body: (Span<Float>) throws -> R
  ) throws(SceneError) -> R {
    do {
      switch groups[group] {
      case .kernels(let player): return try player.withValues(component, body)
      case .timelines(let player): return try player.withValues(component, body)
      case .phases(let player): return try player.withValues(component, body)
      case .networks(let player): return try player.withValues(component, body)
      case .rigs(let player): return try player.withValues(component, body)
      }
    } catch { throw SceneError(place: "groups[\(group)]", "\(error)") }
  }

  /// Lends the velocities of one component of a group, track after track.
  package func withVelocities<R>(
    group: Int, component: Int, _ body: (Span<Float>) throws -> R
  ) throws(SceneError) -> R {
    do {
      switch groups[group] {
      case .kernels(let player): return try player.withVelocities(component, body)
      case .timelines(let player): return try player.withVelocities(component, body)
      case .phases(let player): return try player.withVelocities(component, body)
      case .networks(let player): return try player.withVelocities(component, body)
      case .rigs(let player): return try player.withVelocities(component, body)
      }
    } catch { throw SceneError(place: "groups[\(group)]", "\(error)") }
  }

  /// Writes the current frame: all groups, all tracks, all components of each; NaN for what is absent.
  package func write(to writer: inout some FrameWriter & ~Copyable) throws(SceneError) {
    let dimensions = playable.scene.dimensions
    var rows: [Float] = []
    let rowsAtOnce = max(1, ScenePlayer.valuesAtOnce / dimensions)
    for (index, group) in groups.enumerated() {
      let hasAbsentValues = group.hasAbsentValues
      // In parts, so that a frame of millions of tracks is not in memory twice.
      for start in stride(from: 0, to: group.count, by: rowsAtOnce) {
        let count = min(rowsAtOnce, group.count - start)
        if rows.count != count * dimensions { rows = [Float](repeating: 0, count: count * dimensions) }
        for component in 0..<dimensions {
          try withValues(group: index, component: component) { column in
            // The span is taken once: the array would be asked whether it is shared for each value.
            var rows = rows.mutableSpan
            for row in 0..<count {
              let value = column[start + row]
              // A motion that outgrows float32 is no frame that anybody could use.
              guard value.isFinite || hasAbsentValues && value.isNaN else {
                throw NotFinite(track: start + row, component: component)
              }
              rows[row * dimensions + component] = value
            }
          }
        }
        try writer.write(rows)
      }
    }
    try writer.endFrame()
  }

  private static let valuesAtOnce = 1 << 16
}

/// A value that is infinite or no number, since the springs and keyframes of a scene multiply what they are given.
private struct NotFinite: Error, CustomStringConvertible {
  let track: Int
  let component: Int

  var description: String { "track \(track), component \(component): the motion is beyond what float32 can hold" }
}
