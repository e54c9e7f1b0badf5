// SPDX-License-Identifier: MIT
import Kernels
import Murmuration

/// Many values on one clock, in the three ways to store them.
func rows(_ hash: inout Hash) {
  let (count, pieceCount) = (1040, 3)
  var random = SplitMix64(seed: 40)
  let pieces = PieceRows(
    rows: random.floats(4 * pieceCount * count, -100...100).constant, laneCount: count, stride: count,
    value: zeroed(count),
    velocity: zeroed(count))
  for piece in 0..<pieceCount {
    for stores in storeWays {
      kernels.evaluateRows(pieces, piece, random.float(-1...1), 2.5, stores)
      hash.add(pieces.value, count)
      hash.add(pieces.velocity, count)
      kernels.evaluateRows(pieces, piece, random.float(-1...1), nil, stores)
      hash.add(pieces.value, count)
    }
  }
}

/// Columns that become vectors, close together or apart, for each way to write them.
func interleavedColumns(_ hash: inout Hash) {
  let (count, stride) = (37, 48)
  var random = SplitMix64(seed: 42)
  let columns = random.floats(5 * stride, -100...100).constant
  for (dimensions, step) in [(1, 1), (2, 2), (3, 3), (3, 4), (4, 4), (5, 6)] {
    let output = zeroed(count * step, of: Float.self)
    kernels.interleave(columns, stride, dimensions, count, output, step)
    hash.add(output, count * step)
  }
}

/// Columns in the formats of vertices, of any size: numbers of each magnitude, and those that are none.
func vertices(_ hash: inout Hash) {
  let (count, columnStride) = (1061, 1072)
  var random = SplitMix64(seed: 43)
  let columns = zeroed(5 * columnStride, of: Float.self)
  for index in 0..<5 * columnStride {
    let isAnyNumber = random.next() % 4 == 0
    columns[index] = isAnyNumber ? Float(bitPattern: UInt32(random.next() >> 32)) : random.float(-1.1...1.1)
  }
  let components = zeroed(18, of: Int.self)
  for slot in 0..<18 { components[slot] = slot * 3 % 5 }
  for format in 0..<Int32(6) {
    for (slots, stride) in [(1, 4), (2, 4), (2, 8), (3, 3 * 4), (3, 15), (4, 4), (4, 16), (4, 23), (18, 73)] {
      if slots > stride / (format == 0 ? 4 : format == 2 || format == 3 ? 1 : 2) { continue }
      let output = zeroed(count * stride, of: UInt8.self)
      kernels.writeVertices(
        VertexNumbers(
          columns.constant, columnStride: columnStride, components: components.constant, slots: slots, format: format),
        count, output, stride)
      for byte in 0..<count * stride { hash.add(UInt64(output[byte])) }
    }
  }
}

/// Frames of values on one clock, which share a piece or have one each.
func bakedPieces(_ hash: inout Hash) {
  let (count, frames) = (203, 37)
  let room = PieceRoom(memory: zeroed(PieceRoom.byteCount, of: UInt8.self))
  var random = SplitMix64(seed: 41)
  for lane in 0..<PieceRoom.stride {
    for power in 0..<4 { room.coefficients[power * PieceRoom.stride + lane] = random.float(-100...100) }
    room.centers[lane] = Int32(random.uniform(-1e9...1e9))
  }
  let moments = (0..<frames).map { _ in
    ClipMoment(tick: Int32(random.uniform(-1e9...1e9)), rate: random.float(-2...2))
  }
  for centers in [nil, room.centers.constant] {
    let pieces = BakedPieces(
      coefficients: room.coefficients.constant, stride: PieceRoom.stride, center: -123_456, centers: centers, room)
    BakeOrder.all(count: count, frames: frames).forEach { order in
      moments.withUnsafeBufferPointer { moments in
        kernels.bake.pieces(pieces, count, moments.column.unsafelyUnwrapped, frames, order.output)
      }
      kernels.fence()
      order.add(to: &hash)
    }
  }
}

