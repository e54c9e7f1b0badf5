// SPDX-License-Identifier: MIT
// Effects that add up. A tile is led by one effect after the other, in the caches: its values are written once.

/// The columns of effects along curves.
public struct EffectColumns {
  /// When the clock of an effect began to run at its rate; and the rate, in ticks of its curve per second.
  public let origin: Column<Double>
  public let rate: Column<Double>
  /// When an effect began, and the first moment from which on it has covered all of its way.
  public let start: Column<Double>
  public let end: Column<Double>
  /// The direction of an effect: the part of the way that is covered is the curve's value where it is 1, 1 less that value
  /// where it is −1, 1 where it is 0, and 0 where it is ``PlaybackColumns/vacant``.
  public let scale: Column<Float>
  /// The goal in dimension 0.
  public let offset: Column<Float>
  /// Floats from the goal of a dimension to that of the next.
  public let stride: Int

  public init(
    origin: Column<Double>, rate: Column<Double>, start: Column<Double>, end: Column<Double>, scale: Column<Float>,
    offset: Column<Float>, stride: Int
  ) {
    (self.origin, self.rate, self.start, self.end) = (origin, rate, start, end)
    (self.scale, self.offset, self.stride) = (scale, offset, stride)
  }
}

/// A *block*: the effects of up to sixteen tracks of one tile, along one curve. The blocks of a tile are a chain, in which the
/// effects of each track come in the order in which they began.
public struct EffectBlock: BitwiseCopyable {
  /// The curve, as an index of tables; −1 for a free block. All components of a curve have one table, and share its cubics.
  public var curve: Int32 = -1
  /// The next block of the chain, or −1.
  public var next: Int32 = -1
  /// The lanes that have an effect. The others are vacant, and lead nowhere.
  public var lanes: UInt16 = 0
  /// The rate of all effects of a block whose effects are alike; 0 if they have been stopped at their goals.
  public var rate = 0.0
  /// When they began.
  public var start = 0.0
  /// When all effects of the block end; NaN if they are not alike: they begin or end at different moments, one is modified, or
  /// their clocks were set one by one.
  public var end = Double.nan

  public init() {}

  /// The number of tiles ahead whose blocks are asked for: tiles that got effects by one call have neighbouring blocks, and
  /// who goes along a chain waits for the memory of each of its blocks.
  @export(implementation)
  public static var tilesAskedAhead: Int { @inline(__always) get { 4 } }

  /// Whether all effects of the block are the same, but for their goals. Then their clocks are here, and the columns of the
  /// block have nothing but goals.
  @export(implementation)
  public var areAlike: Bool { @inline(__always) get { !end.isNaN } }

  /// Whether all lanes of the tile have the same effect, but for their goals.
  @export(implementation)
  var leadsAllAlike: Bool { @inline(__always) get { areAlike && lanes == .max } }
}

/// The memory of the columns of all blocks. The goals are apart from the rest: effects that are alike have nothing else, and
/// neighbouring tiles have neighbouring blocks where one call has given them effects. Goals of vacant lanes are any finite
/// numbers.
public struct EffectMemory {
  public var goals: Column<Float>
  /// All but the goals; what kernels read comes first.
  public var clocks: Column<UInt8>
  public var dimensions: Int

  public init(goals: Column<Float>, clocks: Column<UInt8>, dimensions: Int) {
    (self.goals, self.clocks, self.dimensions) = (goals, clocks, dimensions)
  }

  /// Bytes of a block in `clocks`.
  @export(implementation)
  public static var clockBytes: Int { @inline(__always) get { 9 &* 64 } }
  /// Floats of a block in `goals`.
  @export(implementation) @inline(__always)
  public static func goalCount(dimensions: Int) -> Int { laneCountOfTile &* dimensions }

  /// Prefetches what a kernel reads of a block.
  @export(implementation) @inline(__always)
  func prefetch(_ block: Int, areAlike: Bool) {
    let effects = columns(block)
    for dimension in 0..<dimensions { effects.offset.prefetch(dimension &* laneCountOfTile) }
    if !areAlike { for line in 0..<5 { effects.origin.prefetch(8 &* line) } }
  }

