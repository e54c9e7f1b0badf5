// SPDX-License-Identifier: MIT

/// The number of a call that changed motions, as it was returned. Later calls of a batch have larger numbers.
@frozen
public struct ChangeID: RawRepresentable, BitwiseCopyable, Hashable, Comparable, Sendable, ExpressibleByIntegerLiteral {
  public let rawValue: UInt32

  @inlinable public init(rawValue: UInt32) { self.rawValue = rawValue }
  @inlinable public init(integerLiteral value: UInt32) { rawValue = value }

  public static func < (lhs: ChangeID, rhs: ChangeID) -> Bool { lhs.rawValue < rhs.rawValue }
}

/// When a change counts as complete for a track.
public enum CompletionCriteria: Hashable, Sendable, BitwiseCopyable {
  /// When its motion is logically complete: ``AnimationEvent/Kind/logicallyComplete``.
  case logicallyComplete
  /// When its motion is over: ``AnimationEvent/Kind/settled``.
  case settled
}

/// The end of a change for one track.
public struct TrackOutcome: Hashable, Sendable, BitwiseCopyable {
  /// The ways in which a change ends.
  public enum Result: UInt8, Hashable, Sendable, BitwiseCopyable {
    /// The motion met the criteria, or had nothing to do: the track jumped, or headed for the goal already.
    case complete
    /// Another call took over, or stopped the track, or cancelled the delay.
    case replaced
    /// The track was removed.
    case removed
  }

  /// The change.
  public let change: ChangeID
  /// The track, which is there no more if it was removed.
  public let track: TrackHandle
  /// How the change ended.
  public let result: Result
}

/// The end of a change as a whole.
public struct ChangeOutcome: Hashable, Sendable, BitwiseCopyable {
  /// The change.
  public let change: ChangeID
  /// The number of tracks for which it was complete.
  public internal(set) var completed = 0
  /// The number of tracks for which another call took its place.
  public internal(set) var replaced = 0
  /// The number of tracks that were removed before.
  public internal(set) var removed = 0

  /// Whether it was complete for all of its tracks.
  public var isComplete: Bool { replaced == 0 && removed == 0 }

  mutating func count(_ result: TrackOutcome.Result) {
    switch result {
    case .complete: completed += 1
    case .replaced: replaced += 1
    case .removed: removed += 1
    }
  }
}
