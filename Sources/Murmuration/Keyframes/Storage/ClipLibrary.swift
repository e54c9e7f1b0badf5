// SPDX-License-Identifier: MIT
import CProcessor
import Kernels

/// The clips that a batch has loaded, and those that were made for one instance.
struct ClipLibrary {
  /// One clip; its place is taken by another when it has gone.
  struct Entry {
    var clip: Clip?
    /// What tiles of it need, and what rows in mixed tiles need; made when there is the first.
    var tables: ClipTables?
    var records: ClipRecords?
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
  /// What kernels take, by place; that of a clip without a tile is empty.
  private(set) var tables: [ClipTable] = []
  private(set) var timings: [ClipTiming] = []
  private var freePlaces: [Int] = []
  private let arena = RecordArena()
  /// Mixed tiles with a free lane, likewise.
  private var openMixedTiles: [UInt32] = []

  /// Clips that can be played.
  var count: Int { entries.count - freePlaces.count }

  /// Adds a clip.
  ///
  /// - Complexity: O(dimensions).
  mutating func add(_ clip: Clip, isPrivate: Bool) -> Int {
    let place: Int
    if let free = freePlaces.popLast() {
      place = free
    } else {
      place = entries.count
      entries.append(Entry())
      tables.append(.none)
      timings.append(ClipTiming(duration: 0))
    }
    entries[place].clip = clip
    entries[place].firstValues = (0..<clip.dimensions).map { Float(clip.value(dimension: $0, at: -1)) }
    entries[place].isPrivate = isPrivate
    timings[place] = ClipTiming(clip)
    return place
  }

  /// Makes the tables of a clip, unless it has them: before there is a tile of it.
  ///
  /// - Complexity: O(n) in the number of pieces.
  mutating func makeTables(_ place: Int) {
    guard entries[place].tables == nil else { return }
    let made = ClipTables(clip(place))
    entries[place].tables = made
    tables[place] = made.table
  }

  /// The records of a clip, which are made for its first row in a mixed tile.
  ///
  /// - Complexity: O(n) in the number of pieces for the first row.
  mutating func records(_ place: Int) -> ClipRecords {
    if let records = entries[place].records { return records }
    let made = ClipRecords(clip(place), in: arena)
    entries[place].records = made
    return made
  }

  /// Frees the place of a clip that nothing plays.
  mutating func remove(_ place: Int) {
    let generation = entries[place].generation
    entries[place] = Entry()
    entries[place].generation = generation &+ 1
    tables[place] = .none
    // A place whose generations are used up is not taken again.
    if generation < .max { freePlaces.append(place) }
  }

  /// Asks for the timing of a clip, which is about to be read.
  func askForTiming(_ place: Int) {
    unsafe timings.withUnsafeBufferPointer { unsafe lanes_prefetch($0.baseAddress.unsafelyUnwrapped + place) }
  }

  /// The clip at a place that has one.
  func clip(_ place: Int) -> Clip { unsafe entries[place].clip.unsafelyUnwrapped }

  /// Whether a place has a clip of that generation that was loaded.
  func isLoaded(_ place: Int, generation: UInt32) -> Bool {
    entries.indices.contains(place) && entries[place].generation == generation && entries[place].clip != nil
      && !entries[place].isPrivate
  }

  /// Notes that a tile, of a clip or mixed, has a free lane.
  mutating func open(_ tile: Int, of place: Int) {
    if place == ClipRun.mixed {
      openMixedTiles.append(UInt32(tile))
    } else {
      entries[place].openTiles.append(UInt32(tile))
    }
  }

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

  /// The mixed tile with a free lane that is filled next, or nil.
  mutating func openMixedTile(_ tiles: borrowing PlaybackTiles) -> Int? {
    while let last = openMixedTiles.last {
      let tile = Int(last)
      if tiles.clips[tile] == PlaybackTiles.mixed, tiles.live[tile] != .max {
        return tile
      }
      openMixedTiles.removeLast()
    }
    return nil
  }

  mutating func forgetOpenTiles() {
    openMixedTiles.removeAll(keepingCapacity: true)
    for place in entries.indices { entries[place].openTiles.removeAll(keepingCapacity: true) }
  }

  /// How many clips have so many rows.
  func countOfClips(_ rows: Int) -> Int { entries.reduce(0) { $0 + ($1.clip != nil && $1.rows >= rows ? 1 : 0) } }

  mutating func countRow(_ place: Int, _ change: Int) { entries[place].rows += change }

  mutating func countInstance(_ place: Int, _ change: Int) { entries[place].instances += change }

  /// Forgets all instances; clips that were made for one go.
  mutating func removeInstances() {
    openMixedTiles.removeAll(keepingCapacity: true)
    for place in entries.indices {
      (entries[place].rows, entries[place].instances) = (0, 0)
      entries[place].openTiles.removeAll(keepingCapacity: true)
      if entries[place].isPrivate { remove(place) }
    }
  }
}

extension ClipTable {
  /// The table of a clip that no tile plays.
  fileprivate static var none: ClipTable {
    unsafe ClipTable(
      tracks: UnsafePointer(bitPattern: MemoryLayout<PieceTable>.alignment).unsafelyUnwrapped, trackCount: 0)
  }
}

// What the tables point to is owned by the entries, and never changed.
extension ClipLibrary: @unchecked Sendable {}
