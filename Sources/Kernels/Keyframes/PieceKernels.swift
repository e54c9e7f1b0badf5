// SPDX-License-Identifier: MIT
// Instances of clips. First the ticks of a block of lanes are computed; then the piece of each track is found once for
// all of its components, and each component is one cubic. Nothing is kept from frame to frame, so going back, seeking
// and repeating cost the same as playing.

/// Whether values are scaled and offset for each instance.
public protocol Variation {
  static var varies: Bool { get }
}

/// The clip's own values.
public enum Plain: Variation {
  @export(implementation) public static var varies: Bool { @inline(__always) get { false } }
}

/// Values with the scale and offset of each instance.
public enum Varied: Variation {
  @export(implementation) public static var varies: Bool { @inline(__always) get { true } }
}

/// The state of the lanes of a block between the walks over them.
@frozen public struct TickBlock {
  @usableFromInline let ticks: Column<Int32>
  /// Clip units per second.
  @usableFromInline let rates: Column<Float>
  @usableFromInline let pieces: Column<Int32>
  /// Clip units from the middle of the piece.
  @usableFromInline let distances: Column<Float>
  @usableFromInline var laneCount = 0

  @export(implementation) @inline(__always)
  init(
    ticks: Column<Int32>, rates: Column<Float>, pieces: Column<Int32>,
    distances: Column<Float>
  ) {
    self.ticks = ticks
    self.rates = rates
    self.pieces = pieces
    self.distances = distances
  }

  /// Lends the memory for a block.
  @export(implementation) @inline(__always)
  static func withBlock(_ body: (TickBlock) -> Void) {
    Block.withLine { ticks in
      Block.withLine { rates in
        Block.withLine { pieces in
          Block.withLine { distances in
            body(
              TickBlock(
                ticks: ticks.rebound(to: Int32.self), rates: rates.rebound(to: Float.self),
                pieces: pieces.rebound(to: Int32.self), distances: distances.rebound(to: Float.self)))
          }
        }
      }
    }
  }
}

extension InstructionSet {
  /// Each lane rounded to the nearest integer, ties to even; |x| < 2³¹.
  @export(implementation) @inline(__always)
  static func nearestInts(_ x: Doubles) -> Ints {
    // Adding 1.5 · 2⁵² leaves no bit for the fraction, and the integer in the lowest ones.
    unsafe truncate(unsafeBitCast(x + Doubles(repeating: 0x1.8p52), to: Longs.self))
  }

  /// The ticks of some lanes, and their rates in clip units per second.
  @export(implementation) @inline(__always)
  static func ticks(_ columns: PlaybackColumns, at lane: Int, now: Doubles) -> (ticks: Ints, rates: Floats) {
    let rate = load(columns.rate, lane)
    let passed = (now - load(columns.origin, lane)) * rate
    return (nearestInts(load(columns.base, lane) + passed), narrow(rate) * splat(0x1p-31))
  }

  /// The rates of some lanes alone.
  @export(implementation) @inline(__always)
  static func rates(_ columns: PlaybackColumns, at lane: Int) -> Floats {
    narrow(load(columns.rate, lane)) * splat(0x1p-31)
  }

  /// Clip units from the middles of pieces.
  @export(implementation) @inline(__always)
  static func distances(_ ticks: Ints, from centers: Ints) -> Floats { convert(ticks &- centers) * splat(0x1p-31) }

  /// Values at a distance from the middles of their pieces.
  @export(implementation) @inline(__always)
  static func value<V: Variation>(
    _ cubic: Records<Self>, _ u: Floats, _ scale: @autoclosure () -> Floats, _ offset: @autoclosure () -> Floats,
    _: V.Type
  ) -> Floats {
    let position = fusedMultiplyAdd(
      fusedMultiplyAdd(fusedMultiplyAdd(cubic.w, u, cubic.z), u, cubic.y), u, cubic.x)
    return V.varies ? fusedMultiplyAdd(scale(), position, offset()) : position
  }

  /// Velocities at a distance from the middles of their pieces.
  @export(implementation) @inline(__always)
  static func velocity<V: Variation>(
    _ cubic: Records<Self>, _ u: Floats, _ scale: @autoclosure () -> Floats, _ rate: Floats, _: V.Type
  ) -> Floats {
    let slope = fusedMultiplyAdd(fusedMultiplyAdd(splat(3) * cubic.w, u, cubic.z + cubic.z), u, cubic.y)
    // The sum makes −0 a plain 0, so that lanes at rest have one sign.
    return fusedMultiplyAdd(slope, V.varies ? scale() * rate : rate, Floats.zero)
  }

