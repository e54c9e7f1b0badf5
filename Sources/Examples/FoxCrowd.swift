// SPDX-License-Identifier: MIT
import Formats
import Murmuration
import Rigs
import Scenes

/// A crowd of foxes from a glTF file: each blends a walk and a run by weights of its own, which a spring animates.
enum FoxCrowd {
  static let count = 1_000

  static func run() throws -> Sketch {
    let document = try GLTFDocument(path: "Tests/Fixtures/fox.gltf")
    let file = try GLTFScene(document)
    let (walking, running) = (file.parts[1], file.parts[2])
    var walk = try batch(playing: walking)
    var run = try batch(playing: running)

    // The weights of walk and run, which a spring without bounce keeps within 0 and 1.
    var weights = try AnimationBatch<SIMD2<Float>>()
    let foxes = try weights.add([SIMD2<Float>](repeating: [1, 0], count: count))
    // Both clips move the same joints; rotations are blended as quaternions.
    let rotations = walking.labels.indices.filter { walking.labels[$0].hasSuffix("rotation.x") }
    var blender = try PoseBlender(dimensions: walking.labels.count, rotations: rotations, instances: count)
    var poses = [Float](repeating: 0, count: walking.labels.count * count)

    var sketch = Sketch(190, 120)
    for frame in 0...72 {
      // The back half of the crowd begins to run.
      if frame == 18 {
        try weights.animate(Array(foxes[(count / 2)...]), to: [0, 1], .smooth(duration: 0.6))
      }
      let time = Double(frame) / 60
      try walk.advance(to: time)
      try run.advance(to: time)
      try weights.advance(to: time)
      blender.removeAll()
      try blender.add(walk, indices: 0..<count, weights: weights, dimension: 0)
      try blender.add(run, indices: 0..<count, weights: weights, dimension: 1)
      try blender.finish(into: &poses)
      if frame % 18 == 0 {
        sketch.panel("\(frame) frames")
        draw(0, at: [55, 95], poses, document, &sketch)
        draw(count - 1, at: [145, 95], poses, document, &sketch)
      }
    }
    print("\(count) foxes of \(walking.labels.count) values each, blended from two clips in every frame")
    return sketch
  }

  /// A batch in which each fox is at another point of its stride.
  private static func batch(playing part: GLTFScene.Part) throws -> AnimationBatch<Components> {
    var batch = try AnimationBatch<Components>(dimensions: part.labels.count)
    let strides = (0..<count).map { Playback(repetition: .forever, timeOffset: 0.618 * Double($0)) }
    try batch.add(playing: try batch.load(part.clip), strides)
    return batch
  }

  /// Draws the bones of a fox, seen from its side.
  private static func draw(
    _ fox: Int, at place: SIMD2<Float>, _ poses: [Float], _ file: GLTFDocument, _ sketch: inout Sketch
  ) {
    let animation = file.animations[1]
    let skeleton = Skeleton(file.nodes, width: animation.components) { node, path, component in
      var first = 0
      for channel in animation.channels {
        if channel.node == node, channel.path == path { return first + component }
        first += channel.sampler.width
      }
      return nil
    }
    var (positions, transforms): ([SIMD3<Float>], [Transform]) = ([], [])
    // The blender writes columns: value i of all foxes, then value i + 1.
    skeleton.pose({ poses[$0 * count + fox] }, into: &positions, &transforms)
    for bone in skeleton.bones {
      let ends = [bone.from, bone.to].map { place + [positions[$0].z, -positions[$0].y] * 0.7 }
      sketch.line(ends, "#c2410c")
    }
  }
}
