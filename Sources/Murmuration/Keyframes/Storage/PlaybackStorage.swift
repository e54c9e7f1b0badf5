// SPDX-License-Identifier: MIT
import Kernels

/// The memory of playing instances.
@safe
struct PlaybackStorage: ~Copyable {
  /// What kernels take.
  let columns: PlaybackColumns
  /// The interval of the clock for which the columns of a row hold; rows without an instance hold always.
  let from: UnsafeMutablePointer<Double>
  let until: UnsafeMutablePointer<Double>
  let states: UnsafeMutablePointer<LaneState>
  /// The index of the instance in each row, and the clip that it plays.
  let track: UnsafeMutablePointer<UInt32>
  let clip: UnsafeMutablePointer<Int32>
  /// What an instance shows when no playback says otherwise (dimension 0).
  let own: UnsafeMutablePointer<Float>
  /// The pieces of rows that play a clip each.
  let pieces: HotPieces
  let memory: ColumnMemory

  private static func columnsPerDimension(varies: Bool) -> Int { varies ? 5 : 3 }

  static func shape(dimensions: Int, varies: Bool) -> RowShape {
    RowShape(
      wide: 5, stateBytes: MemoryLayout<LaneState>.stride,
      narrow: 2 + columnsPerDimension(varies: varies) * dimensions)
  }

  /// Whether the system would give the memory for so many rows now, those of pieces included.
  static func hasRoom(dimensions: Int, rows: Int, varies: Bool) -> Bool {
    var shape = shape(dimensions: dimensions, varies: varies)
    let pieces = HotPieces.shape(dimensions: dimensions)
    (shape.wide, shape.narrow) = (shape.wide + pieces.wide, shape.narrow + pieces.narrow)
    return ColumnMemory.hasRoom(shape, rows: rows)
  }

  /// As ``ColumnMemory/grownRows(needed:)``, for the memory of pieces too.
  func grownRows(needed: Int) throws(BatchError) -> Int {
    for rows in [try memory.grownRows(needed: needed), needed] {
      if Self.hasRoom(dimensions: columns.dimensions, rows: rows, varies: varies) { return rows }
    }
    throw .capacityExceeded(needed)
  }

  /// Storage for at least `rows` rows without instances; there must be room.
  init(dimensions: Int, rows: Int, varies: Bool) {
    memory = ColumnMemory(Self.shape(dimensions: dimensions, varies: varies), rows: rows)
    pieces = HotPieces(dimensions: dimensions, rows: rows)
    unsafe columns = PlaybackColumns(
      origin: memory.wide(0), base: memory.wide(1), rate: memory.wide(2), scale: varies ? memory.narrow(5) : nil,
      offset: varies ? memory.narrow(6) : nil, value: memory.narrow(2), velocity: memory.narrow(3),
      dimensionStride: Self.columnsPerDimension(varies: varies) * memory.narrowStride, dimensions: dimensions,
      pieces: pieces.columns)
    unsafe from = memory.wide(3)
    unsafe until = memory.wide(4)
    unsafe states = memory.states(as: LaneState.self)
    unsafe track = memory.narrow(0, as: UInt32.self)
    unsafe clip = memory.narrow(1, as: Int32.self)
    unsafe own = memory.narrow(4)
    let capacity = memory.capacity
    unsafe from.update(repeating: -.infinity, count: capacity)
    unsafe until.update(repeating: .infinity, count: capacity)
    unsafe states.initialize(repeating: LaneState(home: 0, changed: 0), count: capacity)
    if let scale = unsafe columns.scale {
      for dimension in 0..<dimensions {
        unsafe (scale + dimension * columns.dimensionStride).update(repeating: 1, count: capacity)
      }
    }
  }

  /// Rows that fit, a multiple of the tile.
  var capacity: Int { memory.capacity }

  var varies: Bool { unsafe columns.scale != nil }

  /// The intervals of all rows, as kernels take them.
  var intervals: IntervalColumns { unsafe IntervalColumns(from: from, until: until) }

  /// Copies `count` rows from `source` on of storage of the same dimensions, but for their pieces. Where only this one
  /// varies, they do not.
  func copyRows(_ source: Int, of other: borrowing PlaybackStorage, to row: Int, count: Int = 1) {
    let (to, old) = (columns, other.columns)
    unsafe (to.origin + row).update(from: old.origin + source, count: count)
    unsafe (to.base + row).update(from: old.base + source, count: count)
    unsafe (to.rate + row).update(from: old.rate + source, count: count)
    unsafe (from + row).update(from: other.from + source, count: count)
    unsafe (until + row).update(from: other.until + source, count: count)
    unsafe (states + row).update(from: other.states + source, count: count)
    unsafe (track + row).update(from: other.track + source, count: count)
    unsafe (clip + row).update(from: other.clip + source, count: count)
    for dimension in 0..<columns.dimensions {
      let (new, first) = (dimension * to.dimensionStride + row, dimension * old.dimensionStride + source)
      unsafe (to.value + new).update(from: old.value + first, count: count)
      unsafe (to.velocity + new).update(from: old.velocity + first, count: count)
      unsafe (own + new).update(from: other.own + first, count: count)
      if let scale = unsafe to.scale, let offset = unsafe to.offset {
        if let oldScale = unsafe old.scale, let oldOffset = unsafe old.offset {
          unsafe (scale + new).update(from: oldScale + first, count: count)
          unsafe (offset + new).update(from: oldOffset + first, count: count)
        } else {
          unsafe (scale + new).update(repeating: 1, count: count)
          unsafe (offset + new).update(repeating: 0, count: count)
        }
      }
    }
  }

  /// Makes a row one without an instance: it stands still, and is never due.
  func clear(_ row: Int) {
    unsafe columns.rate[row] = 0
    unsafe from[row] = -.infinity
    unsafe until[row] = .infinity
  }
}

// What is pointed to is the memory that it owns.
extension PlaybackStorage: @unchecked Sendable {}
