// SPDX-License-Identifier: MIT

/// The tracks that a call is about.
@safe
package enum TrackSelection {
  /// The tracks of handles in memory that the caller lends.
  case handles(UnsafeBufferPointer<TrackHandle>)
  /// The tracks of a range of indices; indices without a track are passed over.
  case indices(Range<Int>)
  /// Every track, by index.
  case all
}

extension Engine {
  /// The number of elements of an array that belongs to some tracks.
  package func count(of tracks: TrackSelection) -> Int {
    switch tracks {
    case .handles(let handles): handles.count
    case .indices(let indices): indices.countOrMax
    case .all: self.tracks.slots.count
    }
  }

  /// Picks tracks for a call that changes their motions.
  ///
  /// - Parameter kinds: The number of kinds of motion that the tracks may take up.
  mutating func pick(
    _ tracks: TrackSelection, for groups: ColumnGroups = .springs, kinds: Int = 1
  ) throws(BatchError) {
    switch tracks {
    case .handles(let handles): try pick(unsafe handles.span, for: groups, kinds: kinds)
    case .indices(let indices): try pick(indices, for: groups, kinds: kinds)
    case .all: try pick(0..<self.tracks.slots.count, for: groups, kinds: kinds)
    }
  }

  /// Lends the handles of the live tracks among some tracks.
  ///
  /// - Throws: ``BatchError/trackOutOfRange(_:count:)``, or what `body` throws.
  mutating func withHandles<Result>(
    of tracks: TrackSelection, _ body: (inout Engine, Span<TrackHandle>) throws(BatchError) -> Result
  ) throws(BatchError) -> Result {
    let indices: Range<Int>
    switch tracks {
    case .handles(let handles): return try body(&self, unsafe handles.span)
    case .indices(let range): indices = range
    case .all: indices = 0..<self.tracks.slots.count
    }
    if let index = indices.indexOutside(self.tracks.slots.count) {
      throw .trackOutOfRange(index, count: self.tracks.slots.count)
    }
    var handles: [TrackHandle] = []
    for index in indices {
      if let handle = self.tracks.handle(at: index) { handles.append(handle) }
    }
    return try body(&self, handles.span)
  }
}

extension Span<TrackHandle> {
  /// Lends the handles as tracks of a call.
  @inline(__always)
  func withSelection<Result>(
    _ body: (TrackSelection) throws(BatchError) -> Result
  ) throws(BatchError) -> Result {
    try unsafe withUnsafeBufferPointer { handles throws(BatchError) in try body(unsafe .handles(handles)) }
  }
}
