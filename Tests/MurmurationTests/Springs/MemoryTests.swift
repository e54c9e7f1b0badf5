// SPDX-License-Identifier: MIT
import Kernels
import Testing

@testable import Murmuration

/// What a batch takes, however its tracks come and go.
struct MemoryTests {
  /// Cohorts and mixed tracks come and go at random for many frames; about as many live all the time.
  @Test(arguments: [1, 2, 3, 4]) func rowsStayWithinTwiceTheTracksThatLive(_ seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    var batch = try SpringBatch()
    var live: [TrackHandle] = []
    var mostLive = 0
    var sinceWarmUp = 0
    for frame in 0..<2_000 {
      let size = [1, 7, 20, 100, 400][Int(random.next() % 5)]
      let zeros = [Float](repeating: 0, count: size)
      if seed % 2 == 0 && frame % 3 == 0 {
        let springs = (0..<size).map { _ in Spring(duration: 1, bounce: random.uniform(-0.5...0.5)) }
        live += try batch.add(springs.span, values: zeros.span, targets: zeros.span)
      } else {
        live += try batch.add(.bouncy, values: zeros.span, targets: zeros.span)
      }
      mostLive = max(mostLive, live.count)
      // The more there are, the more go: any of them, so that cohorts thin out.
      live.shuffle(using: &random)
      let gone = Array(live.suffix(live.count > 3_000 ? live.count - 3_000 + size : size / 2))
      live.removeLast(gone.count)
      try batch.remove(gone.span)
      try batch.advance(by: 1.0 / 60)
      if frame == 200 {
        sinceWarmUp = batch.storage.capacity
      }
      let (rows, count) = (batch.rowCount, batch.count)
      #expect(count == live.count)
      // Twice the tracks of cohorts; and of each kind some tiles that are not full.
      #expect(rows <= 2 * mostLive + 16 * 64, "frame \(frame): \(rows) rows for at most \(mostLive) tracks")
    }
    let capacity = batch.storage.capacity
    #expect(capacity <= 2 * sinceWarmUp && capacity <= 4 * mostLive + 16 * 128)
    try batch.compact()
    let (rows, kinds) = (batch.rowCount, batch.cohorts.indices.count + 3)
    #expect(rows <= live.count + 15 * kinds)
  }

  /// A frame costs what its tracks do: holes are evaluated too, so they must stay few.
  @Test func aFrameReadsAtMostTwiceWhatTheLiveTracksNeed() throws {
    var random = SplitMix64(seed: 91)
    var batch = try SpringBatch()
    let values = [Float](repeating: 1, count: 10_000)
    let zeros = [Float](repeating: 0, count: 10_000)
    var live = try batch.add(Spring(duration: 1, bounce: 1), values: values.span, targets: zeros.span)
    live.shuffle(using: &random)
    while live.count > 100 {
      let gone = Array(live.suffix(97))
      live.removeLast(97)
      try batch.remove(gone.span)
      try batch.advance(by: 1e-3)
      let bytes = batch.bytesPerFrame
      #expect(bytes <= 20 * (2 * live.count + 32), "\(live.count) tracks")
    }
  }

  @Test(arguments: [1, 2, 3, 4, 16, 64]) func aTrackTakesTheBytesThatAreStated(_ dimensions: Int) throws {
    let stated = SpringBatch.bytesPerTrack(dimensions: dimensions)
    let count = 1 << 14
    let batch = try SpringBatch(dimensions: dimensions, reservingCapacity: count)
    // From the first column to the end of the last one, in one block.
    let columns = batch.storage.columns
    let capacity = batch.storage.capacity
    let last = columns.velocity + ((dimensions - 1) * columns.dimensionStride + capacity)
    let size = UnsafeRawPointer(last) - UnsafeRawPointer(columns.start)
    let tiles = count / laneCountOfTile * TileTable.bytesPerTile
    let bytes = size + count * SlotTable.bytesPerSlot + tiles
    // Columns are padded by 4 KiB at most, and staggered.
    let padding = (7 + 5 * dimensions) * (4096 + 13 * 64)
    #expect(bytes >= stated * count - count && bytes <= stated * capacity + padding)
    #expect(capacity >= count && capacity <= count + 64)
  }

  /// What a slot and a tile are said to take is what their tables hold.
  @Test func tablesTakeWhatTheySay() {
    let slot = MemoryLayout<UInt32>.stride * 2
    let tile = MemoryLayout<(Int32, UInt16)>.size + 8 + 2 * MemoryLayout<TileTable.Reported>.stride + 2
    #expect(SlotTable.bytesPerSlot == slot && TileTable.bytesPerTile == tile)
  }

  @Test func reservingMakesTheRoomAndNoMore() throws {
    var batch = try SpringBatch(dimensions: 3)
    try batch.reserve(1_000)
    let capacity = batch.storage.capacity
    #expect(capacity >= 1_000 && capacity <= 1_000 + 16 * 4)
    let zeros = [Float](repeating: 0, count: 3_000)
    let handles = try batch.add(.bouncy, values: zeros.span, targets: zeros.span)
    let filled = batch.storage.capacity
    #expect(filled == capacity)
    try batch.reserve(0)
    try batch.remove(Array(handles.dropFirst(10)).span)
    try batch.compact()
    let compacted = batch.storage.capacity
    #expect(compacted == 16)
  }
}
