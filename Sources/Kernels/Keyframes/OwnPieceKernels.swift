// SPDX-License-Identifier: MIT
public import CProcessor

// Instances that play a clip each. Each keeps its current piece in columns, so a frame reads memory in order. One
// that leaves its piece gets another; with keys 0.3 s apart and frames a sixtieth, that is one instance in eighteen.
//
// Three blocks of lanes are in flight: the newest is looked at, then the one before it is refilled, then the one before
// that is evaluated. So the records of coming pieces, which with a million clips are in no cache, are on their way when
// they are needed. And no vector is loaded right after its lanes were stored one by one, which would wait for the
// stores.

/// Some lanes of one dimension, with a list of the lanes that left their pieces.
@frozen @usableFromInline struct PieceBlock {
  @usableFromInline let ticks: Column<Int32>
  /// The lanes that left, counted from the first lane of the block.
  @usableFromInline let left: Column<Int32>
  @usableFromInline let lane: Int
  @usableFromInline let laneCount: Int
  @usableFromInline let dimension: Int
  @usableFromInline var leftCount = 0

  @export(implementation) @inline(__always)
  init(ticks: Column<Int32>, left: Column<Int32>, _ lanes: MixedWalk, dimension: Int) {
    self.ticks = ticks
    self.left = left
    lane = lanes.lane
    laneCount = lanes.laneCount
    self.dimension = dimension
  }

  /// Lanes of a block: a kibibyte has room for an integer for each of them, aligned to 64 bytes.
  @export(implementation) static var capacity: Int { @inline(__always) get { 240 } }

  /// Lends memory for an integer of each lane of a block.
  @export(implementation) @inline(__always)
  static func withLine(_ body: (Column<Int32>) -> Void) {
    unsafe withUnsafeTemporaryAllocation(byteCount: 1024, alignment: 16) { memory in
      let line = unsafe memory.baseAddress.unsafelyUnwrapped.alignedUp(toMultipleOf: 64)
      unsafe body(Column(line.assumingMemoryBound(to: Int32.self), count: capacity))
    }
  }

  /// Lends memory for the ticks and the records of the lanes of a block.
  @export(implementation) @inline(__always)
  static func withRecordLines(
    _ body: (
      _ ticks: Column<Int32>, _ centers: Column<Int32>, _ x: Column<Float>, _ y: Column<Float>, _ z: Column<Float>,
      _ w: Column<Float>
    ) -> Void
  ) {
    withLine { ticks in
      withLine { centers in
        withLine { x in
          withLine { y in
            withLine { z in
              withLine { w in
                body(
                  ticks, centers, x.rebound(to: Float.self), y.rebound(to: Float.self), z.rebound(to: Float.self),
                  w.rebound(to: Float.self))
              }
            }
          }
        }
      }
    }
  }

  /// Lends memory for the blocks in flight: ticks for three, and the lanes that left their pieces for two.
  @export(implementation) @inline(__always)
  static func withLines(
    _ body: (
      (Column<Int32>, Column<Int32>, Column<Int32>),
      (Column<Int32>, Column<Int32>)
    ) -> Void
  ) {
    withLine { first in
      withLine { second in
        withLine { third in
          withLine { left in
            withLine { otherLeft in
              body((first, second, third), (left, otherLeft))
            }
          }
        }
      }
    }
  }
}

/// The blocks of the runs of tiles in which several clips play, one after the other: most runs are short.
@safe
@frozen @usableFromInline struct MixedWalk {
  @usableFromInline let runs: UnsafeBufferPointer<ClipRun>
  @usableFromInline var next = 0
  @usableFromInline var end = 0
  /// The lanes of the block; after the last block none.
  @usableFromInline var lane = 0
  @usableFromInline var laneCount = 0

  /// No lanes.
  @export(implementation) static var none: MixedWalk {
    @inline(__always) get { unsafe MixedWalk(UnsafeBufferPointer(start: nil, count: 0)) }
  }

  /// At the first block of some runs, among which runs of one clip are skipped.
  @export(implementation) @inline(__always)
  init(_ runs: UnsafeBufferPointer<ClipRun>) {
    unsafe self.runs = runs
    advance()
  }

  /// Goes on to the next block.
  @export(implementation) @inline(__always)
  mutating func advance() {
    lane &+= laneCount
    while lane == end, unsafe next < runs.count {
      let run = unsafe runs[next]
      next &+= 1
      if run.clip < 0 { (lane, end) = (run.firstLane, run.firstLane &+ run.laneCount) }
    }
    laneCount = end &- lane < PieceBlock.capacity ? end &- lane : PieceBlock.capacity
  }
}

/// The memory that a run of lanes prefetches, by its size.
@frozen @usableFromInline struct Foresight {
  /// Records, unless the records of all lanes fit the second cache: there prefetching takes longer than waiting.
  @usableFromInline let asksForRecords: Bool
  /// Columns, if the caches cannot hold them. In the caches, prefetching them takes longer than it saves.
  @usableFromInline let asksForColumns: Bool

