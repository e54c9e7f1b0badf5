// SPDX-License-Identifier: MIT
@testable import Formats
import Foundation
import Murmuration
import TestSupport
import Testing

@testable import Scenes

/// Channels of `KHR_animation_pointer`.
struct GLTFPointerTests {
  /// The objects that pointers lead to.
  private static let objects = """
    "extensionsRequired": ["KHR_animation_pointer"],
    "cameras": [{"perspective": {"yfov": 0.7, "znear": 0.1}}, {"orthographic": {"xmag": 1, "ymag": 1, "zfar": 9, "znear": 0}}],
    "materials": [{}, {"pbrMetallicRoughness": {"baseColorTexture": {"extensions": {"KHR_texture_transform": {}}}},
      "normalTexture": {"index": 0}, "extensions": {"KHR_materials_sheen": {"sheenColorTexture":
      {"extensions": {"KHR_texture_transform": {}}}}, "VENDOR_glow": {"glow": 2, "tint": [1, 0.5], "on": true, "name": "a",
      "curve": [1, 2, 3, 4, 5], "a/b~c": 3}}}],
    "meshes": [{"primitives": [{"targets": [{}, {}, {}]}]}, {"primitives": [{}]}],
    "extras": {"knobs": [1, 2, 3], "label": "a"},
    "extensions": {"KHR_lights_punctual": {"lights": [{"type": "spot", "spot": {}}, {"type": "point", "range": 5}]}},
    """

  /// A file with a node, one with weights and one with an extension, and channels of pointers.
  static func document(
    _ channels: [(pointer: String, mode: String, values: [Double], type: String)], componentType: Int = 5126,
    isNormalized: Bool = false, more: [String] = []
  ) throws -> GLTFDocument {
    var fixture = GLTFFixture()
    let times = fixture.floats([0.25, 1])
    for channel in channels {
      let output: Int
      if componentType == 5126 {
        output = fixture.floats(channel.values, channel.type)
      } else {
        let size = componentType <= 5121 ? 1 : componentType <= 5123 ? 2 : 4
        let bytes = channel.values.flatMap { GLTFFixture.bytes(UInt32(truncatingIfNeeded: Int($0)), size) }
        output = fixture.accessor(
          fixture.view(bytes), componentType, channel.values.count / GLTFFixture.width(channel.type), channel.type,
          more: isNormalized ? ", \"normalized\": true" : "")
      }
      fixture.samplers.append("{\"input\": \(times), \"output\": \(output), \"interpolation\": \"\(channel.mode)\"}")
      fixture.channels.append(
        """
        {"sampler": \(fixture.samplers.count - 1), "target": {"path": "pointer", "extensions":
        {"KHR_animation_pointer": {"pointer": "\(channel.pointer)"}}}}
        """)
    }
    fixture.channels += more
    fixture.nodes = [
      "{\"name\": \"n0\"}", "{\"mesh\": 0}", "{\"mesh\": 1, \"extensions\": {\"KHR_node_visibility\": {}}}",
    ]
    let text = fixture.json(uri: nil).replacingOccurrences(of: "\"nodes\":", with: "\(Self.objects)\"nodes\":")
    return try GLTFDocument(GLTFFixture.binary(json: text, buffer: fixture.buffer))
  }

  private static let ramp = (0..<20).map { Double($0) / 4 }

