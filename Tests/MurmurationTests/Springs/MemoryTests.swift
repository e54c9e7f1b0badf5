// SPDX-License-Identifier: MIT
import Kernels
import TestSupport
import Testing

@testable import Murmuration
@testable import MurmurationEngine

/// The memory of a batch whose tracks come and go.
struct MemoryTests {
  /// Tracks with one spring and with springs of their own come and go at random for many frames; the number of live tracks stays about the same.
  @Test(arguments: [1, 2]) func indicesStayWithinTwiceTheTracksThatLive(_ seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    var batch = try AnimationBatch<Float>()
    var live: [TrackHandle] = []
    var mostLive = 0
    var sinceWarmUp = 0
    for frame in 0..<Effort.draws(quick: 400, soak: 2_000) {
      let size = [1, 7, 20, 100, 400][Int(random.next() % 5)]
      let (zeros, ones) = ([Float](repeating: 0, count: size), [Float](repeating: 1, count: size))
      if seed % 2 == 0 && frame % 3 == 0 {
        let springs = (0..<size).map { _ in Spring(duration: 1, bounce: random.uniform(-0.5...0.5)) }
        live += try batch.add(zeros, to: ones, springs: springs)
      } else {
        live += try batch.add(zeros, to: ones, .bouncy)
      }
      mostLive = max(mostLive, live.count)
      // The more tracks there are, the more are removed, chosen at random, so that tiles thin out.
      live.shuffle(using: &random)
      let gone = Array(live.suffix(live.count > 3_000 ? live.count - 3_000 + size : size / 2))
      live.removeLast(gone.count)
      try batch.remove(gone)
      try batch.advance(by: 1.0 / 60)
      if frame == 200 { sinceWarmUp = batch.engine.tracks.capacity }
      let (indexCount, count) = (batch.indexCount, batch.count)
      #expect(count == live.count)
      // New tracks fill holes where there are many, and each kind may have a few tiles that are not full.
      #expect(
        indexCount <= 2 * mostLive + 16 * 64, "frame \(frame): \(indexCount) indices for at most \(mostLive) tracks")
    }
    let capacity = batch.engine.tracks.capacity
    #expect(capacity <= 2 * sinceWarmUp && capacity <= 4 * mostLive + 16 * 128)
    try batch.compact()
    let indexCount = batch.indexCount
    #expect(indexCount == (live.map(\.index).max() ?? 0) + 1)
  }

  @Test func reservingMakesTheRoomAndNoMore() throws {
    var batch = try AnimationBatch<SIMD3<Float>>()
    try batch.reserve(1_000)
    let capacity = batch.engine.tracks.capacity
    #expect(capacity >= 1_000 && capacity <= 1_000 + 16 * 4)
    let zeros = [SIMD3<Float>](repeating: .zero, count: 1_000)
    let handles = try batch.add(zeros, to: zeros, .bouncy)
    let filled = batch.engine.tracks.capacity
    #expect(filled == capacity)
    try batch.reserve(0)
    try batch.remove(Array(handles.dropFirst(10)))
    try batch.compact()
    let compacted = batch.engine.tracks.capacity
    #expect(compacted == 16)
  }

  /// Tracks that stand or follow springs keep their indices when all of them get new goals.
  @Test(arguments: [1, 15, 16, 100, 1_000]) func callsToAllTakeNoMemory(_ count: Int) throws {
    var batch = try AnimationBatch<SIMD2<Float>>()
    let tracks = try batch.add([SIMD2<Float>](repeating: [1, 2], count: count))
    let (capacity, indices) = (batch.engine.tracks.capacity, tracks.map { batch.index(of: $0) })
    try batch.animate(tracks, to: [SIMD2<Float>](repeating: [3, 4], count: count), .bouncy)
    try batch.advance(to: 0.1)
    try batch.remove(tracks.indices.filter { $0 % 3 == 1 }.map { tracks[$0] })
    try batch.retarget(.all, to: [SIMD2<Float>](repeating: [5, 6], count: count))
    try batch.animate(.all, to: [SIMD2<Float>](repeating: [7, 8], count: count), .smooth)
    let after = batch.engine.tracks.capacity
    #expect(after == capacity)
    for position in tracks.indices where position % 3 != 1 {
      let (index, target) = (batch.index(of: tracks[position]), batch.target(of: tracks[position]))
      #expect(index == indices[position] && target == [7, 8])
    }
  }
}
