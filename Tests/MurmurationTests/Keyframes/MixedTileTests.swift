// SPDX-License-Identifier: MIT
import Kernels
import Testing

@testable import Murmuration
@testable import MurmurationClips
@testable import MurmurationEngine

/// Tracks of rare clips, which share tiles, and the records that they read.
@Suite("Mixed tiles")
struct MixedTileTests {
  /// Clips with few and many pieces, with jumps, and with a piece shorter than a tick.
  private static func clips() throws -> [Clip] {
    let drawn = try [1, 2, 5, 14, 16, 30, 40, 90].map {
      try ClipTablesTests.clip(pieces: $0, components: 2, seed: 9 &+ UInt64($0), laterOwnsBoundaries: $0 % 4 == 0)
    }
    var random = SplitMix64(seed: 9)
    let times = [
      [0, 0, 0], [0, 1.1], [0, 0, 0.4, 1.1], [0, 0.4, 1.1, 1.1], [0, 0.1, 0.1, 0.9, 1], [0, 0.5, 0.5 + 1e-12, 1],
    ]
    return try drawn
      + times.map { times in
        let pieces = times.dropLast().map { _ in SIMD4(random.uniform(-2...2), random.uniform(-2...2), 1, -1) }
        // Without a track the second dimension keeps its value.
        let track = PieceTrack(components: [0], times: times, pieces: [pieces])
        return try Clip(dimensions: 2, initialValues: [1, 2], tracks: [track])
      }
  }

  // MARK: - Placement

  private static func isMixed<V>(_ batch: borrowing AnimationBatch<V>, _ handle: TrackHandle) -> Bool {
    batch.index(of: handle).map { batch.engine.tracks.tiles.kind(at: $0) == .pieces } ?? false
  }

  @Test("Tracks look pieces up where all players of a tile play one clip that many play")
  func placement() throws {
    var batch = try AnimationBatch<Float>()
    let limit = batch.engine.clips.playersBeforeOwnTiles
    let ids = try (0..<40).map { try batch.load(ClipTablesTests.clip(pieces: 5, seed: UInt64($0))) }
    let first = try ids.map { try batch.add(playing: $0) }[0]
    #expect(batch.engine.tracks.tiles.end == 3)
    // One by one: the first ones come to mixed tiles, the others do not.
    let crowd = try (0..<3 * limit).map { _ in try batch.add(playing: ids[0]) }
    let mixed = crowd.filter { Self.isMixed(batch, $0) }.count
    #expect(mixed > 0 && mixed < crowd.count)
    // Many at once begin tiles in which all play their clip.
    let many = [Playback](repeating: Playback(), count: 4 * limit)
    let handles = try batch.add(playing: ids[1], many)
    #expect(handles.count { Self.isMixed(batch, $0) } < laneCountOfTile)
    // One track that plays another clip makes a tile mixed, until its tracks play one clip by one call.
    let last = handles.suffix(laneCountOfTile + 4)
    let tile = Array(
      last.filter { batch.index(of: $0)! / laneCountOfTile == batch.index(of: last.first!)! / laneCountOfTile })
    #expect(tile.allSatisfy { !Self.isMixed(batch, $0) })
    try batch.play(ids[3], on: tile[1])
    #expect(tile.allSatisfy { Self.isMixed(batch, $0) } && batch.checkInvariants() == nil)
    // A lane that was left is taken again, by a track of another clip.
    let (tiles, index) = (batch.engine.tracks.tiles.end, batch.index(of: first))
    try batch.remove(first)
    let next = try batch.add(playing: ids[39])
    #expect(batch.index(of: next) == index && batch.engine.tracks.tiles.end == tiles)
    try batch.remove(crowd)
    try batch.compact()
    #expect(
      batch.engine.tracks.tiles.end == handles[handles.count - 1].index / 16 + 1 && batch.checkInvariants() == nil)
    try batch.advance(to: 0.1)
    #expect(batch.motion(of: handles[0]) == .clip(ids[1], .playing))
  }

  @Test("Many clips with a track each share tiles")
  func manyClips() throws {
    var batch = try AnimationBatch<Float>()
    let clip = try ClipTablesTests.clip(pieces: 2, seed: 1)
    let ids = try (0..<1000).map { _ in try batch.load(clip) }
    try batch.add(playing: ids, [Playback](repeating: Playback(), count: 1000))
    #expect(batch.engine.tracks.tiles.end == 63)
  }

  // MARK: - Memory

  @Test("The bytes of a clip's records, of a state and of an index are as stated")
  func bytes() throws {
    #expect(MemoryLayout<PieceRecord>.stride == 32 && MemoryLayout<LaneState>.stride == 64)
    for (pieces, dimensions) in [(16, 1), (16, 3), (90, 2)] {
      let clip = try ClipTablesTests.clip(pieces: pieces, components: dimensions, seed: 3)
      #expect(ClipRecords(clip, in: RecordArena())?.byteCount == 32 * pieces * dimensions)
      #expect(HotPieces.shape(dimensions: dimensions).byteCount == 40 * dimensions)
    }
  }

  @Test("Every tick belongs to one record")
  func records() throws {
    for clip in try Self.clips() {
      try #require(ClipRecords(clip, in: RecordArena())).withRecords { dimension, records in
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