  @export(implementation) @inline(__always)
  init(lanes: Int) {
    asksForRecords = lanes >= 1 << 11
    asksForColumns = lanes > 1 << 18
  }
}

extension InstructionSet {
  /// Finds the ticks of a block, which all dimensions share, and the lanes that left their pieces; prefetches memory
  /// for later blocks and for these lanes.
  @export(implementation) @inline(__always)
  static func look(
    _ block: inout PieceBlock, _ columns: PlaybackColumns, _ pieces: PieceColumns, now: Doubles, _ foresight: Foresight
  ) {
    let element = block.lane &+ block.dimension &* pieces.dimensionStride
    let record = block.lane &+ block.dimension &* pieces.recordStride
    var (index, count) = (0, 0)
    while index < block.laneCount {
      let ticks: Ints
      if block.dimension == 0 {
        ticks = Self.ticks(columns, at: block.lane &+ index, now: now).ticks
        block.ticks.store(ticks, at: index)
      } else {
        ticks = load(block.ticks, index)
      }
      let left = isGreater(ticks &- load(pieces.first, element &+ index), load(pieces.span, element &+ index))
      count &+= list(left, from: Int32(truncatingIfNeeded: index), to: block.left + count)
      if foresight.asksForColumns {
        askFor(columns, pieces, block.lane &+ index &+ PieceBlock.capacity, dimension: block.dimension)
      }
      index &+= Floats.scalarCount
    }
    block.leftCount = count
    guard foresight.asksForRecords else { return }
    for place in 0..<count {
      let lane = Int(block.left[place])
      let records = pieces.records(at: record &+ lane)
      let isLater = isLater(block.ticks[lane], pieces, element &+ lane)
      let neighbour = Int(pieces.piece[element &+ lane] &+ (isLater ? 1 : -1))
      records.prefetch(neighbour)
      // A lane that goes back may go to the beginning.
      records.prefetch(isLater ? neighbour : 0)
    }
  }

  /// Prefetches the columns of a vector of lanes that is looked at later. There are more columns than the processor
  /// prefetches by itself.
  @export(implementation) @inline(__always)
  static func askFor(_ columns: PlaybackColumns, _ pieces: PieceColumns, _ lane: Int, dimension: Int) {
    if dimension == 0 {
      for half in 0..<2 {
        columns.origin.prefetch(lane &+ 8 &* half)
        columns.base.prefetch(lane &+ 8 &* half)
        columns.rate.prefetch(lane &+ 8 &* half)
      }
    }
    let (element, record) = (lane &+ dimension &* pieces.dimensionStride, lane &+ dimension &* pieces.recordStride)
    pieces.first.prefetch(element)
    pieces.span.prefetch(element)
    pieces.center.prefetch(element)
    pieces.x.prefetch(element)
    pieces.y.prefetch(element)
    pieces.z.prefetch(element)
    pieces.w.prefetch(element)
    pieces.piece.prefetch(element)
    unsafe pieces.records.prefetch(record)
    unsafe pieces.records.prefetch(record &+ 8)
  }

  /// Whether a tick outside of an instance's piece lies after it.
  @export(implementation) @inline(__always)
  static func isLater(_ tick: Int32, _ pieces: PieceColumns, _ element: Int) -> Bool {
    tick > pieces.first[element] &+ .min
  }

  /// Gives the lanes of a block that left their pieces their new ones.
  @export(implementation) @inline(__always)
  static func refill(_ block: PieceBlock, _ pieces: PieceColumns) {
    let element = block.lane &+ block.dimension &* pieces.dimensionStride
    let record = block.lane &+ block.dimension &* pieces.recordStride
    for place in 0..<block.leftCount {
      let lane = Int(block.left[place])
      let tick = block.ticks[lane]
      let records = pieces.records(at: record &+ lane)
      var piece = pieces.piece[element &+ lane] &+ (isLater(tick, pieces, element &+ lane) ? 1 : -1)
      if !contains(records[Int(piece)], tick) {
        piece = search(records, tick)
      }
      pieces.set(element &+ lane, to: records[Int(piece)], piece: piece)
    }
  }

  @export(implementation) @inline(__always)
  static func contains(_ record: PieceRecord, _ tick: Int32) -> Bool { tick &- record.first <= record.span }

  /// The index of the piece of a tick among the records of a clip.
  @export(implementation) @inline(__always)
  static func search(_ records: ConstantColumn<PieceRecord>, _ tick: Int32) -> Int32 {
    unsafe Int32(truncatingIfNeeded: lanes_record_of_tick(records.address, Int(records[0].count), tick))
  }

