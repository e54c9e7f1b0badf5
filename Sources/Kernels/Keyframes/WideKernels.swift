// SPDX-License-Identifier: MIT
// Instances of clips with many values: each instance is evaluated by itself, across its components. Its tick is found once,
// and its piece once for all components that share their boundaries; then a vector holds neighbouring components, not
// instances. Operations and bits are the same as in the other kernels.

/// Components of a clip whose pieces begin and end together.
public struct WideTrack: BitwiseCopyable {
  /// The dimensions, ascending.
  public var components: ConstantColumn<Int32>
  public var componentCount: Int
  public var pieceCount: Int
  /// The last tick of each piece, and the tick from which it is measured.
  public var lasts: ConstantColumn<Int32>
  public var centers: ConstantColumn<Int32>
  /// Rows of coefficients: [piece][4][stride], the constant one first; each has a multiple of ``laneCountOfTile`` numbers.
  public var rows: ConstantColumn<Float>
  public var stride: Int

  public init(
    components: ConstantColumn<Int32>, componentCount: Int, pieceCount: Int, lasts: ConstantColumn<Int32>,
    centers: ConstantColumn<Int32>, rows: ConstantColumn<Float>, stride: Int
  ) {
    self.components = components
    self.componentCount = componentCount
    self.pieceCount = pieceCount
    self.lasts = lasts
    self.centers = centers
    self.rows = rows
    self.stride = stride
  }

  /// The piece of a tick.
  @export(implementation) @inline(__always)
  func piece(at tick: Int32) -> Int {
    var (first, count) = (0, pieceCount)
    while count > 1 {
      let half = count >> 1
      // No branch, since its direction could not be predicted.
      first = tick > lasts[first &+ half &- 1] ? first &+ half : first
      count = count &- half
    }
    return first
  }
}

/// A clip of many values.
public struct WideTable {
  public var tracks: ConstantColumn<WideTrack>
  public var trackCount: Int

  public init(tracks: ConstantColumn<WideTrack>, trackCount: Int) {
    self.tracks = tracks
    self.trackCount = trackCount
  }
}

/// The clips that instances with many values play.
public struct WideColumns {
  /// The clip's index among the tables for each row; negative for a row without an instance.
  public var clip: ConstantColumn<Int32>
  public var tables: ConstantColumn<WideTable>

  public init(clip: ConstantColumn<Int32>, tables: ConstantColumn<WideTable>) {
    self.clip = clip
    self.tables = tables
  }
}

/// Numbers of neighbouring components of one instance, between the columns and vectors.
@frozen @usableFromInline struct WideBlock {
  @usableFromInline let values: Column<Float>
  @usableFromInline let velocities: Column<Float>
  @usableFromInline let scales: Column<Float>
  @usableFromInline let offsets: Column<Float>

  @export(implementation) @inline(__always)
  init(
    values: Column<Float>, velocities: Column<Float>,
    scales: Column<Float>, offsets: Column<Float>
  ) {
    self.values = values
    self.velocities = velocities
    self.scales = scales
    self.offsets = offsets
  }

  /// Lends the memory for a block.
  @export(implementation) @inline(__always)
  static func withBlock(_ body: (WideBlock) -> Void) {
    withLine { values in
      withLine { velocities in
        withLine { scales in
          withLine { offsets in
            body(WideBlock(values: values, velocities: velocities, scales: scales, offsets: offsets))
          }
        }
      }
    }
  }

  @export(implementation) @inline(__always)
  static func withLine(_ body: (Column<Float>) -> Void) {
    PieceBlock.withLine { body($0.rebound(to: Float.self)) }
  }
}

extension InstructionSet {
  /// Evaluates some components of an instance, from `first` on.
  @export(implementation) @inline(__always)
  static func evaluate<O: Output, V: Variation>(
    _ track: WideTrack, _ first: Int, count: Int, piece: Int, _ u: Floats, _ rates: Floats, _ columns: PlaybackColumns,
    at lane: Int, _ block: WideBlock, _: O.Type, _: V.Type
  ) {
    let components = track.components + first
    if V.varies {
      for index in 0..<count {
        let element = lane &+ Int(components[index]) &* columns.variationStride
        unsafe block.scales[index] = columns.scale.unsafelyUnwrapped[element]
        unsafe block.offsets[index] = columns.offset.unsafelyUnwrapped[element]
      }
    }
    let x = track.rows + (4 &* piece &* track.stride &+ first)
    let (y, z, w) = (x + track.stride, x + 2 &* track.stride, x + 3 &* track.stride)
    var index = 0
    while index < count {
      let cubic = Records<Self>(x: load(x, index), y: load(y, index), z: load(z, index), w: load(w, index))
      let value = value(cubic, u, load(block.scales, index), load(block.offsets, index), V.self)
      Ordinary.store(Self.self, value, to: block.values + index)
      if O.includesVelocity {
        let velocity = velocity(cubic, u, load(block.scales, index), rates, V.self)
        Ordinary.store(Self.self, velocity, to: block.velocities + index)
      }
      index &+= Floats.scalarCount
    }
    for index in 0..<count {
      let element = lane &+ Int(components[index]) &* columns.dimensionStride
      columns.value[element] = block.values[index]
      if O.includesVelocity { columns.velocity[element] = block.velocities[index] }
    }
  }

  /// Evaluates instances across their components: 20 bytes a component are read and 4 written, 8 with velocities; 8
  /// more where values vary.
  @inline(never)
  @export(implementation)
  static func wideLoop<O: Output, V: Variation>(
    _ columns: PlaybackColumns, _ wide: WideColumns, _ run: ClipRun, now: Double, _ output: O.Type, _ variation: V.Type
  ) {
    WideBlock.withBlock { block in
      for lane in run.firstLane..<run.firstLane &+ run.laneCount {
        let clip = Int(wide.clip[lane])
        guard clip >= 0 else { continue }
        let table = wide.tables[clip]
        // The same arithmetic as for vectors of lanes; see `ticks` and `nearestInts`.
        let rate = columns.rate[lane]
        let passed = (now - columns.origin[lane]) * rate
        let sum = columns.base[lane & columns.baseMask] + passed + 0x1.8p52
        let tick = Int32(truncatingIfNeeded: sum.bitPattern)
        let rates = splat(Float(rate) * 0x1p-31)
        for index in 0..<table.trackCount {
          let track = table.tracks[index]
          let piece = track.piece(at: tick)
          let u = splat(Float(tick &- track.centers[piece]) * 0x1p-31)
          var first = 0
          while first < track.componentCount {
            let left = track.componentCount &- first
            let count = left < PieceBlock.capacity ? left : PieceBlock.capacity
            evaluate(
              track, first, count: count, piece: piece, u, rates, columns, at: lane, block, output, variation)
            first &+= count
          }
        }
      }
    }
  }
}
