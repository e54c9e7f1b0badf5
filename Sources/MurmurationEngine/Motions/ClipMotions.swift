// SPDX-License-Identifier: MIT
import CProcessor
import Kernels

/// The tracks that play clips: their columns, when each has to be placed anew, and the clips.
///
/// Playing is a function of time: a frame finds the local time of each track and the piece of its clip, and evaluates
/// one cubic. Where all players of a tile play one clip that many tracks play, they look their pieces up in the clip's
/// tables. In other tiles, which are *mixed*, each track keeps a copy of its piece. If values have many components, the tracks
/// of mixed tiles are evaluated by fours, across their components, from the clips' tables. The bits are the same each way.
struct ClipMotions: ~Copyable {
  let dimensions: Int
  let table: KernelTable
  var library = ClipLibrary()
  var tiles = PlacedTiles()
  /// No call changed a track after this moment.
  var latestChange = -BatchLimits.maximumTime
  /// The number of tracks from which on those of a clip look their pieces up. The number at which both ways cost the same was
  /// not measured. See also ``limit``.
  var playersBeforeOwnTiles = 12

  /// Dimensions from which on the tracks of mixed tiles are evaluated across their components.
  static let wideDimensions = 16

  private var memory: ColumnMemory?
  private var capacity = 0
  private var attached: Columns?
  private var pieces: HotPieces?
  private var pieceCapacity = 0
  private var variations: ClipVariations?

  /// The columns of tracks that play clips.
  struct Columns {
    /// The columns that kernels take.
    var kernel: PlaybackColumns
    /// The interval of the clock for which the columns of a track hold. The columns of an index without a track always hold.
    let from: Column<Double>
    let until: Column<Double>
    let states: Column<LaneState>
    /// The clip that each track plays; −1 for an index without a track.
    let clip: Column<Int32>

    /// The intervals of all indices, as kernels take them.
    var intervals: IntervalColumns { IntervalColumns(from: from, until: until) }
  }

  /// No clips; memory comes with the first track that plays one.
  init(dimensions: Int, table: KernelTable) {
    self.dimensions = dimensions
    self.table = table
  }

  /// Whether the tracks of mixed tiles are evaluated across their components.
  private var isWide: Bool { dimensions >= Self.wideDimensions }

  /// Whether calls have moved paused tracks since the last frame.
  private var someWereMoved = false

  /// Begins a frame, some time after the one before, or before it.
  mutating func beginFrame(after seconds: Double) {
    attached?.kernel.jumps = someWereMoved || abs(seconds) > Self.longestStep
    someWereMoved = false
  }

  /// Beyond this step, in seconds, kernels take it that most tracks have left their pieces: keys are often 0.3 s apart.
  private static let longestStep = 0.1

  /// Notes that a call has moved paused tracks.
  mutating func noteMoved() { someWereMoved = true }

  /// The columns as kernels take them; there must be memory.
  var kernel: PlaybackColumns { columns.kernel }

  // MARK: - Memory

  private static let shape = ColumnShape(wide: 5, stateBytes: MemoryLayout<LaneState>.stride, narrow: 1, tileBytes: 20)

  /// Bytes of each block for a number of indices; nil for what cannot be counted.
  func bytes(count: Int) -> [Int?] {
    let own = ColumnMemory.bytes(Self.shape, count: count)
    return isWide ? [own] : [own, ColumnMemory.bytes(HotPieces.shape(dimensions: dimensions), count: count)]
  }

  /// Whether there is memory for tracks that play clips.
  var isMapped: Bool { capacity > 0 }

  /// The columns; there must be memory.
  var columns: Columns { unsafe attached.unsafelyUnwrapped }

