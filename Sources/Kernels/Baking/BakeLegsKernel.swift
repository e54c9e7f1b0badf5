// SPDX-License-Identifier: MIT
// Many frames of instances of clips. A vector holds frames of one lane, not lanes of one frame: the tables of its clip are
// in registers for all frames of a leg (one iteration of a playback), and neighbouring lanes may play any clips and begin
// their legs at any time. The arithmetic is the same as in playing, and so are the bits.
//
// Frames are walked three times: for ticks, for pieces and distances, and for values. A result is a long chain of
// operations. In a single loop more operations would wait than a processor can look through. The last two run over
// consecutive legs together, since a processor cannot predict where a leg ends.

/// Frames in which one lane stands at `base + (now − origin) · rate` ticks of its clip.
public struct BakedLeg: BitwiseCopyable {
  /// The lane's track of its clip, and the component of the track. Without a track the lane shows `offset`, and stands
  /// still.
  public var track: ConstantColumn<PieceTable>?
  public var component: Int
  /// As in ``PlaybackColumns``.
  public var origin: Double
  public var base: Double
  public var rate: Double
  /// As in ``PlaybackColumns``; read where values vary.
  public var scale: Float
  public var offset: Float
  /// The index of the lane in the block, its first frame, and the number of its frames.
  public var lane: Int
  public var firstFrame: Int
  public var frameCount: Int

  public init(
    track: ConstantColumn<PieceTable>?, component: Int, origin: Double, base: Double, rate: Double, scale: Float = 1,
    offset: Float = 0, lane: Int, firstFrame: Int, frameCount: Int
  ) {
    (self.track, self.component) = (track, component)
    (self.origin, self.base, self.rate) = (origin, base, rate)
    (self.scale, self.offset) = (scale, offset)
    (self.lane, self.firstFrame, self.frameCount) = (lane, firstFrame, frameCount)
  }

  /// Whether it continues from a frame the track and component that another leg showed before.
  @export(implementation) @inline(__always)
  func isContinuation(of leg: BakedLeg, from frame: Int) -> Bool {
    lane == leg.lane && firstFrame == frame && track == leg.track
      && component == leg.component && scale == leg.scale && offset == leg.offset
  }
}

extension InstructionSet {
  /// Bakes legs of one lane that show one track and follow each other, given their ticks. Frames after the last one are
  /// written too, up to a whole vector.
  @export(implementation) @inline(__always)
  static func bake<O: Output, V: Variation, L: PieceLookup>(
    _ track: PieceTable, _ leg: BakedLeg, until end: Int, _ block: BakedLanes, _: O.Type, _: V.Type, by _: L.Type
  ) where L.Set == Self {
    let lookup = L(track)
    var frame = leg.firstFrame
    while frame < end {
      let ticks = load(block.pieces, frame)
      let (pieces, centers) = lookup.find(ticks)
      block.pieces.store(lookup.entries(of: pieces), at: frame)
      Ordinary.store(Self.self, distances(ticks, from: centers), to: block.distances + frame)
      frame &+= Floats.scalarCount
    }
    let cubics = lookup.cubics(ofComponent: leg.component)
    let (scale, offset) = (splat(leg.scale), splat(leg.offset))
    let row = leg.lane &* BakedLanes.stride
    frame = leg.firstFrame
    while frame < end {
      let cubic = lookup.coefficients(of: load(block.pieces, frame), cubics)
      let u = load(block.distances, frame)
      let element = row &+ frame
      Ordinary.store(Self.self, value(cubic, u, scale, offset, V.self), to: block.values + element)
      if O.includesVelocity {
        let velocity = velocity(cubic, u, scale, load(block.rates, frame), V.self)
        Ordinary.store(Self.self, velocity, to: block.velocities + element)
      }
      frame &+= Floats.scalarCount
    }
  }

  /// Stores the ticks of the frames of a leg, and with velocities the leg's rate for each.
  @export(implementation) @inline(__always)
  static func storeTicks<O: Output>(
    _ leg: BakedLeg, times: ConstantColumn<Double>, to block: BakedLanes, _: O.Type
  ) {
    let rate = splatDouble(leg.rate)
    let (origin, base) = (splatDouble(leg.origin), splatDouble(leg.base))
    var frame = leg.firstFrame
    let end = frame &+ leg.frameCount
    while frame < end {
      let now = times.lanes(at: frame, as: Doubles.self)
      block.pieces.store(nearestInts(base + (now - origin) * rate), at: frame)
      if O.includesVelocity {
        Ordinary.store(Self.self, narrow(rate) * splat(0x1p-31), to: block.rates + frame)
      }
      frame &+= Floats.scalarCount
    }
  }

  @export(implementation) @inline(__always)
  public static func bake<O: Output, V: Variation>(
    _ track: PieceTable, _ leg: BakedLeg, until end: Int, _ block: BakedLanes, _ output: O.Type, _ variation: V.Type
  ) {
    bake(track, leg, until: end, block, output, variation, by: MemoryLookup<Self>.self)
  }

  /// Writes one value for a lane.
  @export(implementation) @inline(__always)
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
  @export(implementation)
  static func bakeLoop<O: Output, V: Variation>(
    _ legs: UnsafeBufferPointer<BakedLeg>, times: ConstantColumn<Double>, _ block: BakedLanes, _ output: O.Type,
    _ variation: V.Type
  ) {
    guard let start = legs.baseAddress else { return }
    let first = unsafe ConstantColumn(start, count: legs.count)
    var next = 0
    while next < legs.count {
      let leg = first[next]
      var frame = leg.firstFrame &+ leg.frameCount
      next &+= 1
      guard let track = leg.track else {
        fill(leg, block, output)
        continue
      }
      storeTicks(leg, times: times, to: block, output)
      while next < legs.count, first[next].isContinuation(of: leg, from: frame) {
        storeTicks(first[next], times: times, to: block, output)
        frame &+= first[next].frameCount
        next &+= 1
      }
      bake(track[0], leg, until: frame, block, output, variation)
    }
  }

  /// Bakes legs into a block, in their order; the legs of a lane must ascend.
  ///
  /// - Parameter times: The times of the block's frames; there is room for a vector after the last one.
  @export(implementation) @inline(__always)
  public static func bakeLegs(
    _ legs: UnsafeBufferPointer<BakedLeg>, times: ConstantColumn<Double>, _ block: BakedLanes, velocities: Bool,
    varies: Bool
  ) {
    switch (velocities, varies) {
    case (false, false): unsafe bakeLoop(legs, times: times, block, ValueOnly.self, Plain.self)
    case (false, true): unsafe bakeLoop(legs, times: times, block, ValueOnly.self, Varied.self)
    case (true, false): unsafe bakeLoop(legs, times: times, block, ValueAndVelocity.self, Plain.self)
    case (true, true): unsafe bakeLoop(legs, times: times, block, ValueAndVelocity.self, Varied.self)
    }
  }
}

extension RegisterLookup {
  @export(implementation) @inline(__always)
  public static func bake<O: Output, V: Variation>(
    _ track: PieceTable, _ leg: BakedLeg, until end: Int, _ block: BakedLanes, _ output: O.Type, _ variation: V.Type
  ) {
    if track.lines != nil, track.lineLength == 16 {
      bake(track, leg, until: end, block, output, variation, by: LineLookup<ShortLine<Self>>.self)
    } else if track.lines != nil {
      bake(track, leg, until: end, block, output, variation, by: LineLookup<LongLine<Self>>.self)
    } else {
      bake(track, leg, until: end, block, output, variation, by: MemoryLookup<Self>.self)
    }
  }
}
