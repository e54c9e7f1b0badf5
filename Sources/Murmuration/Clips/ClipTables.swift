// SPDX-License-Identifier: MIT
package import Kernels

/// The tables that kernels look a clip's pieces up in: one block of memory, never changed once it is made.
///
/// Times become ticks, 2³² of them for the whole clip; each piece is measured from its middle, and its coefficients are
/// rounded to Float once.
@safe
package final class ClipTables {
  /// What kernels take. It stands in the block.
  package let table: ClipTable
  /// Ticks per second, ``Kernels/ClipTick``; 0 for a clip of no length.
  package let ticksPerSecond: Double
  /// Bytes of the block.
  package let byteCount: Int
  private let block: UnsafeMutableRawPointer

  /// The tables of a clip.
  ///
  /// - Complexity: O(n) in the number of pieces, and O(b) in that of buckets, at most sixteen times as many.
  package init(_ clip: Clip) {
    let ticksPerSecond = clip.duration > 0 ? ClipTick.count / clip.duration : 0
    var tracks = clip.tracks.map { TickTrack($0, ticksPerSecond: ticksPerSecond) }
    let still = clip.dimensionsWithoutTrack
    if !still.isEmpty {
      tracks.append(TickTrack(constants: still.map { (dimension: $0, value: clip.initialValues[$0]) }))
    }
    var layout = BlockLayout()
    let tables = layout.reserve(MemoryLayout<PieceTable>.stride * tracks.count)
    let places = tracks.map { TrackPlaces($0, in: &layout) }
    let block = UnsafeMutableRawPointer.allocate(byteCount: layout.size, alignment: BlockLayout.alignment)
    unsafe block.initializeMemory(as: UInt8.self, repeating: 0, count: layout.size)
    let pieceTables = unsafe (block + tables).bindMemory(to: PieceTable.self, capacity: tracks.count)
    for (index, track) in tracks.enumerated() {
      unsafe (pieceTables + index).initialize(to: places[index].write(track, to: block))
    }
    unsafe table = ClipTable(tracks: pieceTables, trackCount: tracks.count)
    unsafe self.block = block
    self.ticksPerSecond = ticksPerSecond
    byteCount = layout.size
  }

  deinit {
    unsafe block.deallocate()
  }
}

// Nothing is written after the initialiser.
extension ClipTables: @unchecked Sendable {}

/// Where things stand in a block whose size is not known yet.
private struct BlockLayout {
  static let alignment = 64
  private(set) var size = 0

  /// Room for so many bytes on a line of its own.
  mutating func reserve(_ bytes: Int) -> Int {
    defer { size += (bytes + Self.alignment - 1) / Self.alignment * Self.alignment }
    return size
  }
}

/// Where the tables of one track stand in the block.
private struct TrackPlaces {
  private let components: Int
  private let firsts: Int
  private let lasts: Int
  private let centers: Int
  private let records: Int
  /// The lines of a lookup within registers, and those of its coefficients; nil where there are too many pieces.
  private let lines: (keys: Int, coefficients: Int)?

  init(_ track: TickTrack, in layout: inout BlockLayout) {
    let pieceCount = track.lasts.count
    components = layout.reserve(4 * track.components.count)
    firsts = layout.reserve(4 * track.buckets.firsts.count)
    lasts = layout.reserve(4 * pieceCount)
    centers = layout.reserve(4 * pieceCount)
    records = layout.reserve(16 * pieceCount * track.components.count)
    if pieceCount <= pieceCountOfRegisters {
      let line = 4 * pieceCountOfRegisters
      lines = (layout.reserve(3 * line), layout.reserve(4 * line * track.components.count))
    } else {
      lines = nil
    }
  }

  @unsafe
  func write(_ track: TickTrack, to block: UnsafeMutableRawPointer) -> PieceTable {
    let pieceCount = track.lasts.count
    let ints = { (place: Int, values: [Int32]) in
      let start = unsafe (block + place).bindMemory(to: Int32.self, capacity: values.count)
      for index in values.indices {
        unsafe start[index] = values[index]
      }
      return unsafe UnsafePointer(start)
    }
    let coefficients = track.coefficients
    let floats = unsafe (block + records).bindMemory(
      to: Float.self, capacity: 4 * pieceCount * track.components.count)
    for (index, piece) in coefficients.joined().enumerated() {
      for power in 0..<4 {
        unsafe floats[4 * index + power] = piece[power]
      }
    }
    var table = unsafe PieceTable(
      components: ints(components, track.components), componentCount: track.components.count, pieceCount: pieceCount,
      firsts: ints(firsts, track.buckets.firsts), shift: track.buckets.shift, steps: track.buckets.steps,
      lasts: ints(lasts, track.lasts), centers: ints(centers, track.centers), records: floats)
    if let lines {
      let count = pieceCountOfRegisters
      let buckets = TickBuckets(bits: 5, lasts: track.lasts)
      _ = unsafe ints(lines.keys + 4 * count, track.lasts)
      _ = unsafe ints(lines.keys + 8 * count, track.centers)
      unsafe table.lines = ints(lines.keys, buckets.firsts)
      table.lineSteps = buckets.steps
      let columns = unsafe (block + lines.coefficients).bindMemory(
        to: Float.self, capacity: 4 * count * track.components.count)
      for (component, pieces) in coefficients.enumerated() {
        for (index, piece) in pieces.enumerated() {
          for power in 0..<4 {
            unsafe columns[(4 * component + power) * count + index] = piece[power]
          }
        }
      }
      unsafe table.coefficientLines = UnsafePointer(columns)
    }
    return table
  }
}
