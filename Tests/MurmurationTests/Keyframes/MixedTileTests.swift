// SPDX-License-Identifier: MIT
import Kernels
import Testing

@testable import Murmuration

/// Instances of rare clips, which share tiles, against instances in tiles of their clips: the same bits.
@Suite("Mixed tiles")
struct MixedTileTests {
  /// Clips of every kind that there is: few and many pieces, holds of their own, jumps, tracks apart, and one to restart.
  static func clips(dimensions: Int, seed: UInt64) throws -> [Clip] {
    var clips = try [1, 2, 5, 14, 16, 30, 40, 90].map {
      try ClipTablesTests.clip(
        pieces: $0, components: dimensions, seed: seed &+ UInt64($0), laterOwnsBoundaries: $0 % 4 == 0)
    }
    var random = SplitMix64(seed: seed)
    let initial = (0..<dimensions).map { _ in random.uniform(-3...3) }
    // The last one has a piece shorter than a tick.
    for times in [
      [0, 0, 0], [0, 1.1], [0, 0, 0.4, 1.1], [0, 0.4, 1.1, 1.1], [0, 0.1, 0.1, 0.9, 1], [0, 0.5, 0.5 + 1e-12, 1],
    ] {
      let tracks = (0..<dimensions).map { dimension in
        PieceTrack(
          components: [dimension], times: times.map { $0 * (dimension == 0 ? 1 : 0.7) },
          pieces: [
            times.dropLast().map { _ in
              SIMD4(random.uniform(-2...2), random.uniform(-2...2), random.uniform(-2...2), random.uniform(-2...2))
            }
          ])
      }
      // Without the last track a dimension keeps its value.
      clips.append(
        try Clip(
          dimensions: dimensions, initialValues: initial,
          tracks: Array(tracks.prefix(max(1, dimensions - 1)))))
    }
    clips.append(try restartable(from: initial, velocities: initial.map { _ in 0 }))
    return clips
  }

  /// A clip to 1 in a second.
  private static func restartable(from values: [Double], velocities: [Double]) throws(ClipError) -> Clip {
    let tracks = values.indices.map { dimension in
      let (d, v) = (1 - values[dimension], velocities[dimension])
      return PieceTrack(
        components: [dimension], times: [0, 0.5, 1],
        pieces: [[SIMD4(values[dimension], v, 3 * d - 2 * v, v - 2 * d), SIMD4(values[dimension] + 0.5 * d, d, 0, 0)]])
    }
    return try Clip(
      checkedTracks: tracks, initialValues: values, duration: 1, valueErrorBounds: values.map { _ in 0 },
      velocityErrorBounds: values.map { _ in 0 },
      remake: { (values, velocities) throws(ClipError) in
        try restartable(from: values, velocities: velocities)
      })
  }

  @Test("The bits are those of tiles of clips", arguments: Array(UInt64(0)..<12), KernelSet.available)
  func sameBits(seed: UInt64, set: KernelSet) throws {
    let twins = try Twins(seed: seed, set)
    for step in 0..<160 {
      try twins.step()
      if let fault = try twins.fault() {
        Issue.record("seed \(seed), step \(step): \(fault)\n\(twins.calls.suffix(8).joined(separator: "\n"))")
        return
      }
    }
    #expect(twins.checks > 1_000 && twins.mixedTiles > 1)
  }

  @Test("The bits are the same for any number of threads, and any neighbours")
  func threads() throws {
    let clips = try Self.clips(dimensions: 3, seed: 1)
    var hashes: Set<UInt64> = []
    for (threads, strangers) in [(1, 0), (2, 0), (3, 5), (5, 0), (8, 17)] {
      var batch = try KeyframeBatch(dimensions: 3)
      batch.rowsBeforeOwnTiles = .max
      batch.threadCount = threads
      let ids = try clips.map { try batch.load($0) }
      for index in 0..<strangers { try batch.add(ids[index % ids.count], Playback(speed: -2, repetition: .forever)) }
      // More tiles than a frame needs to be shared among threads.
      let count = 16 * ClipFrame.parallelTiles / 3 + 100
      let names = (0..<count).map { ids[$0 % ids.count] }
      let playbacks = (0..<count).map { Playback(speed: 0.3 + Double($0 % 97) * 0.01, repetition: .forever) }
      let handles = try batch.add(names.span, playbacks.span)
      var hash: UInt64 = 0xcbf2_9ce4_8422_2325
      for time in [0.1, 0.35, 3.6, 1.2] {
        try batch.advance(to: time)
        for dimension in 0..<3 {
          var values = [Float](repeating: 0, count: batch.indexCount)
          var span = values.mutableSpan
          try batch.copyVelocities(dimension: dimension, into: &span)
          for handle in handles { hash = (hash ^ UInt64(values[handle.index].bitPattern)) &* 0x100_0000_01b3 }
          span = values.mutableSpan
          try batch.copyValues(dimension: dimension, into: &span)
          for handle in handles { hash = (hash ^ UInt64(values[handle.index].bitPattern)) &* 0x100_0000_01b3 }
        }
      }
      hashes.insert(hash)
    }
    #expect(hashes.count == 1)
  }

