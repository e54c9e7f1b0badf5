// SPDX-License-Identifier: MIT
import Testing

@testable import Murmuration

struct ClipCompactingTests {
  /// The values of tracks that play a clip, with or without a compaction on the way.
  private func values(_ count: Int, compacts: Bool) throws -> [Float?] {
    var batch = try AnimationBatch<Float>(reservingCapacity: 400_000)
    let clip = try batch.load(Clip(curve: .easeInOut))
    let tracks = try batch.add([Float](repeating: 0, count: count))
    for (index, track) in tracks.enumerated() where count <= 40 {
      try batch.play(clip, on: track, Playback(delay: 0.01 * Double(index)))
    }
    if count > 40 { try batch.play(clip, on: tracks) }
    let scales = (0..<count).map { 1 + Float($0 % 5) }
    try batch.setVariations(of: tracks, scales: scales, offsets: scales)
    try batch.advance(to: 0.25)
    if compacts { try batch.compact() }
    try batch.advance(to: 0.6)
    return tracks.map { batch[$0] }
  }

  /// The columns of clips must not be freed before their tracks are copied. With room for many tracks the system takes freed
  /// memory back, so reading it ends the process.
  @Test(arguments: [1, 16, 40, 1_000])
  func playbacksGoOnAfterACompaction(_ count: Int) throws {
    let (compacted, kept) = (try values(count, compacts: true), try values(count, compacts: false))
    #expect(compacted == kept)
    #expect(kept.allSatisfy { $0 ?? 0 > 0 })
  }
}
