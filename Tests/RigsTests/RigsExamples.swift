// SPDX-License-Identifier: MIT
import Murmuration
import Rigs
import Testing

/// The examples of the module `Rigs`, word for word between the lines `example:` and `end`, and its calls in the README.
/// `DocumentationTests` and `ReadmeTests` compare them with the documents.
struct RigsExamples {
  @Test func theySayWhatTheyDo() throws {
    // Full pain hides the smile.
    #expect(try Self.mixer() == [Float](repeating: 9, count: 2_000))
    // Half of the smile, 1 and 2.5, and half of the pain.
    let read = try Self.mixerReading()
    #expect(read.prefix(2) == [5, 5.75] && read.suffix(2) == [5, 5.75])
    // 64 weights of a half for each output of 1.
    #expect(try Self.mixerOfManyWeights() == [Float](repeating: 32, count: 3_000))
    // The foot stands above the hip.
    #expect(try Array(Self.nodeMatrices()[47_996...]) == [0, 4, 0, 1])
    let pose = try Self.poseBlender()
    // Three quarters of the way from −0.5 to 0.5; q and −q are one rotation.
    #expect(pose[0] == 0.25 && pose[3_000] == 0.5 && pose[6_999] == 0.5)
  }

  @Test func theCallOfTheReadmeRuns() throws {
    var mixer = try Mixer(
      base: [0, 1], layers: [MixerLayer(.additive, trackCount: 1, shapes: [1, 2])], instances: 1)
    var outputs = [Float](repeating: 7, count: 2)
    // calls: Which call for which need
    try mixer.mix(into: &outputs)
    // end
    #expect(outputs == [0, 1])
  }

  /// A thousand tracks that stand at a value.
  private static func standing<Value: TrackValue>(_ value: Value) throws -> AnimationBatch<Value> {
    var batch = try AnimationBatch<Value>()
    try batch.add([Value](repeating: value, count: 1_000))
    return batch
  }

  private static func mixer() throws -> [Float] {
    let (shapes, mouth, pain, neutral): ([Float], [Float], [Float], [Float]) = (
      [1, 2, 3, 4], [1, 0.5], [9, 9], [0, 1]
    )
    let muscles = try standing(SIMD2<Float>(0.5, 0.5))
    let fades = try standing(SIMD2<Float>(1, 1))
    var outputs = [Float](repeating: 0, count: 2_000)
    // example: Sources/Rigs/Rigs.docc/Rigs.md
    let smile = MixerLayer(.additive, trackCount: 2, shapes: shapes, mask: mouth, isWeighted: true)
    let hurt = MixerLayer(.override, trackCount: 0, shapes: [], base: pain, isWeighted: true)
    var mixer = try Mixer(base: neutral, layers: [smile, hurt], instances: 1_000)
    try mixer.set(0..<2, from: muscles, indices: 0..<1_000)
    try mixer.set(2..<4, from: fades, indices: 0..<1_000)
    try mixer.mix(into: &outputs)
    // end
    return outputs
  }

  private static func mixerReading() throws -> [Float] {
    let muscles = try standing(SIMD2<Float>(0.5, 0.5))
    let fades = try standing(SIMD2<Float>(0.5, 0.5))
    let smile = MixerLayer(.additive, trackCount: 2, shapes: [1, 2, 3, 4], isWeighted: true)
    let hurt = MixerLayer(.override, trackCount: 0, shapes: [], base: [9, 9], isWeighted: true)
    var mixer = try Mixer(base: [0, 1], layers: [smile, hurt], instances: 1_000)
    var outputs = [Float](repeating: 0, count: 2_000)
    // example: Sources/Rigs/Rigs.docc/Rigs.md
    try mixer.reading(0..<2, from: muscles, indices: 0..<1_000) { mixer in
      try mixer.reading(2..<4, from: fades, indices: 0..<1_000) { mixer in
        try mixer.mix(into: &outputs)
      }
    }
    // end
    return outputs
  }

  private static func nodeMatrices() throws -> [Float] {
    // Half a turn about z at the hip, and none at the knee.
    var legs = try AnimationBatch<Components>(dimensions: 8)
    try legs.add([Components](repeating: [0, 0, 1, 0, 0, 0, 0, 1], count: 1_000))
    var upload = [Float](repeating: 0, count: 1_000 * 3 * 16)
    // example: Sources/Rigs/Rigs.docc/Rigs.md, Sources/Rigs/Nodes/NodeMatrices.swift
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
    return upload
  }

  private static func poseBlender() throws -> [Float] {
    let walk = try standing(Joint { _ in 0.5 })
    let run = try standing(Joint { _ in -0.5 })
    let (walkWeights, runWeights) = ([Float](repeating: 3, count: 1_000), [Float](repeating: 1, count: 1_000))
    var pose = [Float](repeating: 0, count: 7_000)
    // example: Sources/Rigs/Poses/PoseBlender.swift
    // A joint's position (3) and rotation (x, y, z, w).
    var blender = try PoseBlender(dimensions: 7, rotations: [3], instances: 1_000)
    try blender.add(walk, indices: 0..<1_000, weights: walkWeights.span)
    try blender.add(run, indices: 0..<1_000, weights: runWeights.span)
    try blender.finish(into: &pose)  // 7 columns of 1 000
    // end
    return pose
  }

  private static func mixerOfManyWeights() throws -> [Float] {
    let (shapes, mask, neutral) = (
      [Float](repeating: 1, count: 64 * 3), [Float](repeating: 1, count: 3), [Float](repeating: 0, count: 3)
    )
    let weights = try standing(SIMD64<Float>(repeating: 0.5))
    let fades = try standing(Float(1))
    var outputs = [Float](repeating: 0, count: 3_000)
    // example: Sources/Rigs/Mixer/Mixer.swift
    let faces = MixerLayer(.additive, trackCount: 64, shapes: shapes, mask: mask, isWeighted: true)
    var mixer = try Mixer(base: neutral, layers: [faces], instances: 1_000)
    try mixer.set(0..<64, from: weights, indices: 0..<1_000)  // 64 components of a batch, one instance a track
    try mixer.set(64..<65, from: fades, indices: 0..<1_000)  // the layer's weight
    try mixer.mix(into: &outputs)  // [1 000 × outputs]
    // end
    // example: Sources/Rigs/Mixer/Mixer+Inputs.swift
    try mixer.reading(0..<64, from: weights, indices: 0..<1_000) { mixer in
      try mixer.reading(64..<65, from: fades, indices: 0..<1_000) { mixer in
        try mixer.mix(into: &outputs)
      }
    }
    // end
    return outputs
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
