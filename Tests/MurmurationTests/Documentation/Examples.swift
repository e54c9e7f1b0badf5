// SPDX-License-Identifier: MIT
import Murmuration

// The examples of the documentation, word for word between the lines `example:` and `end`, so that the compiler reads them.
// `DocumentationTests` runs them, and compares them with what the documents show.

/// Takes what an example prints.
struct Printer {
  private(set) var printed: [Double] = []

  mutating func callAsFunction(_ value: Float) { printed.append(Double(value)) }
  mutating func callAsFunction(_ value: Double) { printed.append(value) }
}

enum Examples {
  static func readme(_ print: inout Printer) throws {
    // example: README.md
    var batch = try SpringBatch(dimensions: 2)
    let start = [Float](repeating: 0, count: 200_000)  // x of 100 000 tracks, then y
    let goal = (0..<200_000).map { Float($0 % 640) }
    let tracks = try batch.add(.bouncy, values: start.span, targets: goal.span)
    for frame in 1...60 {
      try batch.advance(to: Double(frame) / 60)
      try batch.withValues(dimension: 0) { x in print(x[42]) }  // a column, not copied
    }
    try batch.retarget(tracks[42], to: SIMD2(0, 0), spring: .smooth)  // keeps value and velocity
    print(Spring.bouncy.value(target: 640.0, time: 0.25))  // the same motion, one value in Double
    // end
  }

  static func landingPage() throws -> Double {
    // example: Sources/Murmuration/Murmuration.docc/Murmuration.md
    // One value, by hand: the model.
    let x = Spring.bouncy.value(target: 100.0, time: 0.25)

    // A hundred thousand: a batch.
    var batch = try SpringBatch(dimensions: 2, reservingCapacity: 100_000)
    let start = [Float](repeating: 0, count: 200_000)
    let goal = (0..<200_000).map { Float($0 % 640) }
    try batch.add(.bouncy, values: start.span, targets: goal.span)
    for frame in 1...60 {
      try batch.advance(to: Double(frame) / 60)
      try batch.withValues(dimension: 0) { x in _ = x[0] }
    }
    // end
    return x
  }

  static func springBatch(_ print: inout Printer) throws {
    // example: Sources/Murmuration/Springs/SpringBatch.swift
    var batch = try SpringBatch(dimensions: 2)
    let handle = try batch.add(.bouncy, value: SIMD2(0, 0), target: SIMD2(100, 50))
    try batch.advance(to: 0.25)
    try batch.retarget(handle, to: SIMD2(0, 50))  // keeps value and velocity
    try batch.advance(to: 0.5)
    let position = try batch.value(of: handle, as: SIMD2<Float>.self)
    // end
    print(position.x)
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
    // example: Sources/AnimationModel/Keyframes/KeyframeTimeline.swift
    let hop = KeyframeTimeline(initialValue: 0.0) {
      CubicKeyframe(100, duration: 0.3)
      SpringKeyframe(0, spring: .bouncy)
    }
    print(hop.value(time: 0.15))
    // end
  }

  static func keyframePlayer(_ print: inout Printer) {
    // example: Sources/AnimationModel/Keyframes/KeyframePlayer.swift
    var hop = KeyframePlayer(initialValue: 0.0) { start in
      CubicKeyframe(start + 20, duration: 0.2)
    }
    hop.trigger(at: 3)
    print(hop.value(at: 3.1))
    // end
  }

  static func modalMotion(_ print: inout Printer) throws {
    // example: Sources/Murmuration/Murmuration.docc/Articles/ModalMotion.md
    let cloth = try SpringNetwork.cloth(
      columns: 40, rows: 40, stiffness: 900, shearStiffness: 300, damping: .ratio(0.02))
    var batch = try ModalBatch(ModalBasis(cloth, modes: 200), instances: 100)
    try batch.pluck(instance: 3, point: 820, by: 2)
    try batch.advance(to: 1.0 / 60)
    var positions = [Float](repeating: 0, count: 100 * 1600)
    var span = positions.mutableSpan
    try batch.copyPositions(into: &span)
    // end
    print(span[3 * 1600 + 820])
    print(span[2 * 1600 + 820])
  }
}
