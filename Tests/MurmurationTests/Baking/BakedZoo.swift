// SPDX-License-Identifier: MIT
import MurmurationReference
import TestSupport

@testable import Murmuration

/// A batch with every kind of tile: springs of calls for many and for few, springs and slides with starts of their own, clips
/// that many and that few play, curves, sums, tracks that stand and that a hand holds, and holes. Neighbours by index are of
/// several kinds.
struct BakedZoo: ~Copyable {
  typealias Value = SIMD2<Float>
  var batch: AnimationBatch<Value>

  private init(_ batch: consuming AnimationBatch<Value>) { self.batch = batch }

  /// - Parameter count: Tracks, at least 400.
  init(count: Int = 700, kernels: KernelSet? = nil, seed: UInt64 = 11) throws {
    self.init(try Self.fill(count, kernels, seed))
  }

  private static func fill(_ count: Int, _ kernels: KernelSet?, _ seed: UInt64) throws -> AnimationBatch<Value> {
    var batch = try AnimationBatch<Value>(kernels: kernels)
    var draws = SplitMix64(seed: seed)
    func values(_ count: Int) -> [Value] {
      (0..<count).map { _ in Value { _ in Float(draws.uniform(-100...100)) } }
    }
    let tracks = try batch.add(values(count))
    let springs: [Animation] = [
      .spring(duration: 0.5, bounce: 0.4), .spring(duration: 0.9, bounce: -0.5), .spring(duration: 0), .smooth,
    ]
    // Many neighbours with one spring, and then tracks of all kinds in a mixed order.
    try batch.animate(Array(tracks[0..<200]), to: values(200), .bouncy)
    let clips = try (0..<20).map { number in
      try batch.load(
        try Clip(
          KeyframeTimeline(initialValue: Value(Float(number), -3)) {
            KeyframeTrack(\.x) {
              LinearKeyframe(Float(10 + number), duration: 0.3)
              CubicKeyframe(Float(-5), duration: 0.25)
            }
            KeyframeTrack(\.y) { SpringKeyframe(Float(number), duration: 0.4) }
          }))
    }
    var next = 200
    while next < count {
      let kind = draws.next() % 12
      let size = min(count - next, [1, 7, 1, 40, 1, 1, 9, 1, 30, 1, 2, 5][Int(kind)])
      let group = Array(tracks[next..<next + size])
      let animation = springs[Int(draws.next() % 4)]
      switch kind {
      case 0, 2: try batch.animate(group[0], to: values(1)[0], animation)
      case 1, 3: try batch.animate(group, to: values(size), animation)
      case 4: try batch.decelerate(group, velocities: values(1), by: .fast)
      case 5: try batch.play(clips[1 + Int(draws.next() % 19)], on: group, draws.playback(near: batch.time))
      case 6:
        let playbacks = group.indices.map { Playback(repetition: .forever, autoreverses: $0 % 2 == 0, timeOffset: 0.1) }
        try batch.play(group.map { _ in clips[0] }, on: group, playbacks)
        try batch.setVariations(of: group, scales: values(size), offsets: values(size))
        if draws.next() % 3 == 0 { try batch.pause(Array(group.prefix(2))) }
      case 7: try batch.set(group, values(1), velocities: values(1))
      case 8: try batch.animate(group, to: values(size), .easeInOut(duration: 0.7))
      case 9: try batch.animate(group[0], to: values(1)[0], .timingCurve(0.2, 0.4, 0.3, 1.4, duration: 0.5))
      case 10:
        try batch.animate(group, to: values(size), .easeOut(duration: 0.8))
        try batch.advance(by: 0.01)
        try batch.animate(group, to: values(size), .easeOut(duration: 0.8).speed(2))
      default: break
      }
      if draws.next() % 4 == 0 { try batch.advance(by: draws.uniform(0...0.02), velocities: draws.next() % 2 == 0) }
      next += size
    }
    for index in stride(from: 204, to: count, by: 37) { try batch.remove(tracks[index]) }
    return batch
  }

  /// Frames from the current time on.
  func frames(_ count: Int, perSecond: Double = 60, from first: Int = 7) -> BakeFrames {
    let start = batch.time - (Double(first) - 0.3) / perSecond
    return BakeFrames(first..<first + count, perSecond: perSecond, start: start)
  }
}

/// The numbers that a request bakes, as arrays.
extension Baked {
  init<Value>(
    _ batch: borrowing AnimationBatch<Value>, _ request: BakeRequest
  ) throws(BatchError) {
    let frameCount =
      switch request.moments {
      case .frames(let frames): frames.range.count
      case .times(let times): times.count
      }
    let components = request.components?.count ?? Value.dimensions
    try self.init(count: frameCount * request.indices.count * components) { values, velocities throws(BatchError) in
      try batch.bake(request, into: &values, velocities: &velocities)
    }
  }
}
