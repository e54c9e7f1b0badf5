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
  /// Of a single curve: its way in dimension 0, and the value at its start. Of an effect in a sum: its direction (see
  /// ``InstructionSet/add(_:_:_:_:_:at:_:)``) and its goal in dimension 0.
  public let scale: Column<Float>
  public let offset: Column<Float>
  /// Floats from the offset of a dimension to that of the next; in single curves also from scale to scale.
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

  public init(
    first: ConstantColumn<Int32>, blocks: ConstantColumn<EffectBlock>, memory: EffectMemory, outputs: PlaybackColumns
  ) {
    (self.first, self.blocks, self.memory, self.outputs) = (first, blocks, memory, outputs)
  }
}

/// The columns of a block whose lanes have the same effect, on the way from 0 to 1. The value and the velocity are the covered
/// part of any way, and its rate of change.
@frozen public struct UnitWay {
  @usableFromInline let origin: Column<Double>
  @usableFromInline let rate: Column<Double>
  @usableFromInline let scale: Column<Float>
  @usableFromInline let goal: Column<Float>
  @usableFromInline let value: Column<Float>
  @usableFromInline let velocity: Column<Float>

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
    goal = line.elements(of: Float.self, at: 320, count: laneCountOfTile)
    value = line.elements(of: Float.self, at: 384, count: laneCountOfTile)
    velocity = line.elements(of: Float.self, at: 448, count: laneCountOfTile)
    goal.update(repeating: 1, count: laneCountOfTile)
  }

  /// Begins the way with the effects of a block, which are alike.
  @export(implementation) @inline(__always)
  func begin(_ block: EffectBlock) {
    for lane in 0..<laneCountOfTile {
      let isVacant = block.lanes & 1 << UInt16(truncatingIfNeeded: lane) == 0
      origin[lane] = block.start
      rate[lane] = isVacant ? 0 : block.rate
      scale[lane] = isVacant ? PlaybackColumns.vacant : block.rate == 0 ? 0 : 1
    }
    value.update(repeating: 0, count: laneCountOfTile)
    velocity.update(repeating: 0, count: laneCountOfTile)
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
@frozen @usableFromInline
struct BlockWalk {
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

  /// Computes the covered part of the way of an effect that all lanes of a block have. The formula is that of lanes, for a way
  /// from 0 to 1.
  @inline(never)
  @export(implementation)
  static func coveredPart<O: Output>(
    of block: EffectBlock, _ tables: ConstantColumn<ClipTable>, _ outputs: PlaybackColumns, now: Doubles,
    _ way: UnitWay, _ output: O.Type
  ) -> CoveredPart {
    way.begin(block)
    var columns = outputs
    (columns.origin, columns.rate, columns.scale) = (way.origin, way.rate, way.scale)
    (columns.offset, columns.value, columns.velocity) = (way.goal, way.value, way.velocity)
    (columns.dimensionStride, columns.variationStride) = (0, 0)
    let run = ClipRun(firstLane: 0, laneCount: laneCountOfTile, clip: 0)
    evaluate(tables[Int(block.curve)].tracks[0], run, columns, now: now, output, AddedToOne.self)
    var part = CoveredPart()
    (part.curve, part.start, part.rate) = (block.curve, block.start, block.rate)
    (part.covered, part.pace) = (way.value[0], way.velocity[0])
    return part
  }

  @export(implementation) @inline(__always)
  static func sumLoop<O: Output>(
    _ chains: EffectChains, _ tiles: Range<Int>, _ tables: ConstantColumn<ClipTable>, now: Doubles,
    _ way: UnitWay, _ parts: Column<CoveredPart>, _ output: O.Type
  ) {
    var columns = chains.outputs
    // The processor does not foresee a chain, so its lines are asked for some blocks ahead.
    var walk = BlockWalk(chains, tiles)
    var (ahead, asked) = (walk, 0)
    // The places in the chain of blocks that are alike, and have not led their tile yet.
    var (tile, places) = (-1, 0..<0)
    while walk.block >= 0 {
      if walk.tile != tile || places.upperBound == CoveredPart.count {
        leadTile(chains, tile, parts, places, output)
        if walk.tile != tile, !isShort {
          let led = leadTiles(chains, walk.tile..<tiles.upperBound, by: parts[0], output)
          guard led < tiles.upperBound else { return }
          if led > walk.tile {
            walk = BlockWalk(chains, led..<tiles.upperBound)
            (ahead, asked) = (walk, 0)
            guard walk.block >= 0 else { return }
          }
        }
        (tile, places) = (walk.tile, 0..<0)
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
          leadTile(chains, tile, parts, places, output)
          places = unsafe Range(uncheckedBounds: (place &+ 1, place &+ 1))
        }
      } else {
        leadTile(chains, tile, parts, places, output)
        places = unsafe Range(uncheckedBounds: (place &+ 1, place &+ 1))
        let (lane, effects) = (tile &* laneCountOfTile, chains.memory.columns(walk.block))
        if block.areAlike { way.begin(block) }
        let (origin, rate, scale) =
          block.areAlike ? (way.origin, way.rate, way.scale) : (effects.origin, effects.rate, effects.scale)
        (columns.origin, columns.rate, columns.scale) = (origin - lane, rate - lane, scale - lane)
        columns.offset = effects.offset - lane
        let run = ClipRun(firstLane: lane, laneCount: laneCountOfTile, clip: 0)
        // Looked up only here: where all blocks are alike, two fifths of the samples of a profile were the copy of a table.
        evaluate(tables[Int(block.curve)].tracks[0], run, columns, now: now, output, Added.self)
      }
      walk.advance()
      asked &-= 1
    }
    leadTile(chains, tile, parts, places, output)
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
      var (goals, element) = (chains.memory.goals + number &* goalCount, tile &* laneCountOfTile)
      for _ in 0..<outputs.dimensions {
        goals.prefetch(blocksAskedAhead &* goalCount)
        for index in stride(from: 0, to: laneCountOfTile, by: Floats.scalarCount) {
          change(outputs, at: element &+ index, O.self) { x, v in
            lead(&x, &v, to: load(goals, index), covered, pace, O.self)
          }
        }
        (goals, element) = (goals + laneCountOfTile, element &+ outputs.dimensionStride)
      }
      tile &+= 1
    }
    return tile
  }

  /// Leads a tile by blocks at consecutive places of its chain, the lanes of each of which are alike: values stay in registers
  /// from block to block.
  @inline(never)
  @export(implementation)
  static func leadTile<O: Output>(
    _ chains: EffectChains, _ tile: Int, _ parts: Column<CoveredPart>, _ places: Range<Int>, _: O.Type
  ) {
    guard !places.isEmpty else { return }
    let outputs = chains.outputs
    let goalCount = EffectMemory.goalCount(dimensions: outputs.dimensions)
    var (goals, element) = (chains.memory.goals, tile &* laneCountOfTile)
    for _ in 0..<outputs.dimensions {
      for index in stride(from: 0, to: laneCountOfTile, by: Floats.scalarCount) {
        change(outputs, at: element &+ index, O.self) { x, v in
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
    _ outputs: PlaybackColumns, at element: Int, _: O.Type, _ body: (_ x: inout Floats, _ v: inout Floats) -> Void
  ) {
    var x = load(outputs.value, element)
    var v = O.includesVelocity ? load(outputs.velocity, element) : Floats.zero
    body(&x, &v)
    Ordinary.store(Self.self, x, to: outputs.value + element)
    if O.includesVelocity { Ordinary.store(Self.self, v, to: outputs.velocity + element) }
  }

  /// Blocks whose lines are on their way while one is evaluated. A track with 18 effects, one of 100 000, takes 68 ns with 2
  /// blocks on their way, 63 with 4, and 53 with 8 or 16 (Xeon with AVX-512; the goals lay among the clocks then).
  @export(implementation)
  static var blocksAskedAhead: Int { @inline(__always) get { 8 } }
}
