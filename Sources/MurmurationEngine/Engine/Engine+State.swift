// SPDX-License-Identifier: MIT
import Kernels

// Copies of the whole state: snapshots, to which a batch goes back, and copies of batches.
extension Engine {
  /// An engine with the whole state of another one.
  ///
  /// - Parameter store: The number of its store: that of the other one for a snapshot, or a new one.
  /// - Throws: ``BatchError/capacityExceeded(_:)`` if there is no memory.
  package init(copyOf other: borrowing Engine, store: UInt32) throws(BatchError) {
    self.init(accepted: other.dimensions, kernels: other.kernels)
    tracks.indices = IndexTable(store: store)
    try copyState(of: other)
    guard store != other.tracks.indices.store else { return }
    follows.renameLeaders(store)
    events.rename(store)
    watched.rename(store)
  }

  /// Checks that the engine can take over the state of another one with the same number of dimensions.
  ///
  /// - Throws: ``BatchError/capacityExceeded(_:)`` if there is no memory, and ``BatchError/isRecorded`` while calls are recorded.
  package func checkState(of other: borrowing Engine) throws(BatchError) {
    #if !hasFeature(Embedded)
      if recorder != nil { throw .isRecorded }
    #endif
    let lists = other.listBytes
    let fits = tracks.capacity == other.tracks.capacity && mappedColumns == other.mappedColumns && listBytes >= lists
    let hasRoom =
      fits
      || other.hasRoom(other.tracks.capacity, for: other.mappedColumns, andTracks: true)
        && MemoryBlock.hasRoom(forBytes: lists)
    if !hasRoom { throw .capacityExceeded(other.tracks.capacity) }
  }

  /// Takes over the state of another engine with the same number of dimensions: tracks and what they show, all motions, calls
  /// that wait, pauses, phases, the clock, and events not yet read. Threads and the memory of calls stay.
  ///
  /// No handle, no name of a clip or of a sequence and no number of a change that was given out is given out again.
  ///
  /// - Throws: As ``checkState(of:)``; nothing changes then.
  /// - Complexity: O(indices · dimensions). It allocates only if the capacity or the kinds of motions differ.
  package mutating func copyState(of other: borrowing Engine) throws(BatchError) {
    try checkState(of: other)
    try follows.reserveGoals(other.follows.goalCapacity)
    tracks.copyState(of: other.tracks)
    springs.copyState(of: other.springs, tracks)
    clips.copyState(of: other.clips, tracks)
    curves.copyState(of: other.curves, tracks)
    follows.copyState(of: other.follows, tracks)
    called = other.called
    waiting.copyState(of: other.waiting)
    phases.copyState(of: other.phases)
    pauses.copyState(of: other.pauses)
    speeds.copyState(of: other.speeds)
    events.copyState(of: other.events)
    watched.copyState(of: other.watched)
    velocities.copyState(of: other.velocities)
    (clock, mappedColumns) = (other.clock, other.mappedColumns)
    (frames.dueCount, frames.computedEndCount) = (other.frames.dueCount, other.frames.computedEndCount)
    lastChange = max(lastChange, other.lastChange)
  }

  /// Bytes of the state, nearly.
  package var stateBytes: Int {
    blocks(tracks.capacity, for: mappedColumns, andTracks: true).reduce(listBytes) { $0 + ($1 ?? 0) }
  }

  /// Bytes of what is kept beside the columns, at least.
  private var listBytes: Int {
    curves.effects.byteCount + waiting.byteCount + phases.byteCount + pauses.byteCount + speeds.byteCount
      + watched.byteCount + MemoryLayout<UInt32>.stride * tracks.indices.count + MemoryLayout<Float>.stride * dimensions
      * follows.goalCapacity
  }
}