  /// Maps columns for all indices of a store; there must be memory.
  mutating func attach(to tracks: borrowing TrackStore) {
    guard capacity != tracks.capacity else { return }
    let larger = ColumnMemory(Self.shape, count: tracks.capacity)
    let new = Self.columns(larger, tracks)
    new.from.update(repeating: -.infinity, count: tracks.capacity)
    new.until.update(repeating: .infinity, count: tracks.capacity)
    new.clip.update(repeating: -1, count: tracks.capacity)
    new.states.update(repeating: LaneState(home: 0, changed: 0), count: tracks.capacity)
    let count = tracks.tiles.end * laneCountOfTile
    if isMapped { larger.copy(0..<count, of: memory!, to: 0) }
    memory = consume larger
    attached = new
    capacity = tracks.capacity
    tiles.grow(to: tracks.tiles.capacity)
    if pieceCapacity > 0 { attachPieces(tracks) }
    if let old = variations { attachVariations(tracks) { $0.copy(0..<count, of: old, to: 0) } }
  }

  private static func columns(_ memory: borrowing ColumnMemory, _ tracks: borrowing TrackStore) -> Columns {
    let common = tracks.columns
    var kernel = PlaybackColumns(
      origin: memory.wide(0), base: memory.wide(1), rate: memory.wide(2), scale: nil, offset: nil,
      value: common.value, velocity: common.velocity, dimensionStride: common.dimensionStride,
      dimensions: tracks.dimensions)
    let clip = memory.narrow(0, as: Int32.self)
    if tracks.dimensions >= wideDimensions { kernel.clips = clip.constant }
    return Columns(
      kernel: kernel, from: memory.wide(3), until: memory.wide(4), states: memory.states(as: LaneState.self), clip: clip
    )
  }

  /// Maps the pieces of all indices.
  private mutating func attachPieces(_ tracks: borrowing TrackStore) {
    guard pieceCapacity != tracks.capacity else { return }
    let larger = HotPieces(dimensions: dimensions, count: tracks.capacity)
    forEachTileOfPieces(tracks) { tile in
      if let pieces, pieceCapacity > tile * laneCountOfTile {
        larger.copy(tile: tile, of: pieces)
      } else {
        larger.clear(tile: tile)
      }
    }
    attached?.kernel.pieces = larger.columns
    pieces = larger
    pieceCapacity = tracks.capacity
  }

  private func forEachTileOfPieces(_ tracks: borrowing TrackStore, _ body: (Int) -> Void) {
    for tile in 0..<tracks.tiles.end where tracks.tiles.playing[tile] != 0 && tracks.tiles.clipKinds[tile] == .pieces {
      body(tile)
    }
  }

  /// Takes over the state of other motions. The tracks have been taken over before.
  mutating func code(_ coder: inout StateCoder, _ tracks: borrowing TrackStore) {
    let isMapped = coder.coded(isMapped)
    let (hasPieces, varies) = (coder.coded(pieces != nil), coder.coded(varies))
    let isOther = !isMapped || capacity != tracks.capacity
    if isOther || !hasPieces {
      (pieces, pieceCapacity) = (nil, 0)
      attached?.kernel.pieces = nil
    }
    if isOther || !varies {
      variations = nil
      attached?.kernel.scale = nil
      attached?.kernel.offset = nil
    }
    if isOther {
      memory = nil
      (attached, capacity) = (nil, 0)
    }
    let indexCount = tracks.tiles.end * laneCountOfTile
    if isMapped {
      attach(to: tracks)
      memory!.code(&coder, indexCount)
    }
    if hasPieces {
      attachPieces(tracks)
      forEachTileOfPieces(tracks) {
        pieces?.code(&coder, tile: $0) { index in
          let clip = Int(columns.clip[index])
          return library.entries.indices ~= clip ? library.entries[clip].records : nil
        }
      }
    }
    if varies {
      if variations == nil { attachVariations(tracks) { _ in } }
      variations?.code(&coder, indexCount)
    }
    tiles.code(&coder)
    coder.code(&latestChange)
    coder.code(&playersBeforeOwnTiles)
    coder.code(&someWereMoved)
  }

  // MARK: - Variations

  /// Whether there are columns for variations.
  var varies: Bool { variations != nil }

  /// Maps columns for the variations of all indices of a store; there must be memory.
  mutating func attachVariations(to tracks: borrowing TrackStore) {
    guard variations == nil else { return }
    attachVariations(tracks) { new in
      for tile in 0..<tracks.tiles.end where tracks.tiles.playing[tile] != 0 {
        new.clear(tile * laneCountOfTile..<(tile + 1) * laneCountOfTile)
      }
    }
  }

