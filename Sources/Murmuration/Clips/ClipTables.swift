// SPDX-License-Identifier: MIT
package import Kernels

/// The tables in which kernels look a clip's pieces up: one block of memory, never changed once made.
///
/// Times become ticks, 2³² of them for the whole clip; each piece is measured from its middle, and its coefficients are
/// rounded to Float once.
@safe
package final class ClipTables {
  /// The pointers that kernels take. They point into the block.
  package let table: ClipTable
  /// Ticks per second, ``Kernels/ClipTick``; 0 for a clip of no length.
  package let ticksPerSecond: Double
  /// The tick of an instance that is held before the start, and of one that is held after the end.
  package let beforeTick: Int32
  package let afterTick: Int32
  /// Bytes of the block.
  package let byteCount: Int
  private let block: UnsafeMutableRawPointer

  /// The tables of a clip.
  ///
  /// - Complexity: O(n) in the number of pieces, and O(b) in the number of buckets, which is at most sixteen times as
  ///   large.
  package convenience init(_ clip: Clip) { self.init(TablePlan(clip)) }

  /// The tables of a clip that may be large.
  ///
  /// - Throws: ``BatchError/capacityExceeded(_:)`` with the dimensions if there is no memory for the pieces.
  static func made(for clip: Clip) throws(BatchError) -> ClipTables {
    let plan = TablePlan(clip)
    guard MemoryBlock.hasRoom(forBytes: plan.layout.size, limit: .max) else {
      throw .capacityExceeded(clip.dimensions)
    }
    return ClipTables(plan)
  }

  private init(_ plan: TablePlan) {
    let (clip, layout) = (plan.clip, plan.layout)
    let block = UnsafeMutableRawPointer.allocate(byteCount: layout.size, alignment: BlockLayout.alignment)
    unsafe block.initializeMemory(as: UInt8.self, repeating: 0, count: layout.size)
    let pieceTables = unsafe (block + plan.tables).bindMemory(to: PieceTable.self, capacity: clip.tracks.count)
    for (index, track) in clip.tracks.enumerated() {
      unsafe (pieceTables + index).initialize(to: plan.places[index].write(track, to: block))
    }
    unsafe table = ClipTable(tracks: pieceTables, trackCount: clip.tracks.count)
    unsafe self.block = block
    ticksPerSecond = clip.scale.ticksPerSecond
    beforeTick = clip.beforeTick
    afterTick = clip.afterTick
    byteCount = layout.size
  }

  deinit {
    unsafe block.deallocate()
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
    for (component, pieces) in coefficients.enumerated() {
      for (index, piece) in pieces.enumerated() {
        for power in 0..<4 {
          unsafe floats[4 * (index * coefficients.count + component) + power] = piece[power]
        }
      }
    }
    var table = unsafe PieceTable(
      components: ints(components, track.components), componentCount: track.components.count,
      buckets: UnsafeRawPointer(ints(buckets, track.records(of: self.table))).assumingMemoryBound(to: Float.self),
      shift: self.table.shift, steps: self.table.steps,
      lasts: ints(lasts, track.lasts), centers: ints(centers, track.centers), records: floats)
    if let (place, length) = lines {
      let buckets = TickBuckets(bits: 5, lasts: track.lasts)
      unsafe table.lines = UnsafeRawPointer(ints(place, buckets.firsts))
      _ = unsafe ints(place + 128, track.lasts)
      _ = unsafe ints(place + 128 + 4 * length, track.centers)
      table.lineLength = length
      table.lineSteps = buckets.steps
      let columns = unsafe (block + place + 128 + 8 * length).bindMemory(
        to: Float.self, capacity: 4 * length * track.components.count)
      for (component, pieces) in coefficients.enumerated() {
        for (index, piece) in pieces.enumerated() {
          for power in 0..<4 {
            unsafe columns[(4 * component + power) * length + index] = piece[power]
          }
        }
      }
    }
    return table
  }
}
