// SPDX-License-Identifier: MIT

/// Names a track for as long as it lives.
///
/// A handle is never reused: once its track is removed, every use of it throws ``BatchError/staleHandle(_:)``, also
/// after another track took the row.
public struct TrackHandle: Hashable, Sendable {
  package let row: UInt32
  package let generation: UInt32
  package let store: UInt32

  package init(row: UInt32, generation: UInt32, store: UInt32) {
    self.row = row
    self.generation = generation
    self.store = store
  }
}
