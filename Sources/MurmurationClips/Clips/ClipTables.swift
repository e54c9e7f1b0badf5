// SPDX-License-Identifier: MIT
package import Kernels

/// The tables in which kernels look a clip's pieces up: one block of memory, never changed once made.
///
/// Times become ticks, 2³² of them for the whole clip; each piece is measured from its middle, and its coefficients are
/// rounded to Float once.
package final class ClipTables {
  /// The columns that kernels take, which are parts of the block.
  package let table: ClipTable
  private let block: MemoryBlock

  /// The tables of a clip.
  ///
  /// - Returns: Nil if there is no memory for the pieces.
  /// - Complexity: O(n) in the number of pieces, and O(b) in the number of buckets, which is at most sixteen times as
  ///   large.
  package init?(_ clip: Clip) {
    let tracks = TickClip(clip).tracks
    var layout = BlockLayout()
    let start = layout.reserve(MemoryLayout<PieceTable>.stride * tracks.count)
    let writers = tracks.map { $0.reserveTables(in: &layout) }
    guard MemoryBlock.hasRoom(forBytes: layout.size, limit: .max) else { return nil }
    block = MemoryBlock(byteCount: layout.size, alignment: BlockLayout.alignment)
    let tables = block.bytes.elements(of: PieceTable.self, at: start, count: tracks.count)
    for (index, write) in writers.enumerated() { tables[index] = write(block.bytes) }
    table = ClipTable(tracks: tables.constant, trackCount: tracks.count)
  }
}

// Nothing is written after the initialiser.
extension ClipTables: @unchecked Sendable {}

/// Offsets in a block whose size is not known yet.
private struct BlockLayout {
  static let alignment = 64
  private(set) var size = 0

  /// The offset of room for a number of bytes, on a line of its own.
  mutating func reserve(_ bytes: Int) -> Int {
    defer { size += (bytes + Self.alignment - 1) / Self.alignment * Self.alignment }
    return size
  }
}

extension TickTrack {
  /// Reserves room for the tables of the track, and returns a function that writes them to the block.
  fileprivate func reserveTables(in layout: inout BlockLayout) -> (_ block: Column<UInt8>) -> PieceTable {
    let (pieceCount, width) = (lasts.count, components.count)
    let buckets = TickBuckets(lasts: lasts)
    let componentPlace = layout.reserve(4 * width)
    let bucketPlace = layout.reserve(16 * buckets.firsts.count)
    let lastPlace = layout.reserve(4 * pieceCount)
    let centerPlace = layout.reserve(4 * pieceCount)
    // Kernels read whole vectors of records.
    let recordCount = 4 * (pieceCount * width + 3)
    let recordPlace = layout.reserve(4 * recordCount)
    // The lines of a lookup within registers; none where there are too many pieces.
    let hasLines = pieceCount <= pieceCountOfRegisters
    let length = pieceCount <= 16 ? 16 : 32
    let lineCount = 32 + (2 + 4 * width) * length
    let place = layout.reserve(hasLines ? 4 * lineCount : 0)
    return { block in
      func ints(_ place: Int, _ values: [Int32]) -> ConstantColumn<Int32> {
        let column = block.elements(of: Int32.self, at: place, count: values.count)
        values.withConstantColumn { column.update(from: $0, count: values.count) }
        return column.constant
      }
      let floats = block.elements(of: Float.self, at: recordPlace, count: recordCount)
      forEachCoefficient { floats[4 * ($1 * width + $0) + $2] = $3 }
      var table = PieceTable(
        components: ints(componentPlace, components), componentCount: width,
        buckets: ints(bucketPlace, records(of: buckets)).rebound(to: Float.self), shift: buckets.shift,
        steps: buckets.steps, lasts: ints(lastPlace, lasts), centers: ints(centerPlace, centers),
        records: floats.constant)
      table.sharesCubics = (0..<pieceCount).allSatisfy { piece in
        let first = 4 * piece * width
        return (first..<first + 4 * width).allSatisfy { floats[$0].bitPattern == floats[first + $0 % 4].bitPattern }
      }
      guard hasLines else { return table }
      let lineBuckets = TickBuckets(bits: 5, lasts: lasts)
      table.lines = block.elements(of: Float.self, at: place, count: lineCount).constant
      _ = ints(place, lineBuckets.firsts)
      _ = ints(place + 128, lasts)
      _ = ints(place + 128 + 4 * length, centers)
      table.lineLength = length
      table.lineSteps = lineBuckets.steps
      let columns = block.elements(of: Float.self, at: place + 128 + 8 * length, count: 4 * length * width)
      forEachCoefficient { columns[(4 * $0 + $2) * length + $1] = $3 }
      return table
    }
  }
}
