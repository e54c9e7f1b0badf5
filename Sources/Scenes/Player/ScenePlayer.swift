// SPDX-License-Identifier: MIT
package import Formats
package import ModalMotion
package import Murmuration
import Text

/// Plays a scene frame by frame, each group through a batch of its own.
///
/// Retargets happen at their own times between frames, so the values of a frame do not depend on the frame rate. One
/// owner at a time.
package struct ScenePlayer: ~Copyable {
  /// The scene that is played.
  package let playable: PlayableScene
  private var groups: [GroupPlayer]

  /// A player at time 0 of `playable`. Its springs run on `kernels`, or on the best set if that is nil.
  /// - Throws: `FileError` if a batch refuses a group.
  package init(_ playable: PlayableScene, kernels: KernelSet? = nil) throws(FileError) {
    self.playable = playable
    do { groups = try ScenePlayer.players(of: playable, kernels) } catch {
      throw playable.file.map(error.inFile) ?? error
    }
  }

  private static func players(
    of playable: PlayableScene, _ kernels: KernelSet?
  ) throws(FileError) -> [GroupPlayer] {
    let scene = playable.scene
    var groups: [GroupPlayer] = []
    for (index, group) in scene.groups.enumerated() {
      switch group.motion {
      case .springs(let springs):
        do {
          groups.append(.kernels(try ScenePlayer.player(springs, index: index, playable, kernels)))
        } catch { throw FileError(place: "groups[\(index)]", "\(error)") }
      case .animations(let animations):
        do {
          groups.append(
            .animations(
              try AnimationGroupPlayer(
                animations, index: index, count: group.count, scene: scene, kernels: kernels, threads: playable.threads)
            ))
        } catch { throw FileError(place: "groups[\(index)]", "\(error)") }
      case .timelines(let timelines):
        do {
          groups.append(
            .timelines(
              try TimelineGroupPlayer(
                timelines, index: index, count: group.count, scene: scene, kernels: kernels, threads: playable.threads))
          )
        } catch { throw FileError(place: "groups[\(index)].timelines", "\(error)") }
      case .phases(let phases):
        do {
          groups.append(
            .phases(
              try PhaseGroupPlayer(
                phases, index: index, count: group.count, scene: scene, kernels: kernels, threads: playable.threads)))
        } catch { throw FileError(place: "groups[\(index)].phases", "\(error)") }
      case .networks(let networks):
        do {
          groups.append(
            .networks(
              try NetworkGroupPlayer(
                networks, index: index, count: group.count, scene: scene, kernels: kernels)))
        } catch { throw FileError(place: "groups[\(index)].network", "\(error)") }
      case .rigs(let group):
        guard let rigs = playable.rigs else { throw FileError(place: "groups[\(index)]", "needs its glTF file") }
        do {
          groups.append(.rigs(try RigGroupPlayer(group, index: index, playable, rigs: rigs, kernels: kernels)))
        } catch { throw FileError(place: "animation \(rigs.parts[group.part].name.printable)", "\(error)") }
      }
    }
    return groups
  }

  /// Lets the springs of this player, which has not played yet, take over values and velocities at the moment of a player
  /// of the same scene with other springs.
  ///
  /// Springs of particles do not: their groups stay at time 0, as groups without springs do, and the next advance plays
  /// them from there.
  package mutating func takeOver(from player: borrowing ScenePlayer) throws(FileError) {
    for index in groups.indices {
      guard case .kernels(let new as SpringGroupPlayer) = groups[index],
        case .kernels(let old as SpringGroupPlayer) = player.groups[index]
      else { continue }
      do { try new.takeOver(from: old) } catch { throw FileError(place: "groups[\(index)]", "\(error)") }
    }
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
  /// `isStopped` is asked before each change between two frames. Once it is true the player stays where it is, before the
  /// frame.
  package mutating func advance(toFrame frame: Int, unless isStopped: () -> Bool = { false }) throws(FileError) {
    try advance(to: playable.time(ofFrame: frame), unless: isStopped)
  }

  /// Plays on to `time` in seconds, which is not before the current one.
  package mutating func advance(to time: Double, unless isStopped: () -> Bool = { false }) throws(FileError) {
    for index in groups.indices { try advance(group: index, to: time, unless: isStopped) }
  }

  /// Plays one group on to `time`, and leaves the others where they are.
  mutating func advance(group index: Int, to time: Double, unless isStopped: () -> Bool) throws(FileError) {
    do {
      switch groups[index] {
      case .kernels(let player): try player.advance(to: time, unless: isStopped)
      case .animations(let player): try player.advance(to: time, unless: isStopped)
      case .timelines(let player): try player.advance(to: time, unless: isStopped)
      case .phases(let player): try player.advance(to: time, unless: isStopped)
      case .networks(let player): try player.advance(to: time, unless: isStopped)
      case .rigs(let player): if !isStopped() { try player.evaluate(at: time) }
      }
    } catch { throw FileError(place: "groups[\(index)]", "\(error)") }
  }

  /// The player of a group that can be baked; nil for particles and networks.
  func bakingGroup(_ index: Int) -> (any BakingGroupPlayer)? {
    switch groups[index] {
    case .kernels(let player): player as? any BakingGroupPlayer
    case .animations(let player): player
    case .timelines(let player): player
    case .phases(let player): player
    case .rigs(let player): player
    case .networks: nil
    }
  }

  /// Whether values of a group may be absent.
  func hasAbsentValues(group index: Int) -> Bool { groups[index].hasAbsentValues }

  // MARK: - Work so far

  /// The number of tracks that springs move.
  package var springTracks: Int {
    groups.reduce(0) { sum, group in if case .kernels(let player) = group { sum + player.count } else { sum } }
  }

  /// The number of tracks that animations move.
  package var animationTracks: Int {
    groups.reduce(0) { sum, group in if case .animations(let player) = group { sum + player.count } else { sum } }
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

  /// The work of the animations so far.
  package var rigClock: RigClock {
    groups.reduce(RigClock()) { sum, group in if case .rigs(let player) = group { sum + player.clock } else { sum } }
  }

  /// The work of the networks so far.
  package var networkClock: NetworkClock {
    groups.reduce(NetworkClock()) { sum, group in
      if case .networks(let player) = group { sum + player.clock } else { sum }
    }
  }

  /// The work of animations so far.
  package var animationClock: PlaybackClock {
    groups.reduce(PlaybackClock()) { sum, group in
      if case .animations(let player) = group { sum + player.clock } else { sum }
    }
  }

  /// The work of keyframes so far.
  package var timelineClock: PlaybackClock {
    groups.reduce(PlaybackClock()) { sum, group in
      if case .timelines(let player) = group { sum + player.clock } else { sum }
    }
  }

  /// The work of phases so far.
  package var phaseClock: PlaybackClock {
    groups.reduce(PlaybackClock()) { sum, group in
      if case .phases(let player) = group { sum + player.clock } else { sum }
    }
  }

  /// The modes of a group of networks and their tolerance of rest; nil for other groups.
  package func modes(ofGroup group: Int) -> (basis: ModalBasis, tolerance: Float)? {
    if case .networks(let player) = groups[group] { (player.basis, player.modalTolerance) } else { nil }
  }

  /// The work of springs so far.
  package var kernelClock: KernelClock {
    groups.reduce(KernelClock()) { sum, group in
      if case .kernels(let player) = group { sum + player.clock } else { sum }
    }
  }

  /// The indices of the groups.
  var groupRange: Range<Int> { groups.indices }

  /// Lends the log of a group.
  func withLog<R>(ofGroup index: Int, _ body: (inout WorkLog) -> R) -> R {
    switch groups[index] {
    case .kernels(let player): body(&player.log)
    case .animations(let player): body(&player.log)
    case .timelines(let player): body(&player.log)
    case .phases(let player): body(&player.log)
    case .networks(let player): body(&player.log)
    case .rigs(let player): body(&player.log)
    }
  }

  /// The components of the tracks of the batch of a group, whether its frames compute velocities, and the clip that they play.
  package func batchShape(ofGroup group: Int) -> (dimensions: Int, velocities: Bool, clip: Clip?) {
    switch groups[group] {
    case .kernels(let player): (player.batch.dimensions, true, nil)
    case .animations(let player): (player.batch.dimensions, true, nil)
    case .timelines(let player): (player.batch.dimensions, true, try? player.batch.clip(player.clip))
    case .phases(let player): (player.batch.dimensions, true, nil)
    case .networks: (1, false, nil)
    case .rigs(let player): (player.batch.dimensions, false, try? player.batch.clip(player.clip))
    }
  }

  /// The seconds that frames took in all batches, without calls.
  package var frameSeconds: Double {
    kernelClock.seconds + animationClock.seconds + timelineClock.seconds + phaseClock.seconds + networkClock.seconds
      + rigClock.seconds
  }

  /// The work of the last frame of all batches.
  ///
  /// - Complexity: O(tiles).
  package var work: BatchWork { groups.indices.reduce(BatchWork()) { $0 + work(ofGroup: $1) } }

  /// The work of the last frame of the batch of a group.
  package func work(ofGroup group: Int) -> BatchWork { groups[group].work }

  // MARK: - Watching

  /// Begins to note the changes of some tracks of a group of springs, whose indices ascend.
  package func watch(_ tracks: [Int], ofGroup group: Int) {
    if case .kernels(let player) = groups[group] { player.watch(tracks) }
  }

  /// The notes about a group of springs since the last call, in the order in which they were made.
  package func takeNotes(ofGroup group: Int) -> [RetargetNote] {
    if case .kernels(let player) = groups[group] { player.takeNotes() } else { [] }
  }

  /// The states of some tracks of a group of springs.
  package func states(of tracks: [Int], ofGroup group: Int) -> [TrackState] {
    guard case .kernels(let player) = groups[group] else { return tracks.map { _ in .moving } }
    return tracks.map { player.state(of: $0) }
  }

  // MARK: - Reading

  /// Lends the values of one component of a group, track after track.
  package func withValues<R>(
    group: Int, component: Int, _ body: (Span<Float>) throws -> R
  ) throws(FileError) -> R {
    do {
      switch groups[group] {
      case .kernels(let player): return try player.withValues(component, body)
      case .animations(let player): return try player.withValues(component, body)
      case .timelines(let player): return try player.withValues(component, body)
      case .phases(let player): return try player.withValues(component, body)
      case .networks(let player): return try player.withValues(component, body)
      case .rigs(let player): return try player.withValues(component, body)
      }
    } catch { throw FileError(place: "groups[\(group)]", "\(error)") }
  }

  /// Lends the velocities of one component of a group, track after track.
  package func withVelocities<R>(
    group: Int, component: Int, _ body: (Span<Float>) throws -> R
  ) throws(FileError) -> R {
    do {
      switch groups[group] {
      case .kernels(let player): return try player.withVelocities(component, body)
      case .animations(let player): return try player.withVelocities(component, body)
      case .timelines(let player): return try player.withVelocities(component, body)
      case .phases(let player): return try player.withVelocities(component, body)
      case .networks(let player): return try player.withVelocities(component, body)
      case .rigs(let player): return try player.withVelocities(component, body)
      }
    } catch { throw FileError(place: "groups[\(group)]", "\(error)") }
  }

  /// Writes the current frame: all groups, all tracks, all components of each; NaN for an absent value.
  package func write(to writer: inout some FrameWriter & ~Copyable) throws(FileError) {
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
            // The span is taken once: the array would check for each value whether it is shared.
            var rows = rows.mutableSpan
            for row in 0..<count {
              let value = column[start + row]
              // A frame of a motion that exceeds float32 is an error.
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

/// A value that is infinite or NaN: springs and keyframes may exceed float32 although the numbers in the file do not.
private struct NotFinite: Error, CustomStringConvertible {
  let track: Int
  let component: Int

  var description: String { "track \(track), component \(component): the motion is beyond what float32 can hold" }
}