  /// The columns of a block.
  @export(implementation) @inline(__always)
  public func columns(_ block: Int) -> EffectColumns {
    let clocks = clocks + block &* Self.clockBytes
    let (wide, narrow) = (clocks.rebound(to: Double.self), clocks.rebound(to: Float.self))
    let last = 5 &* laneCountOfTile / 2
    return EffectColumns(
      origin: wide, rate: wide + laneCountOfTile, start: wide + last, end: wide + (last &+ laneCountOfTile),
      scale: narrow + 4 &* laneCountOfTile, offset: goals + block &* Self.goalCount(dimensions: dimensions),
      stride: laneCountOfTile)
  }
}

/// The effects of tiles of tracks.
public struct EffectChains {
  /// The first block of each tile; negative where there is none.
  public var first: ConstantColumn<Int32>
  public var blocks: ConstantColumn<EffectBlock>
  public var memory: EffectMemory
  /// The outputs, and the ticks at the origins. The columns of effects are those of any block.
  public var outputs: PlaybackColumns
  /// The values under the effects of tiles that stand (dimension 0), with the stride of outputs.
  public var under: Column<Float>
  /// Whether a tile stands under its effects. The others have values and velocities in the outputs.
  public var standing: ConstantColumn<Bool>

  public init(
    first: ConstantColumn<Int32>, blocks: ConstantColumn<EffectBlock>, memory: EffectMemory, outputs: PlaybackColumns,
    under: Column<Float>, standing: ConstantColumn<Bool>
  ) {
    (self.first, self.blocks, self.memory, self.outputs) = (first, blocks, memory, outputs)
    (self.under, self.standing) = (under, standing)
  }
}

/// Where a block leads a tile from.
@frozen public struct TileStart {
  @usableFromInline let values: Column<Float>
  /// Whether there is no velocity.
  @usableFromInline let stands: Bool

  /// From what is under all effects of a tile.
  @export(implementation) @inline(__always)
  init(_ chains: EffectChains, _ tile: Int) {
    stands = chains.standing[tile]
    values = stands ? chains.under : chains.outputs.value
  }

  /// From the effects before.
  @export(implementation) @inline(__always)
  init(_ outputs: PlaybackColumns) { (values, stands) = (outputs.value, false) }
}

/// The clocks of a block whose effects are alike, and the part of their way that is covered.
@frozen public struct UnitWay {
  @usableFromInline let origin: Column<Double>
  @usableFromInline let rate: Column<Double>
  @usableFromInline let scale: Column<Float>
  @usableFromInline let covered: Column<Float>
  /// The rate of change of the covered part, per second.
  @usableFromInline let pace: Column<Float>

  /// Lends the memory for a block.
  @export(implementation) @inline(__always)
  static func withLines(_ body: (UnitWay) -> Void) {
    Block.withLine { line in body(UnitWay(line)) }
  }

  @export(implementation) @inline(__always)
  init(_ line: Column<UInt8>) {
    origin = line.elements(of: Double.self, count: laneCountOfTile)
    rate = line.elements(of: Double.self, at: 128, count: laneCountOfTile)
    scale = line.elements(of: Float.self, at: 256, count: laneCountOfTile)
    covered = line.elements(of: Float.self, at: 320, count: laneCountOfTile)
    pace = line.elements(of: Float.self, at: 384, count: laneCountOfTile)
  }

  /// Takes the clocks of a block, whose effects are alike.
  @export(implementation) @inline(__always)
  func begin(_ block: EffectBlock) {
    for lane in 0..<laneCountOfTile {
      let isVacant = block.lanes & 1 << UInt16(truncatingIfNeeded: lane) == 0
      origin[lane] = block.start
      rate[lane] = isVacant ? 0 : block.rate
      scale[lane] = isVacant ? PlaybackColumns.vacant : block.rate == 0 ? 0 : 1
    }
  }
}

