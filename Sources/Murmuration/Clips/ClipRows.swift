// SPDX-License-Identifier: MIT
import Kernels

/// The pieces of a clip as rows, for the kernels that evaluate an instance across its components. Never changed once
/// made.
final class ClipRows {
  /// The columns that kernels take.
  let table: WideTable
  private let storage: RowStorage
  private let tracks: MemoryBlock
  private let integers: MemoryBlock

  /// The rows of a clip.
  ///
  /// - Throws: ``BatchError/capacityExceeded(_:)`` with the dimensions if there is no memory for the pieces.
  /// - Complexity: O(n) in the number of pieces.
  init(_ clip: Clip) throws(BatchError) {
    storage = try RowStorage(clip, limit: .max)
    let groups = storage.groups
    let count = groups.reduce(0) { $0 + $1.dimensions.count + 2 * $1.lasts.count }
    tracks = MemoryBlock(byteCount: MemoryLayout<WideTrack>.stride * groups.count, alignment: 64)
    integers = MemoryBlock(byteCount: 4 * count, alignment: 64)
    let wideTracks = tracks.bytes.rebound(to: WideTrack.self)
    var next = integers.bytes.rebound(to: Int32.self)
    func write(_ numbers: [Int32]) -> ConstantColumn<Int32> {
      let start = next
      for number in numbers {
        next[0] = number
        next += 1
      }
      return start.constant
    }
    for (index, group) in groups.enumerated() {
      let components = write(group.dimensions.map { Int32($0) })
      wideTracks[index] = WideTrack(
        components: components, componentCount: group.dimensions.count, pieceCount: group.lasts.count,
        lasts: write(group.lasts), centers: write(group.centers), rows: storage.start + group.firstRow,
        stride: group.stride)
    }
    table = WideTable(tracks: wideTracks.constant, trackCount: groups.count)
  }
}

// Nothing is written after the initialiser.
extension ClipRows: @unchecked Sendable {}
