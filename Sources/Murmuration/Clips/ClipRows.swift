// SPDX-License-Identifier: MIT
import Kernels

/// The pieces of a clip as rows, for the kernels that evaluate an instance across its components. Never changed once
/// made.
@safe
final class ClipRows {
  /// The pointers that kernels take.
  let table: WideTable
  private let storage: RowStorage
  private let tracks: UnsafeMutablePointer<WideTrack>
  private let integers: UnsafeMutablePointer<Int32>

  /// The rows of a clip.
  ///
  /// - Throws: ``BatchError/capacityExceeded(_:)`` with the dimensions if there is no memory for the pieces.
  /// - Complexity: O(n) in the number of pieces.
  init(_ clip: Clip) throws(BatchError) {
    storage = try RowStorage(clip, limit: .max)
    let groups = storage.groups
    let count = groups.reduce(0) { $0 + $1.dimensions.count + 2 * $1.lasts.count }
    unsafe tracks = .allocate(capacity: groups.count)
    unsafe integers = .allocate(capacity: count)
    var next = unsafe integers
    func write(_ numbers: [Int32]) -> UnsafePointer<Int32> {
      let start = unsafe next
      for number in numbers {
        unsafe next.initialize(to: number)
        unsafe next += 1
      }
      return unsafe UnsafePointer(start)
    }
    for (index, group) in groups.enumerated() {
      let components = unsafe write(group.dimensions.map { Int32($0) })
      unsafe (tracks + index).initialize(
        to: WideTrack(
          components: components, componentCount: group.dimensions.count, pieceCount: group.lasts.count,
          lasts: write(group.lasts), centers: write(group.centers), rows: storage.start + group.firstRow,
          stride: group.stride))
    }
    unsafe table = WideTable(tracks: tracks, trackCount: groups.count)
  }

  deinit {
    unsafe tracks.deallocate()
    unsafe integers.deallocate()
  }
}

// Nothing is written after the initialiser.
extension ClipRows: @unchecked Sendable {}
