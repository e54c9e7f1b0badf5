// SPDX-License-Identifier: MIT

/// The player of one group of a scene.
enum GroupPlayer {
  case kernels(any KernelGroupPlayer)
  case timelines(TimelineGroupPlayer)
  case phases(PhaseGroupPlayer)
  case networks(NetworkGroupPlayer)
  case rigs(RigGroupPlayer)

  var count: Int {
    switch self {
    case .kernels(let player): player.count
    case .timelines(let player): player.count
    case .phases(let player): player.count
    case .networks(let player): player.count
    case .rigs(let player): player.count
    }
  }

  /// Whether NaN stands for an absent value.
  var hasAbsentValues: Bool {
    switch self {
    case .kernels(let player): player.hasAbsentTracks
    case .rigs(let player): player.hasAbsentValues
    case .timelines, .phases, .networks: false
    }
  }
}
