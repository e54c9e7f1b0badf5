// SPDX-License-Identifier: MIT
import CProcessor
import Kernels

/// Instances of clips in the frames of a bake, as they stand. Lent for its duration.
@safe
struct ClipFrames: BakeSource {
  private let table: KernelTable
  private let columns: PlaybackColumns
  private let from: UnsafeMutablePointer<Double>
  private let until: UnsafeMutablePointer<Double>
  private let states: UnsafeMutablePointer<LaneState>
  private let own: UnsafeMutablePointer<Float>
  private let clips: UnsafeMutablePointer<Int32>
  private let slots: SlotTable
  private let tiles: PlaybackTiles
  private let library: ClipLibrary
  private let dimension: Int
  private let velocities: Bool
  private let clock: BakeClock

  /// What an index of the block does. Where there is no instance it shows 0.
  @safe
  private struct Lane {
    var row = -1
    var clip = 0
    /// The leg that it is in.
    var leg = PlaybackLeg(at: 0, from: -.infinity, until: .infinity, index: 0, phase: .over, showsOwn: true)
    /// What it shows in it: a track of its clip, or none and a value; and how that is varied.
    var track: UnsafePointer<PieceTable>?
    var component = 0
    var scale: Float = 1
    var offset: Float = 0
  }

  /// What a clip has for the dimension.
  @safe
  private struct Piece {
    var track: UnsafePointer<PieceTable>?
    var component: Int
  }

  private var lanes = [Lane](repeating: Lane(), count: BakedLanes.capacity)
  /// Lanes that the block has.
  private var laneCount = 0
  private var pieces: [Piece?]
  /// Tables of clips that no tile plays, made for the bake.
  private var made: [ClipTables] = []
  private var legs: [BakedLeg] = unsafe Array(
    repeating: BakedLeg(
      track: nil, component: 0, origin: 0, base: 0, rate: 0, lane: 0, firstFrame: 0, frameCount: 0),
    count: legsAtOnce)

  /// Legs that are baked with one call.
  private static let legsAtOnce = 256

  init(
    _ storage: borrowing PlaybackStorage, _ slots: SlotTable, _ tiles: PlaybackTiles, _ library: ClipLibrary,
    _ table: KernelTable, dimension: Int, velocities: Bool, _ clock: BakeClock
  ) {
    unsafe (columns, from, until) = (storage.columns, storage.from, storage.until)
    unsafe (states, own, clips) = (storage.states, storage.own, storage.clip)
    (self.slots, self.tiles, self.library, self.table) = (slots, tiles, library, table)
    (self.dimension, self.velocities, self.clock) = (dimension, velocities, clock)
    pieces = Array(repeating: nil, count: library.tables.count)
  }

  // MARK: - Lanes

  mutating func begin(_ indices: Range<Int>) {
    laneCount = indices.count
    unsafe withLanes { source, lanes, _ in
      for (place, index) in indices.enumerated() {
        source.askForRow(ofIndex: index + BakedLanes.laneCount)
        unsafe source.setOut(&lanes[place], source.slots.isLive(index) ? source.slots.row(of: index) : -1)
      }
    }
  }

  /// Lends the lanes, and room for legs.
  private mutating func withLanes(
    _ body: (inout ClipFrames, UnsafeMutableBufferPointer<Lane>, UnsafeMutableBufferPointer<BakedLeg>) -> Void
  ) {
    var (lanes, legs) = ([Lane](), [BakedLeg]())
    swap(&lanes, &self.lanes)
    swap(&legs, &self.legs)
    unsafe lanes.withUnsafeMutableBufferPointer { lanes in
      unsafe legs.withUnsafeMutableBufferPointer { legs in
        unsafe body(&self, lanes, legs)
      }
    }
    swap(&lanes, &self.lanes)
    swap(&legs, &self.legs)
  }

  /// Asks for what is kept of an index of the next block: instances of one clip stand together, and neighbours by index
  /// far from each other.
  private func askForRow(ofIndex index: Int) {
    guard index < slots.count, slots.isLive(index) else { return }
    let row = slots.row(of: index)
    unsafe lanes_prefetch(columns.origin + row)
    unsafe lanes_prefetch(columns.base + row)
    unsafe lanes_prefetch(columns.rate + row)
    unsafe lanes_prefetch(from + row)
    unsafe lanes_prefetch(until + row)
    unsafe lanes_prefetch(states + row)
    unsafe lanes_prefetch(clips + row)
  }

