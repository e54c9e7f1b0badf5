// SPDX-License-Identifier: MIT
// Many frames of instances of clips. A vector holds frames of one lane, not lanes of one frame: the tables of its clip
// are in registers for all frames of a leg (one iteration of a playback), and neighbouring lanes may play any clips and
// begin their legs at any time. The arithmetic is that of playing, so the bits are too.
//
// Frames are walked three times: for ticks, for pieces and distances, and for values. A result is a chain of some
// seventy cycles. In a single loop more operations wait than a processor can look through; three loops take a fifth
// less time. The last two run over consecutive legs together, since a processor cannot predict where a leg ends.

/// Frames in which one lane stands at `base + (now − origin) · rate` ticks of its clip.
@safe
public struct BakedLeg {
  /// The lane's track of its clip, and the component of the track. Without a track the lane shows `offset`, and stands
  /// still.
  public var track: UnsafePointer<PieceTable>?
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
    track: UnsafePointer<PieceTable>?, component: Int, origin: Double, base: Double, rate: Double, scale: Float = 1,
    offset: Float = 0, lane: Int, firstFrame: Int, frameCount: Int
  ) {
    unsafe (self.track, self.component) = (track, component)
    (self.origin, self.base, self.rate) = (origin, base, rate)
    (self.scale, self.offset) = (scale, offset)
    (self.lane, self.firstFrame, self.frameCount) = (lane, firstFrame, frameCount)
  }

  /// Whether it continues from a frame the track and component that another leg showed before.
  @export(implementation) @inline(__always)
  func isContinuation(of leg: UnsafePointer<BakedLeg>, from frame: Int) -> Bool {
    unsafe lane == leg.pointee.lane && firstFrame == frame && track == leg.pointee.track
      && component == leg.pointee.component && scale == leg.pointee.scale && offset == leg.pointee.offset
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
      let ticks = unsafe load(block.pieces, frame)
      let (pieces, centers) = lookup.find(ticks)
      unsafe UnsafeMutableRawPointer(block.pieces + frame).storeBytes(
        of: lookup.entries(of: pieces), as: Ints.self)
      unsafe Ordinary.store(Self.self, distances(ticks, from: centers), to: block.distances + frame)
      frame &+= Floats.scalarCount
    }
    let cubics = lookup.cubics(ofComponent: leg.component)
    let (scale, offset) = (splat(leg.scale), splat(leg.offset))
    let row = leg.lane &* BakedLanes.stride
    frame = leg.firstFrame
    while frame < end {
      let cubic = unsafe lookup.coefficients(of: load(block.pieces, frame), cubics)
      let u = unsafe load(block.distances, frame)
      let element = row &+ frame
      unsafe Ordinary.store(Self.self, value(cubic, u, scale, offset, V.self), to: block.values + element)
      if O.includesVelocity {
        let velocity = unsafe velocity(cubic, u, scale, load(block.rates, frame), V.self)
        unsafe Ordinary.store(Self.self, velocity, to: block.velocities + element)
      }
      frame &+= Floats.scalarCount
    }
  }

  /// Stores the ticks of the frames of a leg, and with velocities the leg's rate for each.
  @export(implementation) @inline(__always)
  static func storeTicks<O: Output>(
    _ leg: UnsafePointer<BakedLeg>, times: UnsafePointer<Double>, to block: BakedLanes, _: O.Type
  ) {
    let rate = unsafe splatDouble(leg.pointee.rate)
    let (origin, base) = unsafe (splatDouble(leg.pointee.origin), splatDouble(leg.pointee.base))
    var frame = unsafe leg.pointee.firstFrame
    let end = unsafe frame &+ leg.pointee.frameCount
    while frame < end {
      let now = unsafe UnsafeRawPointer(times + frame).loadUnaligned(as: Doubles.self)
      unsafe UnsafeMutableRawPointer(block.pieces + frame).storeBytes(
        of: nearestInts(base + (now - origin) * rate), as: Ints.self)
      if O.includesVelocity {
        unsafe Ordinary.store(Self.self, narrow(rate) * splat(0x1p-31), to: block.rates + frame)
      }
      frame &+= Floats.scalarCount
    }
  }

  @export(implementation) @inline(__always)
  public static func bake<O: Output, V: Variation>(
    _ track: PieceTable, _ leg: BakedLeg, until end: Int, _ block: BakedLanes, _ output: O.Type, _ variation: V.Type
  ) {
    unsafe bake(track, leg, until: end, block, output, variation, by: MemoryLookup<Self>.self)
  }

  /// Writes one value for a lane.
  @export(implementation) @inline(__always)
  static func fill<O: Output>(_ leg: BakedLeg, _ block: BakedLanes, _: O.Type) {
    let element = leg.lane &* BakedLanes.stride &+ leg.firstFrame
    let value = splat(leg.offset)
    var frame = 0
    while frame < leg.frameCount {
      unsafe Ordinary.store(Self.self, value, to: block.values + (element &+ frame))
      if O.includesVelocity {
        unsafe Ordinary.store(Self.self, Floats.zero, to: block.velocities + (element &+ frame))
      }
      frame &+= Floats.scalarCount
    }
  }

  @inline(never)
  @export(implementation)
  static func bakeLoop<O: Output, V: Variation>(
    _ legs: UnsafeBufferPointer<BakedLeg>, times: UnsafePointer<Double>, _ block: BakedLanes, _ output: O.Type,
    _ variation: V.Type
  ) {
    guard let first = legs.baseAddress else { return }
    var next = 0
    while next < legs.count {
      let leg = unsafe first + next
      var frame = unsafe leg.pointee.firstFrame &+ leg.pointee.frameCount
      next &+= 1
      guard let track = unsafe leg.pointee.track else {
        unsafe fill(leg.pointee, block, output)
        continue
      }
      unsafe storeTicks(leg, times: times, to: block, output)
      while next < legs.count, unsafe first[next].isContinuation(of: leg, from: frame) {
        unsafe storeTicks(first + next, times: times, to: block, output)
        unsafe frame &+= first[next].frameCount
        next &+= 1
      }
      unsafe bake(track.pointee, leg.pointee, until: frame, block, output, variation)
    }
  }

  /// Bakes legs into a block, in their order; the legs of a lane must ascend.
  ///
  /// - Parameter times: The times of the block's frames; there is room for a vector after the last one.
  @export(implementation) @inline(__always)
  public static func bakeLegs(
    _ legs: UnsafeBufferPointer<BakedLeg>, times: UnsafePointer<Double>, _ block: BakedLanes, velocities: Bool,
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
    if unsafe track.lines != nil, track.lineLength == 16 {
      bake(track, leg, until: end, block, output, variation, by: LineLookup<ShortLine<Self>>.self)
    } else if unsafe track.lines != nil {
      bake(track, leg, until: end, block, output, variation, by: LineLookup<LongLine<Self>>.self)
    } else {
      unsafe bake(track, leg, until: end, block, output, variation, by: MemoryLookup<Self>.self)
    }
  }
}
