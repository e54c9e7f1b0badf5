// SPDX-License-Identifier: MIT

/// Names a track for as long as it lives.
///
/// A handle is never reused: once its track is removed, every use of it throws ``BatchError/staleHandle(_:)``, also
/// after another track took the index.
public struct TrackHandle: Hashable, Sendable {
  package let slot: UInt32
  package let generation: UInt32
  package let store: UInt32

  package init(slot: UInt32, generation: UInt32, store: UInt32) {
    self.slot = slot
    self.generation = generation
    self.store = store
  }

  /// The handle of no track, which every call of every batch refuses: what memory holds that `emit` has not written to.
  public static var noTrack: TrackHandle { TrackHandle(slot: 0, generation: 0, store: SlotTable.noStore) }

  /// The track's place among the batch's indices, the same for as long as it lives: arrays of your own may run parallel
  /// to it. Indices of removed tracks are given to new ones, the last one freed first.
  public var index: Int { Int(slot) }
}
