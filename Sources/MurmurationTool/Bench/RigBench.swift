// SPDX-License-Identifier: MIT
import Foundation
import Murmuration
import Scenes

/// Whole frames of many instances of a rig's animation, each at a time of its own: 24 joints that turn and a root that
/// moves too, 24 keys a second, all components. What files hold is much like it.
struct RigBench {
  private static let joints = 24
  private static let frame = 1.0 / 60

  private let keys: Int
  private let instances: Int
  private let rounds: Int

  /// - Parameters:
  ///   - keys: Keys of each joint.
  ///   - instances: Instances, each at another time.
  ///   - rounds: Frames of each kind.
  init(keys: Int, instances: Int, rounds: Int) {
    self.keys = keys
    self.instances = instances
    self.rounds = rounds
  }

  /// Playing forward, values and values with velocities, and a copy of as many bytes beside each; a component of an
  /// instance counts as a track.
  func measure() throws -> [OperationResult] {
    let animation = Self.animation(keys: keys)
    var spare = GLTFAnimation.pieceLimit
    let clip = try animation.clip(spare: &spare)
    var batch = try KeyframeBatch(dimensions: clip.dimensions, reservingCapacity: instances)
    var random = SplitMix64(seed: 42)
    let playbacks = (0..<instances).map { _ in
      Playback(repetition: .forever, timeOffset: random.uniform(0...clip.duration))
    }
    let handles = try batch.add(try batch.load(clip), playbacks.span)
    let components = instances * clip.dimensions
    let clock = ContinuousClock()
    var results: [OperationResult] = []
    for velocities in [false, true] {
      batch.computesVelocities = velocities
      try batch.advance(by: Self.frame)
      let copy = CopyYardstick.nanosecondsPerByte(movingBytes: batch.bytesPerFrame) * Double(batch.bytesPerFrame)
      var frames: [Double] = []
      for _ in 0..<rounds {
        let duration = try clock.measure { try batch.advance(by: Self.frame) }
        frames.append(Double(duration.components.attoseconds) * 1e-9)
      }
      for handle in handles {
        try Self.check(batch, handle, animation)
      }
      let name = "rig.\(keys)-keys\(velocities ? ".velocity" : "")"
      results.append(
        OperationResult(name, tracks: components, called: components, frames, ratio: copy / (frames.min() ?? .nan)))
      results.append(OperationResult("\(name).copy", tracks: components, called: components, [copy]))
    }
    return results
  }

  /// A figure counts only if what was timed was right.
  private static func check(
    _ batch: borrowing KeyframeBatch, _ handle: TrackHandle, _ animation: GLTFAnimation
  ) throws {
    guard let time = try batch.localTime(of: handle) else { return }
    var values = [Float](repeating: 0, count: batch.dimensions)
    var span = values.mutableSpan
    try batch.copyValues(of: handle, into: &span)
    let expected = GLTFReference.values(of: animation, at: time)
    for (dimension, value) in values.enumerated() where !(abs(Double(value) - expected[dimension]) < 1e-4) {
      throw BenchError.disagreement(row: handle.index, kernel: value, scalar: expected[dimension])
    }
  }

  /// Joints that swing around axes of their own, and a root that moves.
  private static func animation(keys: Int) -> GLTFAnimation {
    var random = SplitMix64(seed: 5)
    let times = (0..<keys).map { Double($0) / 24 }
    var channels: [GLTFAnimation.Channel] = []
    for joint in 0..<joints {
      let axis = SIMD3(random.uniform(-1...1), random.uniform(-1...1), random.uniform(0.1...1))
      let unit = axis / (axis * axis).sum().squareRoot()
      let (reach, pace, start) = (random.uniform(0.2...1.2), random.uniform(2...9), random.uniform(0...6))
      let values = times.flatMap { time in
        let half = reach * sin(pace * time + start) / 2
        return [unit.x * sin(half), unit.y * sin(half), unit.z * sin(half), cos(half)]
      }
      let sampler = GLTFAnimation.Sampler(interpolation: .linear, times: times, width: 4, values: values)
      channels.append(
        GLTFAnimation.Channel(
          index: joint, node: joint, nodeName: "joint\(joint)", path: .rotation, sampler: sampler))
    }
    let places = (0..<3 * keys).map { _ in random.uniform(-50...50) }
    let sampler = GLTFAnimation.Sampler(interpolation: .linear, times: times, width: 3, values: places)
    channels.append(
      GLTFAnimation.Channel(
        index: joints, node: 0, nodeName: "joint0", path: .translation, sampler: sampler))
    return GLTFAnimation(index: 0, name: "rig", channels: channels)
  }
}