  private mutating func attachVariations(_ tracks: borrowing TrackStore, _ fill: (ClipVariations) -> Void) {
    let new = ClipVariations(dimensions: dimensions, count: tracks.capacity)
    fill(new)
    attached?.kernel.scale = new.scale
    attached?.kernel.offset = new.offset
    attached?.kernel.variationStride = new.dimensionStride
    variations = new
  }

  /// Gives a track a variation in a dimension; there must be columns.
  mutating func vary(_ index: Int, _ dimension: Int, scale: Float, offset: Float) {
    variations?.set(index, dimension, scale: scale, offset: offset)
  }

  /// The scale and the offset of a track in a dimension.
  func variation(at index: Int, _ dimension: Int) -> (scale: Double, offset: Double) {
    variations?.variation(at: index, dimension) ?? (1, 0)
  }

  // MARK: - Tracks

  /// The clip that a track plays, and its timing.
  func clip(at index: Int) -> Int { Int(columns.clip[index]) }
  func timing(at index: Int) -> ClipTiming { library.timings[clip(at: index)] }

  /// Whether a track plays a clip already.
  func plays(_ index: Int, _ clip: Int, _ tracks: borrowing TrackStore) -> Bool {
    tracks.tiles.kind(at: index).isClip && self.clip(at: index) == clip
  }

  /// The number of tracks from which on those of a clip look their pieces up.
  ///
  /// Tracks of many values are evaluated by fours in mixed tiles, which costs about the same for each, while a tile of one
  /// clip costs the same for one track as for sixteen. With AVX-512, pieces are looked up within registers: on Zen 5 that is
  /// slower than mixed tiles with 12 tracks, and faster with 36. With AVX2, which has no such lookup, it is slower on Zen 5
  /// even with 100 tracks.
  private var limit: Int {
    guard isWide else { return playersBeforeOwnTiles }
    let (limit, isOver) = playersBeforeOwnTiles.multipliedReportingOverflow(by: table.width == 16 ? 2 : .max)
    return isOver ? .max : limit
  }

  /// Prepares a call that makes tracks play clips, so that it cannot throw.
  ///
  /// - Parameters:
  ///   - count: The number of tracks.
  ///   - pick: The clip that each track is to play, and its index, or nil for a new track; nil for a track whose clip is not
  ///     known yet.
  /// - Throws: ``BatchError/capacityExceeded(_:)`` if there is no memory for the pieces of a clip; no track changes then.
  mutating func expectPlayers(
    _ count: Int, _ tracks: borrowing TrackStore, pick: (Int) -> (clip: Int, index: Int?)?
  ) throws(BatchError) {
    var newCount = 0
    for position in 0..<count {
      guard let (clip, index) = pick(position) else { continue }
      if index == nil { newCount += 1 }
      if let index, plays(index, clip, tracks) { continue }
      library.expectedPlayers[clip] += 1
    }
    defer {
      for position in 0..<count { if let clip = pick(position)?.clip { library.expectedPlayers[clip] = 0 } }
    }
    for position in 0..<count {
      guard let (clip, index) = pick(position), library.expectedPlayers[clip] > 0 else { continue }
      let isCommon = library.entries[clip].players + Int(library.expectedPlayers[clip]) >= limit
      if isWide || isCommon { try library.makeTables(clip) }
      library.entries[clip].isCommon = isCommon
      if !isWide { try library.makeRecords(clip) }
      if let index { try prepareToMix(index / laneCountOfTile, tracks) }
    }
    // New tracks get the indices that are next.
    guard newCount > 0 else { return }
    for tile in tracks.indices.next / laneCountOfTile...(tracks.indices.end(of: newCount) - 1) / laneCountOfTile
    where tile < tracks.tiles.end {
      try prepareToMix(tile, tracks)
    }
  }

