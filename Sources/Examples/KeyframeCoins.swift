// SPDX-License-Identifier: MIT
import Murmuration

/// A keyframe timeline of a struct, as SwiftUI has it, played by ten thousand coins.
enum KeyframeCoins {
  struct Pose: Animatable {
    var height = 0.0
    var squash = 1.0
    var turn = 0.0

    var animatableData: AnimatablePair<Double, AnimatablePair<Double, Double>> {
      get { AnimatablePair(height, AnimatablePair(squash, turn)) }
      set { (height, squash, turn) = (newValue.first, newValue.second.first, newValue.second.second) }
    }
  }

  static func run() throws -> Sketch {
    // One track for each property; its velocity is continuous from keyframe to keyframe.
    let toss = KeyframeTimeline(initialValue: Pose()) {
      KeyframeTrack(\.height) {
        CubicKeyframe(100, duration: 0.4)
        CubicKeyframe(0, duration: 0.4, endVelocity: -300)
        SpringKeyframe(0, duration: 0.6, spring: .bouncy)
      }
      KeyframeTrack(\.squash) {
        LinearKeyframe(0.7, duration: 0.08)
        SpringKeyframe(1, duration: 0.7, spring: .bouncy)
      }
      KeyframeTrack(\.turn) { LinearKeyframe(3, duration: 0.8) }
    }
    // Evaluated by hand at any time:
    print("The timeline lasts \(toss.duration) s and is \(toss.value(time: 0.2).height) high after 0.2 s.")

    // For many instances the timeline is compiled once, to cubic pieces with a stated error.
    let clip = try Clip(toss)
    var batch = try AnimationBatch<SIMD3<Float>>()
    let id = try batch.load(clip)
    let coins = try batch.add(
      playing: id,
      (0..<10_000).map {
        Playback(delay: 0.0002 * Double($0 / 2), speed: 0.9 + 0.1 * Double($0 % 3), repetition: .count(2))
      })

    var sketch = Sketch(150, 150)
    for frame in 0...150 {
      try batch.advance(to: Double(frame) / 60)
      if [5, 20, 40, 70, 100].contains(frame) {
        sketch.panel("\(frame) frames")
        for coin in stride(from: 0, to: coins.count, by: 400) {
          let (pose, x) = (batch[coins[coin]] ?? .zero, 8 + 134 * Float(coin) / Float(coins.count))
          let width = max(0.6, abs(5 * (1 - abs(pose.z.truncatingRemainder(dividingBy: 1) * 2 - 1) * 2)))
          sketch.box([x - width / 2, 138 - pose.x - 8 * pose.y], [width, 8 * pose.y], "#ca8a04")
        }
      }
    }
    print(
      "\(batch.count) coins play \(batch.clipCount) clip; \(batch.events.count) came to their ends in the last frame")
    return sketch
  }
}
