// SPDX-License-Identifier: MIT
import Kernels

extension KeyframeBatch {
  /// Clips that are loaded, and those that were made for one instance each.
  public var clipCount: Int { library.count }

  /// Takes a clip, so that instances can play it. What kernels need of it is made for the first instance: 32 bytes a piece
  /// and dimension for a clip with few instances, tables for one with many.
  ///
  /// - Returns: The name by which instances are given it.
  /// - Throws: ``BatchError/wrongDimensions(of:expected:got:)`` if it has not the batch's dimensions.
  /// - Complexity: O(dimensions).
  public mutating func load(_ clip: Clip) throws(BatchError) -> ClipID {
    try checkDimensions(clip.dimensions, of: "clip")
    let place = library.add(clip, isPrivate: false)
    return ClipID(place: UInt32(place), generation: library.entries[place].generation, store: slots.store)
  }

  /// Forgets a clip that no instance plays or was given.
  ///
  /// - Throws: ``BatchError/unknownClip(_:)`` or ``BatchError/clipInUse(_:)``.
  public mutating func unload(_ clip: ClipID) throws(BatchError) {
    let place = try self.place(of: clip)
    guard library.entries[place].rows == 0, library.entries[place].instances == 0 else {
      throw .clipInUse(clip)
    }
    library.remove(place)
  }

  /// The clip of a name.
  ///
  /// - Throws: ``BatchError/unknownClip(_:)``.
  public func clip(_ clip: ClipID) throws(BatchError) -> Clip {
    library.clip(try place(of: clip))
  }

  /// The clip that an instance was given.
  ///
  /// - Throws: ``BatchError/staleHandle(_:)`` or ``BatchError/storeMismatch(_:)``.
  public func clip(of handle: TrackHandle) throws(BatchError) -> ClipID {
    let home = unsafe Int(storage.states[try slots.row(of: handle)].home)
    return ClipID(place: UInt32(home), generation: library.entries[home].generation, store: slots.store)
  }

  /// The place of a clip that is loaded.
  func place(of clip: ClipID) throws(BatchError) -> Int {
    guard clip.store == slots.store, library.isLoaded(Int(clip.place), generation: clip.generation) else {
      throw .unknownClip(clip)
    }
    return Int(clip.place)
  }
}