  /// Prepares a tile whose tracks play one clip for tracks that play others.
  private mutating func prepareToMix(_ tile: Int, _ tracks: borrowing TrackStore) throws(BatchError) {
    guard !isWide, tracks.tiles.playing[tile] != 0, let clip = tracks.tiles.clipKinds[tile].clip else { return }
    try library.makeRecords(clip)
  }

  /// Gives a clip to a track that stands, or has just come; it must have been expected.
  ///
  /// - Parameter keepsVariation: Whether the track keeps its variation.
  mutating func take(_ index: Int, _ clip: Int, _ tracks: inout TrackStore, keepsVariation: Bool = false) {
    let tile = index / laneCountOfTile
    if tracks.tiles.playing[tile] == 0 {
      begin(tile, keepsVariation: keepsVariation)
      tracks.tiles.setClipKind(tile, library.entries[clip].isCommon ? .clip(clip) : .pieces)
      if !library.entries[clip].isCommon { clearPieces(tile, tracks) }
    } else {
      if !keepsVariation { variations?.clear(index..<index + 1) }
      if let other = tracks.tiles.clipKinds[tile].clip, other != clip { mix(tile, &tracks) }
    }
    tracks.tiles.play(TileStore.bit(index), of: tile)
    tracks.frame.mark(tile)
    give(index..<index + 1, clip)
    if tracks.tiles.clipKinds[tile] == .pieces { setPieces(index) }
  }

  /// Makes the tracks of a tile, which play one clip, keep copies of their pieces from now on.
  private mutating func mix(_ tile: Int, _ tracks: inout TrackStore) {
    tracks.tiles.setClipKind(tile, .pieces)
    clearPieces(tile, tracks)
    tracks.tiles.playing[tile].forEachLane { setPieces(tile * laneCountOfTile + $0) }
  }

  private mutating func clearPieces(_ tile: Int, _ tracks: borrowing TrackStore) {
    guard !isWide else { return }
    attachPieces(tracks)
    pieces?.clear(tile: tile)
  }

  private func setPieces(_ index: Int) {
    if !isWide, let records = library.entries[clip(at: index)].records { pieces?.set(index, to: records) }
  }

  /// Notes that tracks of a tile, of which none plays a clip, are about to play some.
  private mutating func begin(_ tile: Int, keepsVariation: Bool = false) {
    let indices = tile * laneCountOfTile..<(tile + 1) * laneCountOfTile
    tiles.begin(tile)
    clear(indices)
    if !keepsVariation { variations?.clear(indices) }
  }

  /// Whether the tracks of a full tile are enough to look their pieces up.
  var canTakeTiles: Bool { limit <= laneCountOfTile }

  /// Gives a clip to a full tile whose tracks stand; its tables must be made.
  mutating func take(tile: Int, _ clip: Int, _ tracks: inout TrackStore) {
    begin(tile)
    tracks.tiles.setClipKind(tile, .clip(clip))
    tracks.tiles.play(.max, of: tile)
    tracks.frame.mark(tile)
    library.entries[clip].isCommon = true
    give(tile * laneCountOfTile..<(tile + 1) * laneCountOfTile, clip)
  }

  /// Gives tracks a clip. Until they are placed they show what is before its start.
  @inline(__always)
  private mutating func give(_ indices: Range<Int>, _ clip: Int) {
    let base = Double(library.timings[clip].beforeTick)
    library.entries[clip].players += indices.count
    (columns.clip + indices.lowerBound).update(repeating: Int32(clip), count: indices.count)
    (columns.kernel.rate + indices.lowerBound).update(repeating: 0, count: indices.count)
    (columns.kernel.origin + indices.lowerBound).update(repeating: 0, count: indices.count)
    (columns.kernel.base + indices.lowerBound).update(repeating: base, count: indices.count)
  }

  /// Takes the tracks of a tile out of their clips. They stand then.
  mutating func leave(tile: Int, _ tracks: inout TrackStore) {
    guard tracks.tiles.playing[tile] == .max, tracks.tiles.clipKinds[tile].clip != nil else {
      return tracks.tiles.playing[tile].forEachLane { leave(tile * laneCountOfTile + $0, &tracks) }
    }
    let indices = tile * laneCountOfTile..<(tile + 1) * laneCountOfTile
    for index in indices {
      library.entries[Int(columns.states[index].home)].instances -= 1
      library.entries[clip(at: index)].players -= 1
    }
    clear(indices)
    tiles.begin(tile)
    tracks.frame.mark(tile)
    tracks.tiles.setStanding(tile: tile)
  }

