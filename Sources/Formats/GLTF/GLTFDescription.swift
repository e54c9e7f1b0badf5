// SPDX-License-Identifier: MIT
import Text

/// The part of a glTF 2.0 file's JSON that animations need. Everything else in the file is ignored.
///
/// Sums and products of two of its numbers cannot overflow. Whether numbers fit the data is checked where they are
/// used.
struct GLTFDescription: Decodable {
  var version: String
  var minimalVersion: String?
  var accessors: [GLTFAccessorDescription]
  var animations: [GLTFAnimationDescription]
  var buffers: [GLTFBufferDescription]
  var bufferViews: [GLTFBufferViewDescription]
  var meshes: [GLTFMeshDescription]
  var nodes: [GLTFNodeDescription]
  var skins: [GLTFSkinDescription]
  /// The objects with properties for pointers of animations; null without a pointer.
  var properties = JSONTree.null

  /// The extensions that a file may require: one that is read, and those about nodes, meshes and materials alone, which
  /// neither hold nor hide data of animations.
  private static let harmlessExtensions: Set<String> = [
    "KHR_animation_pointer", "KHR_lights_punctual", "EXT_lights_ies", "EXT_lights_image_based",
    "KHR_draco_mesh_compression", "KHR_gaussian_splatting", "KHR_node_hoverability", "KHR_node_selectability",
    "KHR_node_visibility", "KHR_techniques_webgl", "KHR_xmp_json_ld", "EXT_instance_features",
    "EXT_structural_metadata", "CESIUM_primitive_outline", "MSFT_lod", "MSFT_texture_dds",
  ]
  private static let harmlessPrefixes = [
    "ADOBE_materials_", "KHR_materials_", "VRMC_materials_", "EXT_mesh_", "KHR_mesh_", "EXT_texture_", "KHR_texture_",
    "MSFT_packing_",
  ]

  /// The largest count, length or offset that is accepted, in bytes or elements.
  static let countLimit = 1 << 40

  private enum Key: String, CodingKey, CaseIterable {
    case asset, extensionsRequired, accessors, animations, buffers, bufferViews, meshes, nodes, skins
  }

  private struct Asset: Decodable {
    var version: String
    var minVersion: String?

    private enum Key: String, CodingKey, CaseIterable { case version, minVersion }

    init(from decoder: any Decoder) throws {
      let fields = try StrictFields(peekingAt: decoder, keys: Key.self)
      version = try fields.value(.version)
      minVersion = try fields.optional(.minVersion)
    }
  }

  init(from decoder: any Decoder) throws {
    let fields = try StrictFields(peekingAt: decoder, keys: Key.self)
    let asset: Asset = try fields.value(.asset)
    version = asset.version
    minimalVersion = asset.minVersion
    // Before all else: a fault further on may only follow from an extension that hides the data.
    let required = try fields.optional(.extensionsRequired, as: [String].self) ?? []
    for (index, name) in required.enumerated() {
      let isHarmless =
        Self.harmlessExtensions.contains(name) || Self.harmlessPrefixes.contains(where: name.hasPrefix)
        || GLTFBufferViewDescription.Compression(rawValue: name) != nil
      guard isHarmless else {
        throw DescriptionError(
          path: fields.path(.extensionsRequired) + [.index(index)],
          reason: "“\(name.printable)” is not read; export the file without it")
      }
    }
    accessors = try fields.optional(.accessors) ?? []
    animations = try fields.optional(.animations) ?? []
    buffers = try fields.optional(.buffers) ?? []
    bufferViews = try fields.optional(.bufferViews) ?? []
    // A file that does not require the extension has the data a second time, as they are.
    for index in bufferViews.indices {
      bufferViews[index].compressions.removeAll { !required.contains($0.rawValue) }
    }
    meshes = try fields.optional(.meshes) ?? []
    nodes = try fields.optional(.nodes) ?? []
    skins = try fields.optional(.skins) ?? []
    let pointers = animations.flatMap { $0.channels.compactMap(\.pointer) }
    if !pointers.isEmpty {
      let starts = Set(pointers.compactMap { $0.split(separator: "/").first.map(String.init) })
      let keys: Set = ["cameras", "materials", "meshes", "nodes", "extensions", "extras"]
      properties = try JSONTree(decoder, keys: keys.intersection(starts))
    }
  }
}

