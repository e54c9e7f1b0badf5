// SPDX-License-Identifier: MIT
// Instances of clips with many values: each instance is evaluated by itself, across its components. Its tick is found once,
// and its piece once for all components that share their boundaries; then a vector holds neighbouring components, not
// instances. Operations and bits are the same as in the other kernels.

/// Components of a clip whose pieces begin and end together.
@safe
public struct WideTrack {
  /// The dimensions, ascending.
  public var components: UnsafePointer<Int32>
  public var componentCount: Int
  public var pieceCount: Int
  /// The last tick of each piece, and the tick from which it is measured.
  public var lasts: UnsafePointer<Int32>
  public var centers: UnsafePointer<Int32>
  /// Rows of coefficients: [piece][4][stride], the constant one first; each has a multiple of ``laneCountOfTile`` numbers.
  public var rows: UnsafePointer<Float>
  public var stride: Int

  public init(
    components: UnsafePointer<Int32>, componentCount: Int, pieceCount: Int, lasts: UnsafePointer<Int32>,
    centers: UnsafePointer<Int32>, rows: UnsafePointer<Float>, stride: Int
  ) {
    unsafe self.components = components
    self.componentCount = componentCount
    self.pieceCount = pieceCount
    unsafe self.lasts = lasts
    unsafe self.centers = centers
    unsafe self.rows = rows
    self.stride = stride
  }

  /// The piece of a tick.
  @export(implementation) @inline(__always)
  func piece(at tick: Int32) -> Int {
    var (first, count) = (0, pieceCount)
    while count > 1 {
      let half = count >> 1
      // No branch, since its direction could not be predicted.
      first = unsafe tick > lasts[first &+ half &- 1] ? first &+ half : first
      count = count &- half
    }
    return first
  }
}

/// A clip of many values.
@safe
public struct WideTable {
  public var tracks: UnsafePointer<WideTrack>
  public var trackCount: Int

  public init(tracks: UnsafePointer<WideTrack>, trackCount: Int) {
    unsafe self.tracks = tracks
    self.trackCount = trackCount
  }
}

/// The clips that instances with many values play.
@safe
public struct WideColumns {
  /// The clip's index among the tables for each row; negative for a row without an instance.
  public var clip: UnsafePointer<Int32>
  public var tables: UnsafePointer<WideTable>

  public init(clip: UnsafePointer<Int32>, tables: UnsafePointer<WideTable>) {
    unsafe self.clip = clip
    unsafe self.tables = tables
  }
}

/// Numbers of neighbouring components of one instance, between the columns and vectors.
@safe
@frozen @usableFromInline struct WideBlock {
  @usableFromInline let values: UnsafeMutablePointer<Float>
  @usableFromInline let velocities: UnsafeMutablePointer<Float>
  @usableFromInline let scales: UnsafeMutablePointer<Float>
  @usableFromInline let offsets: UnsafeMutablePointer<Float>

  @export(implementation) @inline(__always)
  init(
    values: UnsafeMutablePointer<Float>, velocities: UnsafeMutablePointer<Float>,
    scales: UnsafeMutablePointer<Float>, offsets: UnsafeMutablePointer<Float>
  ) {
    unsafe self.values = values
    unsafe self.velocities = velocities
    unsafe self.scales = scales
    unsafe self.offsets = offsets
  }

  /// Lends the memory for a block.
  @export(implementation) @inline(__always)
  static func withBlock(_ body: (WideBlock) -> Void) {
    unsafe withLine { values in
      unsafe withLine { velocities in
        unsafe withLine { scales in
          unsafe withLine { offsets in
            unsafe body(WideBlock(values: values, velocities: velocities, scales: scales, offsets: offsets))
          }
        }
      }
    }
  }

  @export(implementation) @inline(__always)
  static func withLine(_ body: (UnsafeMutablePointer<Float>) -> Void) {
    unsafe PieceBlock.withLine { unsafe body(UnsafeMutableRawPointer($0).assumingMemoryBound(to: Float.self)) }
  }
}

extension InstructionSet {
  /// Evaluates some components of an instance, from `first` on.
  @export(implementation) @inline(__always)
  static func evaluate<O: Output, V: Variation>(
    _ track: WideTrack, _ first: Int, count: Int, piece: Int, _ u: Floats, _ rates: Floats, _ columns: PlaybackColumns,
    at lane: Int, _ block: WideBlock, _: O.Type, _: V.Type
  ) {
    let components = unsafe track.components + first
    if V.varies {
      for index in 0..<count {
        let element = unsafe lane &+ Int(components[index]) &* columns.variationStride
        unsafe block.scales[index] = columns.scale.unsafelyUnwrapped[element]
        unsafe block.offsets[index] = columns.offset.unsafelyUnwrapped[element]
      }
    }
    let x = unsafe track.rows + (4 &* piece &* track.stride &+ first)
    let (y, z, w) = unsafe (x + track.stride, x + 2 &* track.stride, x + 3 &* track.stride)
    var index = 0
    while index < count {
      let cubic = unsafe Records<Self>(x: load(x, index), y: load(y, index), z: load(z, index), w: load(w, index))
      let value = unsafe value(cubic, u, load(block.scales, index), load(block.offsets, index), V.self)
      unsafe Ordinary.store(Self.self, value, to: block.values + index)
      if O.includesVelocity {
        let velocity = unsafe velocity(cubic, u, load(block.scales, index), rates, V.self)
        unsafe Ordinary.store(Self.self, velocity, to: block.velocities + index)
      }
      index &+= Floats.scalarCount
    }
    for index in 0..<count {
      let element = unsafe lane &+ Int(components[index]) &* columns.dimensionStride
      unsafe columns.value[element] = block.values[index]
      if O.includesVelocity { unsafe columns.velocity[element] = block.velocities[index] }
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
        let clip = unsafe Int(wide.clip[lane])
        guard clip >= 0 else { continue }
        let table = unsafe wide.tables[clip]
        // The same arithmetic as for vectors of lanes; see `ticks` and `nearestInts`.
        let rate = unsafe columns.rate[lane]
        let passed = unsafe (now - columns.origin[lane]) * rate
        let sum = unsafe columns.base[lane & columns.baseMask] + passed + 0x1.8p52
        let tick = Int32(truncatingIfNeeded: sum.bitPattern)
        let rates = splat(Float(rate) * 0x1p-31)
        for index in 0..<table.trackCount {
          let track = unsafe table.tracks[index]
          let piece = track.piece(at: tick)
          let u = unsafe splat(Float(tick &- track.centers[piece]) * 0x1p-31)
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
