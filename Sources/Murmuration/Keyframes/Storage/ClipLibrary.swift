// SPDX-License-Identifier: MIT
import Kernels

/// The clips that a batch has loaded, and those that were made for one instance.
struct ClipLibrary {
  /// One clip; its place is taken by another when it has gone.
  struct Entry {
    var clip: Clip?
    var tables: ClipTables?
    /// What it begins with: what shows before it.
    var firstValues: [Float] = []
    var generation: UInt32 = 0
    /// Rows that play it.
    var rows = 0
    /// Instances that were given it, and may play another one.
    var instances = 0
    /// Whether it was made for one instance, and goes with it.
    var isPrivate = false
    /// Tiles with a free lane, the last filled first; may name some that are full or gone.
    var openTiles: [UInt32] = []
  }

  private(set) var entries: [Entry] = []
  /// What kernels take, by place.
  private(set) var tables: [ClipTable] = []
  private(set) var timings: [ClipTiming] = []
  private var freePlaces: [Int] = []

  /// Clips that can be played.
  var count: Int { entries.count - freePlaces.count }

  /// Adds a clip.
  ///
  /// - Complexity: O(n) in the number of pieces.
  mutating func add(_ clip: Clip, isPrivate: Bool) -> Int {
    let tables = ClipTables(clip)
    let place: Int
    if let free = freePlaces.popLast() {
      place = free
    } else {
      place = entries.count
      entries.append(Entry())
      self.tables.append(tables.table)
      timings.append(ClipTiming(duration: 0))
    }
    entries[place].clip = clip
    entries[place].tables = tables
    entries[place].firstValues = (0..<clip.dimensions).map { Float(clip.value(dimension: $0, at: -1)) }
    entries[place].isPrivate = isPrivate
    self.tables[place] = tables.table
    timings[place] = ClipTiming(
      duration: clip.duration, beforeTick: tables.beforeTick, afterTick: tables.afterTick)
    return place
  }

  /// Frees the place of a clip that nothing plays.
  mutating func remove(_ place: Int) {
    let generation = entries[place].generation
    entries[place] = Entry()
    entries[place].generation = generation &+ 1
    // Its table is gone; a plan that names the place is stale.
    // A place whose generations are used up is not taken again.
    if generation < .max { freePlaces.append(place) }
  }

  /// The clip at a place that has one.
  func clip(_ place: Int) -> Clip { unsafe entries[place].clip.unsafelyUnwrapped }

  /// Whether a place has a clip of that generation that was loaded.
  func isLoaded(_ place: Int, generation: UInt32) -> Bool {
    entries.indices.contains(place) && entries[place].generation == generation && entries[place].clip != nil
      && !entries[place].isPrivate
  }

  mutating func open(_ tile: Int, of place: Int) { entries[place].openTiles.append(UInt32(tile)) }

  /// The tile of a clip with a free lane that is filled next, or nil.
  mutating func openTile(of place: Int, _ tiles: borrowing PlaybackTiles) -> Int? {
    while let last = entries[place].openTiles.last {
      let tile = Int(last)
      if tiles.clips[tile] == Int32(place), tiles.live[tile] != .max {
        return tile
      }
      entries[place].openTiles.removeLast()
    }
    return nil
  }

  mutating func forgetOpenTiles() {
    for place in entries.indices { entries[place].openTiles.removeAll(keepingCapacity: true) }
  }

  mutating func countRow(_ place: Int, _ change: Int) { entries[place].rows += change }

  mutating func countInstance(_ place: Int, _ change: Int) { entries[place].instances += change }

  /// Forgets all instances; clips that were made for one go.
  mutating func removeInstances() {
    for place in entries.indices {
      (entries[place].rows, entries[place].instances) = (0, 0)
      entries[place].openTiles.removeAll(keepingCapacity: true)
      if entries[place].isPrivate { remove(place) }
    }
  }
}

// What the tables point to is owned by the entries, and never changed.
extension ClipLibrary: @unchecked Sendable {}
