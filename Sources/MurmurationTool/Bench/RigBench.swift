// SPDX-License-Identifier: MIT
import Bench
import Formats
import Foundation
import Murmuration
import Scenes

/// Whole frames of many instances of a rig's animation, each at a time of its own: 24 joints that turn and a root that also
/// moves, with 24 keys a second, all components. Files are much alike. The wide rig has few instances, and 64 joints that
/// turn, move and grow; the narrow rig has few instances, and 21 joints that turn, each with keys at times of its own.
struct RigBench {
  private let animation: GLTFAnimation
  private let name: String
  private let instances: Int
  private let rounds: Int

  /// - Parameters:
  ///   - keys: The number of keys of each joint.
  ///   - instances: The number of instances, each at another time.
  ///   - rounds: The number of frames of each kind.
  init(keys: Int, instances: Int, rounds: Int) {
    let paths = (0..<24).map { ($0, GLTFAnimation.Path.rotation) } + [(0, .translation)]
    animation = Self.animation(keys: keys, paths)
    name = "rig.\(keys)-keys"
    (self.instances, self.rounds) = (instances, rounds)
  }

  /// Instances of a wide rig with 25 keys.
  init(wide instances: Int, rounds: Int) {
    let paths = (0..<64).flatMap { joint in
      [GLTFAnimation.Path.rotation, .translation, .scale].map { (joint, $0) }
    }
    animation = Self.animation(keys: 25, paths)
    name = "rig.wide.\(instances)-instances"
    (self.instances, self.rounds) = (instances, rounds)
  }

  /// Instances of a narrow rig with 25 keys.
  init(narrow instances: Int, rounds: Int) {
    let paths = (0..<21).map { ($0, GLTFAnimation.Path.rotation) }
    animation = Self.animation(keys: 25, paths, timesDiffer: true)
    name = "rig.narrow.\(instances)-instances"
    (self.instances, self.rounds) = (instances, rounds)
  }

  /// The rows of the rig; see `ClipBench`.
  func measure() throws -> [OperationResult] {
    var spare = GLTFAnimation.pieceLimit
    let clip = try animation.clip(spare: &spare)
    return try ClipBench(name, clip, instances: instances, rounds: rounds).measure {
      GLTFReference.values(of: animation, at: $0)
    }
  }

  /// Joints that swing around axes of their own, and joints that move or grow from key to key.
  private static func animation(
    keys: Int, _ paths: [(joint: Int, path: GLTFAnimation.Path)], timesDiffer: Bool = false
  ) -> GLTFAnimation {
    var random = SplitMix64(seed: 5)
    let channels = paths.enumerated().map { index, channel in
      let last = keys - 1
      let times = (0..<keys).map { key in
        (Double(key) + (timesDiffer && key > 0 && key < last ? random.uniform(-0.4...0.4) : 0)) / 24
      }
      let values =
        channel.path == .rotation
        ? swing(times, &random) : (0..<3 * keys).map { _ in random.uniform(-50...50) }
      let sampler = GLTFAnimation.Sampler(
        interpolation: .linear, times: times, width: values.count / keys, values: values)
      return GLTFAnimation.Channel(
        index: index, node: channel.joint, nodeName: "joint\(channel.joint)", path: channel.path, sampler: sampler)
    }
    return GLTFAnimation(index: 0, name: "rig", channels: channels)
  }

  private static func swing(_ times: [Double], _ random: inout SplitMix64) -> [Double] {
    let axis = SIMD3(random.uniform(-1...1), random.uniform(-1...1), random.uniform(0.1...1))
    let unit = axis / (axis * axis).sum().squareRoot()
    let (reach, pace, start) = (random.uniform(0.2...1.2), random.uniform(2...9), random.uniform(0...6))
    return times.flatMap { time in
      let half = reach * sin(pace * time + start) / 2
      return [unit.x * sin(half), unit.y * sin(half), unit.z * sin(half), cos(half)]
    }
  }
}
