// SPDX-License-Identifier: MIT

/// The tracks of a call: a handle, an array, a slice or a span of handles, a range of indices, ``all``, handles of which some
/// tracks may be gone, or a ``TrackGroup``.
///
/// ```swift
/// var batch = try AnimationBatch<Float>()
/// let dots = try batch.add([Float](repeating: 0, count: 100))
/// try batch.animate(.all, to: 5)
/// try batch.pause(dots[10..<20])
/// try batch.resume(15..<20)
/// try batch.remove(dots[3])
/// try batch.stop(.live([dots[3], dots[4]]))
/// ```
///
/// Indices of a range that have no track are passed over. A *bad selection* makes a call throw: the handle of a track that is
/// gone (``BatchError/staleHandle(_:)``), unless the selection is ``live(_:)``; the handle of another batch
/// (``BatchError/storeMismatch(_:)``); a range that goes beyond ``TrackSet/indexCount``
/// (``BatchError/trackOutOfRange(_:count:)``).
public protocol TrackSelection: ~Escapable {
  /// Calls `body` with the tracks as a batch understands them.
  func withNames<Result>(_ body: (NamedTracks) throws(BatchError) -> Result) throws(BatchError) -> Result
}

/// The tracks of a call, as a ``TrackSelection`` names them. It has no members for other code, and must not be kept.
@frozen
public struct NamedTracks {
  @usableFromInline let tracks: SelectedTracks
  @inlinable init(_ tracks: SelectedTracks) { self.tracks = tracks }
}

extension Span: TrackSelection where Element == TrackHandle {
  @inlinable
  public func withNames<Result>(_ body: (NamedTracks) throws(BatchError) -> Result) throws(BatchError) -> Result {
    try withSelection { tracks throws(BatchError) in try body(NamedTracks(tracks)) }
  }
}

extension TrackHandle: TrackSelection {
  @inlinable
  public func withNames<Result>(_ body: (NamedTracks) throws(BatchError) -> Result) throws(BatchError) -> Result {
    try unsafe withUnsafePointer(to: self) { handle throws(BatchError) in
      try body(NamedTracks(unsafe .handles(UnsafeBufferPointer(start: handle, count: 1))))
    }
  }
}

extension Array: TrackSelection where Element == TrackHandle {
  @inlinable
  public func withNames<Result>(_ body: (NamedTracks) throws(BatchError) -> Result) throws(BatchError) -> Result {
    try span.withNames(body)
  }
}

extension ArraySlice: TrackSelection where Element == TrackHandle {
  @inlinable
  public func withNames<Result>(_ body: (NamedTracks) throws(BatchError) -> Result) throws(BatchError) -> Result {
    try span.withNames(body)
  }
}

extension Range: TrackSelection where Bound == Int {
  @inlinable
  public func withNames<Result>(_ body: (NamedTracks) throws(BatchError) -> Result) throws(BatchError) -> Result {
    try body(NamedTracks(.indices(self)))
  }
}

/// All tracks of a batch: ``TrackSelection/all``.
@frozen
public struct AllTracks: TrackSelection {
  @inlinable init() {}

  @inlinable
  public func withNames<Result>(_ body: (NamedTracks) throws(BatchError) -> Result) throws(BatchError) -> Result {
    try body(NamedTracks(.all))
  }
}

extension TrackSelection where Self == AllTracks {
  /// Every track.
  @inlinable public static var all: AllTracks { AllTracks() }
}

/// Handles of which some tracks may be gone: ``TrackSelection/live(_:)``.
public struct LiveTracks: TrackSelection {
  let handles: [TrackHandle]

  public func withNames<Result>(_ body: (NamedTracks) throws(BatchError) -> Result) throws(BatchError) -> Result {
    try unsafe handles.withUnsafeBufferPointer { handles throws(BatchError) in
      try body(NamedTracks(unsafe .live(handles)))
    }
  }
}

extension TrackSelection where Self == LiveTracks {
  /// The tracks of handles. Those that are gone are passed over, with what the call says of them; where numbers are copied,
  /// they have zeros. Handles of another batch make the call throw.
  public static func live(_ handles: [TrackHandle]) -> LiveTracks { LiveTracks(handles: handles) }
}

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