  /// Has a lane stand as the instance of a row does; as none where the row is −1.
  private mutating func setOut(_ lane: inout Lane, _ row: Int) {
    guard row >= 0 else {
      lane = Lane()
      return
    }
    let clip = unsafe Int(clips[row])
    (lane.row, lane.clip) = (row, clip)
    unsafe (lane.leg.origin, lane.leg.base, lane.leg.rate) = (columns.origin[row], columns.base[row], columns.rate[row])
    unsafe (lane.leg.from, lane.leg.until, lane.leg.index) = (from[row], until[row], states[row].reportedLeg)
    lane.leg.showsOwn = tiles.own[row / laneCountOfTile] & PlaybackTiles.bit(row) != 0
    show(&lane)
  }

  /// Has a lane show its instance's clip, or its own value.
  private mutating func show(_ lane: inout Lane) {
    let element = dimension * columns.dimensionStride + lane.row
    if lane.leg.showsOwn {
      unsafe (lane.track, lane.offset) = (nil, own[element])
      return
    }
    let piece = piece(ofClip: lane.clip)
    unsafe (lane.track, lane.component) = (piece.track, piece.component)
    if let scale = unsafe columns.scale, let offset = unsafe columns.offset {
      unsafe (lane.scale, lane.offset) = (scale[element], offset[element])
    } else {
      (lane.scale, lane.offset) = (1, 0)
    }
  }

  private mutating func piece(ofClip clip: Int) -> Piece {
    if let piece = pieces[clip] { return piece }
    var piece = unsafe Piece(track: nil, component: 0)
    var table = library.tables[clip]
    if table.trackCount == 0 {
      let tables = ClipTables(library.clip(clip))
      made.append(tables)
      table = tables.table
    }
    for index in 0..<table.trackCount {
      let track = unsafe table.tracks + index
      for component in 0..<(unsafe track.pointee.componentCount)
      where unsafe track.pointee.components[component] == Int32(dimension) {
        unsafe piece = Piece(track: track, component: component)
      }
    }
    pieces[clip] = piece
    return piece
  }

  /// The leg of an instance at a time, given the one that it is in: what playing would give it.
  private func leg(after leg: PlaybackLeg, row: Int, clip: Int, at time: Double) -> PlaybackLeg {
    let timing = library.timings[clip]
    let next = unsafe states[row].leg(leg.index + 1, after: leg.until, at: time, timing)
    return unsafe next ?? states[row].leg(at: time, timing)
  }

  // MARK: - Frames

  mutating func compute(_ frames: Range<Int>, into block: BakedLanes) {
    unsafe withLanes { source, lanes, legs in
      unsafe source.compute(frames, lanes, legs, into: block)
    }
  }

  private mutating func compute(
    _ frames: Range<Int>, _ lanes: UnsafeMutableBufferPointer<Lane>, _ legs: UnsafeMutableBufferPointer<BakedLeg>,
    into block: BakedLanes
  ) {
    let times = unsafe clock.from(frames.lowerBound)
    var count = 0
    for place in 0..<laneCount {
      // Legs go from register to register: to read at once what was just written in parts would be a wait.
      var leg = unsafe lanes[place].leg
      var frame = frames.lowerBound
      while frame < frames.upperBound {
        let time = clock[frame]
        if !(leg.from <= time && time <= leg.until) {
          let showsOwn = leg.showsOwn
          leg = unsafe self.leg(after: leg, row: lanes[place].row, clip: lanes[place].clip, at: time)
          unsafe lanes[place].leg = leg
          if leg.showsOwn != showsOwn { unsafe show(&lanes[place]) }
        }
        let end = clock.end(of: frame..<frames.upperBound, from: leg.from, until: leg.until)
        if count == legs.count {
          unsafe bake(legs, count, times, block)
          count = 0
        }
        unsafe legs[count] = BakedLeg(
          track: lanes[place].track, component: lanes[place].component, origin: leg.origin, base: leg.base,
          rate: leg.rate, scale: lanes[place].scale, offset: lanes[place].offset, lane: place,
          firstFrame: frame - frames.lowerBound, frameCount: end - frame)
        count += 1
        frame = end
      }
    }
    unsafe bake(legs, count, times, block)
  }

  private func bake(
    _ legs: UnsafeMutableBufferPointer<BakedLeg>, _ count: Int, _ times: UnsafePointer<Double>, _ block: BakedLanes
  ) {
    let part = unsafe UnsafeBufferPointer(rebasing: legs[..<count])
    unsafe table.bake.legs(part, times, block, velocities, columns.scale != nil)
  }
}