  /// Evaluates one component of one vector of lanes, whose scale and offset are at `variation`.
  @export(implementation) @inline(__always)
  static func evaluate<O: Output, V: Variation>(
    _ cubic: Records<Self>, _ u: Floats, rates: @autoclosure () -> Floats, _ columns: PlaybackColumns,
    at element: Int, variation: Int, _ output: O.Type, _: V.Type
  ) {
    let value = unsafe value(
      cubic, u, load(columns.scale.unsafelyUnwrapped, variation), load(columns.offset.unsafelyUnwrapped, variation),
      V.self)
    Ordinary.store(Self.self, value, to: columns.value + element)
    if O.includesVelocity {
      let velocity = unsafe velocity(cubic, u, load(columns.scale.unsafelyUnwrapped, variation), rates(), V.self)
      Ordinary.store(Self.self, velocity, to: columns.velocity + element)
    }
  }

  /// Finds the pieces of a vector of lanes, and stores the distances from their middles.
  @export(implementation) @inline(__always)
  static func findPieces<L: PieceLookup>(_ lookup: L, _ block: TickBlock, at index: Int) -> Ints where L.Set == Self {
    let ticks = block.ticks.lanes(at: index, as: Ints.self)
    let (pieces, centers) = lookup.find(ticks)
    block.distances.store(distances(ticks, from: centers), at: index)
    return pieces
  }

  /// Evaluates one track for a block: the pieces once, then component by component.
  @export(implementation) @inline(__always)
  static func evaluate<O: Output, V: Variation, L: PieceLookup>(
    _ track: PieceTable, _ block: TickBlock, _ columns: PlaybackColumns, at lane: Int, _ output: O.Type,
    _ variation: V.Type, by _: L.Type
  ) where L.Set == Self {
    let lookup = L(track)
    var index = 0
    while index < block.laneCount {
      let entries = lookup.entries(of: findPieces(lookup, block, at: index))
      block.pieces.store(entries, at: index)
      index &+= Floats.scalarCount
    }
    for component in 0..<track.componentCount {
      let element = lane &+ Int(track.components[component]) &* columns.dimensionStride
      let varied = lane &+ Int(track.components[component]) &* columns.variationStride
      let cubics = lookup.cubics(ofComponent: component)
      index = 0
      while index < block.laneCount {
        let entries = block.pieces.lanes(at: index, as: Ints.self)
        let distances = block.distances.lanes(at: index, as: Floats.self)
        evaluate(
          lookup.coefficients(of: entries, cubics), distances,
          rates: block.rates.lanes(at: index, as: Floats.self), columns, at: element &+ index,
          variation: varied &+ index, output, variation)
        index &+= Floats.scalarCount
      }
    }
  }

  /// Evaluates lanes that play a clip whose components have the same cubics, or that has one component, in one walk.
  @export(implementation) @inline(__always)
  static func evaluate<O: Output, V: Variation, L: PieceLookup>(
    _ track: PieceTable, _ run: ClipRun, _ columns: PlaybackColumns, now: Doubles, _ output: O.Type,
    _ variation: V.Type, by _: L.Type
  ) where L.Set == Self {
    let lookup = L(track)
    let cubics = lookup.cubics(ofComponent: 0)
    var lane = run.firstLane
    let end = run.firstLane &+ run.laneCount
    while lane < end {
      let (ticks, rates) = ticks(columns, at: lane, now: now)
      let (pieces, centers) = lookup.find(ticks)
      let (cubic, u) = (lookup.coefficients(of: lookup.entries(of: pieces), cubics), distances(ticks, from: centers))
      for component in 0..<track.componentCount {
        let dimension = Int(track.components[component])
        evaluate(
          cubic, u, rates: rates, columns, at: lane &+ dimension &* columns.dimensionStride,
          variation: lane &+ dimension &* columns.variationStride, output, variation)
      }
      lane &+= Floats.scalarCount
    }
  }

  @export(implementation) @inline(__always)
  public static func evaluate<O: Output, V: Variation>(
    _ track: PieceTable, _ block: TickBlock, _ columns: PlaybackColumns, at lane: Int, _ output: O.Type,
    _ variation: V.Type
  ) {
    evaluate(track, block, columns, at: lane, output, variation, by: MemoryLookup<Self>.self)
  }

  @export(implementation) @inline(__always)
  public static func evaluate<O: Output, V: Variation>(
    _ track: PieceTable, _ run: ClipRun, _ columns: PlaybackColumns, now: Doubles, _ output: O.Type,
    _ variation: V.Type
  ) {
    evaluate(track, run, columns, now: now, output, variation, by: MemoryLookup<Self>.self)
  }

  @inline(never)
  @export(implementation)
  static func clipLoop<O: Output, V: Variation>(
    _ columns: PlaybackColumns, _ runs: UnsafeBufferPointer<ClipRun>, _ tables: ConstantColumn<ClipTable>, now: Double,
    _ output: O.Type, _ variation: V.Type
  ) {
    let now = Doubles(repeating: now)
    TickBlock.withBlock { block in
      var (next, mixedLanes) = (0, 0)
      while next < runs.count {
        let run = unsafe runs[next]
        next &+= 1
        guard run.clip >= 0 else {
          mixedLanes &+= run.laneCount
          if let clips = columns.clips {
            wideLoop(columns, clips, run, tables, now: now, block, output, variation)
          }
          continue
        }
        let table = tables[run.clip]
        if table.trackCount == 1, table.tracks[0].sharesCubics {
          evaluate(table.tracks[0], run, columns, now: now, output, variation)
        } else {
          evaluate(table, run, columns, now: now, block, output, variation)
        }
      }
      if mixedLanes > 0, let pieces = columns.pieces {
        unsafe evaluatePieces(columns, pieces, MixedWalk(runs), laneCount: mixedLanes, now: now, output, variation)
      }
    }
  }

