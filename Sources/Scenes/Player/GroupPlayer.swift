// SPDX-License-Identifier: MIT
import Murmuration

/// The player of one group of a scene.
enum GroupPlayer {
  case kernels(any KernelGroupPlayer)
  case animations(AnimationGroupPlayer)
  case timelines(TimelineGroupPlayer)
  case phases(PhaseGroupPlayer)
  case networks(NetworkGroupPlayer)
  case rigs(RigGroupPlayer)

  var count: Int {
    switch self {
    case .kernels(let player): player.count
    case .animations(let player): player.count
    case .timelines(let player): player.count
    case .phases(let player): player.count
    case .networks(let player): player.count
    case .rigs(let player): player.count
    }
  }

  /// The work of the last frame of the batch.
  var work: BatchWork {
    switch self {
    case .kernels(let player): player.batch.work
    case .animations(let player): player.batch.work
    case .timelines(let player): player.batch.work
    case .phases(let player): player.batch.work
    case .networks(let player): player.work
    case .rigs(let player): player.batch.work
    }
  }

  /// Whether NaN stands for an absent value.
  var hasAbsentValues: Bool {
    switch self {
    case .kernels(let player): player.hasAbsentTracks
    case .rigs(let player): player.hasAbsentValues
    case .animations, .timelines, .phases, .networks: false
    }
  }
}
