// SPDX-License-Identifier: MIT
import Reference

@testable import Murmuration

/// Two batches that get the same calls: of one all tiles are mixed, of the other each tile plays one clip.
final class Twins {
  private var random: SplitMix64
  private var mixed: KeyframeBatch
  private var plain: KeyframeBatch
  private let clips: (mixed: [ClipID], plain: [ClipID])
  private var handles: [(mixed: TrackHandle, plain: TrackHandle)] = []
  /// The time of the last change.
  private var floor = 0.0
  private(set) var calls: [String] = []
  private(set) var checks = 0

  var mixedTiles: Int { mixed.tiles.clips.count { $0 == PlaybackTiles.mixed } }

  init(seed: UInt64, _ set: KernelSet) throws {
    random = SplitMix64(seed: seed)
    let dimensions = seed % 2 == 0 ? 1 : 3
    var mixed = try KeyframeBatch(dimensions: dimensions, variations: seed % 4 == 0, kernels: set)
    var plain = try KeyframeBatch(dimensions: dimensions, variations: seed % 4 == 0)
    (mixed.rowsBeforeOwnTiles, plain.rowsBeforeOwnTiles) = (.max, 0)
    (mixed.computesVelocities, plain.computesVelocities) = (seed % 3 != 0, seed % 3 == 1)
    let clips = try MixedTileTests.clips(dimensions: dimensions, seed: seed)
    self.clips = (try clips.map { try mixed.load($0) }, try clips.map { try plain.load($0) })
    self.mixed = mixed
    self.plain = plain
    // One instance of each clip, and forty of one.
    for clip in clips.indices { try add(clip, random.playback()) }
    for _ in 0..<40 { try add(6, random.playback()) }
  }

  private func add(_ clip: Int, _ playback: Playback) throws {
    handles.append((try mixed.add(clips.mixed[clip], playback), try plain.add(clips.plain[clip], playback)))
  }

  /// Frames, most of them a sixtieth; and calls in between.
  func step() throws {
    let draw = random.unit()
    if draw < 0.6 {
      let now = mixed.time
      let time =
        draw < 0.45
        ? now + 1.0 / 60 : draw < 0.5 ? now + random.uniform(0...4) : random.uniform(floor...max(floor, now))
      calls.append("advance to \(time)")
      try mixed.advance(to: time)
      try plain.advance(to: time)
      return
    }
    floor = mixed.time
    let place = Int(random.next() % UInt64(handles.count))
    let (a, b) = handles[place]
    let kind = random.next() % 9
    calls.append("call \(kind) of \(a.index)")
    switch kind {
    case 0:
      try add(Int(random.next() % UInt64(clips.mixed.count)), random.playback())
    case 1:
      try mixed.remove(a)
      try plain.remove(b)
      handles.swapAt(place, handles.count - 1)
      handles.removeLast()
    case 2, 3:
      let clip = Int(random.next() % UInt64(clips.mixed.count))
      let (playback, changes) = (random.playback(), random.unit() < 0.5)
      try mixed.trigger(a, playback, clip: changes ? clips.mixed[clip] : nil)
      try plain.trigger(b, playback, clip: changes ? clips.plain[clip] : nil)
    case 4:
      let speed = random.uniform(-2...2)
      try mixed.retime(a, speed: speed)
      try plain.retime(b, speed: speed)
    case 5:
      if random.unit() < 0.5 {
        try mixed.pause(a)
        try plain.pause(b)
      } else {
        try mixed.resume(a)
        try plain.resume(b)
      }
    case 6:
      let progress = random.unit()
      try mixed.scrub(a, toProgress: progress)
      try plain.scrub(b, toProgress: progress)
    case 7:
      try mixed.cancel(a)
      try plain.cancel(b)
    default:
      if random.unit() < 0.3 {
        try mixed.compact()
        if random.unit() < 0.5 { try plain.compact() }
      } else if mixed.hasVariations {
        let factors = (0..<mixed.dimensions).map { _ in Float(random.uniform(-2...2)) }
        let (one, other) = ([a], [b])
        try mixed.setVariations(one.span, scales: factors.span, offsets: factors.span)
        try plain.setVariations(other.span, scales: factors.span, offsets: factors.span)
      }
    }
  }

  /// The first number that differs in a bit, after a frame at the same time; nil if none does.
  func fault() throws -> String? {
    try mixed.advance(to: mixed.time)
    try plain.advance(to: plain.time)
    for dimension in 0..<mixed.dimensions {
      let shown = (try Baked(shown: &mixed, dimension), try Baked(shown: &plain, dimension))
      for (index, (a, b)) in handles.enumerated() {
        let (value, velocity) = (shown.0.values[a.index], shown.0.velocities[a.index])
        let (expected, expectedVelocity) = (shown.1.values[b.index], shown.1.velocities[b.index])
        checks += 1
        if value.bitPattern != expected.bitPattern { return "\(a.index).\(dimension) shows \(value), not \(expected)" }
        if velocity.bitPattern != expectedVelocity.bitPattern {
          return "\(a.index).\(dimension) of \(index) moves at \(velocity), not \(expectedVelocity)"
        }
      }
    }
    return nil
  }
}
