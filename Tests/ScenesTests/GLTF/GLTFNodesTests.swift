// SPDX-License-Identifier: MIT
@testable import Formats
import Foundation
import Murmuration
import Rigs
import TestSupport
import Testing

@testable import Scenes

/// The nodes and skins of files, against the formulas of the glTF specification in Double.
struct GLTFNodesTests {
  /// The world matrices of the nodes with a pose in Double: products of matrices of four by four.
  private static func worlds(_ document: GLTFDocument, _ animation: GLTFAnimation, _ pose: [Double]) -> [[Double]] {
    var local: [[Double]] = document.nodes.map { node in
      node.matrix ?? compose(node.translation ?? [0, 0, 0], node.rotation ?? [0, 0, 0, 1], node.scale ?? [1, 1, 1])
    }
    for index in document.nodes.indices {
      let node = document.nodes[index]
      var (t, r) = (node.translation ?? [0, 0, 0], node.rotation ?? [0, 0, 0, 1])
      var (s, first, isMoved) = (node.scale ?? [1, 1, 1], 0, false)
      for channel in animation.channels {
        let values = Array(pose[first..<first + channel.sampler.width])
        first += channel.sampler.width
        guard channel.node == index else { continue }
        isMoved = true
        switch channel.path {
        case .translation: t = values
        case .rotation: r = values
        case .scale: s = values
        case .weights, .pointer: break
        }
      }
      if isMoved { local[index] = compose(t, r, s) }
    }
    var worlds = [[Double]?](repeating: nil, count: local.count)
    func world(_ index: Int) -> [Double] {
      if let known = worlds[index] { return known }
      let parent = document.nodes.firstIndex { $0.children.contains(index) }
      let result = parent.map { product(world($0), local[index]) } ?? local[index]
      worlds[index] = result
      return result
    }
    return local.indices.map(world)
  }

  private static func compose(_ t: [Double], _ q: [Double], _ s: [Double]) -> [Double] {
    let length = q.reduce(0) { $0 + $1 * $1 }.squareRoot()
    let (x, y, z, w) = (q[0] / length, q[1] / length, q[2] / length, q[3] / length)
    let first: [Double] = [w * w + x * x - y * y - z * z, 2 * (x * y + w * z), 2 * (x * z - w * y), 0]
    let second: [Double] = [2 * (x * y - w * z), w * w - x * x + y * y - z * z, 2 * (y * z + w * x), 0]
    let third: [Double] = [2 * (x * z + w * y), 2 * (y * z - w * x), w * w - x * x - y * y + z * z, 0]
    return first.map { $0 * s[0] } + second.map { $0 * s[1] } + third.map { $0 * s[2] } + t + [1]
  }

  private static func product(_ a: [Double], _ b: [Double]) -> [Double] {
    (0..<16).map { place in
      var sum = 0.0
      for term in 0..<4 { sum += a[4 * term + place % 4] * b[4 * (place / 4) + term] }
      return sum
    }
  }

  /// The values of a batch that plays a clip, and matrices computed from it.
  private static func matrices(
    _ document: GLTFDocument, _ part: GLTFScene.Part, skin: NodeSkin? = nil, instances: Int
  ) throws -> (values: [[Double]], matrices: [Float]) {
    let dimensions = part.animation.components
    var batch = try AnimationBatch<Components>(dimensions: dimensions)
    let playbacks = (0..<instances).map { Playback(repetition: .forever, timeOffset: 0.37 * Double($0)) }
    let handles = try batch.add(playing: try batch.load(part.clip), playbacks)
    try batch.advance(to: 0.25)
    var matrices = try NodeMatrices(
      try document.hierarchy(), channels: part.animation.nodeChannels, dimensions: dimensions, skin: skin)
    var output = [Float](repeating: -9, count: instances * matrices.matrixCount * 16)
    var span = output.mutableSpan
    try matrices.compute(batch, indices: 0..<instances, into: &span)
    var values: [[Double]] = []
    for handle in handles { values.append(batch[handle]?.items ?? []) }
    return (values, output)
  }

  @Test(arguments: ["fox.gltf", "Fox.glb", "rigged_simple.gltf", "box_animated.gltf", "animated_triangle.gltf"])
  func worldMatricesOfFiles(_ name: String) throws {
    let document = try GLTFDocument(path: Fixtures.path(name))
    for part in try GLTFScene(document).parts {
      let (values, got) = try Self.matrices(document, part, instances: 19)
      var worst = 0.0
      for (instance, pose) in values.enumerated() {
        for (node, expected) in Self.worlds(document, part.animation, pose).enumerated() {
          let first = 16 * (instance * document.nodes.count + node)
          for element in 0..<16 {
            // Rigs of at most 200 units, eleven nodes deep.
            let unit = element < 12 ? 1.0 : 200
            worst = max(worst, abs(Double(got[first + element]) - expected[element]) / unit)
          }
        }
      }
      #expect(worst < 1e-6, "\(name), \(part.name): \(worst)")
    }
  }