/// The covered part of the way of an effect that all lanes of a block have. It is kept by the place of the block in its chain:
/// neighbouring tiles often have the same effects in the same order.
@frozen @usableFromInline
struct CoveredPart: BitwiseCopyable {
  /// The block that was at this place last.
  @usableFromInline var block: Int32 = -1
  @usableFromInline var curve: Int32 = -1
  @usableFromInline var covered: Float = 0
  /// Per second.
  @usableFromInline var pace: Float = 0
  @usableFromInline var start = 0.0
  @usableFromInline var rate = 0.0

  @export(implementation) @inline(__always)
  init() {}

  @export(implementation) @inline(__always)
  func isOf(_ block: EffectBlock) -> Bool { curve == block.curve && start == block.start && rate == block.rate }

  /// The most parts that are kept: what stays on the stack.
  @export(implementation)
  static var count: Int { @inline(__always) get { 32 } }

  /// Lends the memory for parts.
  @export(implementation) @inline(__always)
  static func withParts(_ body: (Column<CoveredPart>) -> Void) {
    unsafe withUnsafeTemporaryAllocation(of: CoveredPart.self, capacity: count) { parts in
      unsafe parts.initialize(repeating: CoveredPart())
      unsafe body(Column(parts.baseAddress.unsafelyUnwrapped, count: count))
    }
  }
}

/// The blocks of tiles in the order in which a kernel takes them.
@frozen public struct BlockWalk {
  @usableFromInline let chains: EffectChains
  @usableFromInline let end: Int
  @usableFromInline var tile: Int
  /// The block; negative at the end.
  @usableFromInline var block: Int

  @export(implementation) @inline(__always)
  init(_ chains: EffectChains, _ tiles: Range<Int>) {
    (self.chains, end, tile) = (chains, tiles.upperBound, tiles.lowerBound)
    block = Int(chains.first[tile])
    skipEmpty()
  }

  @export(implementation) @inline(__always)
  mutating func advance() {
    guard block >= 0 else { return }
    block = Int(chains.blocks[block].next)
    skipEmpty()
  }

  /// Goes on to the next tile that has a block, if this one has no more.
  @export(implementation) @inline(__always)
  mutating func skipEmpty() {
    while block < 0 {
      tile &+= 1
      guard tile < end else { return }
      block = Int(chains.first[tile])
    }
  }
}

extension InstructionSet {
  /// Leads tiles from the values and velocities that their columns have by all of their effects. Each effect has 4 bytes of
  /// traffic for a lane and dimension, and 20 more for a lane where the lanes of its block differ.
  @export(implementation) @inline(__always)
  public static func evaluateSums(
    _ chains: EffectChains, _ tiles: Range<Int>, tables: ConstantColumn<ClipTable>, now: Double, velocities: Bool
  ) {
    if velocities {
      sumLoop(chains, tiles, tables, now: now, ValueAndVelocity.self)
    } else {
      sumLoop(chains, tiles, tables, now: now, ValueOnly.self)
    }
  }

  @inline(never)
  @export(implementation)
  static func sumLoop<O: Output>(
    _ chains: EffectChains, _ tiles: Range<Int>, _ tables: ConstantColumn<ClipTable>, now: Double, _ output: O.Type
  ) {
    guard !tiles.isEmpty else { return }
    let now = Doubles(repeating: now)
    UnitWay.withLines { way in
      CoveredPart.withParts { sumLoop(chains, tiles, tables, now: now, way, $0, output) }
    }
  }

  /// Computes the covered part of the way of an effect that all lanes of a block have: that of lane 0 alone.
  @inline(never)
  @export(implementation)
  static func coveredPart<O: Output>(
    of block: EffectBlock, _ tables: ConstantColumn<ClipTable>, _ outputs: PlaybackColumns, now: Doubles,
    _ way: UnitWay, _: O.Type
  ) -> CoveredPart {
    way.begin(block)
    let (covered, pace) = coveredPart(
      MemoryLookup<Self>(tables[Int(block.curve)].tracks[0]), way.origin, way.rate, way.scale, outputs, 0, now: now,
      O.self)
    Ordinary.store(Self.self, covered, to: way.covered)
    Ordinary.store(Self.self, pace, to: way.pace)
    var part = CoveredPart()
    (part.curve, part.start, part.rate) = (block.curve, block.start, block.rate)
    (part.covered, part.pace) = (way.covered[0], way.pace[0])
    return part
  }

