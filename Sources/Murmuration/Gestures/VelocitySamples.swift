// SPDX-License-Identifier: MIT
import Kernels

/// The memory of velocity trackers: the last three samples of every value, and the number of samples of each track.
///
/// The columns are whole tiles: first the histories, then for each dimension the three slots of its samples.
///
/// It is a class because other modules of Embedded Swift do not see how a noncopyable part is deinitialized.
final class VelocitySamples {
  typealias Floats = SIMD16<Float>
  typealias Bits = SIMD16<UInt32>

  /// Tiles of a column; the last one may have lanes without a track.
  let tileCount: Int
  /// Bit k of a track is set if it has more than k samples. A sample shifts in a bit; bits above the third have no
  /// meaning.
  let histories: Column<Bits>
  private let memory: ColumnMemory

  /// The slots of a value's samples; each new sample takes the slot of the oldest one.
  static let slots = 3

  /// Takes zeroed memory; throws if there are too many tracks, or there is no room for them.
  init(count: Int, dimensions: Int) throws(BatchError) {
    guard 0...BatchLimits.maximumTracks ~= count else { throw .capacityExceeded(count) }
    let shape = RowShape(narrow: 1 + Self.slots * dimensions)
    guard ColumnMemory.hasRoom(shape, rows: count) else { throw .capacityExceeded(count) }
    tileCount = (count + laneCountOfTile - 1) / laneCountOfTile
    memory = ColumnMemory(shape, rows: count)
    histories = memory.narrow(0).rebound(to: Bits.self)
  }

  /// The samples of one dimension in one slot.
  func column(_ slot: Int, _ dimension: Int) -> Column<Floats> {
    let column = memory.narrow(1 + Self.slots * dimension + slot)
    return column.rebound(to: Floats.self)
  }
}

// The samples own the memory that they point to.
extension VelocitySamples: @unchecked Sendable {}
