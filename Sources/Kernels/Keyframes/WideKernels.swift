// SPDX-License-Identifier: MIT
// Instances of clips with many values, four at a time: a vector holds neighbouring components of four instances. The
// piece of an instance is found once for all components that share their boundaries, and its cubics stand side by side.
// Operations and bits are the same as in the other kernels.

/// Four neighbouring instances, some of which play one clip.
@frozen @usableFromInline struct InstanceQuad<I: InstructionSet> {
  /// The first lane, and a bit for each lane that plays the clip, lowest for the first.
  @usableFromInline let lane: Int
  @usableFromInline let playing: UInt32
  /// The cubics of each lane's piece, the first component's first.
  @usableFromInline let cubics:
    (ConstantColumn<Float>, ConstantColumn<Float>, ConstantColumn<Float>, ConstantColumn<Float>)
  /// Clip units from the middle of each lane's piece, and clip units per second.
  @usableFromInline let distances: I.Floats
  @usableFromInline let rates: I.Floats

  /// Four lanes of a tile whose pieces are found, from the index of the first one in the tile. A lane that does not play
  /// the clip reads some piece of it.
  @export(implementation) @inline(__always)
  init(_ track: PieceTable, _ lane: Int, _ playing: UInt32, _ tile: TickBlock, _ index: Int) {
    (self.lane, self.playing) = (lane &+ index, playing)
    let pieces = tile.pieces + index
    let (length, records) = (4 &* track.componentCount, track.records)
    cubics = (
      records + length &* Int(pieces[0]), records + length &* Int(pieces[1]), records + length &* Int(pieces[2]),
      records + length &* Int(pieces[3])
    )
    distances = I.sameQuads(tile.distances.constant + index)
    rates = I.sameQuads(tile.rates.constant + index)
  }

  /// Evaluates some neighbouring components of a track, at most as many as a vector has quads.
  @export(implementation) @inline(__always)
  func evaluate<O: Output, V: Variation>(
    _ track: PieceTable, _ first: Int, _ columns: PlaybackColumns, _: O.Type, _: V.Type
  ) {
    let (components, count) = (track.components + first, track.componentCount &- first)
    let cubic = I.quadRecords(
      cubics.0 + 4 &* first, cubics.1 + 4 &* first, cubics.2 + 4 &* first, cubics.3 + 4 &* first)
    I.storeQuads(
      I.value(
        cubic, distances, variation(columns.scale, columns, components, count: count),
        variation(columns.offset, columns, components, count: count), V.self),
      rows: playing, to: columns.value + lane, components, stride: columns.dimensionStride, count: count)
    if O.includesVelocity {
      I.storeQuads(
        I.velocity(
          cubic, distances, variation(columns.scale, columns, components, count: count), rates, V.self),
        rows: playing, to: columns.velocity + lane, components, stride: columns.dimensionStride, count: count)
    }
  }

  /// Scales or offsets of some components.
  @export(implementation) @inline(__always)
  func variation(
    _ column: Column<Float>?, _ columns: PlaybackColumns, _ components: ConstantColumn<Int32>, count: Int
  ) -> I.Floats {
    unsafe I.loadQuads(
      column.unsafelyUnwrapped.constant + lane, components, stride: columns.variationStride, count: count)
  }
}

extension InstructionSet {
  /// Finds the pieces of a track for the ticks of a tile.
  @export(implementation) @inline(__always)
  static func find<L: PieceLookup>(_ track: PieceTable, _ tile: TickBlock, by _: L.Type) where L.Set == Self {
    let lookup = L(track)
    var index = 0
    while index < laneCountOfTile {
      tile.pieces.store(findPieces(lookup, tile, at: index), at: index)
      index &+= Floats.scalarCount
    }
  }

  @export(implementation) @inline(__always)
  public static func find(_ track: PieceTable, _ tile: TickBlock) {
    find(track, tile, by: MemoryLookup<Self>.self)
  }

  /// Components that all lanes of a tile show before the next ones are evaluated: a line of memory of each is written, and
  /// these stay in the first cache.
  @export(implementation)
  static var componentsAtOnce: Int { @inline(__always) get { 128 } }

  /// Evaluates the lanes of a tile that play one clip.
  ///
  /// - Parameter playing: A bit for each lane of the tile, lowest for the first.
  @export(implementation) @inline(__always)
  static func evaluate<O: Output, V: Variation>(
    _ table: ClipTable, _ playing: UInt32, _ columns: PlaybackColumns, at lane: Int, _ tile: TickBlock,
    _ output: O.Type,
    _ variation: V.Type
  ) {
    for index in 0..<table.trackCount {
      let track = table.tracks[index]
      find(track, tile)
      var first = 0
      while first < track.componentCount {
        let left = track.componentCount &- first
        let end = left < componentsAtOnce ? track.componentCount : first &+ componentsAtOnce
        var later = playing
        while later != 0 {
          let index = later.trailingZeroBitCount & ~3
          let quad = InstanceQuad<Self>(track, lane, later &>> UInt32(truncatingIfNeeded: index) & 15, tile, index)
          var component = first
          while component < end {
            quad.evaluate(track, component, columns, output, variation)
            component &+= Floats.scalarCount / 4
          }
          later &= ~(15 &<< UInt32(truncatingIfNeeded: index))
        }
        first = end
      }
    }
  }

  /// Evaluates instances of clips with many values: 20 bytes a component are read and 4 written, 8 with velocities; 8
  /// more where values vary.
  @inline(never)
  @export(implementation)
  static func wideLoop<O: Output, V: Variation>(
    _ columns: PlaybackColumns, _ clips: ConstantColumn<Int32>, _ run: ClipRun, _ tables: ConstantColumn<ClipTable>,
    now: Doubles, _ tile: TickBlock, _ output: O.Type, _ variation: V.Type
  ) {
    var lane = run.firstLane
    while lane < run.firstLane &+ run.laneCount {
      storeTicks(columns, at: lane, count: laneCountOfTile, now: now, tile)
      var left = lanes(clips + lane, from: 0, to: .max)
      while left != 0 {
        let clip = clips[lane &+ left.trailingZeroBitCount]
        let playing = lanes(clips + lane, from: clip, to: clip)
        evaluate(tables[Int(clip)], playing, columns, at: lane, tile, output, variation)
        left &= ~playing
      }
      lane &+= laneCountOfTile
    }
  }

  /// A bit for each lane of a tile, lowest for the first: whether it plays one of some clips.
  @export(implementation) @inline(__always)
  static func lanes(_ clips: ConstantColumn<Int32>, from first: Int32, to last: Int32) -> UInt32 {
    let (first, last) = (Ints(repeating: first), Ints(repeating: last))
    var (others, index) = (UInt32(0), 0)
    while index < laneCountOfTile {
      let clips = clips.lanes(at: index, as: Ints.self)
      others |= signs(isGreater(first, clips) | isGreater(clips, last)) &<< UInt32(truncatingIfNeeded: index)
      index &+= Floats.scalarCount
    }
    return ~others & 0xFFFF
  }
}

extension RegisterLookup {
  @export(implementation) @inline(__always)
  public static func find(_ track: PieceTable, _ tile: TickBlock) {
    if track.lines != nil, track.lineLength == 16 {
      find(track, tile, by: LineLookup<ShortLine<Self>>.self)
    } else if track.lines != nil {
      find(track, tile, by: LineLookup<LongLine<Self>>.self)
    } else {
      find(track, tile, by: MemoryLookup<Self>.self)
    }
  }
}