  /// Evaluates a block whose lanes are within their pieces.
  @export(implementation) @inline(__always)
  static func evaluate<O: Output, V: Variation>(
    _ block: PieceBlock, _ columns: PlaybackColumns, _ pieces: PieceColumns, _ output: O.Type, _ variation: V.Type
  ) {
    let first = block.lane &+ block.dimension &* pieces.dimensionStride
    let value = block.lane &+ block.dimension &* columns.dimensionStride
    let varied = block.lane &+ block.dimension &* columns.variationStride
    var index = 0
    while index < block.laneCount {
      let element = first &+ index
      let cubic = Records<Self>(
        x: load(pieces.x, element), y: load(pieces.y, element), z: load(pieces.z, element),
        w: load(pieces.w, element))
      evaluate(
        cubic, distances(load(block.ticks, index), from: load(pieces.center, element)),
        rates: rates(columns, at: block.lane &+ index), columns, at: value &+ index,
        variation: varied &+ index, output, variation)
      index &+= Floats.scalarCount
    }
  }

  /// Evaluates lanes most of which have left their pieces: their new pieces are read from the records, and not kept.
  @inline(never)
  @export(implementation)
  static func jumpLoop<O: Output, V: Variation>(
    _ columns: PlaybackColumns, _ pieces: PieceColumns, _ lanes: MixedWalk, now: Doubles, _ output: O.Type,
    _ variation: V.Type
  ) {
    PieceBlock.withRecordLines { ticks, centers, x, y, z, w in
      var lanes = lanes
      while lanes.laneCount > 0 {
        let (lane, count) = (lanes.lane, lanes.laneCount)
        var index = 0
        while index < count {
          ticks.store(Self.ticks(columns, at: lane &+ index, now: now).ticks, at: index)
          index &+= Floats.scalarCount
        }
        for dimension in 0..<columns.dimensions {
          let element = lane &+ dimension &* pieces.recordStride
          for index in 0..<count {
            let record =
              unsafe pieces.records[element &+ index] == nil
              ? .everything : record(pieces.records(at: element &+ index), ticks[index])
            centers[index] = record.center
            (x[index], y[index], z[index], w[index]) =
              (record.cubic.x, record.cubic.y, record.cubic.z, record.cubic.w)
          }
          let value = lane &+ dimension &* columns.dimensionStride
          let varied = lane &+ dimension &* columns.variationStride
          index = 0
          while index < count {
            let cubic = Records<Self>(x: load(x, index), y: load(y, index), z: load(z, index), w: load(w, index))
            evaluate(
              cubic, distances(load(ticks, index), from: load(centers, index)),
              rates: rates(columns, at: lane &+ index), columns, at: value &+ index, variation: varied &+ index, output,
              variation)
            index &+= Floats.scalarCount
          }
        }
        lanes.advance()
      }
    }
  }

  /// The piece of a tick among the records of a clip.
  @export(implementation) @inline(__always)
  static func record(_ records: ConstantColumn<PieceRecord>, _ tick: Int32) -> PieceRecord {
    records[Int(search(records, tick))]
  }

  /// Evaluates lanes that have a piece each: 56 bytes of traffic an instance of one dimension, 32 more for each further
  /// dimension; with velocities 4 more a dimension, and 8 where values vary. A lane that leaves its piece reads one or
  /// two more lines of memory.
  @inline(never)
  @export(implementation)
  static func pieceLoop<O: Output, V: Variation>(
    _ columns: PlaybackColumns, _ pieces: PieceColumns, _ lanes: MixedWalk, laneCount: Int, now: Doubles,
    _ output: O.Type, _ variation: V.Type
  ) {
    PieceBlock.withLines { ticks, left in
      var (ticks, left, lanes) = (ticks, left, lanes)
      let foresight = Foresight(lanes: laneCount &* columns.dimensions)
      var block = PieceBlock(ticks: ticks.0, left: left.0, lanes, dimension: 0)
      var refilled = PieceBlock(ticks: ticks.1, left: left.1, .none, dimension: 0)
      look(&block, columns, pieces, now: now, foresight)
      // Goes through the dimensions, then on to the next lanes; after the last lanes come blocks without any.
      while block.laneCount &+ refilled.laneCount > 0 {
        let hasMore = block.dimension &+ 1 < columns.dimensions
        left = (left.1, left.0)
        if !hasMore {
          ticks = (ticks.1, ticks.2, ticks.0)
          lanes.advance()
        }
        var next = PieceBlock(
          ticks: ticks.0, left: left.0, lanes, dimension: hasMore ? block.dimension &+ 1 : 0)
        look(&next, columns, pieces, now: now, foresight)
        refill(block, pieces)
        evaluate(refilled, columns, pieces, output, variation)
        refilled = block
        block = next
      }
    }
  }

  /// Evaluates the lanes of a walk by the columns of their pieces, or where the clock jumps by the records.
  @export(implementation) @inline(__always)
  static func evaluatePieces<O: Output, V: Variation>(
    _ columns: PlaybackColumns, _ pieces: PieceColumns, _ lanes: MixedWalk, laneCount: Int, now: Doubles,
    _ output: O.Type, _ variation: V.Type
  ) {
    if columns.jumps {
      jumpLoop(columns, pieces, lanes, now: now, output, variation)
    } else {
      pieceLoop(columns, pieces, lanes, laneCount: laneCount, now: now, output, variation)
    }
  }
}
