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
    let plan = TablePlan(clip)
    guard MemoryBlock.hasRoom(forBytes: plan.layout.size, limit: .max) else {
      throw .capacityExceeded(clip.dimensions)
    }
    let clip = plan.clip
    block = MemoryBlock(byteCount: plan.layout.size, alignment: BlockLayout.alignment)
    let pieceTables = block.bytes.elements(of: PieceTable.self, at: plan.tables, count: clip.tracks.count)
    for (index, track) in clip.tracks.enumerated() {
      pieceTables[index] = plan.places[index].write(track, to: block.bytes)
    }
    table = ClipTable(tracks: pieceTables.constant, trackCount: clip.tracks.count)
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

/// Where the tables of a clip stand in their block.
private struct TablePlan {
  let clip: TickClip
  let layout: BlockLayout
  let tables: Int
  let places: [TrackPlaces]

  init(_ clip: Clip) {
    let clip = TickClip(clip)
    var layout = BlockLayout()
    tables = layout.reserve(MemoryLayout<PieceTable>.stride * clip.tracks.count)
    places = clip.tracks.map { TrackPlaces($0, in: &layout) }
    (self.clip, self.layout) = (clip, layout)
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
    let coefficients = track.coefficients
    let floats = block.elements(of: Float.self, at: records, count: 4 * (pieceCount * coefficients.count + 3))
    for (component, pieces) in coefficients.enumerated() {
      for (index, piece) in pieces.enumerated() {
        for power in 0..<4 {
          floats[4 * (index * coefficients.count + component) + power] = piece[power]
        }
      }
    }
    var table = PieceTable(
      components: ints(components, track.components), componentCount: track.components.count,
      buckets: ints(buckets, track.records(of: self.table)).rebound(to: Float.self),
      shift: self.table.shift, steps: self.table.steps,
      lasts: ints(lasts, track.lasts), centers: ints(centers, track.centers), records: floats.constant)
    if let (place, length) = lines {
      let buckets = TickBuckets(bits: 5, lasts: track.lasts)
      let count = 32 + (2 + 4 * track.components.count) * length
      table.lines = block.elements(of: Float.self, at: place, count: count).constant
      _ = ints(place, buckets.firsts)
      _ = ints(place + 128, track.lasts)
      _ = ints(place + 128 + 4 * length, track.centers)
      table.lineLength = length
      table.lineSteps = buckets.steps
      let columns = block.elements(
        of: Float.self, at: place + 128 + 8 * length, count: 4 * length * track.components.count)
      for (component, pieces) in coefficients.enumerated() {
        for (index, piece) in pieces.enumerated() {
          for power in 0..<4 {
            columns[(4 * component + power) * length + index] = piece[power]
          }
        }
      }
    }
    return table
  }
}