/// Intervals of the clock, with ends that are the time itself, beside it, or infinite.
func intervals(_ hash: inout Hash) {
  let count = 512
  let now = 1.5
  var random = SplitMix64(seed: 42)
  let ends = [now, now.nextUp, now.nextDown, -.infinity, .infinity, now - 1, now + 1]
  let ofTracks = IntervalColumns(from: zeroed(count), until: zeroed(count))
  for index in 0..<count {
    ofTracks.from[index] = ends[random.index(below: ends.count)]
    ofTracks.until[index] = ends[random.index(below: ends.count)]
  }
  let list = zeroed(count, of: Int32.self)
  for length in [count, 100, 16, 3] {
    let listed = kernels.intervals.list(ofTracks, length, now, list)
    hash.add(UInt64(listed))
    for place in 0..<listed { hash.add(UInt64(list[place])) }
  }
  let tiles: [Int32] = [3, 0, 31, 7, 8, 2]
  let lanes = zeroed(tiles.count, of: UInt16.self)
  let common = IntervalColumns(from: zeroed(count), until: zeroed(count))
  tiles.withUnsafeBufferPointer { tiles in
    let tileList = TileList(tiles: tiles.column.unsafelyUnwrapped, count: tiles.count)
    let listed = kernels.intervals.listIndices(ofTracks, tileList, now, list)
    hash.add(UInt64(listed))
    for place in 0..<listed { hash.add(UInt64(list[place])) }
    kernels.intervals.findLanes(ofTracks, tileList, now, lanes)
    kernels.intervals.intersect(ofTracks, tileList, common)
  }
  for place in 0..<tiles.count { hash.add(UInt64(lanes[place])) }
  for tile in 0..<count / laneCountOfTile {
    hash.add(common.from[tile])
    hash.add(common.until[tile])
  }
}

/// Legs of instances at times to which the clock jumps.
func legs(_ hash: inout Hash) {
  let count = 512
  var random = SplitMix64(seed: 43)
  let states = zeroed(count, of: LaneState.self)
  let clip = zeroed(count, of: Int32.self)
  let timings = zeroed(3, of: ClipTiming.self)
  for index in 0..<3 { timings[index] = ClipTiming(duration: random.uniform(0.1...4)) }
  let speeds = [1, -1, 0.3, -2.5, 0, 1e-9, 1e5]
  for index in 0..<count {
    var state = LaneState(home: index % 3, changed: 0)
    state.start = random.uniform(-10...10)
    state.speed = speeds[random.index(below: speeds.count)]
    state.offset = random.uniform(-4...4)
    state.firstLeg = Double(random.index(below: 3))
    state.legCount = index % 4 == 0 ? 5 : .infinity
    state.mode = index % 16 == 7 ? .paused : .running
    state.autoreverses = index % 3 == 1
    states[index] = state
    clip[index] = index % 32 == 9 ? -1 : Int32(index % 3)
  }
  let columns = LegColumns(
    intervals: IntervalColumns(from: zeroed(count), until: zeroed(count)), origin: zeroed(count), base: zeroed(count),
    rate: zeroed(count), states: states, clip: clip.constant, timings: timings.constant)
  let tiles: [Int32] = [3, 0, 31, 7, 8, 2]
  let lanes = zeroed(tiles.count, of: UInt16.self)
  let placed = zeroed(tiles.count, of: UInt16.self)
  for now in [0, 0.75, 12, 4096.5, 1e6] {
    for place in 0..<tiles.count { lanes[place] = place == 2 ? 0b1001 : .max }
    tiles.withUnsafeBufferPointer { tiles in
      let list = TileList(tiles: tiles.column.unsafelyUnwrapped, count: tiles.count)
      kernels.intervals.placeLegs(columns, list, now, 1e-6, lanes, placed)
    }
    for place in 0..<tiles.count {
      hash.add(UInt64(lanes[place]))
      hash.add(UInt64(placed[place]))
    }
    for index in 0..<count {
      for column in [columns.intervals.from, columns.intervals.until, columns.origin, columns.base, columns.rate] {
        hash.add(column[index])
      }
    }
  }
}
