// SPDX-License-Identifier: MIT

/// The tracks of a call: a handle, an array, a slice or a span of handles, a range of indices, or ``all``.
///
/// ```swift
/// var batch = try AnimationBatch<Float>()
/// let dots = try batch.add([Float](repeating: 0, count: 100))
/// try batch.animate(.all, to: 5)
/// try batch.pause(dots[10..<20])
/// try batch.resume(15..<20)
/// try batch.stop(dots[3])
/// ```
///
/// Indices of a range that have no track are passed over. A handle that names no track makes the call throw.
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
