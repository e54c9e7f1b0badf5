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

  /// Bytes of the columns of a block, which follow each other.
  @export(implementation) @inline(__always)
  public static func byteCount(dimensions: Int) -> Int { 64 &* (9 &+ dimensions) }

  /// The columns of a block, in the memory of all blocks. What kernels read comes first.
  @export(implementation) @inline(__always)
  public static func columns(_ block: Int, _ memory: Column<UInt8>, dimensions: Int) -> EffectColumns {
    let first = memory + block &* byteCount(dimensions: dimensions)
    let (wide, narrow) = (first.rebound(to: Double.self), first.rebound(to: Float.self))
    let last = 2 &* laneCountOfTile &+ (1 &+ dimensions) &* laneCountOfTile / 2
    return EffectColumns(
      origin: wide, rate: wide + laneCountOfTile, start: wide + last, end: wide + (last &+ laneCountOfTile),
      scale: narrow + 4 &* laneCountOfTile, offset: narrow + 5 &* laneCountOfTile, stride: laneCountOfTile)
  }
}

/// The effects of tiles of tracks.
public struct EffectChains {
  /// The first block of each tile; negative where there is none.
  public var first: ConstantColumn<Int32>
  public var blocks: ConstantColumn<EffectBlock>
  /// The memory of the columns of all blocks.
  public var memory: Column<UInt8>
  /// The outputs, and the ticks at the origins. The columns of effects are those of any block.
  public var outputs: PlaybackColumns

  public init(
    first: ConstantColumn<Int32>, blocks: ConstantColumn<EffectBlock>, memory: Column<UInt8>, outputs: PlaybackColumns
  ) {
    (self.first, self.blocks, self.memory, self.outputs) = (first, blocks, memory, outputs)
  }
}

/// The columns of a block whose lanes have the same effect: they are not read from memory.
@frozen public struct BlockLines {
  @usableFromInline let origin: Column<Double>
  @usableFromInline let rate: Column<Double>
  @usableFromInline let scale: Column<Float>

  /// Lends the memory for a block.
  @export(implementation) @inline(__always)
  static func withLines(_ body: (BlockLines) -> Void) {
    Block.withLine { line in body(BlockLines(line)) }
  }

  @export(implementation) @inline(__always)
  init(_ line: Column<UInt8>) {
    origin = line.elements(of: Double.self, count: laneCountOfTile)
    rate = line.elements(of: Double.self, at: 128, count: laneCountOfTile)
    scale = line.elements(of: Float.self, at: 256, count: laneCountOfTile)
  }

  @export(implementation) @inline(__always)
  func set(_ block: EffectBlock) {
    origin.update(repeating: block.start, count: laneCountOfTile)
    rate.update(repeating: block.rate, count: laneCountOfTile)
    scale.update(repeating: block.rate == 0 ? 0 : 1, count: laneCountOfTile)
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
    BlockLines.withLines { uniform in
      sumLoop(chains, tiles, tables, now: now, uniform, output)
    }
  }

  @export(implementation) @inline(__always)
  static func sumLoop<O: Output>(
    _ chains: EffectChains, _ tiles: Range<Int>, _ tables: ConstantColumn<ClipTable>, now: Doubles,
    _ uniform: BlockLines, _ output: O.Type
  ) {
    let dimensions = chains.outputs.dimensions
    var columns = chains.outputs
    // The processor does not foresee a chain, so its lines are asked for some blocks ahead.
    var (walk, ahead) = (BlockWalk(chains, tiles), BlockWalk(chains, tiles))
    for _ in 0..<blocksAskedAhead { ahead.advance() }
    while walk.block >= 0 {
      if ahead.block >= 0 {
        let first = chains.memory + ahead.block &* EffectBlock.byteCount(dimensions: dimensions)
        let firstLine = chains.blocks[ahead.block].isUniform ? 5 : 0
        for line in firstLine..<5 &+ dimensions { first.prefetch(64 &* line) }
        ahead.advance()
      }
      let lane = walk.tile &* laneCountOfTile
      let effects = EffectBlock.columns(walk.block, chains.memory, dimensions: dimensions)
      let block = chains.blocks[walk.block]
      if block.isUniform {
        uniform.set(block)
        (columns.origin, columns.rate, columns.scale) = (
          uniform.origin - lane, uniform.rate - lane, uniform.scale - lane
        )
      } else {
        (columns.origin, columns.rate, columns.scale) = (
          effects.origin - lane, effects.rate - lane, effects.scale - lane
        )
      }
      columns.offset = effects.offset - lane
      let run = ClipRun(firstLane: lane, laneCount: laneCountOfTile, clip: 0)
      evaluate(tables[Int(block.curve)].tracks[0], run, columns, now: now, output, Added.self)
      walk.advance()
    }
  }

  /// Blocks whose lines are on their way while one is evaluated. A track with 18 effects, one of 100 000, takes 68 ns with 2
  /// blocks on their way, 63 with 4, and 53 with 8 or 16 (Xeon with AVX-512).
  @export(implementation)
  static var blocksAskedAhead: Int { @inline(__always) get { 8 } }
}
