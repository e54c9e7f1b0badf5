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
  /// - Throws: ``BatchError/capacityExceeded(_:)`` with the dimensions if there is no memory for the pieces.
  /// - Complexity: O(n) in the number of pieces, and O(b) in the number of buckets, which is at most sixteen times as
  ///   large.
  package init(_ clip: Clip) throws(BatchError) {
    let tracks = TickClip(clip).tracks
    var layout = BlockLayout()
    let start = layout.reserve(MemoryLayout<PieceTable>.stride * tracks.count)
    let places = tracks.map { TrackPlaces($0, in: &layout) }
    guard MemoryBlock.hasRoom(forBytes: layout.size, limit: .max) else { throw .capacityExceeded(clip.dimensions) }
    block = MemoryBlock(byteCount: layout.size, alignment: BlockLayout.alignment)
    let tables = block.bytes.elements(of: PieceTable.self, at: start, count: tracks.count)
    for (index, track) in tracks.enumerated() { tables[index] = places[index].write(track, to: block.bytes) }
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

/// The offsets of one track's tables in the block.
private struct TrackPlaces {
  private let table: TickBuckets
  private let components: Int
  private let buckets: Int
  private let lasts: Int
  private let centers: Int
  private let records: Int
  /// The lines of a lookup within registers, and their length; nil where there are too many pieces.
  private let lines: (place: Int, length: Int)?

  init(_ track: TickTrack, in layout: inout BlockLayout) {
    let pieceCount = track.lasts.count
    table = TickBuckets(lasts: track.lasts)
    components = layout.reserve(4 * track.components.count)
    buckets = layout.reserve(16 * table.firsts.count)
    lasts = layout.reserve(4 * pieceCount)
    centers = layout.reserve(4 * pieceCount)
    // Kernels read whole vectors of records.
    records = layout.reserve(16 * (pieceCount * track.components.count + 3))
    if pieceCount <= pieceCountOfRegisters {
      let length = pieceCount <= 16 ? 16 : 32
      lines = (layout.reserve(4 * (32 + (2 + 4 * track.components.count) * length)), length)
    } else {
      lines = nil
    }
  }

  func write(_ track: TickTrack, to block: Column<UInt8>) -> PieceTable {
    let pieceCount = track.lasts.count
    let ints = { (place: Int, values: [Int32]) in
      let column = block.elements(of: Int32.self, at: place, count: values.count)
      values.withConstantColumn { column.update(from: $0, count: values.count) }
      return column.constant
    }
    let width = track.components.count
    let floats = block.elements(of: Float.self, at: records, count: 4 * (pieceCount * width + 3))
    track.forEachCoefficient { floats[4 * ($1 * width + $0) + $2] = $3 }
    var table = PieceTable(
      components: ints(components, track.components), componentCount: width,
      buckets: ints(buckets, track.records(of: self.table)).rebound(to: Float.self),
      shift: self.table.shift, steps: self.table.steps,
      lasts: ints(lasts, track.lasts), centers: ints(centers, track.centers), records: floats.constant)
    table.sharesCubics = (0..<pieceCount).allSatisfy { piece in
      let first = 4 * piece * width
      return (first..<first + 4 * width).allSatisfy { floats[$0].bitPattern == floats[first + $0 % 4].bitPattern }
    }
    if let (place, length) = lines {
      let buckets = TickBuckets(bits: 5, lasts: track.lasts)
      let count = 32 + (2 + 4 * width) * length
      table.lines = block.elements(of: Float.self, at: place, count: count).constant
      _ = ints(place, buckets.firsts)
      _ = ints(place + 128, track.lasts)
      _ = ints(place + 128 + 4 * length, track.centers)
      table.lineLength = length
      table.lineSteps = buckets.steps
      let columns = block.elements(of: Float.self, at: place + 128 + 8 * length, count: 4 * length * width)
      track.forEachCoefficient { columns[(4 * $0 + $2) * length + $1] = $3 }
    }
    return table
  }
}
