// SPDX-License-Identifier: MIT
// Many frames of instances of clips. A vector holds frames of one lane, not lanes of one frame: the tables of its clip are in
// registers for all frames of a leg, and neighbours may play any clips and begin their legs whenever they do. The
// arithmetic is that of playing, so the bits are too.
//
// A leg is walked three times: ticks, then pieces and distances, then values. A result is a chain of some seventy cycles,
// and a loop of all of it holds more that waits than a processor can look through: the three take a fifth less time.

/// Frames in which one lane stands at `base + (now − origin) · rate` ticks of its clip.
public struct BakedLeg {
  /// What the lane shows: a track of its clip, and which of the track's components. Without a track it shows `offset`, and
  /// stands still.
  public var track: UnsafePointer<PieceTable>?
  public var component: Int
  /// As in ``PlaybackColumns``.
  public var origin: Double
  public var base: Double
  public var rate: Double
  /// As in ``PlaybackColumns``; looked at where values vary.
  public var scale: Float = 1
  public var offset: Float = 0
  /// The place of the lane in the block, its first frame, and how many they are.
  public var lane: Int
  public var firstFrame: Int
  public var frameCount: Int

  public init(
    track: UnsafePointer<PieceTable>?, component: Int, origin: Double, base: Double, rate: Double, lane: Int,
    firstFrame: Int, frameCount: Int
  ) {
    (self.track, self.component) = (track, component)
    (self.origin, self.base, self.rate) = (origin, base, rate)
    (self.lane, self.firstFrame, self.frameCount) = (lane, firstFrame, frameCount)
  }
}

extension InstructionSet {
  /// Bakes a leg. Frames behind its last one are written too, up to a whole vector.
  @inlinable @inline(__always)
  static func bake<O: Output, V: Variation, L: PieceLookup>(
    _ track: PieceTable, _ leg: BakedLeg, times: UnsafePointer<Double>, _ block: BakedLanes, _: O.Type, _: V.Type,
    by _: L.Type
  ) where L.Set == Self {
    let lookup = L(track)
    let end = leg.firstFrame &+ leg.frameCount
    storeTicks(leg, times: times, to: block.pieces)
    var frame = leg.firstFrame
    while frame < end {
      let ticks = load(block.pieces, frame)
      let (pieces, centers) = lookup.find(ticks)
      UnsafeMutableRawPointer(block.pieces + frame).storeBytes(of: pieces, as: Ints.self)
      Ordinary.store(Self.self, distances(ticks, from: centers), to: block.distances + frame)
      frame &+= Floats.scalarCount
    }
    let cubics = lookup.cubics(ofComponent: leg.component)
    let rates = narrow(splatDouble(leg.rate)) * splat(0x1p-31)
    let (scale, offset) = (splat(leg.scale), splat(leg.offset))
    let row = leg.lane &* BakedLanes.stride
    frame = leg.firstFrame
    while frame < end {
      let cubic = lookup.coefficients(of: load(block.pieces, frame), cubics)
      let u = load(block.distances, frame)
      let element = row &+ frame
      Ordinary.store(Self.self, value(cubic, u, scale, offset, V.self), to: block.values + element)
      if O.includesVelocity {
        Ordinary.store(Self.self, velocity(cubic, u, scale, rates, V.self), to: block.velocities + element)
      }
      frame &+= Floats.scalarCount
    }
  }

  /// Stores the ticks of the frames of a leg.
  @inlinable @inline(__always)
  static func storeTicks(_ leg: BakedLeg, times: UnsafePointer<Double>, to ticks: UnsafeMutablePointer<Int32>) {
    let (origin, base, rate) = (splatDouble(leg.origin), splatDouble(leg.base), splatDouble(leg.rate))
    var frame = leg.firstFrame
    let end = frame &+ leg.frameCount
    while frame < end {
      let now = UnsafeRawPointer(times + frame).loadUnaligned(as: Doubles.self)
      UnsafeMutableRawPointer(ticks + frame).storeBytes(
        of: nearestInts(base + (now - origin) * rate), as: Ints.self)
      frame &+= Floats.scalarCount
    }
  }

  @inlinable @inline(__always)
  public static func bake<O: Output, V: Variation>(
    _ track: PieceTable, _ leg: BakedLeg, times: UnsafePointer<Double>, _ block: BakedLanes, _ output: O.Type,
    _ variation: V.Type
  ) {
    bake(track, leg, times: times, block, output, variation, by: MemoryLookup<Self>.self)
  }

  /// Has a lane show one value.
  @inlinable @inline(__always)
  static func fill<O: Output>(_ leg: BakedLeg, _ block: BakedLanes, _: O.Type) {
    let element = leg.lane &* BakedLanes.stride &+ leg.firstFrame
    let value = splat(leg.offset)
    var frame = 0
    while frame < leg.frameCount {
      Ordinary.store(Self.self, value, to: block.values + (element &+ frame))
      if O.includesVelocity {
        Ordinary.store(Self.self, Floats.zero, to: block.velocities + (element &+ frame))
      }
      frame &+= Floats.scalarCount
    }
  }

  @inline(never)
  @inlinable
  static func bakeLoop<O: Output, V: Variation>(
    _ legs: UnsafeBufferPointer<BakedLeg>, times: UnsafePointer<Double>, _ block: BakedLanes, _ output: O.Type,
    _ variation: V.Type
  ) {
    var next = 0
    while next < legs.count {
      let leg = legs[next]
      if let track = leg.track {
        bake(track.pointee, leg, times: times, block, output, variation)
      } else {
        fill(leg, block, output)
      }
      next &+= 1
    }
  }

  /// Bakes legs into a block, in their order: those of a lane must ascend.
  ///
  /// - Parameter times: Of the block's first frame and those behind it; there is room for a vector behind the last.
  @inlinable @inline(__always)
  public static func bakeLegs(
    _ legs: UnsafeBufferPointer<BakedLeg>, times: UnsafePointer<Double>, _ block: BakedLanes, velocities: Bool,
    varies: Bool
  ) {
    switch (velocities, varies) {
    case (false, false): bakeLoop(legs, times: times, block, ValueOnly.self, Plain.self)
    case (false, true): bakeLoop(legs, times: times, block, ValueOnly.self, Varied.self)
    case (true, false): bakeLoop(legs, times: times, block, ValueAndVelocity.self, Plain.self)
    case (true, true): bakeLoop(legs, times: times, block, ValueAndVelocity.self, Varied.self)
    }
  }
}

extension RegisterLookup {
  @inlinable @inline(__always)
  public static func bake<O: Output, V: Variation>(
    _ track: PieceTable, _ leg: BakedLeg, times: UnsafePointer<Double>, _ block: BakedLanes, _ output: O.Type,
    _ variation: V.Type
  ) {
    if track.lines != nil, track.lineLength == 16 {
      bake(track, leg, times: times, block, output, variation, by: LineLookup<ShortLine<Self>>.self)
    } else if track.lines != nil {
      bake(track, leg, times: times, block, output, variation, by: LineLookup<LongLine<Self>>.self)
    } else {
      bake(track, leg, times: times, block, output, variation, by: MemoryLookup<Self>.self)
    }
  }
}
