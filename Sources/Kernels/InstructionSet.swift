// SPDX-License-Identifier: MIT
public import CProcessor

/// The vector types of one instruction set, and the few operations whose best form differs between sets.
///
/// A kernel is written once over this protocol; each `Kernels…` target declares one conforming type and is compiled
/// for that set. All requirements give the same bits on every conforming type: fused products are exact, rounding is
/// to nearest, ties to even.
///
/// Kernel code uses pointers, SIMD types and the conforming type only. A generic from the standard library would be
/// specialised under a name that does not mention the instruction set, and the linker could then keep the copy for a wider
/// set.
public protocol InstructionSet: SendableMetatype {
  associatedtype Floats: FloatLanes
  associatedtype Ints: IntLanes
  associatedtype Doubles: DoubleLanes
  associatedtype Longs: LongLanes

  /// The set with which lanes of their own springs are evaluated first: where products are emulated, one with quicker ones.
  /// Lanes are evaluated again with this set if a quick product was in doubt.
  associatedtype Quick: InstructionSet = Self

  /// Whether a product of this set may differ from one that is rounded once. It is in doubt then.
  static var mayDoubt: Bool { get }

  /// Whether a product was in doubt since this was last asked.
  static func takeDoubts() -> Bool

  /// Whether loops are to be short: there are few registers, products are emulated, or code is downloaded.
  static var isShort: Bool { get }

  /// `a · b + c` in each lane, rounded once.
  static func fusedMultiplyAdd(_ a: Floats, _ b: Floats, _ c: Floats) -> Floats

  /// `a · b + c` in each lane, rounded once or twice, whichever is faster; for matrix products, whose bits depend on
  /// OpenBLAS too.
  static func multiplyAdd(_ a: Floats, _ b: Floats, _ c: Floats) -> Floats

  /// The larger of `a` and `b` in each lane.
  static func maximum(_ a: Floats, _ b: Floats) -> Floats

  /// Each lane rounded to Float.
  static func narrow(_ a: Doubles) -> Floats

  /// Each lane as a Double.
  static func widen(_ a: Floats) -> Doubles

  /// The integer nearest to each lane, ties to even; |x| < 2²².
  static func nearestInteger(_ x: Floats) -> Floats

  /// `x · 2ⁿ`, where each lane of `n` is an integer and the result a normal number.
  static func scale(_ x: Floats, byPowerOf n: Floats) -> Floats

  /// `a` where the lowest bit of a lane of `bits` is set, otherwise `b`.
  static func select(_ bits: Ints, _ a: Floats, _ b: Floats) -> Floats

  /// `a`, or 0 where a lane of `marks` is negative.
  static func clear(_ a: Floats, whereNegative marks: Ints) -> Floats

  /// The low 32 bits of each lane.
  static func truncate(_ a: Longs) -> Ints

  /// All bits of a lane set where `a > b`, otherwise 0.
  static func isGreater(_ a: Ints, _ b: Ints) -> Ints

  /// Each lane as a Float, rounded to nearest.
  static func convert(_ a: Ints) -> Floats

  /// The entries of a table at the lanes' indices.
  static func gather(_ table: ConstantColumn<Int32>, _ index: Ints) -> Ints

  /// The first of each four numbers.
  static func fourths(_ numbers: ConstantColumn<Double>) -> Doubles

  /// The records of four numbers at the lanes' indices, transposed.
  static func records(_ table: ConstantColumn<Float>, _ index: Ints) -> Records<Self>

  /// The records of neighbouring components in four rows, at an address for each row, transposed to quads: the numbers
  /// of four rows for the first component, then those for the next one. All components of a vector are read.
  static func quadRecords(
    _ a: ConstantColumn<Float>, _ b: ConstantColumn<Float>, _ c: ConstantColumn<Float>, _ d: ConstantColumn<Float>
  ) -> Records<Self>

  /// One quad for all components.
  static func sameQuads(_ quad: ConstantColumn<Float>) -> Floats

  /// The quads of some components, which are `stride` floats apart by component.
  static func loadQuads(
    _ column: ConstantColumn<Float>, _ components: ConstantColumn<Int32>, stride: Int, count: Int
  ) -> Floats

  /// Stores the quads of some components in the rows whose bits are set, the first row lowest.
  static func storeQuads(
    _ a: Floats, rows: UInt32, to column: Column<Float>, _ components: ConstantColumn<Int32>, stride: Int, count: Int)

  /// Evaluates one track of a clip for a block of ticks: by a lookup in memory, or by a better one of the set.
  static func evaluate<O: Output, V: Variation>(
    _ track: PieceTable, _ block: TickBlock, _ columns: PlaybackColumns, at lane: Int, _: O.Type, _: V.Type)

  /// Finds the pieces of one track of a clip for the ticks of a tile, by the same lookup.
  static func find(_ track: PieceTable, _ tile: TickBlock)

