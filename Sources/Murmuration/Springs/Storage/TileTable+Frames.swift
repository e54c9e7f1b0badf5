// SPDX-License-Identifier: MIT
import CProcessor
import Kernels

// What a frame and its reports need of tiles.
extension TileTable {
  /// Lends what a frame changes of mixed tiles.
  mutating func withWatch(_ body: (TileWatch) -> Void) {
    unsafe deadlines.withUnsafeMutableBufferPointer { deadlines in
      unsafe reported.withUnsafeMutableBufferPointer { reported in
        unsafe found.withUnsafeMutableBufferPointer { found in
          unsafe marks.withUnsafeMutableBufferPointer { marks in
            unsafe isAsleep.withUnsafeMutableBufferPointer { isAsleep in
              unsafe live.withUnsafeBufferPointer { live in
                guard let deadlines = deadlines.baseAddress, let reported = reported.baseAddress,
                  let found = found.baseAddress, let marks = marks.baseAddress, let isAsleep = isAsleep.baseAddress,
                  let live = live.baseAddress
                else {
                  return
                }
                unsafe body(
                  TileWatch(
                    deadlines: deadlines, reported: reported, found: found, marks: marks, isAsleep: isAsleep,
                    live: live))
              }
            }
          }
        }
      }
    }
  }

  /// Takes the marks off the tiles of a range, and appends those tiles to a list.
  mutating func takeMarks(in range: Range<Int>, _ list: inout [MarkedTile]) {
    var first = range.lowerBound
    while first < range.upperBound {
      let end = min(first + 256, range.upperBound)
      unsafe withUnsafeTemporaryAllocation(of: Int32.self, capacity: 256) { marked in
        unsafe marks.withUnsafeMutableBufferPointer { marks in
          guard let base = marks.baseAddress, let marked = marked.baseAddress else {
            return
          }
          for index in 0..<(unsafe lanes_list_marked(base, first, end, marked)) {
            let tile = unsafe Int(marked[index])
            list.append(MarkedTile(tile: Int32(tile), mark: unsafe TileWatch.Mark(rawValue: base[tile])))
            unsafe base[tile] = 0
          }
        }
      }
      first = end
    }
  }

  struct MarkedTile {
    var tile: Int32
    var mark: TileWatch.Mark
  }

  /// Appends the tracks in some lanes of tiles, without their generations.
  func append(
    _ range: Range<Int>, lanes: UInt16, _ slots: UnsafePointer<UInt32>, _ store: UInt32,
    to handles: inout [TrackHandle]
  ) {
    var count = 0
    for tile in range {
      count += (live[tile] & lanes).nonzeroBitCount
    }
    var index = handles.count
    // Together, as each growth by itself asks whether the array is shared.
    handles.append(contentsOf: repeatElement(TrackHandle(slot: 0, generation: 0, store: store), count: count))
    var span = handles.mutableSpan
    for tile in range {
      var left = live[tile] & lanes
      while left != 0 {
        let slot = unsafe slots[tile * laneCountOfTile + left.trailingZeroBitCount]
        span[index] = TrackHandle(slot: slot, generation: 0, store: store)
        index += 1
        left &= left - 1
      }
    }
  }
}