  /// Stores the ticks of some lanes, and their rates.
  @export(implementation) @inline(__always)
  static func storeTicks(_ columns: PlaybackColumns, at lane: Int, count: Int, now: Doubles, _ block: TickBlock) {
    var index = 0
    while index < count {
      let (ticks, rates) = ticks(columns, at: lane &+ index, now: now)
      block.ticks.store(ticks, at: index)
      block.rates.store(rates, at: index)
      index &+= Floats.scalarCount
    }
  }

  /// Evaluates a run by blocks.
  @export(implementation) @inline(__always)
  static func evaluate<O: Output, V: Variation>(
    _ table: ClipTable, _ run: ClipRun, _ columns: PlaybackColumns, now: Doubles, _ lent: TickBlock,
    _ output: O.Type, _ variation: V.Type
  ) {
    var block = lent
    var lane = run.firstLane
    let end = run.firstLane &+ run.laneCount
    while lane < end {
      block.laneCount = end &- lane < laneCountOfBlock ? end &- lane : laneCountOfBlock
      storeTicks(columns, at: lane, count: block.laneCount, now: now, block)
      for track in 0..<table.trackCount {
        evaluate(table.tracks[track], block, columns, at: lane, output, variation)
      }
      lane &+= block.laneCount
    }
  }

  /// Evaluates runs of instances. Instances that share a clip have 24 bytes of traffic each and 4 more a dimension, 8 with
  /// velocities; 8 more a dimension where values vary.
  @export(implementation) @inline(__always)
  public static func evaluateClips(
    _ columns: PlaybackColumns, _ runs: UnsafeBufferPointer<ClipRun>, tables: ConstantColumn<ClipTable>, now: Double,
    velocities: Bool
  ) {
    let varies = columns.scale != nil
    switch (velocities, varies) {
    case (false, false): unsafe clipLoop(columns, runs, tables, now: now, ValueOnly.self, Plain.self)
    case (false, true): unsafe clipLoop(columns, runs, tables, now: now, ValueOnly.self, Varied.self)
    case (true, false): unsafe clipLoop(columns, runs, tables, now: now, ValueAndVelocity.self, Plain.self)
    case (true, true): unsafe clipLoop(columns, runs, tables, now: now, ValueAndVelocity.self, Varied.self)
    }
  }
}

extension RegisterLookup {
  @export(implementation) @inline(__always)
  public static func evaluate<O: Output, V: Variation>(
    _ track: PieceTable, _ block: TickBlock, _ columns: PlaybackColumns, at lane: Int, _ output: O.Type,
    _ variation: V.Type
  ) {
    if track.lines != nil, track.lineLength == 16 {
      evaluate(track, block, columns, at: lane, output, variation, by: LineLookup<ShortLine<Self>>.self)
    } else if track.lines != nil {
      evaluate(track, block, columns, at: lane, output, variation, by: LineLookup<LongLine<Self>>.self)
    } else {
      evaluate(track, block, columns, at: lane, output, variation, by: MemoryLookup<Self>.self)
    }
  }

  @export(implementation) @inline(__always)
  public static func evaluate<O: Output, V: Variation>(
    _ track: PieceTable, _ run: ClipRun, _ columns: PlaybackColumns, now: Doubles, _ output: O.Type,
    _ variation: V.Type
  ) {
    if track.lines != nil, track.lineLength == 16 {
      evaluate(track, run, columns, now: now, output, variation, by: LineLookup<ShortLine<Self>>.self)
    } else if track.lines != nil {
      evaluate(track, run, columns, now: now, output, variation, by: LineLookup<LongLine<Self>>.self)
    } else {
      evaluate(track, run, columns, now: now, output, variation, by: MemoryLookup<Self>.self)
    }
  }
  @export(implementation) @inline(__always)
  public static func lead<O: Output>(
    _ track: PieceTable, _ chains: EffectChains, _ walk: BlockWalk, _ start: TileStart, now: Doubles, _ output: O.Type
  ) -> Int {
    if track.lines != nil, track.lineLength == 16 {
      lead(track, chains, walk, start, now: now, output, by: LineLookup<ShortLine<Self>>.self)
    } else if track.lines != nil {
      lead(track, chains, walk, start, now: now, output, by: LineLookup<LongLine<Self>>.self)
    } else {
      lead(track, chains, walk, start, now: now, output, by: MemoryLookup<Self>.self)
    }
  }
}
