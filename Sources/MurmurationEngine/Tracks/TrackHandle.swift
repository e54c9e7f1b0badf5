// SPDX-License-Identifier: MIT

/// Names a track for as long as it lives.
///
/// A handle is never reused: once its track is removed, every use of it throws ``BatchError/staleHandle(_:)``, even
/// after another track took its index.
public struct TrackHandle: Hashable, Sendable, BitwiseCopyable {
  /// The index in 32 bits.
  package let index32: UInt32
  package let generation: UInt32
  package let store: UInt32

  package init(index: UInt32, generation: UInt32, store: UInt32) {
    index32 = index
    self.generation = generation
    self.store = store
  }

  /// A handle that names no track, with which memory for handles can be filled. Every call of every batch refuses it.
  public static var noTrack: TrackHandle { TrackHandle(index: 0, generation: 0, store: IndexTable.noStore) }

  /// The handle of the track at the same index of a copy of the batch.
  package func renamed(_ store: UInt32) -> TrackHandle {
    TrackHandle(index: index32, generation: generation, store: store)
  }

  /// The index of the track in its batch, the same for as long as it lives. It can index arrays of your own. Indices of
  /// removed tracks are given to new tracks, the lowest one first.
  public var index: Int { Int(index32) }
}

extension [TrackHandle] {
  /// A number of handles, which `write` writes.
  package init(count: Int, _ write: (inout MutableSpan<TrackHandle>) throws(BatchError) -> Void) throws(BatchError) {
    self.init(repeating: .noTrack, count: count)
    var span = mutableSpan
    try write(&span)
  }
}
