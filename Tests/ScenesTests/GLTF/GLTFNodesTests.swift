// SPDX-License-Identifier: MIT
import Foundation
import Rigs
import TestSupport
import Testing

@testable import Formats
@testable import Scenes

/// The nodes and skins of files. (`NodeMatricesTests` has the matrices of hierarchies.)
struct GLTFNodesTests {
  @Test(arguments: ["fox.gltf", "Fox.glb", "rigged_simple.gltf", "box_animated.gltf", "animated_triangle.gltf"])
  func hierarchiesAndChannelsAreThoseOfTheFile(_ name: String) throws {
    let document = try GLTFDocument(path: Fixtures.path(name))
    func numbers(_ given: [Double]?, _ rest: [Float]) -> [Float] { given?.map { Float($0) } ?? rest }
    let nodes = try document.hierarchy().nodes
    #expect(nodes.count == document.nodes.count)
    for (index, (node, source)) in zip(nodes, document.nodes).enumerated() {
      #expect(node.parent == document.nodes.firstIndex { $0.children.contains(index) })
      #expect(node.matrix == source.matrix?.map { Float($0) })
      guard node.matrix == nil else { continue }
      let own: [[Float]] = [
        (0..<3).map { node.translation[$0] }, (0..<4).map { node.rotation[$0] }, (0..<3).map { node.scale[$0] },
      ]
      #expect(
        own == [
          numbers(source.translation, [0, 0, 0]), numbers(source.rotation, [0, 0, 0, 1]),
          numbers(source.scale, [1, 1, 1]),
        ])
    }
    for animation in document.animations {
      let channels = animation.nodeChannels
      #expect(channels.count == animation.channels.count)
      for (channel, source) in zip(channels, animation.channels) {
        let label = animation.labels[channel.dimension]
        #expect(channel.node == source.node && label == "\(source.nodeName).\(source.path.rawValue).x")
        #expect(channel.property.rawValue == source.path.rawValue)
      }
    }
  }

  /// At rest the joint matrices of Khronos' fox are unit matrices.
  @Test func jointMatricesOfTheFox() throws {
    let document = try GLTFDocument(path: Fixtures.path("Fox.glb"))
    let skin = try document.skin()
    #expect(document.skinCount == 1 && skin.joints.count == 24 && skin.inverseBindMatrices?.count == 24 * 16)
    var rest = try NodeMatrices(try document.hierarchy(), channels: [], dimensions: 1, skin: skin)
    var output = [Float](repeating: -9, count: 24 * 16)
    var span = output.mutableSpan
    try rest.compute([0].span, instances: 1, into: &span)
    for (index, number) in output.enumerated() {
      let element = index % 16
      #expect(abs(number - (element % 5 == 0 ? 1 : 0)) < (element < 12 ? 2e-6 : 4e-4), "\(index)")
    }
  }

  // MARK: - Bad files

  /// A document whose nodes, and skins if any, are the given text.
  static func document(_ nodes: String, skins: String = "[]", accessors: String = "") throws -> GLTFDocument {
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
