// SPDX-License-Identifier: MIT

/// Tracks of a batch under one name, for calls about all of them.
///
/// ```swift
/// var stars = TrackGroup(try batch.add(places))
/// try batch.pause(stars)
/// stars.tracks += try batch.add(morePlaces)
/// try batch.setSpeed(0.25, of: stars)
/// try batch.remove(stars)
/// ```
///
/// The handles stay in the order of their indices, in which calls are fastest, so an array with an element for each track is in
/// that order too. Tracks that are gone are passed over, as with ``TrackSelection/live(_:)``.
public struct TrackGroup: TrackSelection, Hashable, Sendable {
  /// The handles, each once, in the order of indices. Of two handles with one index the newer one stays.
  ///
  /// - Complexity: O(tracks · log tracks) for a change; O(tracks) if they are in order already.
  public var tracks: [TrackHandle] { didSet { tracks = Self.inOrder(tracks) } }

  /// A group of some tracks.
  public init(_ tracks: [TrackHandle] = []) { self.tracks = Self.inOrder(tracks) }

  public func withNames<Result>(_ body: (NamedTracks) throws(BatchError) -> Result) throws(BatchError) -> Result {
    try LiveTracks(handles: tracks).withNames(body)
  }

  private static func inOrder(_ tracks: [TrackHandle]) -> [TrackHandle] {
    if zip(tracks, tracks.dropFirst()).allSatisfy({ $0.index < $1.index }) { return tracks }
    let sorted = tracks.sorted { ($0.index, $0.generation) < ($1.index, $1.generation) }
    return sorted.indices.filter { $0 + 1 == sorted.count || sorted[$0 + 1].index != sorted[$0].index }.map {
      sorted[$0]
    }
  }
}