  @Test(arguments: TextTable.rows(of: "properties of glTF", in: "inputs.txt"))
  func propertiesBecomeClipsOfTheirComponents(_ row: [String]) throws {
    let (pointer, type, width) = (row[0], row[1], try #require(Int(row[2])))
    for mode in ["STEP", "LINEAR", "CUBICSPLINE"] {
      let values = (0..<(2 * width * (mode == "CUBICSPLINE" ? 3 : 1))).map { Self.ramp[$0 % 20] }
      let document = try Self.document([(pointer, mode, values, type)])
      let channel = document.animations[0].channels[0]
      #expect(channel.path == .pointer && channel.pointer == pointer && channel.sampler.width == width)
      #expect(channel.sampler.values == values && document.animations[0].nodeChannels.isEmpty)
      let labels = document.animations[0].labels
      #expect(labels.count == width && Set(labels).count == width && labels.allSatisfy { $0.hasPrefix(pointer) })
      let part = try GLTFScene(document).parts[0]
      for time in [0, 0.25, 0.3, 0.5, 0.75, 0.9, 1, 2] {
        let exact = GLTFReference.values(of: part.animation, at: time)
        let shown = (0..<width).map { part.clip.value(dimension: $0, at: time) }
        #expect(zip(shown, exact).allSatisfy { abs($0 - $1) < 1e-12 })
      }
    }
  }

  /// A rotation goes along a great circle, and its keys are made of unit length.
  @Test(arguments: ["STEP", "LINEAR", "CUBICSPLINE"]) func pointersToNodesAreTheCorePaths(_ mode: String) throws {
    let parts = mode == "CUBICSPLINE" ? 3 : 1
    let turns: [Double] = (0..<(2 * parts)).flatMap { [0, $0 < parts ? 1 : -0.6, 0, $0 < parts ? 0 : -0.8] }
    for (node, path, type, values) in [
      (0, "translation", "VEC3", Array(Self.ramp[..<(6 * parts)])),
      (0, "scale", "VEC3", Array(Self.ramp[..<(6 * parts)])),
      (0, "rotation", "VEC4", turns), (1, "weights", "SCALAR", Array(Self.ramp[..<(6 * parts)])),
    ] {
      let pointed = try Self.document([("/nodes/\(node)/\(path)", mode, values, type)]).animations[0]
      // The same sampler again.
      let core = try Self.document(
        [("/extras/knobs/0", "STEP", [0, 0], "SCALAR")]
          + [("/materials/1/extensions/VENDOR_glow/unknown", mode, values, type)],
        more: ["{\"sampler\": 1, \"target\": {\"node\": \(node), \"path\": \"\(path)\"}}"]
      ).animations[0]
      var (expected, channel) = (core.channels[1], pointed.channels[0])
      (expected.index, channel.index) = (0, 0)
      #expect(channel == expected && pointed.channels.count == 1 && core.channels.count == 2)
    }
  }

  @Test func integersStandForThemselvesOrAreNormalised() throws {
    for (type, isNormalized, stored, expected) in [
      (5121, false, [0, 200], [0, 200]), (5120, false, [-3, 127], [-3, 127]), (5123, true, [0, 65535], [0, 1]),
      (5122, true, [-32768, 32767], [-1, 1]), (5125, false, [7, 70_000], [7, 70_000]),
    ] as [(Int, Bool, [Double], [Double])] {
      for pointer in ["/materials/0/alphaCutoff", "/nodes/1/weights/1"] {
        let document = try Self.document(
          [(pointer, "LINEAR", stored, "SCALAR")], componentType: type, isNormalized: isNormalized)
        #expect(document.animations[0].channels[0].sampler.values == expected)
      }
    }
  }

  @Test func boolsAreStepsOfBytes() throws {
    for pointer in ["/nodes/2/extensions/KHR_node_visibility/visible", "/materials/1/extensions/VENDOR_glow/on"] {
      let document = try Self.document([(pointer, "STEP", [0, 7], "SCALAR")], componentType: 5121)
      #expect(document.animations[0].channels[0].sampler.values == [0, 1])
      expectRefusal("samplers[0].interpolation: must be STEP for a bool, is LINEAR") {
        try Self.document([(pointer, "LINEAR", [0, 7], "SCALAR")], componentType: 5121)
      }
      expectRefusal("accessors[1].componentType: must be UNSIGNED_BYTE (5121) for a bool, is 5126") {
        try Self.document([(pointer, "STEP", [0, 7], "SCALAR")])
      }
    }
  }

  /// Properties of unknown extensions are left out, as channels without a node are.
  @Test func propertiesThatOnlyUnknownExtensionsKnowAreLeftOut() throws {
    let document = try Self.document([
      ("/materials/1/extensions/VENDOR_glow/other", "STEP", [0, 0], "SCALAR"),
      ("/materials/0/alphaCutoff", "STEP", [0, 1], "SCALAR"),
    ])
    #expect(document.animations[0].channels.map(\.index) == [1])
  }

  @Test func widthsAndTypesAreThoseOfTheProperty() {
    for (pointer, values, type, reason) in [
      ("/materials/0/emissiveFactor", Self.ramp, "SCALAR", "must be VEC3 for /materials/0/emissiveFactor, is SCALAR"),
      ("/meshes/0/weights", Array(Self.ramp[..<8]), "SCALAR", "gives 4 numbers a key, must give 3"),
      ("/nodes/1/weights", Array(Self.ramp[..<8]), "SCALAR", "gives 4 weights a key"),
      ("/materials/0/alphaCutoff", Array(Self.ramp[..<3]), "SCALAR", "must be 2 for 2 keys"),
      ("/materials/0/alphaCutoff", [0, .nan], "SCALAR", "values must be finite"),
    ] as [(String, [Double], String, String)] {
      expectRefusal(reason) { try Self.document([(pointer, "LINEAR", values, type)]) }
    }
  }

  @Test func nothingIsMovedTwice() {
    for (first, second) in [
      ("/materials/0/alphaCutoff", "/materials/0/alphaCutoff"), ("/meshes/0/weights", "/meshes/0/weights/1"),
      ("/meshes/0/weights/1", "/meshes/0/weights"), ("/nodes/1/weights/2", "/nodes/1/weights"),
      ("/nodes/1/weights", "/nodes/1/weights/0"),
    ] {
      let channels = [first, second].map { pointer in
        (pointer, "STEP", pointer.hasSuffix("weights") ? [0, 0, 0, 0, 0, 0] : [0.0, 0], "SCALAR")
      }
      expectRefusal("channels[1].target: an earlier channel moves") { try Self.document(channels) }
    }
    expectRefusal("channels[1].target: an earlier channel moves scale of nodes[0]") {
      try Self.document(
        [("/nodes/0/scale", "STEP", [0, 0, 0, 0, 0, 0], "VEC3")],
        more: ["{\"sampler\": 0, \"target\": {\"node\": 0, \"path\": \"scale\"}}"])
    }
    expectRefusal("channels[1].target.node: must not stand beside a pointer") {
      try Self.document(
        [("/nodes/0/scale", "STEP", [0, 0, 0, 0, 0, 0], "VEC3")],
        more: [
          """
          {"sampler": 0, "target": {"node": 0, "path": "pointer", "extensions":
          {"KHR_animation_pointer": {"pointer": "/nodes/0/scale"}}}}
          """
        ])
    }
  }

  @Test func oneFileMovesNodesAndMaterialsTogether() throws {
    let document = try Self.document([
      ("/nodes/0/translation", "LINEAR", [0, 0, 0, 1, 2, 3], "VEC3"),
      ("/materials/0/alphaCutoff", "LINEAR", [0.25, 0.75], "SCALAR"),
      ("/materials/0/emissiveFactor", "LINEAR", [0, 0, 0, 1, 1, 1], "VEC3"),
    ])
    let rigs = RigFile(try GLTFScene(document))
    let emissive = ["x", "y", "z"].map { "/materials/0/emissiveFactor." + $0 }
    #expect(rigs.labels.suffix(4) == ["/materials/0/alphaCutoff"] + emissive)
    #expect(rigs.columns == [Array(0..<7)])
    #expect(rigs.unwrittenTargets == ["/materials/0/alphaCutoff", "/materials/0/emissiveFactor"])
    #expect(document.animations[0].nodeChannels.count == 1)
    var writer = GLTFWriter()
    try writer.add(GLTFWriter.Node())
    #expect(fileError { try writer.add(document.animations[0]) }?.reason.hasSuffix("nodes alone are written") == true)
  }
}