extension StrictFields {
  /// An index into one of the file's lists, or a count, length or offset.
  fileprivate func count(_ key: Key) throws(DescriptionError) -> Int {
    try integer(key, in: 0...GLTFDescription.countLimit)
  }

  fileprivate func optionalCount(_ key: Key) throws(DescriptionError) -> Int? {
    has(key) ? try count(key) : nil
  }
}

// MARK: - Data

struct GLTFBufferDescription: Decodable {
  var uri: String?
  var byteLength: Int

  private enum Key: String, CodingKey, CaseIterable { case uri, byteLength }

  init(from decoder: any Decoder) throws {
    let fields = try StrictFields(peekingAt: decoder, keys: Key.self)
    uri = try fields.optional(.uri)
    byteLength = try fields.count(.byteLength)
  }
}

struct GLTFBufferViewDescription: Decodable {
  /// An extension that compresses the bytes of views, those of meshes and of animations.
  enum Compression: String, CodingKey, CaseIterable {
    case ext = "EXT_meshopt_compression"
    case khr = "KHR_meshopt_compression"
  }

  var buffer: Int
  var byteOffset: Int
  var byteLength: Int
  var byteStride: Int?
  /// The extensions without which there are no bytes here.
  var compressions: [Compression]

  private enum Key: String, CodingKey, CaseIterable { case buffer, byteOffset, byteLength, byteStride, extensions }

  /// The names of extensions alone.
  private struct Extensions: Decodable {
    var compressions: [Compression]

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Compression.self)
      compressions = Compression.allCases.filter(container.contains)
    }
  }

  init(from decoder: any Decoder) throws {
    let fields = try StrictFields(peekingAt: decoder, keys: Key.self)
    buffer = try fields.count(.buffer)
    byteOffset = try fields.optionalCount(.byteOffset) ?? 0
    byteLength = try fields.count(.byteLength)
    byteStride = try fields.optionalCount(.byteStride)
    compressions = try fields.optional(.extensions, as: Extensions.self)?.compressions ?? []
  }
}

struct GLTFAccessorDescription: Decodable {
  /// The place of bytes: a view, and an offset in it.
  struct Place {
    var bufferView: Int
    var byteOffset: Int
  }

  /// Elements that replace elements of the view.
  struct Sparse: Decodable {
    var count: Int
    var indices: Part
    var values: Part

    struct Part: Decodable {
      var place: Place
      /// The type of the indices; nil for the values, which have the accessor's type.
      var componentType: Int?

      private enum Key: String, CodingKey, CaseIterable { case bufferView, byteOffset, componentType }

      init(from decoder: any Decoder) throws {
        let fields = try StrictFields(peekingAt: decoder, keys: Key.self)
        place = Place(
          bufferView: try fields.count(.bufferView), byteOffset: try fields.optionalCount(.byteOffset) ?? 0)
        componentType = try fields.optionalCount(.componentType)
      }
    }

    private enum Key: String, CodingKey, CaseIterable { case count, indices, values }

    init(from decoder: any Decoder) throws {
      let fields = try StrictFields(peekingAt: decoder, keys: Key.self)
      count = try fields.count(.count)
      indices = try fields.value(.indices)
      values = try fields.value(.values)
    }
  }

  /// The place of the elements; nil for zeros.
  var place: Place?
  var componentType: Int
  var isNormalized: Bool
  var count: Int
  var type: String
  var sparse: Sparse?

  private enum Key: String, CodingKey, CaseIterable {
    case bufferView, byteOffset, componentType, normalized, count, type, sparse
  }

  init(from decoder: any Decoder) throws {
    let fields = try StrictFields(peekingAt: decoder, keys: Key.self)
    let byteOffset = try fields.optionalCount(.byteOffset) ?? 0
    place = try fields.optionalCount(.bufferView).map { Place(bufferView: $0, byteOffset: byteOffset) }
    componentType = try fields.count(.componentType)
    isNormalized = try fields.optional(.normalized) ?? false
    count = try fields.count(.count)
    type = try fields.value(.type)
    sparse = try fields.optional(.sparse)
  }
}

