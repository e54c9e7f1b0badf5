// SPDX-License-Identifier: MIT
import Kernels
import Testing

@testable import Murmuration
@testable import MurmurationEngine

/// Legs that a kernel finds for many tracks of a tile at once, when the clock jumps.
@Suite("Legs of many tracks")
struct LegKernelTests {
  private static func playback(_ random: inout SplitMix64) -> Playback {
    let speeds = [1, -1, 0.3, -2.5, 0, 1e-9, 1e5]
    let offsets = [0, 0, 0, random.uniform(0...4), random.uniform(-4...0), -0.0]
    let counts: [Playback.Repetition] = [.forever, .forever, .count(1), .count(3), .count(1 << 50)]
    return Playback(
      start: random.next() % 2 == 0 ? nil : random.uniform(-10...10),
      delay: random.next() % 2 == 0 ? 0 : random.uniform(0...3),
      speed: speeds[Int(random.next() % UInt64(speeds.count))],
      repetition: counts[Int(random.next() % UInt64(counts.count))], autoreverses: random.next() % 2 == 0,
      timeOffset: offsets[Int(random.next() % UInt64(offsets.count))])
  }

  /// The number of tracks whose columns differ from their legs at the time of the batch. The interval of a waiting track is not
  /// compared: it may have been computed at another time.
  private static func check(_ batch: borrowing AnimationBatch<Float>, _ handles: [TrackHandle]) -> Int {
    let columns = batch.engine.clips.columns
    var wrong = 0
    for handle in handles {
      guard let index = batch.index(of: handle) else { continue }
      let leg = batch.engine.clips.leg(of: index, at: batch.time)
      guard leg.phase != .waiting else { continue }
      let expected = [leg.origin, leg.base, leg.rate, leg.from, leg.until]
      let found = [
        columns.kernel.origin[index], columns.kernel.base[index], columns.kernel.rate[index], columns.from[index],
        columns.until[index],
      ]
      wrong += zip(expected, found).contains { $0 != $1 } ? 1 : 0
    }
    return wrong
  }

  @Test("Tracks that jump get the bits of those that are placed one by one", arguments: KernelSet.available)
  func jumps(_ set: KernelSet) throws {
    var random = SplitMix64(seed: 97)
    var batch = try AnimationBatch<Float>(kernels: set)
    var twin = try AnimationBatch<Float>(kernels: set)
    // Tracks whose iterations are reported are placed one by one.
    twin.reports = .iterations
    let clips = try (1...4).map { try ClipTablesTests.clip(pieces: 3 * $0, seed: UInt64($0)) }
    let (ids, others) = (try clips.map { try batch.load($0) }, try clips.map { try twin.load($0) })
    let playbacks = (0..<500).map { _ in Self.playback(&random) }
    let handles = try batch.add(playing: playbacks.indices.map { ids[$0 % 4] }, playbacks)
    let twins = try twin.add(playing: playbacks.indices.map { others[$0 % 4] }, playbacks)
    for jump in 0..<60 {
      let time = jump % 6 == 5 ? Double(jump) : random.uniform(0...(jump % 3 == 0 ? 1e6 : 30))
      try batch.advance(to: time)
      try twin.advance(to: time)
      #expect(Self.check(batch, handles) == 0, "at \(time)")
      let (own, other) = (handles.map { batch[$0]?.bitPattern }, twins.map { twin[$0]?.bitPattern })
      #expect(own == other, "at \(time)")
      #expect(batch.events.count { $0.kind == .settled } == twin.events.count { $0.kind == .settled }, "at \(time)")
      for (handle, other) in zip(handles, twins) {
        let leg = batch.index(of: handle).map { batch.engine.clips.columns.states[$0].reportedLeg }
        let expected = twin.index(of: other).map { twin.engine.clips.columns.states[$0].reportedLeg }
        if leg != expected { Issue.record("leg \(leg ?? -1) instead of \(expected ?? -1) at \(time)") }
      }
    }
  }
}