  /// Computes the covered parts of the ways of a vector of lanes, and their rates of change.
  @export(implementation) @inline(__always)
  static func coveredPart<O: Output, L: PieceLookup>(
    _ lookup: L, _ origin: Column<Double>, _ rate: Column<Double>, _ scale: Column<Float>, _ outputs: PlaybackColumns,
    _ index: Int, now: Doubles, _: O.Type
  ) -> (covered: Floats, pace: Floats) where L.Set == Self {
    let rate = load(rate, index)
    let passed = (now - load(origin, index)) * rate
    let ticks = nearestInts(load(outputs.base, index) + passed)
    let (pieces, centers) = lookup.find(ticks)
    let cubic = lookup.coefficients(of: lookup.entries(of: pieces), lookup.cubics(ofComponent: 0))
    let u = distances(ticks, from: centers)
    let turn = load(scale, index)
    let isVacant = unsafe unsafeBitCast(turn - splat(PlaybackColumns.vacant + 0.5), to: Ints.self)
    let covered = value(cubic, u, turn, splat(1) - maximum(turn, Floats.zero), Varied.self)
    return (
      clear(covered, whereNegative: isVacant),
      O.includesVelocity ? velocity(cubic, u, turn, narrow(rate) * splat(0x1p-31), Varied.self) : Floats.zero
    )
  }

  @export(implementation) @inline(__always)
  static func sumLoop<O: Output>(
    _ chains: EffectChains, _ tiles: Range<Int>, _ tables: ConstantColumn<ClipTable>, now: Doubles,
    _ way: UnitWay, _ parts: Column<CoveredPart>, _ output: O.Type
  ) {
    // The processor does not foresee a chain, so its lines are asked for some blocks ahead.
    var walk = BlockWalk(chains, tiles)
    var (ahead, asked) = (walk, 0)
    // The places in the chain of blocks that are alike, and have not led their tile yet, and where they lead it from.
    var (tile, places, start) = (-1, 0..<0, TileStart(chains.outputs))

    while walk.block >= 0 {
      if walk.tile != tile || places.upperBound == CoveredPart.count {
        leadTile(chains, tile, start, parts, places, output)
        if walk.tile != tile {
          if !isShort {
            let led = leadTiles(chains, walk.tile..<tiles.upperBound, by: parts[0], output)
            guard led < tiles.upperBound else { return }
            if led > walk.tile {
              walk = BlockWalk(chains, led..<tiles.upperBound)
              (ahead, asked) = (walk, 0)
              guard walk.block >= 0 else { return }
            }
          }
          (tile, start) = (walk.tile, TileStart(chains, walk.tile))
        } else {
          start = TileStart(chains.outputs)
        }
        places = 0..<0
      }
      while asked < blocksAskedAhead, ahead.block >= 0 {
        chains.memory.prefetch(ahead.block, areAlike: chains.blocks[ahead.block].areAlike)
        chains.blocks.prefetch(ahead.block &+ EffectBlock.tilesAskedAhead)
        ahead.advance()
        asked &+= 1
      }
      let block = chains.blocks[walk.block]
      let place = places.upperBound
      if block.leadsAllAlike {
        if !parts[place].isOf(block) {
          parts[place] = coveredPart(of: block, tables, chains.outputs, now: now, way, output)
        }
        parts[place].block = Int32(truncatingIfNeeded: walk.block)
        places = unsafe Range(uncheckedBounds: (places.lowerBound, place &+ 1))
        // Narrow vectors take turns from block to block: each waits for its own result.
        if Floats.scalarCount == 4 {
          leadTile(chains, tile, start, parts, places, output)
          (places, start) = (unsafe Range(uncheckedBounds: (place &+ 1, place &+ 1)), TileStart(chains.outputs))
        }
      } else {
        if !places.isEmpty {
          leadTile(chains, tile, start, parts, places, output)
          start = TileStart(chains.outputs)
        }
        places = unsafe Range(uncheckedBounds: (place &+ 1, place &+ 1))
        if block.areAlike { way.begin(block) }
        // Looked up only here: where all blocks are alike, two fifths of the samples of a profile were the copy of a table.
        let last = lead(tables[Int(block.curve)].tracks[0], chains, walk, way, start, now: now, output)
        start = TileStart(chains.outputs)
        if last > walk.tile {
          guard last &+ 1 < tiles.upperBound else { return }
          walk = BlockWalk(chains, last &+ 1..<tiles.upperBound)
          (ahead, asked) = (walk, 0)
          continue
        }
      }
      walk.advance()
      asked &-= 1
    }
    leadTile(chains, tile, start, parts, places, output)
  }