  /// Evaluates lanes that play a clip whose components have the same cubics, by the same lookup.
  static func evaluate<O: Output, V: Variation>(
    _ track: PieceTable, _ run: ClipRun, _ columns: PlaybackColumns, now: Doubles, _: O.Type, _: V.Type)

  /// Leads tiles by effects with clocks of their own, by the same lookup; see ``BlockWalk``.
  static func lead<O: Output>(
    _ track: PieceTable, _ chains: EffectChains, _ walk: BlockWalk, _ start: TileStart, now: Doubles,
    _: O.Type
  ) -> Int

  /// Bakes legs of an instance that follow each other, by the same lookup.
  static func bake<O: Output, V: Variation>(
    _ track: PieceTable, _ leg: BakedLeg, until end: Int, _ block: BakedLanes, _: O.Type, _: V.Type)

  /// The square root of each lane, correctly rounded.
  static func squareRoot(_ a: Floats) -> Floats

  /// The smallest lane; no lane may be NaN.
  static func least(_ a: Floats) -> Float

  /// The greatest and the least number of a tile, at an address that is aligned to 64 bytes; no number may be NaN.
  static func greatestOfTile(_ values: Column<Double>) -> Double
  static func leastOfTile(_ values: Column<Double>) -> Double

  /// The sign bit of each lane, with lane 0 lowest.
  static func signs(_ a: Ints) -> UInt32

  /// A bit for each lane that is above 0, with lane 0 lowest.
  static func positives(_ a: Doubles) -> UInt32

  /// Lists the lanes whose sign bit is set, counted from `first` on, and returns their number. It may write an entry for
  /// each lane, listed or not.
  static func list(_ marks: Ints, from first: Int32, to list: Column<Int32>) -> Int

  /// Transposes sixteen rows of sixteen: by squares of four, or by a better way of the set.
  static func turnSixteen(
    _ rows: Column<Float>, _ stride: Int, to columns: Column<Float>, _ columnStride: Int)

  /// Stores the map of each lane as a matrix of sixteen floats, column after column; `block` is for use in between. Lines
  /// go past the caches if that is asked for and the set can: `matrices` and `stride` are aligned to lines then, and a
  /// ``fence()`` must follow.
  static func turn(
    _ map: AffineLanes<Self>, _ block: Column<Float>, to matrices: Column<Float>, _ stride: Int, pastCaches: Bool)

  /// Stores `a` past the caches; `address` is aligned to the vector. A ``fence()`` must follow the last store.
  static func stream(_ a: Floats, to address: Column<Float>)

  /// Orders streamed stores before everything that follows.
  static func fence()
}

extension InstructionSet {
  @export(implementation) @inline(__always)
  public static var isShort: Bool { false }

  @export(implementation) @inline(__always)
  public static var mayDoubt: Bool { false }

  @export(implementation) @inline(__always)
  public static func takeDoubts() -> Bool { false }

  @export(implementation) @inline(__always)
  public static func multiplyAdd(_ a: Floats, _ b: Floats, _ c: Floats) -> Floats { fusedMultiplyAdd(a, b, c) }
}

extension InstructionSet {
  /// Writes vectors whose components are in columns. Each set has code of its own for it.
  @export(implementation) @inline(__always)
  static func interleave(
    _ columns: ConstantColumn<Float>, stride: Int, dimensions: Int, count: Int, to output: Column<Float>, step: Int
  ) {
    unsafe lanes_interleave(columns.address, stride, dimensions, count, output.address, step)
  }

  /// Writes numbers of columns into vertices, in any format. Each set has code of its own for it.
  @export(implementation) @inline(__always)
  static func write(_ numbers: VertexNumbers, count: Int, to output: Column<UInt8>, stride: Int) {
    unsafe vertices_write(
      numbers.columns.address, numbers.columnStride, numbers.components?.address, numbers.slots, numbers.format, count,
      output.address, stride)
  }
}

/// The numbers of columns that vertices get.
public struct VertexNumbers {
  /// The column of component 0, from the first track on.
  @usableFromInline let columns: ConstantColumn<Float>
  /// Floats from one component to the next.
  @usableFromInline let columnStride: Int
  /// The component of each of the neighbouring numbers of a vertex, nil for the first ones in their order; and their number.
  @usableFromInline let components: ConstantColumn<Int>?
  @usableFromInline let slots: Int
  /// A format of `vertices.h`.
  @usableFromInline let format: Int32

  public init(
    _ columns: ConstantColumn<Float>, columnStride: Int, components: ConstantColumn<Int>?, slots: Int, format: Int32
  ) {
    (self.columns, self.columnStride) = (columns, columnStride)
    (self.components, self.slots, self.format) = (components, slots, format)
  }
}

/// Lanes in a tile: the unit in which columns are padded and tracks are planned, the same for every instruction set.
public let laneCountOfTile = 16
