// SPDX-License-Identifier: MIT
import Reference

@testable import Murmuration

/// Two batches that get the same calls: one computes velocities with each frame, the other when they are read, which may be
/// at once or between any calls.
final class VelocityTwins {
  private var random: SplitMix64
  private var eager: KeyframeBatch
  private var lazy: KeyframeBatch
  private let clips: (eager: [ClipID], lazy: [ClipID])
  private var handles: [(eager: TrackHandle, lazy: TrackHandle)] = []
  private(set) var calls: [String] = []
  private(set) var checks = 0

  init(seed: UInt64) throws {
    random = SplitMix64(seed: seed)
    let dimensions = seed % 2 == 0 ? 1 : 3
    var eager = try KeyframeBatch(dimensions: dimensions, variations: seed % 4 == 0)
    var lazy = try KeyframeBatch(dimensions: dimensions, variations: seed % 4 == 0)
    eager.rowsBeforeOwnTiles = [.max, 0, 3][Int(seed % 3)]
    lazy.rowsBeforeOwnTiles = eager.rowsBeforeOwnTiles
    lazy.computesVelocities = false
    let clips = try MixedTileTests.clips(dimensions: dimensions, seed: seed)
    self.clips = (try clips.map { try eager.load($0) }, try clips.map { try lazy.load($0) })
    self.eager = eager
    self.lazy = lazy
    for _ in 0..<30 { try add() }
  }

  private func add() throws {
    let clip = Int(random.next() % UInt64(clips.eager.count))
    let playback = random.unit() < 0.1 ? nil : random.playback()
    handles.append((try eager.add(clips.eager[clip], playback), try lazy.add(clips.lazy[clip], playback)))
  }

  /// A frame, or a call.
  func step() throws {
    if handles.isEmpty || random.unit() < 0.05 { try add() }
    guard random.unit() < 0.75 else {
      let time = eager.time + (random.unit() < 0.2 ? 0 : random.uniform(0...0.7))
      calls.append("advance to \(time)")
      try eager.advance(to: time)
      try lazy.advance(to: time)
      return
    }
    let place = Int(random.next() % UInt64(handles.count))
    let (a, b) = handles[place]
    let kind = random.next() % 11
    calls.append("call \(kind) of \(a.index)")
    switch kind {
    case 0: try add()
    case 1:
      try eager.remove(a)
      try lazy.remove(b)
      handles.swapAt(place, handles.count - 1)
      handles.removeLast()
    case 2, 3:
      let clip = Int(random.next() % UInt64(clips.eager.count))
      let (playback, changes) = (random.playback(), random.unit() < 0.7)
      try eager.trigger(a, playback, clip: changes ? clips.eager[clip] : nil)
      try lazy.trigger(b, playback, clip: changes ? clips.lazy[clip] : nil)
    case 4:
      let speed = random.uniform(-2...2)
      try eager.retime(a, speed: speed)
      try lazy.retime(b, speed: speed)
    case 5:
      try eager.pause(a)
      try lazy.pause(b)
    case 6:
      try eager.resume(a)
      try lazy.resume(b)
    case 7:
      let progress = random.unit()
      try eager.scrub(a, toProgress: progress)
      try lazy.scrub(b, toProgress: progress)
    case 8:
      try eager.cancel(a)
      try lazy.cancel(b)
    case 9:
      let value = (0..<eager.dimensions).map { _ in Float(random.uniform(-5...5)) }
      let (one, other) = ([a], [b])
      try eager.set(one.span, to: value.span)
      try lazy.set(other.span, to: value.span)
    default: try changeAll(a, b)
    }
  }

  /// What concerns more than an instance's state.
  private func changeAll(_ a: TrackHandle, _ b: TrackHandle) throws {
    let draw = random.unit()
    if draw < 0.1 {
      calls.append("remove all")
      eager.removeAll()
      lazy.removeAll()
      handles = []
      for _ in 0..<20 { try add() }
    } else if draw < 0.2 {
      calls.append("compact")
      try eager.compact()
      try lazy.compact()
    } else if draw < 0.4 {
      calls.append("scrub all")
      let times = (0..<eager.indexCount).map { _ in random.unit() }
      try eager.scrubAll(to: times.span)
      try lazy.scrubAll(to: times.span)
    } else if eager.hasVariations {
      let factors = (0..<eager.dimensions).map { _ in Float(random.uniform(-2...2)) }
      let (one, other) = ([a], [b])
      try eager.setVariations(one.span, scales: factors.span, offsets: factors.span)
      try lazy.setVariations(other.span, scales: factors.span, offsets: factors.span)
    }
  }

  /// The first number that differs in a bit, nil if none does. Velocities are looked at now and then only, so that some
  /// frames and calls pass before they are.
  func fault() throws -> String? {
    let readsVelocities = random.unit() < 0.4
    for dimension in 0..<eager.dimensions {
      for isVelocity in readsVelocities ? [true, false] : [false] {
        let shown = isVelocity ? try lazy.velocities(dimension) : try lazy.values(dimension)
        let expected = isVelocity ? try eager.velocities(dimension) : try eager.values(dimension)
        for (a, b) in handles {
          checks += 1
          if shown[b.index].bitPattern != expected[a.index].bitPattern {
            let name = isVelocity ? "velocity" : "value"
            return "\(name) \(dimension) of \(a.index) is \(shown[b.index]), not \(expected[a.index])"
          }
        }
      }
    }
    return nil
  }
}
