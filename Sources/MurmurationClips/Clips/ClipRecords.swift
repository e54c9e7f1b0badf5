// SPDX-License-Identifier: MIT
package import Kernels
import Synchronization

/// The pieces of a clip as records, one after the other, dimension by dimension. Tracks that play a clip each copy their
/// pieces from them. The numbers are the same as in ``ClipTables``, so the bits are too.
package final class ClipRecords {
  /// Bytes of the block: 32 a piece and dimension.
  let byteCount: Int
  package let dimensions: Int
  package let block: Column<PieceRecord>
  private let arena: RecordArena

  /// Makes the records of a clip in memory of an arena; `deinit` gives the memory back.
  ///
  /// - Returns: Nil if there is no memory for the pieces.
  /// - Complexity: O(n) in the number of pieces.
  package init?(_ clip: Clip, in arena: RecordArena) {
    let tracks = TickClip(clip).tracks
    var sources = [(track: Int, component: Int)](repeating: (0, 0), count: clip.dimensions)
    var count = 0
    for (index, track) in tracks.enumerated() {
      for (component, dimension) in track.components.enumerated() {
        sources[Int(dimension)] = (index, component)
        count += track.lasts.count
      }
    }
    guard let block = arena.take(count) else { return nil }
    (self.arena, self.block) = (arena, block)
    dimensions = clip.dimensions
    var next = 0
    for source in sources {
      let track = tracks[source.track]
      let first = next
      var tick = Int64(Int32.min)
      for piece in track.lasts.indices where Int64(track.lasts[piece]) >= tick {
        block[next] = PieceRecord(
          first: Int32(tick), last: track.lasts[piece], center: track.centers[piece],
          cubic: track.coefficients[source.component][piece])
        tick = Int64(track.lasts[piece]) + 1
        next += 1
      }
      block[first].count = Int32(next - first)
    }
    byteCount = MemoryLayout<PieceRecord>.stride * count
  }

  deinit {
    arena.giveBack(block, byteCount / MemoryLayout<PieceRecord>.stride)
  }
}

// Nothing is written after the initialiser, and one batch owns the records and the arena.
extension ClipRecords: @unchecked Sendable {}

/// The memory of the records of many clips: a few large blocks.
///
/// With a million clips, a track that leaves its piece reads a line that is in no cache. If each clip had a block of its
/// own, the system would give each a small page, which the processor would have to look up as well.
///
/// Memory that is given back serves clips of the same number of records; the blocks are freed when all of it is back.
package final class RecordArena: Sendable {
  /// Batches that are copies of each other share an arena, on whatever threads they are.
  private let state = Locked(State())
  /// The largest number of bytes of a block.
  private let limit: Int

  private struct State: @unchecked Sendable {
    var blocks: [Block] = []
    /// The rest of the last block.
    var next: Column<PieceRecord>?
    var room = 0
    /// Memory that was given back, by the number of records.
    var free: [Int: [Column<PieceRecord>]] = [:]
    /// The number of records in all blocks, and the number of records that are taken.
    var capacity = 0
    var taken = 0
  }

  private final class Block {
    let memory: MemoryBlock

    init(records: Int) {
      memory = MemoryBlock(byteCount: records * MemoryLayout<PieceRecord>.stride, isZeroed: false)
    }
  }

  private static let smallestBlock = 1 << 9
  private static let largestBlock = 1 << 20

  package init(limit: Int = .max) { self.limit = limit }

  var capacity: Int { state.withLock { $0.capacity } }
  var taken: Int { state.withLock { $0.taken } }

  /// Two records are a line.
  private static func rounded(_ count: Int) -> Int { (count + 1) & ~1 }

  /// Memory for a number of records, aligned to a line; nil if there is none.
  ///
  /// - Complexity: O(1); allocates when a block is full, each as large as all before it, up to 32 MiB.
  func take(_ count: Int) -> Column<PieceRecord>? {
    let (count, limit) = (Self.rounded(count), limit)
    return state.withLock { state in
      if let returned = state.free[count]?.popLast() {
        state.taken += count
        return returned
      }
      if state.room < count {
        let size = max(count, min(max(state.capacity, Self.smallestBlock), Self.largestBlock))
        guard MemoryBlock.hasRoom(forBytes: size * MemoryLayout<PieceRecord>.stride, limit: limit) else { return nil }
        let block = Block(records: size)
        state.blocks.append(block)
        state.next = block.memory.bytes.elements(of: PieceRecord.self, count: size)
        state.room = size
        state.capacity += size
      }
      guard let start = state.next else { return nil }
      state.taken += count
      state.next = start + count
      state.room -= count
      return start
    }
  }

  /// Takes back the memory of a number of records.
  func giveBack(_ records: Column<PieceRecord>, _ count: Int) {
    let count = Self.rounded(count)
    state.withLock { state in
      state.taken -= count
      if state.taken > 0 { state.free[count, default: []].append(records) } else { state = State() }
    }
  }
}
