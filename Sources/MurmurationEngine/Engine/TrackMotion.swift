// SPDX-License-Identifier: MIT
import Kernels

/// The motion of a track. A paused track has the motion with which it goes on.
public enum TrackMotion: Hashable, Sendable {
  /// No motion: the track stands.
  case still
  /// A spring, also when it has come to rest.
  case spring
  /// A deceleration, also when it has come to rest.
  case deceleration
  /// A goal that may change in every frame, also when the track has reached it.
  case following
  /// One curve from where it stood, also when it is over.
  case curve
  /// Effects that add up, or an animation that is computed track by track, also when they are over.
  case sum
  /// A clip that was loaded, or one made anew from it.
  case clip(ClipID, Progress)

  /// The state of a playback.
  public enum Progress: Hashable, Sendable, BitwiseCopyable {
    /// The playback has not begun.
    case waiting
    /// The playback is under way, or paused there.
    case playing
    /// The playback has come to its end.
    case over
  }
}

extension Engine {
  /// The motion of a track.
  package func motion(at index: Int) -> TrackMotion {
    let kind = tracks.tiles.kind(at: index)
    if kind.isClip {
      return .clip(clips.library.id(Int(clips.columns.states[index].home)), clips.leg(of: index, at: time).phase)
    }
    if kind == .curves { return curves.isSingle(index) ? .curve : .sum }
    if kind == .called { return .sum }
    if kind == .following { return .following }
    if kind == .spring { return springs.coefficients(at: index).isDeceleration ? .deceleration : .spring }
    switch pauses[index]?.motion {
    case nil: return .still
    case .spring: return springs.coefficients(at: index).isDeceleration ? .deceleration : .spring
    case .curves(let held): return held.areOnSpring || held.effects.count > 1 ? .sum : .curve
    case .following: return .following
    case .called: return .sum
    }
  }
}