  /// Leads tiles that have one block each, as long as all of their lanes have the effect whose covered part is known, and
  /// returns the first tile that is none of these. Their goals are asked for some tiles ahead.
  @export(implementation) @inline(__always)
  static func leadTiles<O: Output>(
    _ chains: EffectChains, _ tiles: Range<Int>, by part: CoveredPart, _: O.Type
  ) -> Int {
    let outputs = chains.outputs
    let goalCount = EffectMemory.goalCount(dimensions: outputs.dimensions)
    let (covered, pace) = (splat(part.covered), splat(part.pace))
    var tile = tiles.lowerBound
    while tile < tiles.upperBound {
      let number = Int(chains.first[tile])
      guard number >= 0 else { return tile }
      let block = chains.blocks[number]
      guard block.next < 0, block.leadsAllAlike, part.isOf(block) else { return tile }
      chains.blocks.prefetch(number &+ blocksAskedAhead)
      let start = TileStart(chains, tile)
      var (goals, element) = (chains.memory.goals + number &* goalCount, tile &* laneCountOfTile)
      for _ in 0..<outputs.dimensions {
        goals.prefetch(blocksAskedAhead &* goalCount)
        for index in stride(from: 0, to: laneCountOfTile, by: Floats.scalarCount) {
          change(outputs, at: element &+ index, from: start, O.self) { x, v in
            lead(&x, &v, to: load(goals, index), covered, pace, O.self)
          }
        }
        (goals, element) = (goals + laneCountOfTile, element &+ outputs.dimensionStride)
      }
      tile &+= 1
    }
    return tile
  }

  /// Leads a tile by a block whose lanes have clocks of their own; and then the tiles after it, as long as each has one such
  /// block alone, along the same curve.
  ///
  /// - Parameters:
  ///   - walk: The tile and the block.
  ///   - way: The clocks of the block if its effects are alike.
  /// - Returns: The last tile.
  @export(implementation) @inline(__always)
  static func lead<O: Output, L: PieceLookup>(
    _ track: PieceTable, _ chains: EffectChains, _ walk: BlockWalk, _ way: UnitWay, _ start: TileStart, now: Doubles,
    _: O.Type, by _: L.Type
  ) -> Int where L.Set == Self {
    let (lookup, outputs) = (L(track), chains.outputs)
    var (tile, number, start, block) = (walk.tile, walk.block, start, chains.blocks[walk.block])
    let (curve, last) = (block.curve, walk.end &- 1)
    while true {
      let effects = chains.memory.columns(number)
      // Blocks that tracks took one by one lie anywhere.
      let later = chains.memory.columns(max(0, Int(chains.first[min(tile &+ ownBlocksAskedAhead, last)])))
      for line in 0..<5 { later.origin.prefetch(8 &* line) }
      let (origin, rate, scale) =
        block.areAlike ? (way.origin, way.rate, way.scale) : (effects.origin, effects.rate, effects.scale)
      for index in stride(from: 0, to: laneCountOfTile, by: Floats.scalarCount) {
        let (covered, pace) = coveredPart(lookup, origin, rate, scale, outputs, index, now: now, O.self)
        var (goal, element) = (index, tile &* laneCountOfTile &+ index)
        for _ in 0..<outputs.dimensions {
          later.offset.prefetch(goal)
          change(outputs, at: element, from: start, O.self) { x, v in
            lead(&x, &v, to: load(effects.offset, goal), covered, pace, O.self)
          }
          (goal, element) = (goal &+ laneCountOfTile, element &+ outputs.dimensionStride)
        }
      }
      guard !isShort, block.next < 0, chains.first[tile] == number, tile &+ 1 < walk.end else { return tile }
      number = Int(chains.first[tile &+ 1])
      guard number >= 0 else { return tile }
      block = chains.blocks[number]
      guard block.next < 0, block.curve == curve, !block.areAlike else { return tile }
      chains.blocks.prefetch(Int(chains.first[min(tile &+ 2 &* ownBlocksAskedAhead, last)]))
      tile &+= 1
      start = TileStart(chains, tile)
    }
  }

