// SPDX-License-Identifier: MIT
import CProcessor
import Kernels

/// The clips that a batch has loaded, and clips that were made for one instance.
struct ClipLibrary {
  /// One clip; its index is taken again after it is removed.
  struct Entry {
    var clip: Clip?
    /// The tables for tiles of one clip, and for tracks of many values, and the records for tracks of few values in mixed
    /// tiles; each is made when the first needs it.
    var tables: ClipTables?
    var records: ClipRecords?
    /// The clip's first values, which show before it starts.
    var firstValues: [Float] = []
    /// Whether the clip shows other values before its start than at its start, and after its end than at its end.
    var jumps = (atStart: false, atEnd: false)
    var generation: UInt32 = 0
    /// The store that loaded it. Copies of that store name it alike.
    var store = IndexTable.noStore
    /// The number of tracks that play it.
    var players = 0
    /// Whether tracks look their pieces up in the tables, where all players of a tile play it.
    var isCommon = false
    /// The number of instances that were given the clip; they may play another one made from it.
    var instances = 0
    /// Whether the clip was made for one instance, and goes with it.
    var isPrivate = false
  }

  var entries: [Entry] = []
  /// The tables of the kernels, by index; empty for a clip without a tile.
  private(set) var tables: [ClipTable] = []
  /// The table of a clip that no tile plays.
  private static var noTable: ClipTable { ClipTable(tracks: .empty, trackCount: 0) }
  private(set) var timings: [ClipTiming] = []
  /// The number of tracks that a call is about to make play each clip; 0 between calls.
  var expectedPlayers: [Int32] = []
  private var freeIndices: [Int] = []
  /// Copies of the library share it.
  private let arena = RecordArena()
  /// No clip gets a generation before this one any more.
  private var nextGeneration: UInt32 = 0

  /// The number of clips that can be played.
  var count: Int { entries.count - freeIndices.count }

  /// Adds a clip.
  ///
  /// - Complexity: O(dimensions).
  mutating func add(_ clip: Clip, isPrivate: Bool, store: UInt32 = IndexTable.noStore) -> Int {
    let index = freeIndices.popLast() ?? entries.count
    if index == entries.count { appendEntry() }
    entries[index].generation = max(entries[index].generation, nextGeneration)
    entries[index].store = store
    entries[index].isPrivate = isPrivate
    set(clip, index)
    return index
  }

  private mutating func set(_ clip: Clip, _ index: Int) {
    func jumps(from time: Double, to other: Double) -> Bool {
      (0..<clip.dimensions).contains { clip.value(dimension: $0, at: time) != clip.value(dimension: $0, at: other) }
    }
    entries[index].clip = clip
    entries[index].firstValues = (0..<clip.dimensions).map { Float(clip.value(dimension: $0, at: -1)) }
    entries[index].jumps = (jumps(from: 0, to: -1), jumps(from: clip.duration, to: .infinity))
    timings[index] = ClipTiming(clip)
  }

  /// Codes the clips, of which tables and records are made anew.
  mutating func code(_ coder: inout StateCoder, dimensions: Int) {
    let count = coder.codedCount(entries.count, width: 1)
    if coder.isReading {
      self = ClipLibrary()
      for _ in 0..<count { appendEntry() }
    }
    for index in 0..<count {
      let clip = coder.coded(entries[index].clip)
      if coder.isReading, let clip {
        guard clip.dimensions == dimensions else { return coder.refuse() }
        set(clip, index)
      }
      let (hasTables, hasRecords) = (
        coder.coded(entries[index].tables != nil), coder.coded(entries[index].records != nil)
      )
      if coder.isReading, clip != nil {
        do throws(BatchError) {
          if hasTables { try makeTables(index) }
          if hasRecords { try makeRecords(index) }
        } catch { return coder.refuse() }
      }
      coder.code(&entries[index].generation)
      coder.code(&entries[index].store)
      coder.code(&entries[index].players)
      coder.code(&entries[index].isCommon)
      coder.code(&entries[index].instances)
      coder.code(&entries[index].isPrivate)
    }
    coder.code(&freeIndices)
    coder.code(&nextGeneration)
  }

  private mutating func appendEntry() {
    entries.append(Entry())
    tables.append(Self.noTable)
    timings.append(ClipTiming(duration: 0))
    expectedPlayers.append(0)
  }

  /// Makes the tables of a clip before its first tile, unless it has them.
  ///
  /// - Throws: ``BatchError/capacityExceeded(_:)`` if there is no memory for them; nothing changes then.
  /// - Complexity: O(n) in the number of pieces.
  mutating func makeTables(_ index: Int) throws(BatchError) {
    guard entries[index].tables == nil else { return }
    let clip = clip(index)
    guard let made = ClipTables(clip) else { throw .capacityExceeded(clip.dimensions) }
    (entries[index].tables, tables[index]) = (made, made.table)
  }

  /// Makes the records of a clip before its first track in a mixed tile, unless it has them.
  ///
  /// - Throws: ``BatchError/capacityExceeded(_:)`` if there is no memory for them; nothing changes then.
  /// - Complexity: O(n) in the number of pieces.
  mutating func makeRecords(_ index: Int) throws(BatchError) {
    guard entries[index].records == nil else { return }
    let clip = clip(index)
    guard let made = ClipRecords(clip, in: arena) else { throw .capacityExceeded(clip.dimensions) }
    entries[index].records = made
  }

  /// Frees the index of a clip that nothing plays.
  mutating func remove(_ index: Int) {
    let generation = entries[index].generation
    entries[index] = Entry(generation: generation &+ 1)
    tables[index] = Self.noTable
    // An index whose generations are used up is not taken again.
    if generation < .max { freeIndices.append(index) }
  }

  /// The clip of an index that has one.
  func clip(_ index: Int) -> Clip { unsafe entries[index].clip.unsafelyUnwrapped }

  /// The name of the clip of an index.
  func id(_ index: Int) -> ClipID {
    ClipID(index: UInt32(index), generation: entries[index].generation, store: entries[index].store)
  }

  /// Whether a name is that of a loaded clip.
  func isLoaded(_ id: ClipID) -> Bool {
    let index = Int(id.index)
    return index < entries.count && self.id(index) == id && entries[index].clip != nil && !entries[index].isPrivate
  }

  /// Takes over the clips of another library. No name that was given out is given out again.
  mutating func copyState(of other: ClipLibrary) {
    let next = entries.reduce(max(nextGeneration, other.nextGeneration)) { max($0, $1.generation &+ 1) }
    self = other
    nextGeneration = next
  }

  /// Forgets all instances, and removes the clips that were made for one instance.
  mutating func removeInstances() {
    for index in entries.indices {
      (entries[index].players, entries[index].instances, entries[index].isCommon) = (0, 0, false)
      if entries[index].isPrivate { remove(index) }
    }
  }
}

// The entries own the memory that the tables point to, and never change it.
extension ClipLibrary: @unchecked Sendable {}

/// Names a clip that a batch has loaded; never reused.
public struct ClipID: Hashable, Sendable {
  package let index: UInt32
  package let generation: UInt32
  package let store: UInt32

  package init(index: UInt32, generation: UInt32, store: UInt32) {
    self.index = index
    self.generation = generation
    self.store = store
  }
}
