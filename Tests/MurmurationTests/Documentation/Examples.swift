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

  static func modalMotion(_ print: inout Printer) throws {
    // example: Sources/Murmuration/Murmuration.docc/Articles/ModalMotion.md, Sources/Murmuration/Matrices/ModalBatch.swift
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

  static func mixer() throws -> [Float] {
    let (shapes, mouth, pain, neutral): ([Float], [Float], [Float], [Float]) = (
      [1, 2, 3, 4], [1, 0.5], [9, 9], [0, 1]
    )
    var muscles = try AnimationBatch<SIMD2<Float>>()
    try muscles.add([SIMD2<Float>](repeating: [0.5, 0.5], count: 1_000))
    var fades = try AnimationBatch<SIMD2<Float>>()
    try fades.add([SIMD2<Float>](repeating: [1, 1], count: 1_000))
    var result = [Float](repeating: 0, count: 2_000)
    var outputs = result.mutableSpan
    // example: Sources/Murmuration/Murmuration.docc/Articles/Matrices.md
    let smile = MixerLayer(.additive, trackCount: 2, shapes: shapes, mask: mouth, isWeighted: true)
    let hurt = MixerLayer(.override, trackCount: 0, shapes: [], base: pain, isWeighted: true)
    var mixer = try Mixer(base: neutral, layers: [smile, hurt], instances: 1_000)
    try mixer.set(0..<2, from: muscles, indices: 0..<1_000)
    try mixer.set(2..<4, from: fades, indices: 0..<1_000)
    try mixer.mix(into: &outputs)
    // end
    return result
  }

  static func mixerReading() throws -> [Float] {
    var muscles = try AnimationBatch<SIMD2<Float>>()
    try muscles.add([SIMD2<Float>](repeating: [0.5, 0.5], count: 1_000))
    var fades = try AnimationBatch<SIMD2<Float>>()
    try fades.add([SIMD2<Float>](repeating: [0.5, 0.5], count: 1_000))
    let smile = MixerLayer(.additive, trackCount: 2, shapes: [1, 2, 3, 4], isWeighted: true)
    let hurt = MixerLayer(.override, trackCount: 0, shapes: [], base: [9, 9], isWeighted: true)
    var mixer = try Mixer(base: [0, 1], layers: [smile, hurt], instances: 1_000)
    var result = [Float](repeating: 0, count: 2_000)
    // example: Sources/Murmuration/Murmuration.docc/Articles/Matrices.md
    try mixer.reading(0..<2, from: muscles, indices: 0..<1_000) { mixer in
      try mixer.reading(2..<4, from: fades, indices: 0..<1_000) { mixer in
        var outputs = result.mutableSpan
        try mixer.mix(into: &outputs)
      }
    }
    // end
    return result
  }

  static func nodeMatrices() throws -> [Float] {
    // Half a turn about z at the hip, and none at the knee.
    var legs = try AnimationBatch<Components>(dimensions: 8)
    try legs.add([Components](repeating: [0, 0, 1, 0, 0, 0, 0, 1], count: 1_000))
    var result = [Float](repeating: 0, count: 1_000 * 3 * 16)
    var upload = result.mutableSpan
    // example: Sources/Murmuration/Murmuration.docc/Articles/Matrices.md, Sources/Murmuration/Matrices/NodeMatrices.swift
    let rig = try NodeHierarchy([
      NodeHierarchy.Node(),  // a hip
      NodeHierarchy.Node(parent: 0, translation: [0, -2, 0]),  // the knee below it
      NodeHierarchy.Node(parent: 1, translation: [0, -2, 0]),  // the foot
    ])
    let channels = [
      NodeChannel(node: 0, property: .rotation, dimension: 0), NodeChannel(node: 1, property: .rotation, dimension: 4),
    ]
    var matrices = try NodeMatrices(rig, channels: channels, dimensions: 8)
    try matrices.compute(legs, indices: 0..<1_000, into: &upload)  // [instance][node][16]
    // end
    return result
  }

  static func poseBlender() throws -> [Float] {
    var walk = try AnimationBatch<Joint>()
    var run = try AnimationBatch<Joint>()
    try walk.add((0..<1_000).map { _ in Joint { _ in 0.5 } })
    try run.add((0..<1_000).map { _ in Joint { _ in -0.5 } })
    let (walkWeights, runWeights) = ([Float](repeating: 3, count: 1_000), [Float](repeating: 1, count: 1_000))
    var result = [Float](repeating: 0, count: 7_000)
    var pose = result.mutableSpan
    // example: Sources/Murmuration/Matrices/PoseBlender.swift
    // A joint's position (3) and rotation (x, y, z, w).
    var blender = try PoseBlender(dimensions: 7, rotations: [3], instances: 1_000)
    try blender.add(walk, indices: 0..<1_000, weights: walkWeights.span)
    try blender.add(run, indices: 0..<1_000, weights: runWeights.span)
    try blender.finish(into: &pose)  // 7 columns of 1 000
    // end
    return result
  }
}

/// A joint's position and rotation.
struct Joint: TrackValue {
  var (x, y, z): (Float, Float, Float)
  var (rotationX, rotationY, rotationZ, rotationW): (Float, Float, Float, Float)

  static var dimensions: Int { 7 }

  init(_ component: (Int) -> Float) {
    (x, y, z) = (component(0), component(1), component(2))
    (rotationX, rotationY, rotationZ, rotationW) = (component(3), component(4), component(5), component(6))
  }

  func component(_ dimension: Int) -> Float {
    [x, y, z, rotationX, rotationY, rotationZ, rotationW][dimension]
  }
}
