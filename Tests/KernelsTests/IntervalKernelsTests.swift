// SPDX-License-Identifier: MIT
import Kernels
import Testing

@testable import Murmuration
@testable import MurmurationEngine

/// Intervals against plain loops, with ends that are the time itself, its neighbours, or infinite.
struct IntervalKernelsTests {
  private static let times = [0, 1.5, -1e9, 1e9, .leastNonzeroMagnitude, -.leastNormalMagnitude]

  /// Memory for columns of some tiles, aligned to lines.
  private final class Columns {
    let intervals: IntervalColumns
    let count: Int

    init(count: Int) {
      let capacity = (count + 15) / 16 * 16
      let column = { (value: Double) in
        let memory = UnsafeMutableRawPointer.allocate(byteCount: 8 * max(16, capacity), alignment: 64)
        return Column(
          memory.initializeMemory(as: Double.self, repeating: value, count: capacity), count: capacity)
      }
      intervals = IntervalColumns(from: column(-.infinity), until: column(.infinity))
      self.count = count
    }

    /// Intervals many of which contain a time, and many of which end at it or next to it.
    convenience init(count: Int, around now: Double, _ random: inout SplitMix64) {
      self.init(count: count)
      let ends = [now, now.nextUp, now.nextDown, -.infinity, .infinity, now - 1, now + 1]
      for index in 0..<count where random.uniform(0...1) < 0.5 {
        intervals.from[index] = ends[Int(random.uniform(0...6.99))]
        intervals.until[index] = ends[Int(random.uniform(0...6.99))]
      }
    }

    func isOutside(_ index: Int, _ now: Double) -> Bool { intervals.from[index] > now || intervals.until[index] < now }

    deinit {
      intervals.from.address.deallocate()
      intervals.until.address.deallocate()
    }
  }

  @Test(arguments: KernelSet.available, [0, 1, 4, 15, 16, 17, 33, 1000])
  func listsWhatATimeIsNotIn(_ set: KernelSet, count: Int) {
    var random = SplitMix64(seed: UInt64(count + 1))
    for now in Self.times {
      let columns = Columns(count: count, around: now, &random)
      var list = [Int32](repeating: -1, count: (count + 15) / 16 * 16 + 16)
      let listed = list.withUnsafeMutableBufferPointer {
        set.table.intervals.list(columns.intervals, count, now, $0.column!)
      }
      #expect(list[..<listed].map { Int($0) } == (0..<count).filter { columns.isOutside($0, now) })
      #expect(list[(list.count - 16)...].allSatisfy { $0 == -1 })
    }
  }

  @Test(arguments: KernelSet.available)
  func findsTheLanesOfTilesAndWhatTheyHaveInCommon(_ set: KernelSet) {
    var random = SplitMix64(seed: 7)
    let tiles: [Int32] = [5, 0, 3, 8]
    for now in Self.times {
      let ofTracks = Columns(count: 160, around: now, &random)
      let ofTiles = Columns(count: 10)
      var lanes = [UInt16](repeating: 0xBEEF, count: tiles.count + 1)
      tiles.withUnsafeBufferPointer { tiles in
        let list = TileList(tiles: tiles.column!, count: tiles.count)
        lanes.withUnsafeMutableBufferPointer {
          set.table.intervals.findLanes(ofTracks.intervals, list, now, $0.column!)
        }
        set.table.intervals.intersect(ofTracks.intervals, list, ofTiles.intervals)
      }
      var indicesFound = [Int32](repeating: -1, count: 16 * tiles.count)
      let listed = tiles.withUnsafeBufferPointer { tiles in
        indicesFound.withUnsafeMutableBufferPointer {
          set.table.intervals.listIndices(
            ofTracks.intervals, TileList(tiles: tiles.column!, count: tiles.count), now, $0.column!)
        }
      }
      let late = tiles.flatMap { Int($0) * 16..<Int($0) * 16 + 16 }.filter { ofTracks.isOutside($0, now) }
      #expect(indicesFound[..<listed].map { Int($0) } == late)
      for (place, tile) in tiles.enumerated() {
        let range = Int(tile) * 16..<Int(tile) * 16 + 16
        #expect(range.map { ofTracks.isOutside($0, now) } == (0..<16).map { lanes[place] >> UInt16($0) & 1 == 1 })
        #expect(ofTiles.intervals.from[Int(tile)] == range.map { ofTracks.intervals.from[$0] }.max())
        #expect(ofTiles.intervals.until[Int(tile)] == range.map { ofTracks.intervals.until[$0] }.min())
      }
      #expect(lanes[tiles.count] == 0xBEEF)
      #expect(ofTiles.intervals.from[1] == -.infinity && ofTiles.intervals.until[1] == .infinity)
    }
  }
}
