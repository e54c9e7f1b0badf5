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

  /// Whether all lanes have the same effect, but for its goal.
  @export(implementation)
  public var isUniform: Bool { @inline(__always) get { lanes == .max && !end.isNaN } }
}

/// The memory of the columns of all blocks. The goals are apart from the rest: for effects that are alike, kernels read only
/// them, and neighbouring tiles have neighbouring blocks where one call has given them effects.
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

  /// Begins the way with the effect of a block.
  @export(implementation) @inline(__always)
  func begin(_ block: EffectBlock) {
    origin.update(repeating: block.start, count: laneCountOfTile)
    rate.update(repeating: block.rate, count: laneCountOfTile)
    scale.update(repeating: block.rate == 0 ? 0 : 1, count: laneCountOfTile)
    value.update(repeating: 0, count: laneCountOfTile)
    velocity.update(repeating: 0, count: laneCountOfTile)
  }
}

/// The covered part of the way of an effect that all lanes of a block have. It is kept by the place of the block in its chain:
/// neighbouring tiles often have the same effects in the same order.
@frozen @usableFromInline
struct CoveredPart: BitwiseCopyable {
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
    of block: EffectBlock, _ track: PieceTable, _ outputs: PlaybackColumns, now: Doubles, _ way: UnitWay,
    _ output: O.Type
  ) -> CoveredPart {
    way.begin(block)
    var columns = outputs
    (columns.origin, columns.rate, columns.scale) = (way.origin, way.rate, way.scale)
    (columns.offset, columns.value, columns.velocity) = (way.goal, way.value, way.velocity)
    (columns.dimensionStride, columns.variationStride) = (0, 0)
    let run = ClipRun(firstLane: 0, laneCount: laneCountOfTile, clip: 0)
    evaluate(track, run, columns, now: now, output, AddedToOne.self)
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
    let dimensions = chains.outputs.dimensions
    var columns = chains.outputs
    // The processor does not foresee a chain, so its lines are asked for some blocks ahead.
    var (walk, ahead) = (BlockWalk(chains, tiles), BlockWalk(chains, tiles))
    for _ in 0..<blocksAskedAhead { ahead.advance() }
    var (tile, place) = (-1, 0)
    while walk.block >= 0 {
      if ahead.block >= 0 {
        let effects = chains.memory.columns(ahead.block)
        for dimension in 0..<dimensions { effects.offset.prefetch(dimension &* laneCountOfTile) }
        if !chains.blocks[ahead.block].isUniform {
          for line in 0..<5 { effects.origin.prefetch(8 &* line) }
        }
        ahead.advance()
      }
      let lane = walk.tile &* laneCountOfTile
      let effects = chains.memory.columns(walk.block)
      let block = chains.blocks[walk.block]
      let track = tables[Int(block.curve)].tracks[0]
      columns.offset = effects.offset - lane
      place = tile == walk.tile ? (place &+ 1) & (CoveredPart.count &- 1) : 0
      tile = walk.tile
      if block.isUniform {
        if !parts[place].isOf(block) {
          parts[place] = coveredPart(of: block, track, chains.outputs, now: now, way, output)
        }
        let (covered, pace) = (splat(parts[place].covered), splat(parts[place].pace))
        for index in stride(from: 0, to: laneCountOfTile, by: Floats.scalarCount) {
          lead(columns, track, track.componentCount, at: lane &+ index, covered, pace, output)
        }
      } else {
        (columns.origin, columns.rate, columns.scale) = (
          effects.origin - lane, effects.rate - lane, effects.scale - lane
        )
        let run = ClipRun(firstLane: lane, laneCount: laneCountOfTile, clip: 0)
        evaluate(track, run, columns, now: now, output, Added.self)
      }
      walk.advance()
    }
  }

  /// Blocks whose lines are on their way while one is evaluated. A track with 18 effects, one of 100 000, takes 68 ns with 2
  /// blocks on their way, 63 with 4, and 53 with 8 or 16 (Xeon with AVX-512; the goals lay among the clocks then).
  @export(implementation)
  static var blocksAskedAhead: Int { @inline(__always) get { 8 } }
}
