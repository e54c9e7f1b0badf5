// SPDX-License-Identifier: MIT
import CProcessor
import Kernels

/// Tracks that play clips, leg by leg, one component after the other. Their frames are computed one
/// lane after the other, in blocks of lanes and frames which are then written in any order. Lent to one thread.
struct LegTracks: ~Copyable {
  private let bake: TrackBake
  private var component = -1
  private let clock: BakeClock
  private let velocities: Bool
  private let block: BakedLanes
  private let lanes: Column<Lane>
  private var laneCount = 0
  private let legs: Column<BakedLeg>
  private let memory: MemoryBlock
  /// The tracks of clips for the component, as far as they were looked for.
  private var pieces: [Piece?] = []
  /// Tables of clips that no tile plays, made for the bake.
  private var made: [ClipTables] = []

  /// Legs that are baked with one call.
  private static let legsAtOnce = 256

  /// The motion of an index of the block.
  private struct Lane: BitwiseCopyable {
    /// The index of a track that plays a clip; −1 for one that stands.
    var index = -1
    /// The current leg of a clip; for a track that stands, one without end.
    var leg = PlaybackLeg(at: 0, from: -.infinity, until: .infinity, index: 0, phase: .over, showsOwn: true)
    /// The track of the clip that the lane shows in the leg, or nil for the value `offset`; and the lane's variation.
    var track: ConstantColumn<PieceTable>?
    var component = 0
    var scale: Float = 1
    var offset: Float = 0
  }

  /// The track of a clip for the component, and the index of the component in it.
  private typealias Piece = (track: ConstantColumn<PieceTable>?, component: Int)

  /// No lanes yet.
  init(_ bake: TrackBake) {
    self.bake = bake
    clock = BakeClock(bake.times)
    velocities = bake.hasVelocities
    let laneBytes = BakedLanes.capacity * MemoryLayout<Lane>.stride
    memory = MemoryBlock(
      byteCount: BakedLanes.byteCount + laneBytes + Self.legsAtOnce * MemoryLayout<BakedLeg>.stride, alignment: 64,
      isZeroed: false)
    block = BakedLanes(memory: memory.bytes)
    lanes = memory.bytes.elements(of: Lane.self, at: BakedLanes.byteCount, count: BakedLanes.capacity)
    legs = memory.bytes.elements(of: BakedLeg.self, at: BakedLanes.byteCount + laneBytes, count: Self.legsAtOnce)
  }

  /// Bakes a component of the tracks of some indices, at most ``BakedLanes/capacity``.
  mutating func bake(_ indices: Range<Int>, _ component: Int, to output: BakeOutput) {
    if component != self.component {
      self.component = component
      pieces = Array(repeating: nil, count: bake.engine.clips.library.tables.count)
    }
    laneCount = indices.count
    for (position, index) in indices.enumerated() {
      askForTrack(at: index + BakedLanes.laneCount)
      lanes[position] = lane(index)
    }
    let table = bake.engine.table
    bake.times.forEachPart(of: 0..<bake.times.count, every: BakedLanes.frameCount) { frames in
      bakeLegs(frames)
      table.bake.write(block.rows, indices.count, frames.count, output.from(lane: 0, frame: frames.lowerBound))
    }
  }

  // MARK: - Lanes

  /// Prefetches the columns of clips at an index of the next block: a bake reads many columns, and few elements of each.
  private func askForTrack(at index: Int) {
    guard index < bake.indices.upperBound, bake.engine.tracks.indices.isLive(index) else { return }
    guard bake.engine.tracks.tiles.kind(at: index).isClip else { return }
    let columns = bake.engine.clips.columns
    bake.engine.clips.askForLeg(index)
    columns.from.prefetch(index)
    columns.until.prefetch(index)
    columns.states.prefetch(index)
    columns.clip.prefetch(index)
  }

  /// The motion of the track of an index.
  @inline(__always)
  private mutating func lane(_ index: Int) -> Lane {
    var lane = Lane()
    guard bake.engine.tracks.indices.isLive(index) else { return lane }
    let kind = bake.engine.tracks.tiles.kind(at: index)
    if kind.isClip {
      lane.index = index
      let columns = bake.engine.clips.columns
      lane.leg = PlaybackLeg(
        origin: columns.kernel.origin[index], base: columns.kernel.base[index], rate: columns.kernel.rate[index],
        from: columns.from[index], until: columns.until[index], index: columns.states[index].reportedLeg,
        phase: .playing,
        showsOwn: bake.engine.clips.tiles.own[index / laneCountOfTile] & TileStore.bit(index) != 0)
      show(&lane)
    } else {
      lane.offset = bake.engine.tracks.columns.value[bake.engine.tracks.element(index, component)]
    }
    return lane
  }

