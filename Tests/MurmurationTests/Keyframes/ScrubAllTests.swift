// SPDX-License-Identifier: MIT
import Testing

@testable import Murmuration

/// Scrubbing everything at once, against scrubbing one after the other: what plays, waits, is paused, over, idle or gone.
struct ScrubAllTests {
  /// A batch after some calls.
  private struct Played: ~Copyable {
    var batch: KeyframeBatch
    let handles: [TrackHandle?]

    /// A hundred instances of two clips that have tiles of their own or share them.
    init(isMixed: Bool, seed: UInt64) throws {
      var random = SplitMix64(seed: seed)
      var batch = try KeyframeBatch()
      var handles: [TrackHandle?] = []
      batch.rowsBeforeOwnTiles = isMixed ? .max : 0
      let clips = try [1.0, 3].map { duration in
        try batch.load(
          Clip(
            dimensions: 1, initialValues: [0],
            tracks: [PieceTrack(components: [0], times: [0, duration], pieces: [[SIMD4(0, 1, -0.25, 0.125)]])]))
      }
      for index in 0..<100 {
        handles.append(
          try batch.add(
            clips[index % 2],
            Playback(
              delay: index % 7 == 0 ? 9 : 0, repetition: index % 5 == 0 ? .count(1) : .forever, autoreverses: true)))
      }
      try batch.advance(to: 4)
      for index in handles.indices {
        guard let handle = handles[index] else { continue }
        switch Int(random.uniform(0...4.99)) {
        case 0: try batch.remove(handle)
        case 1: try batch.cancel(handle)
        case 2: break
        default:
          try batch.pause(handle)
          continue
        }
        if !batch.contains(handle) { handles[index] = nil }
      }
      try batch.advance(to: 5)
      self.batch = batch
      self.handles = handles
    }
  }

  @Test(arguments: [false, true], [1, 2, 3] as [UInt64])
  func isScrubbingEach(isMixed: Bool, seed: UInt64) throws {
    var all = try Played(isMixed: isMixed, seed: seed)
    var each = try Played(isMixed: isMixed, seed: seed)
    var random = SplitMix64(seed: seed)
    for round in 0..<6 {
      let times = all.handles.map { _ in random.uniform(-0.5...4) }
      try all.batch.scrubAll(to: times.span)
      for (handle, time) in zip(each.handles, times) {
        if let handle { try each.batch.scrub(handle, to: time) }
      }
      try all.batch.advance(to: 5 + Double(round / 2))
      try each.batch.advance(to: 5 + Double(round / 2))
      for (one, other) in zip(all.handles, each.handles) {
        guard let one, let other else { continue }
        let value = try all.batch.value(of: one, as: Float.self)
        let expected = try each.batch.value(of: other, as: Float.self)
        #expect(value.bitPattern == expected.bitPattern)
        let (time, expectedTime) = (try all.batch.localTime(of: one), try each.batch.localTime(of: other))
        #expect(time == expectedTime)
      }
      let (completed, expected) = (all.batch.completed.map(\.index), each.batch.completed.map(\.index))
      #expect(completed == expected)
    }
  }
}