// MARK: - Nodes

package struct GLTFNodeDescription: Decodable, Equatable, Sendable {
  package var name: String?
  package var mesh: Int?
  /// The nodes below, and the place in the node above. Pictures alone need them, so that a fault in them is no error: they
  /// are left out then.
  package var children: [Int]
  package var translation: [Double]?
  package var rotation: [Double]?
  package var scale: [Double]?
  package var matrix: [Double]?

  private enum Key: String, CodingKey, CaseIterable { case name, mesh, children, translation, rotation, scale, matrix }

  package init(from decoder: any Decoder) throws {
    let fields = try StrictFields(peekingAt: decoder, keys: Key.self)
    name = try fields.optional(.name)
    mesh = try fields.optionalCount(.mesh)
    func numbers(_ key: Key, _ count: Int) -> [Double]? {
      guard let numbers = try? fields.numbers(key, .value), numbers.count == count else { return nil }
      return numbers
    }
    children = ((try? fields.numbers(.children, .finite)) ?? []).compactMap { Int(exactly: $0) }
    translation = numbers(.translation, 3)
    rotation = numbers(.rotation, 4)
    scale = numbers(.scale, 3)
    matrix = numbers(.matrix, 16)
  }
}

/// A mesh, for the number of its morph targets.
struct GLTFMeshDescription: Decodable {
  var morphTargets: Int

  private struct Primitive: Decodable {
    /// The content of a morph target is ignored.
    struct Target: Decodable { init(from decoder: any Decoder) {} }
    var targets: [Target]?
  }

  private enum Key: String, CodingKey, CaseIterable { case primitives }

  init(from decoder: any Decoder) throws {
    let fields = try StrictFields(peekingAt: decoder, keys: Key.self)
    let primitives: [Primitive] = try fields.value(.primitives)
    morphTargets = primitives.first?.targets?.count ?? 0
  }
}

// MARK: - Animations

struct GLTFAnimationDescription: Decodable {
  struct Channel: Decodable {
    var sampler: Int
    /// The node that moves; nil if an extension names the target.
    var node: Int?
    var path: String
    /// The JSON pointer of `KHR_animation_pointer` to what moves.
    var pointer: String?

    private enum Key: String, CodingKey, CaseIterable { case sampler, target }

    private struct Target: Decodable {
      var node: Int?
      var path: String
      var pointer: String?

      private enum Key: String, CodingKey, CaseIterable { case node, path, extensions }

      private struct Extensions: Decodable {
        var pointer: Pointer?
        struct Pointer: Decodable { var pointer: String }
        enum CodingKeys: String, CodingKey { case pointer = "KHR_animation_pointer" }
      }

      init(from decoder: any Decoder) throws {
        let fields = try StrictFields(peekingAt: decoder, keys: Key.self)
        node = try fields.optionalCount(.node)
        path = try fields.value(.path)
        if path == "pointer" { pointer = try fields.optional(.extensions, as: Extensions.self)?.pointer?.pointer }
      }
    }

    init(from decoder: any Decoder) throws {
      let fields = try StrictFields(peekingAt: decoder, keys: Key.self)
      let target: Target = try fields.value(.target)
      (node, path, pointer) = (target.node, target.path, target.pointer)
      sampler = try fields.count(.sampler)
    }
  }

  struct Sampler: Decodable {
    var input: Int
    var output: Int
    var interpolation: String

    private enum Key: String, CodingKey, CaseIterable { case input, output, interpolation }

    init(from decoder: any Decoder) throws {
      let fields = try StrictFields(peekingAt: decoder, keys: Key.self)
      input = try fields.count(.input)
      output = try fields.count(.output)
      interpolation = try fields.optional(.interpolation) ?? "LINEAR"
    }
  }

  var name: String?
  var channels: [Channel]
  var samplers: [Sampler]

  private enum Key: String, CodingKey, CaseIterable { case name, channels, samplers }

  init(from decoder: any Decoder) throws {
    let fields = try StrictFields(peekingAt: decoder, keys: Key.self)
    name = try fields.optional(.name)
    channels = try fields.value(.channels)
    samplers = try fields.value(.samplers)
  }
}