  /// Sets what a lane shows: its clip, or the target of its track.
  @inline(__always)
  private mutating func show(_ lane: inout Lane) {
    if lane.leg.showsOwn {
      let element = bake.engine.tracks.element(lane.index, component)
      (lane.track, lane.offset) = (nil, bake.engine.tracks.columns.target[element])
      return
    }
    (lane.track, lane.component) = piece(of: lane)
    (lane.scale, lane.offset) = (1, 0)
    if clipsVary {
      let variation = bake.engine.clips.variation(at: lane.index, component)
      (lane.scale, lane.offset) = (Float(variation.scale), Float(variation.offset))
    }
  }

  @inline(__always)
  private mutating func piece(of lane: Lane) -> Piece {
    let clip = bake.engine.clips.clip(at: lane.index)
    return pieces[clip] ?? newPiece(clip)
  }

  @inline(never)
  private mutating func newPiece(_ index: Int) -> Piece {
    let clips = bake.engine.clips.library
    var table = clips.tables[index]
    if table.trackCount == 0 {
      let clip = clips.clip(index)
      if let tables = ClipTables(clip) {
        made.append(tables)
        table = tables.table
      } else {
        bake.failure.note(.capacityExceeded(clip.dimensions))
      }
    }
    let piece = piece(of: table)
    pieces[index] = piece
    return piece
  }

  private func piece(of table: ClipTable) -> Piece {
    for index in 0..<table.trackCount {
      let track = table.tracks + index
      for position in 0..<(track[0].componentCount) where track[0].components[position] == Int32(component) {
        return (track, position)
      }
    }
    return (nil, 0)
  }

  // MARK: - Frames

  private var clipsVary: Bool { bake.engine.clips.varies }

  /// Bakes tracks that stand or follow legs, as many legs at a time as there is room for.
  private mutating func bakeLegs(_ frames: Range<Int>) {
    // The legs that wait, and whether they have scales and offsets.
    var (count, vary) = (0, false)
    for position in 0..<laneCount {
      let index = lanes[position].index
      let varies = index >= 0 && clipsVary
      if varies != vary {
        bakeLegs(&count, vary, from: frames.lowerBound)
        vary = varies
      }
      // A leg stays in registers: the processor waits for a copy of numbers that were just written in other parts.
      var leg = lanes[position].leg
      var frame = frames.lowerBound
      while frame < frames.upperBound {
        let time = clock[frame]
        if !(leg.from <= time && time <= leg.until) {
          let showsOwn = leg.showsOwn
          leg = bake.engine.clips.leg(of: index, number: leg.index, until: leg.until, at: time)
          lanes[position].leg = leg
          if leg.showsOwn != showsOwn { showOther(position) }
        }
        let end = clock.end(of: frame..<frames.upperBound, from: leg.from, until: leg.until)
        if count == Self.legsAtOnce { bakeLegs(&count, vary, from: frames.lowerBound) }
        legs[count] = BakedLeg(
          track: lanes[position].track, component: lanes[position].component, origin: leg.origin, base: leg.base,
          rate: leg.rate, scale: lanes[position].scale, offset: lanes[position].offset, lane: position,
          firstFrame: frame - frames.lowerBound, frameCount: end - frame)
        count += 1
        frame = end
      }
    }
    bakeLegs(&count, vary, from: frames.lowerBound)
  }

  @inline(never)
  private mutating func showOther(_ position: Int) {
    var lane = lanes[position]
    show(&lane)
    lanes[position] = lane
  }

  /// Bakes the legs that wait, of the block that begins at a frame.
  @inline(never)
  private func bakeLegs(_ count: inout Int, _ vary: Bool, from frame: Int) {
    let legs = unsafe UnsafeBufferPointer(start: legs.address, count: count)
    unsafe bake.engine.table.bake.legs(legs, clock.from(frame), block, velocities, vary)
    count = 0
  }
}

extension ClipMotions {
  /// The leg of a track at a time, given the number and the end of the leg before: the same as in playing.
  @inline(__always)
  fileprivate func leg(of index: Int, number: Double, until: Double, at time: Double) -> PlaybackLeg {
    let (states, timing) = (columns.states, timing(at: index))
    return states[index].leg(number + 1, after: until, at: time, timing) ?? states[index].leg(at: time, timing)
  }
}
