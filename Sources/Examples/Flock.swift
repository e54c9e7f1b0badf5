// SPDX-License-Identifier: MIT
import Foundation
import Murmuration

/// A hundred thousand springs that follow a pointer, on all cores.
enum Flock {
  static let count = 100_000

  static func run() throws -> Sketch {
    var batch = try AnimationBatch<SIMD2<Float>>()
    // The frames have the same bits for any number of threads.
    batch.threadCount = ProcessInfo.processInfo.activeProcessorCount

    // A place in the flock for each bird, and a spring of its own: some follow faster than others.
    let golden = Float.pi * (3 - Float(5).squareRoot())
    let places = (0..<count).map { index in
      28 * (Float(index) / Float(count)).squareRoot() * SIMD2(cos(golden * Float(index)), sin(golden * Float(index)))
    }
    let springs = (0..<count).map { Spring(duration: 0.5 + Double($0 % 97) / 97, bounce: 0.2) }
    let birds = try batch.add(places.map { $0 + [40, 75] })
    try batch.animate(birds, to: places.map { $0 + [40, 75] }, springs: springs)

    var sketch = Sketch(150, 150)
    var goals = places
    var (longest, total) = (Duration.zero, Duration.zero)
    let clock = ContinuousClock()
    for frame in 1...120 {
      let time = Double(frame) / 60
      // The pointer moves on a circle; every sixth frame the flock hears of it.
      let pointer = SIMD2<Float>(75 + 38 * Float(cos(3 * time + .pi)), 75 + 38 * Float(sin(3 * time)))
      let spent = try clock.measure {
        if frame % 6 == 0 {
          for index in goals.indices { goals[index] = places[index] + pointer }
          try batch.retarget(.all, to: goals)  // each keeps its spring, its value and its velocity
        }
        try batch.advance(to: time)
      }
      (longest, total) = (max(longest, spent), total + spent)
      if frame % 24 == 0 {
        sketch.panel("\(frame) frames")
        for bird in stride(from: 0, to: count, by: 397) { sketch.dot(batch[birds[bird]] ?? .zero, 0.8, "#334155") }
        sketch.dot(pointer, 4, "#dc2626")
      }
    }
    print("\(count) springs, 120 frames: \(total / 120) a frame on average, \(longest) at most")
    return sketch
  }
}
