// SPDX-License-Identifier: MIT
import Kernels

/// The pieces of a clip as records, one after the other, dimension by dimension. Rows that play a clip each copy their
/// pieces from them. The numbers are the same as in ``ClipTables``, so the bits are too.
final class ClipRecords {
  /// Bytes of the block: 32 a piece and dimension.
  let byteCount: Int
  private let dimensions: Int
  private let block: Column<PieceRecord>
  private let arena: RecordArena

  /// Makes the records of a clip in memory of an arena; `deinit` gives the memory back.
  ///
  /// - Throws: ``BatchError/capacityExceeded(_:)`` with the dimensions if there is no memory for the pieces.
  /// - Complexity: O(n) in the number of pieces.
  init(_ clip: Clip, in arena: RecordArena) throws(BatchError) {
    let tracks = TickClip(clip).tracks
    var places = [(track: Int, component: Int)](repeating: (0, 0), count: clip.dimensions)
    var count = 0
    for (index, track) in tracks.enumerated() {
      for (component, dimension) in track.components.enumerated() {
        places[Int(dimension)] = (index, component)
        count += track.lasts.count
      }
    }
    guard let block = arena.take(count) else { throw .capacityExceeded(clip.dimensions) }
    (self.arena, self.block) = (arena, block)
    dimensions = clip.dimensions
    var next = 0
    for place in places {
      let track = tracks[place.track]
      let first = next
      var tick = Int64(Int32.min)
      for piece in track.lasts.indices where Int64(track.lasts[piece]) >= tick {
        block[next] = PieceRecord(
          first: Int32(tick), last: track.lasts[piece], center: track.centers[piece],
          cubic: track.coefficients[place.component][piece])
        tick = Int64(track.lasts[piece]) + 1
        next += 1
      }
      block[first].count = Int32(next - first)
    }
    byteCount = MemoryLayout<PieceRecord>.stride * count
  }

  /// Lends the records of each dimension; the first one says how many there are.
  func withRecords(_ body: (Int, ConstantColumn<PieceRecord>) -> Void) {
    var records = block.constant
    for dimension in 0..<dimensions {
      body(dimension, records)
      records += Int(records[0].count)
    }
  }

  deinit {
    arena.giveBack(block, byteCount / MemoryLayout<PieceRecord>.stride)
  }
}

// Nothing is written after the initialiser, and one batch owns the records and the arena.
extension ClipRecords: @unchecked Sendable {}