  // MARK: - Placement

  private static func isMixed(_ batch: borrowing KeyframeBatch, _ handle: TrackHandle) throws -> Bool {
    batch.tiles.isMixed(try batch.rowIndex(of: handle))
  }

  @Test("Few instances of a clip share tiles, many have tiles of their own")
  func placement() throws {
    var batch = try KeyframeBatch()
    let limit = batch.rowsBeforeOwnTiles
    let ids = try (0..<40).map { try batch.load(ClipTablesTests.clip(pieces: 5, seed: UInt64($0))) }
    for id in ids { try batch.add(id) }
    #expect(batch.tiles.end == 3)
    let first = try batch.handle(atRow: 0) ?? #require(nil)
    #expect(batch.library.entries[0].tables == nil && batch.library.entries[0].records != nil)
    // One by one: the first ones share, the others do not.
    let crowd = try (0..<3 * limit).map { _ in try batch.add(ids[0]) }
    #expect(try crowd.filter { try Self.isMixed(batch, $0) }.count == limit - 1)
    // Many at once have whole tiles of their own.
    let many = [Playback](repeating: Playback(), count: 4 * limit)
    let handles = try batch.add(ids[1], many.span)
    #expect(try handles.allSatisfy { try !Self.isMixed(batch, $0) })
    let few = try batch.add(ids[2], many.span.extracting(0..<limit / 2))
    #expect(try few.allSatisfy { try Self.isMixed(batch, $0) })
    let tiles = batch.tiles.end
    // A lane that was left is taken again, by an instance of another clip.
    let row = try batch.rowIndex(of: first)
    try batch.remove(first)
    let next = try batch.add(ids[39])
    #expect(try batch.rowIndex(of: next) == row && batch.tiles.end == tiles)
    try batch.remove(crowd.span)
    try batch.remove(handles.span.extracting(2..<handles.count))
    try batch.compact()
    #expect(batch.tiles.end == (batch.count + 15) / 16)
    try batch.advance(to: 0.1)
    #expect(try Self.isMixed(batch, handles[0]))
    #expect(try batch.clip(of: handles[0]) == ids[1])
    batch.removeAll()
    for id in ids { try batch.unload(id) }
    #expect(batch.clipCount == 0)
  }

  @Test("Calls with many clips reserve what they need, not a tile for each")
  func manyClips() throws {
    var batch = try KeyframeBatch()
    let ids = try (0..<1000).map { try batch.load(ClipTablesTests.clip(pieces: 2, seed: UInt64($0))) }
    let playbacks = [Playback](repeating: Playback(), count: ids.count)
    try batch.add(ids.span, playbacks.span)
    #expect(batch.tiles.end == 63 && batch.storage.capacity < 2_000)
    let same = [ClipID](repeating: ids[0], count: 100)
    for _ in 0..<2 { try batch.add(same.span, playbacks.span.extracting(0..<100)) }
    #expect(batch.claims.allSatisfy { $0 == 0 })
    #expect(batch.library.entries[0].openTiles.count <= 1 && batch.library.entries[0].rows == 201)
  }

  @Test("A clip that was made for one instance shares a tile")
  func privateClips() throws {
    var batch = try KeyframeBatch()
    let clip = try batch.load(try Self.restartable(from: [0], velocities: [0]))
    let playbacks = [Playback](repeating: Playback(), count: 100)
    let handles = try batch.add(clip, playbacks.span)
    try batch.advance(to: 0.3)
    try batch.trigger(handles.span)
    #expect(batch.clipCount == 101)
    #expect(batch.tiles.end <= 7 + 7 + 1)
    #expect(try handles.allSatisfy { try Self.isMixed(batch, $0) })
    try batch.advance(to: 2)
    try batch.trigger(handles.span, from: .beginning)
    #expect(batch.clipCount == 1)
  }

  // MARK: - Memory

  @Test("Bytes of a clip of its own, of a state and of a row are as stated")
  func bytes() throws {
    #expect(MemoryLayout<PieceRecord>.stride == 32 && MemoryLayout<LaneState>.stride == 64)
    for (pieces, dimensions) in [(16, 1), (16, 3), (90, 2)] {
      let clip = try ClipTablesTests.clip(pieces: pieces, components: dimensions, seed: 3)
      #expect(ClipRecords(clip, in: RecordArena()).byteCount == 32 * pieces * dimensions)
      #expect(HotPieces.shape(dimensions: dimensions).byteCount == KeyframeBatch.bytesPerPiece * dimensions)
    }
  }

  @Test("Every tick belongs to one record")
  func records() throws {
    for clip in try Self.clips(dimensions: 2, seed: 9) {
      ClipRecords(clip, in: RecordArena()).withRecords { dimension, records in
        var next = Int64(Int32.min)
        for index in 0..<Int(records[0].count) {
          let first = Int64(records[index].first &- .min)
          #expect(first == next)
          next = first + Int64(UInt32(bitPattern: records[index].span &- .min)) + 1
        }
        #expect(next == Int64(Int32.max) + 1)
      }
    }
  }
}