  /// Clears indices without a track that plays: they stand still, and are never due.
  @inline(__always)
  private func clear(_ indices: Range<Int>) {
    (columns.kernel.rate + indices.lowerBound).update(repeating: 0, count: indices.count)
    (columns.from + indices.lowerBound).update(repeating: -.infinity, count: indices.count)
    (columns.until + indices.lowerBound).update(repeating: .infinity, count: indices.count)
    (columns.clip + indices.lowerBound).update(repeating: -1, count: indices.count)
  }

  /// Takes a track out of its clip, which is removed if it was made for that track. The track stands then.
  mutating func leave(_ index: Int, _ tracks: inout TrackStore) {
    let (tile, clip) = (index / laneCountOfTile, clip(at: index))
    library.entries[Int(columns.states[index].home)].instances -= 1
    clear(index..<index + 1)
    if tracks.tiles.clipKinds[tile] == .pieces { pieces?.clear(index) }
    tiles.clear(index)
    library.entries[clip].players -= 1
    if library.entries[clip].isPrivate, library.entries[clip].players == 0 { library.remove(clip) }
    tracks.tiles.setMoving(index, false)
    tracks.frame.mark(tile)
    if tracks.tiles.playing[tile] == 0 { tiles.begin(tile) }
  }

  // MARK: - Everything

  /// Forgets every track.
  mutating func removeAll() {
    library.removeInstances()
    tiles.removeAll()
  }
}

// The columns point into memory that the value owns, and the type cannot be copied.
extension ClipMotions: @unchecked Sendable {}

/// The scales and offsets of tracks that play clips, in columns of their own, which are mapped with the first
/// variation.
final class ClipVariations {
  /// The scale and the offset of each index (dimension 0).
  let scale: Column<Float>
  let offset: Column<Float>
  /// Floats from a scale or an offset to that of the next dimension.
  let dimensionStride: Int
  private let dimensions: Int
  private let memory: ColumnMemory

  static func shape(dimensions: Int) -> ColumnShape { ColumnShape(narrow: 2 * dimensions) }

  /// Memory for at least `count` indices, not initialised; there must be room.
  init(dimensions: Int, count: Int) {
    memory = ColumnMemory(Self.shape(dimensions: dimensions), count: count, isZeroed: false)
    (scale, offset) = (memory.narrow(0, every: 2), memory.narrow(1, every: 2))
    dimensionStride = 2 * memory.narrowStride
    self.dimensions = dimensions
  }

  /// Gives some indices no variation: 1 and −0, with which a fused multiply-add keeps every bit.
  func clear(_ indices: Range<Int>) {
    for dimension in 0..<dimensions {
      let first = indices.lowerBound + dimension * dimensionStride
      (scale + first).update(repeating: 1, count: indices.count)
      (offset + first).update(repeating: -0.0, count: indices.count)
    }
  }

  /// Copies some indices of other variations to those from `index` on.
  func copy(_ indices: Range<Int>, of other: ClipVariations, to index: Int) {
    memory.copy(indices, of: other.memory, to: index)
  }

  func code(_ coder: inout StateCoder, _ indexCount: Int) { memory.code(&coder, indexCount) }

  func set(_ index: Int, _ dimension: Int, scale: Float, offset: Float) {
    let element = index + dimension * dimensionStride
    (self.scale[element], self.offset[element]) = (scale, offset)
  }

  /// The scale and the offset of an index in a dimension.
  func variation(at index: Int, _ dimension: Int) -> (scale: Double, offset: Double) {
    let element = index + dimension * dimensionStride
    return (Double(scale[element]), Double(offset[element]))
  }
}

// The columns point into memory that the object owns, and one ``ClipMotions`` alone has the object.
extension ClipVariations: @unchecked Sendable {}