  @export(implementation) @inline(__always)
  public static func lead<O: Output>(
    _ track: PieceTable, _ chains: EffectChains, _ walk: BlockWalk, _ way: UnitWay, _ start: TileStart, now: Doubles,
    _ output: O.Type
  ) -> Int {
    lead(track, chains, walk, way, start, now: now, output, by: MemoryLookup<Self>.self)
  }

  /// Leads a tile by blocks at consecutive places of its chain, the lanes of each of which are alike: values stay in registers
  /// from block to block.
  @inline(never)
  @export(implementation)
  static func leadTile<O: Output>(
    _ chains: EffectChains, _ tile: Int, _ start: TileStart, _ parts: Column<CoveredPart>, _ places: Range<Int>,
    _: O.Type
  ) {
    guard !places.isEmpty else { return }
    let outputs = chains.outputs
    let goalCount = EffectMemory.goalCount(dimensions: outputs.dimensions)
    var (goals, element) = (chains.memory.goals, tile &* laneCountOfTile)
    for _ in 0..<outputs.dimensions {
      for index in stride(from: 0, to: laneCountOfTile, by: Floats.scalarCount) {
        change(outputs, at: element &+ index, from: start, O.self) { x, v in
          for place in places {
            let part = parts[place]
            let goal = load(goals, Int(part.block) &* goalCount &+ index)
            lead(&x, &v, to: goal, splat(part.covered), splat(part.pace), O.self)
          }
        }
      }
      (goals, element) = (goals + laneCountOfTile, element &+ outputs.dimensionStride)
    }
  }

  /// Changes the values of a vector of lanes, and their velocities if these are asked for.
  @export(implementation) @inline(__always)
  static func change<O: Output>(
    _ outputs: PlaybackColumns, at element: Int, from start: TileStart, _: O.Type,
    _ body: (_ x: inout Floats, _ v: inout Floats) -> Void
  ) {
    var x = load(start.values, element)
    var v = O.includesVelocity && !start.stands ? load(outputs.velocity, element) : Floats.zero
    body(&x, &v)
    Ordinary.store(Self.self, x, to: outputs.value + element)
    if O.includesVelocity { Ordinary.store(Self.self, v, to: outputs.velocity + element) }
  }

  /// Leads values and velocities towards goals: x + p · (goal − x). At p = 1 the result is exactly the goal, whatever x is.
  ///
  /// - Parameters:
  ///   - covered: p.
  ///   - pace: Its rate of change, per second.
  @export(implementation) @inline(__always)
  static func lead<O: Output>(
    _ x: inout Floats, _ v: inout Floats, to goal: Floats, _ covered: Floats, _ pace: Floats, _: O.Type
  ) {
    let left = Floats.zero - covered
    if O.includesVelocity {
      // The sum makes −0 a plain 0, so that lanes at rest have one sign.
      v = fusedMultiplyAdd(goal - x, pace, fusedMultiplyAdd(left, v, v)) + Floats.zero
    }
    x = fusedMultiplyAdd(covered, goal, fusedMultiplyAdd(left, x, x))
  }

  /// Tiles whose lines are on their way while one is led by a block with clocks of its own.
  @export(implementation)
  static var ownBlocksAskedAhead: Int { @inline(__always) get { 6 } }

  /// Blocks whose lines are on their way while one is evaluated. A track with 18 effects, one of 100 000, takes 68 ns with 2
  /// blocks on their way, 63 with 4, and 53 with 8 or 16 (Xeon with AVX-512; the goals lay among the clocks then).
  @export(implementation)
  static var blocksAskedAhead: Int { @inline(__always) get { 8 } }
}
