// SPDX-License-Identifier: MIT

/// The tracks that a call is about.
@safe
@usableFromInline
package enum SelectedTracks {
  /// The tracks of handles in memory that the caller lends.
  case handles(UnsafeBufferPointer<TrackHandle>)
  /// The tracks of handles that the caller lends; handles of tracks that are gone are passed over.
  case live(UnsafeBufferPointer<TrackHandle>)
  /// The tracks of a range of indices; indices without a track are passed over.
  case indices(Range<Int>)
  /// Every track, by index.
  case all
}

extension Engine {
  /// The number of elements of an array that belongs to some tracks.
  package func count(of tracks: SelectedTracks) -> Int {
    switch tracks {
    case .handles(let handles), .live(let handles): handles.count
    case .indices(let indices): indices.countOrMax
    case .all: indexCount
    }
  }

  /// The number of elements of an array that belongs to some tracks.
  ///
  /// - Throws: ``BatchError/trackOutOfRange(_:count:)``.
  package func checkedCount(of tracks: SelectedTracks) throws(BatchError) -> Int {
    _ = try indices(of: tracks)
    return count(of: tracks)
  }

  /// The indices of tracks that are not named by handles; nil for handles.
  ///
  /// - Throws: ``BatchError/trackOutOfRange(_:count:)``.
  func indices(of tracks: SelectedTracks) throws(BatchError) -> Range<Int>? {
    switch tracks {
    case .handles, .live: return nil
    case .indices(let indices):
      if let index = indices.indexOutside(indexCount) { throw .trackOutOfRange(index, count: indexCount) }
      return indices
    case .all: return 0..<indexCount
    }
  }

  /// Throws what any call about tracks throws, and takes the memory that pauses and motions by springs need.
  package mutating func accept(_ tracks: SelectedTracks) throws(BatchError) { try pick(tracks, for: []) }

  /// Calls `body` with each live track, and its position among the elements of an array.
  package mutating func forEachTrack(
    of tracks: SelectedTracks, _ body: (_ track: TrackHandle, _ position: Int) -> Void
  ) throws(BatchError) {
    try pick(tracks, for: [])
    for position in 0..<picks.count where !picks[position].isDropped {
      body(self.tracks.indices.handle(at: picks[position].index), position)
    }
  }

  /// The handles of those tracks that are there, in their order.
  ///
  /// - Throws: ``BatchError/trackOutOfRange(_:count:)``, or ``BatchError/storeMismatch(_:)``.
  package func liveHandles(of tracks: SelectedTracks) throws(BatchError) -> [TrackHandle] {
    var live: [TrackHandle] = []
    switch tracks {
    case .handles(let handles), .live(let handles):
      let handles = unsafe handles.span
      for position in handles.indices where try self.tracks.indices.indexIfLive(of: handles[position]) != nil {
        live.append(handles[position])
      }
    case .indices, .all:
      for index in try indices(of: tracks) ?? 0..<0 {
        if let handle = self.tracks.handle(at: index) { live.append(handle) }
      }
    }
    return live
  }
}

extension Span<TrackHandle> {
  /// Lends the handles as tracks of a call.
  @inlinable @inline(__always)
  package func withSelection<Result>(
    _ body: (SelectedTracks) throws(BatchError) -> Result
  ) throws(BatchError) -> Result {
    try unsafe withUnsafeBufferPointer { handles throws(BatchError) in try body(unsafe .handles(handles)) }
  }
}
