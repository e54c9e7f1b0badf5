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

  /// What an index of the block does.
  @safe
  private struct Lane {
    /// The leg that it is in, and the interval of the clock for which it is.
    var leg: BakedLeg
    var from: Double
    var until: Double
    var index: Double
    /// Its row and its clip; no row where there is no instance, which stands still for ever.
    var row: Int
    var clip: Int
  }

  /// What a clip has for the dimension.
  @safe
  private struct Piece {
    var track: UnsafePointer<PieceTable>?
    var component: Int
  }

  private var lanes: [Lane] = []
  private var pieces: [Piece?]
  /// Tables of clips that no tile plays, made for the bake.
  private var made: [ClipTables] = []
  private var legs: [BakedLeg] = []

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
    lanes.removeAll(keepingCapacity: true)
    for index in indices {
      askForRow(ofIndex: index + BakedLanes.laneCount)
      lanes.append(lane(slots.isLive(index) ? slots.row(of: index) : -1))
    }
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

  private mutating func lane(_ row: Int) -> Lane {
    var leg = unsafe BakedLeg(
      track: nil, component: 0, origin: 0, base: 0, rate: 0, lane: lanes.count, firstFrame: 0, frameCount: 0)
    guard row >= 0 else {
      return Lane(leg: leg, from: -.infinity, until: .infinity, index: 0, row: row, clip: 0)
    }
    let clip = unsafe Int(clips[row])
    unsafe (leg.origin, leg.base, leg.rate) = (columns.origin[row], columns.base[row], columns.rate[row])
    show(&leg, row, clip, ownValue: tiles.own[row / laneCountOfTile] & PlaybackTiles.bit(row) != 0)
    return unsafe Lane(
      leg: leg, from: from[row], until: until[row], index: states[row].reportedLeg, row: row, clip: clip)
  }

  /// Has a leg show an instance's clip, or its own value.
  private mutating func show(_ leg: inout BakedLeg, _ row: Int, _ clip: Int, ownValue: Bool) {
    let element = dimension * columns.dimensionStride + row
    if ownValue {
      unsafe (leg.track, leg.offset) = (nil, own[element])
      return
    }
    let piece = piece(ofClip: clip)
    unsafe (leg.track, leg.component) = (piece.track, piece.component)
    if let scale = unsafe columns.scale, let offset = unsafe columns.offset {
      unsafe (leg.scale, leg.offset) = (scale[element], offset[element])
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

  /// Has a lane be in its leg at a time: the one that playing would give it.
  private mutating func move(_ lane: inout Lane, to time: Double) {
    guard !(lane.from <= time && time <= lane.until) else { return }
    let (row, timing) = (lane.row, library.timings[lane.clip])
    let next = unsafe states[row].leg(lane.index + 1, after: lane.until, at: time, timing)
    let leg = unsafe next ?? states[row].leg(at: time, timing)
    (lane.leg.origin, lane.leg.base, lane.leg.rate) = (leg.origin, leg.base, leg.rate)
    (lane.from, lane.until, lane.index) = (leg.from, leg.until, leg.index)
    show(&lane.leg, row, lane.clip, ownValue: leg.showsOwn)
  }

  // MARK: - Frames

  mutating func compute(_ frames: Range<Int>, into block: BakedLanes) {
    var (lanes, legs) = ([Lane](), [BakedLeg]())
    swap(&lanes, &self.lanes)
    swap(&legs, &self.legs)
    if legs.isEmpty {
      let leg = unsafe BakedLeg(
        track: nil, component: 0, origin: 0, base: 0, rate: 0, lane: 0, firstFrame: 0, frameCount: 0)
      legs = Array(repeating: leg, count: Self.legsAtOnce)
    }
    unsafe lanes.withUnsafeMutableBufferPointer { lanes in
      unsafe legs.withUnsafeMutableBufferPointer { legs in
        unsafe compute(frames, lanes, legs, into: block)
      }
    }
    swap(&lanes, &self.lanes)
    swap(&legs, &self.legs)
  }

  private mutating func compute(
    _ frames: Range<Int>, _ lanes: UnsafeMutableBufferPointer<Lane>, _ legs: UnsafeMutableBufferPointer<BakedLeg>,
    into block: BakedLanes
  ) {
    let (first, last) = (clock[frames.lowerBound], clock[frames.upperBound - 1])
    let times = unsafe clock.from(frames.lowerBound)
    var count = 0
    func add(_ lane: Int, _ part: Range<Int>) {
      unsafe legs[count] = lanes[lane].leg
      unsafe (legs[count].firstFrame, legs[count].frameCount) = (part.lowerBound - frames.lowerBound, part.count)
      count += 1
      if count == legs.count { bake() }
    }
    func bake() {
      let part = unsafe UnsafeBufferPointer(rebasing: legs[..<count])
      unsafe table.bake.legs(part, times, block, velocities, columns.scale != nil)
      count = 0
    }
    for lane in 0..<lanes.count {
      // Most legs last for all of the frames.
      if clock.ascends, unsafe lanes[lane].from <= first && last <= lanes[lane].until {
        add(lane, frames)
        continue
      }
      var frame = frames.lowerBound
      while frame < frames.upperBound {
        unsafe move(&lanes[lane], to: clock[frame])
        let end = unsafe clock.end(of: frame..<frames.upperBound, from: lanes[lane].from, until: lanes[lane].until)
        add(lane, frame..<end)
        frame = end
      }
    }
    bake()
  }
}
