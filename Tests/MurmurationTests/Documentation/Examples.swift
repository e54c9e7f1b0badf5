// SPDX-License-Identifier: MIT
import Murmuration

// The examples of the documentation, word for word between the lines `example:` and `end`, so that the compiler reads them.
// `DocumentationTests` runs them, and compares them with the documents.

/// Takes what an example prints.
struct Printer {
  private(set) var printed: [Double] = []

  mutating func callAsFunction(_ value: Float) { printed.append(Double(value)) }
  mutating func callAsFunction(_ value: Double) { printed.append(value) }
  mutating func callAsFunction(_ value: Int) { printed.append(Double(value)) }
}

enum Examples {
  static func readme(_ print: inout Printer) throws {
    // example: README.md
    var batch = try AnimationBatch<SIMD2<Float>>()
    let dots = try batch.add([SIMD2<Float>](repeating: .zero, count: 100_000))
    let goals = (0..<100_000).map { SIMD2(Float($0 % 640), Float($0 / 640)) }
    try batch.animate(dots, to: goals, .bouncy)
    for frame in 1...60 {
      try batch.advance(to: Double(frame) / 60)
      if frame % 15 == 0, let dot = batch[dots[42]] { print(dot.x) }
    }
    try batch.animate(dots[42], to: [0, 0], .smooth)  // keeps value and velocity
    print(Spring.bouncy.value(target: 42.0, time: 0.25))  // the same motion, one value in Double
    // end
  }

  static func landingPage() throws -> Double {
    // example: Sources/Murmuration/Murmuration.docc/Murmuration.md
    // One value, by hand: the model.
    let x = Spring.bouncy.value(target: 100.0, time: 0.25)

    // A hundred thousand: a batch.
    var batch = try AnimationBatch<SIMD2<Float>>()
    let dots = try batch.add([SIMD2<Float>](repeating: .zero, count: 100_000))
    try batch.animate(dots, to: dots.map { SIMD2(Float($0.index % 640), 100) }, .bouncy)
    var vertices = [SIMD2<Float>](repeating: .zero, count: 100_000)
    for frame in 1...60 {
      try batch.advance(to: Double(frame) / 60)
      try batch.copyValues(into: &vertices)
    }
    // end
    return x
  }

  static func animatedValue(_ print: inout Printer) {
    // example: Sources/AnimationModel/Animations/AnimatedValue.swift
    var height = AnimatedValue(0.0)
    height.retarget(to: 100, with: .smooth, at: 0)
    height.retarget(to: 40, with: .bouncy, at: 0.2)  // keeps position and velocity
    print(height.value(at: 0.3))
    // end
  }

  static func keyframeTimeline(_ print: inout Printer) {
    // example: Sources/AnimationModel/Timelines/KeyframeTimeline.swift
    let hop = KeyframeTimeline(initialValue: 0.0) {
      CubicKeyframe(100, duration: 0.3)
      SpringKeyframe(0, spring: .bouncy)
    }
    print(hop.value(time: 0.15))
    // end
  }

  static func keyframePlayer(_ print: inout Printer) {
    // example: Sources/AnimationModel/Timelines/KeyframePlayer.swift
    var hop = KeyframePlayer(initialValue: 0.0) { start in
      CubicKeyframe(start + 20, duration: 0.2)
    }
    hop.trigger(at: 3)
    print(hop.value(at: 3.1))
    // end
  }
}
