// SPDX-License-Identifier: MIT
import Reference

@testable import Murmuration

/// Instances of every kind: waiting, repeating, to and fro, backwards, over, paused, scrubbed, of values of their own, of
/// clips of their own; some changed since the last advance, some gone.
struct KeyframeZoo: ~Copyable {
  var batch: KeyframeBatch
  private var random: SplitMix64
  private var clips: [ClipID] = []

  static func make(
    count: Int, seed: UInt64 = 7, dimensions: Int = 2, variations: Bool = true, kernels: KernelSet? = nil
  ) throws -> KeyframeZoo {
    let batch = try KeyframeBatch(dimensions: dimensions, variations: variations, kernels: kernels)
    var zoo = KeyframeZoo(random: SplitMix64(seed: seed), batch)
    try zoo.load(seed: seed)
    try zoo.fill(count: count)
    return zoo
  }

  private init(random: SplitMix64, _ batch: consuming KeyframeBatch) {
    self.random = random
    self.batch = batch
  }

  private mutating func load(seed: UInt64) throws {
    let dimensions = batch.dimensions
    for (index, pieces) in [1, 5, 14, 16, 17, 32, 40, 2].enumerated() {
      let clip = try ClipTablesTests.clip(pieces: pieces, components: dimensions, seed: seed &+ UInt64(index))
      clips.append(try batch.load(clip))
    }
    let jump = PieceTrack(components: [0], times: [0, 0, 0], pieces: [[SIMD4(1, 0, 0, 0), SIMD4(2, 0, 0, 0)]])
    clips.append(
      try batch.load(
        Clip(dimensions: dimensions, initialValues: [Double](repeating: 3, count: dimensions), tracks: [jump])))
    let springy = try Clip(
      KeyframeTimeline(initialValue: SIMD2<Float>(0, 1)) {
        LinearKeyframe(SIMD2<Float>(5, 2), duration: 0.4)
        SpringKeyframe(SIMD2<Float>(-3, 1), duration: 0.6)
      })
    if dimensions == 2 { clips.append(try batch.load(springy)) }
  }

  private mutating func fill(count: Int) throws {
    for index in 0..<count {
      try batch.add(clips[Int(random.next() >> 1) % clips.count], index % 11 == 0 ? nil : playback())
      if index % 40 == 39 { try batch.advance(by: random.uniform(0...0.2)) }
      if index % 3 == 2 { try change(Int(random.next() >> 1) % (index + 1), choice: Int(random.next() % 9)) }
    }
    try batch.advance(by: 0.1)
    // These show with the next advance.
    for index in stride(from: 0, to: count, by: 7) { try change(index, choice: Int(random.next() % 9)) }
  }

  private mutating func playback() -> Playback {
    var playback = random.playback(near: batch.time)
    if random.unit() < 0.1 { playback.speed = 40 }
    return playback
  }

  private mutating func change(_ index: Int, choice: Int) throws {
    guard let handle = batch.handle(atIndex: index) else { return }
    switch choice {
    case 0: try batch.pause(handle)
    case 1: try batch.resume(handle)
    case 2: try batch.retime(handle, speed: random.uniform(-2...2))
    case 3: try batch.scrub(handle, toProgress: random.unit())
    case 4: try batch.remove(handle)
    case 5: try batch.cancel(handle)
    case 6: try? batch.trigger(handle, playback(), from: .current)
    case 7: try batch.trigger(handle, playback())
    default:
      let own = (0..<batch.dimensions).map { _ in Float(random.uniform(-9...9)) }
      let handles = [handle]
      try batch.set(handles.span, to: own.span)
      if batch.hasVariations {
        let factors = (0..<batch.dimensions).map { _ in Float(random.uniform(-2...2)) }
        try batch.setVariations(handles.span, scales: factors.span, offsets: own.span)
      }
    }
  }
}