  /// At rest the joint matrices of Khronos' fox are unit matrices; on the way they are world · inverse bind.
  @Test func jointMatricesOfTheFox() throws {
    let document = try GLTFDocument(path: Fixtures.path("Fox.glb"))
    #expect(document.skinCount == 1)
    let skin = try document.skin()
    #expect(skin.joints.count == 24)
    let inverse = try #require(skin.inverseBindMatrices)
    #expect(inverse.count == 24 * 16)

    var rest = try NodeMatrices(try document.hierarchy(), channels: [], dimensions: 1, skin: skin)
    var output = [Float](repeating: -9, count: 24 * 16)
    var span = output.mutableSpan
    try rest.compute([0].span, instances: 1, into: &span)
    for joint in 0..<24 {
      for element in 0..<16 {
        let unit: Float = element % 5 == 0 ? 1 : 0
        let tolerance: Float = element < 12 ? 2e-6 : 4e-4
        #expect(abs(output[16 * joint + element] - unit) < tolerance, "joint \(joint), element \(element)")
      }
    }

    let part = try GLTFScene(document).parts[1]
    let (values, got) = try Self.matrices(document, part, skin: skin, instances: 18)
    for (instance, pose) in values.enumerated() {
      let worlds = Self.worlds(document, part.animation, pose)
      for (index, joint) in skin.joints.enumerated() {
        let expected = Self.product(worlds[joint], inverse[16 * index..<16 * index + 16].map(Double.init))
        for element in 0..<16 {
          let difference = abs(Double(got[16 * (24 * instance + index) + element]) - expected[element])
          #expect(difference < (element < 12 ? 2e-6 : 4e-4))
        }
      }
    }
  }

  // MARK: - Bad files

  /// A document whose nodes, and skins if any, are the given text.
  private static func document(_ nodes: String, skins: String = "[]", accessors: String = "") throws -> GLTFDocument {
    // One second of translation of node 0, from (0, 0, 0): accessors without views are zeros.
    let text = """
      {"asset": {"version": "2.0"}, "nodes": \(nodes), "skins": \(skins),
      "accessors": [{"componentType": 5126, "count": 1, "type": "SCALAR"},
        {"componentType": 5126, "count": 1, "type": "VEC3"}\(accessors)],
      "animations": [{"channels": [{"sampler": 0, "target": {"node": 0, "path": "translation"}}],
        "samplers": [{"input": 0, "output": 1}]}]}
      """
    return try GLTFDocument(Array(text.utf8))
  }

  @Test(arguments: [
    (#"[{"children": [1]}, {"children": [0]}]"#, "stands below itself"),
    (#"[{"children": [0]}]"#, "stands below itself"),
    (#"[{"children": [2]}, {"children": [2]}, {}]"#, "nodes[1].children: claims nodes[2], which stands below nodes[0]"),
    (#"[{"children": [1, 1]}, {}]"#, "nodes[0].children: claims nodes[1], which stands below nodes[0]"),
    (#"[{"children": [7]}]"#, "nodes[0].children: names nodes[7] of 1"),
    (#"[{}, {"rotation": [0, 0, 0, 0]}]"#, "quaternion of node 1 is 0"),
    (#"[{}, {"matrix": [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 2]}]"#, "nodes[1].matrix: must be finite"),
  ])
  func nodesThatAreRefused(_ nodes: String, _ reason: String) throws {
    let document = try Self.document(nodes)
    expectRefusal(reason) { try document.hierarchy() }
  }

  @Test(arguments: [
    (#"{"joints": []}"#, "skins[0].joints: must not be empty"),
    (#"{"joints": [0, 2]}"#, "skins[0].joints[1]: names nodes[2] of 2"),
    (#"{"joints": [0], "inverseBindMatrices": 9}"#, "names accessors[9] of 4"),
    (#"{"joints": [0], "inverseBindMatrices": 1}"#, "must be MAT4 of FLOAT (5126) here, is VEC3"),
    (#"{"joints": [0, 1], "inverseBindMatrices": 2}"#, "2 joints have 1 matrices"),
    // Zeros, as the accessor has no view.
    (#"{"joints": [0], "inverseBindMatrices": 2}"#, "element 0: must be finite and within ±1e15, with the last row"),
    (#"{"joints": [0], "inverseBindMatrices": 3}"#, "bufferViews[5] of 0"),
  ])
  func skinsThatAreRefused(_ skin: String, _ reason: String) throws {
    let accessors = """
      , {"componentType": 5126, "count": 1, "type": "MAT4"}, {"componentType": 5126, "count": 1, "type": "MAT4", \
      "bufferView": 5}
      """
    // The animation is read none the less.
    let document = try Self.document("[{}, {}]", skins: "[\(skin)]", accessors: accessors)
    expectRefusal(reason) { try document.skin() }
    #expect(fileError { _ = try document.skin(1) } != nil)
  }

  /// Sparse matrices replace those of the view, and rounded edges are straightened.
  @Test func matricesMayBeSparse() throws {
    var fixture = GLTFFixture()
    let unit: [Double] = [1, 0, 0, 0, 0, 1, 0, 0.0001, 0, 0, 1, 0, 0, 0, 0, 0.9999]
    let moved: [Double] = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 5, 6, 7, 1]
    let bytes = { (numbers: [Double]) in numbers.flatMap { GLTFFixture.bytes(Float($0).bitPattern, 4) } }
    let (base, indices) = (fixture.view(bytes(unit + unit)), fixture.view([1]))
    let elements = fixture.view(bytes(moved))
    let sparse = """
      , "sparse": {"count": 1, "indices": {"bufferView": \(indices), "componentType": 5121}, \
      "values": {"bufferView": \(elements)}}
      """
    let index = fixture.accessor(base, 5126, 2, "MAT4", more: sparse)
    let times = fixture.floats([0, 1])
    fixture.channel("translation", "LINEAR", input: times, output: fixture.floats([0, 0, 0, 1, 1, 1], "VEC3"))
    let text = fixture.embedded.replacingOccurrences(
      of: "\"nodes\"", with: "\"skins\": [{\"joints\": [0, 0], \"inverseBindMatrices\": \(index)}], \"nodes\"")
    let skin = try GLTFDocument(Array(text.utf8)).skin()
    let exact: [Float] = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]
    #expect(skin.inverseBindMatrices == exact + moved.map { Float($0) })
  }
}
