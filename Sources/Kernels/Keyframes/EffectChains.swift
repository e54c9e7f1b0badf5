// SPDX-License-Identifier: MIT

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

/// The columns of tiles that effects lead.
public struct LedColumns {
  /// The values under the effects of tiles that stand (dimension 0).
  public var under: Column<Float>
  /// Whether a tile stands under its effects. The others have values and velocities in the outputs.
  public var standing: ConstantColumn<Bool>
  /// Outputs (dimension 0).
  public var value: Column<Float>
  public var velocity: Column<Float>
  /// Floats from one dimension of values, velocities and what is under effects to the next.
  public var dimensionStride: Int

  public init(
    under: Column<Float>, standing: ConstantColumn<Bool>, value: Column<Float>, velocity: Column<Float>,
    dimensionStride: Int
  ) {
    (self.under, self.standing, self.dimensionStride) = (under, standing, dimensionStride)
    (self.value, self.velocity) = (value, velocity)
  }
}

/// The effects of tiles of tracks.
public struct EffectChains {
  /// The first block of each tile; negative where there is none.
  public var first: ConstantColumn<Int32>
  public var blocks: ConstantColumn<EffectBlock>
  public var memory: EffectMemory
  public var columns: LedColumns

  public init(
    first: ConstantColumn<Int32>, blocks: ConstantColumn<EffectBlock>, memory: EffectMemory, columns: LedColumns
  ) {
    (self.first, self.blocks, self.memory, self.columns) = (first, blocks, memory, columns)
  }
}

/// The values and velocities from which a block leads a tile on.
@frozen public struct TileStart {
  @usableFromInline let values: Column<Float>
  /// Whether there is no velocity.
  @usableFromInline let stands: Bool

  /// From what is under all effects of a tile.
  @export(implementation) @inline(__always)
  init(_ columns: LedColumns, _ tile: Int) {
    stands = columns.standing[tile]
    values = stands ? columns.under : columns.value
  }

  /// From what the effects before have led to.
  @export(implementation) @inline(__always)
  init(after columns: LedColumns) { (values, stands) = (columns.value, false) }
}

/// The clock of a block whose effects are alike, in lane 0, and the part of their way that is covered.
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

  /// Takes the clock of a block, whose effects are alike.
  @export(implementation) @inline(__always)
  func begin(_ block: EffectBlock) {
    origin.update(repeating: block.start, count: laneCountOfTile)
    rate.update(repeating: block.rate, count: laneCountOfTile)
    scale.update(repeating: block.rate == 0 ? 0 : 1, count: laneCountOfTile)
  }
}

/// The covered part of the way of the effects of a block that are alike. It is kept by the place of the block in its chain:
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
