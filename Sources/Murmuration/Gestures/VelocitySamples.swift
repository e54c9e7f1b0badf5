// SPDX-License-Identifier: MIT
import Kernels

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The memory of velocity trackers: the last three samples of every value, and how many of them each track has.
///
/// One block of columns, each of whole tiles: the histories, then for each dimension the three slots of its samples. They
/// are aligned to 64 bytes and staggered as those of ``SpringStorage`` are, for the same reason. All bytes start as zero.
@safe
struct VelocitySamples: ~Copyable {
  typealias Floats = SIMD16<Float>
  typealias Bits = SIMD16<UInt32>

  /// Tiles of a column; the last one may have lanes without a track.
  let tileCount: Int
  /// Bit k of a track is set if it has more than k samples. A sample shifts in a bit; higher ones have no meaning.
  let histories: UnsafeMutablePointer<Bits>
  private let block: UnsafeMutableRawPointer
  private let columnStride: Int

  /// The slots of a value's samples, of which each record takes the one with the oldest.
  static let slots = 3

  /// Zeroed memory; throws if there are too many tracks, or there is no room for them.
  init(count: Int, dimensions: Int) throws(BatchError) {
    guard 0...BatchLimits.maximumTracks ~= count else {
      throw .capacityExceeded(count)
    }
    let tileCount = (count + laneCountOfTile - 1) / laneCountOfTile
    let columnStride = (tileCount * MemoryLayout<Floats>.stride + 4095) / 4096 * 4096 + 13 * 64
    let size = (1 + Self.slots * dimensions) * columnStride
    var block: UnsafeMutableRawPointer?
    guard size <= BatchLimits.maximumBytes, unsafe posix_memalign(&block, 64, size) == 0,
      let block = unsafe block
    else {
      throw .capacityExceeded(count)
    }
    unsafe memset(block, 0, size)
    unsafe histories = block.assumingMemoryBound(to: Bits.self)
    unsafe self.block = block
    self.tileCount = tileCount
    self.columnStride = columnStride
  }

  /// The samples of one dimension in one slot.
  func column(_ slot: Int, _ dimension: Int) -> UnsafeMutablePointer<Floats> {
    unsafe (block + (1 + Self.slots * dimension + slot) * columnStride).assumingMemoryBound(to: Floats.self)
  }

  deinit {
    unsafe free(block)
  }
}

// The block has one owner, as the type cannot be copied, and nothing else points into it.
extension VelocitySamples: @unchecked Sendable {}
