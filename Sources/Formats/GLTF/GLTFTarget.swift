// SPDX-License-Identifier: MIT
import Text

/// What a channel moves, and how a file stores its values.
struct GLTFTarget {
  /// The node; −1 for what a pointer leads to.
  var node = -1
  var path: GLTFAnimation.Path
  /// The JSON pointer, unless it leads to one of the four properties of a node.
  var pointer = ""
  /// The storage of values.
  var storage: Storage
  /// The numbers of an array; nil where they follow from the data.
  var count: Int?
  /// The pointer to the array of which this is an element; empty for others.
  var array = ""

  struct Storage: Hashable {
    /// The type of the accessor's elements.
    var type: String
    /// Whether a value has several elements.
    var isArray = false
    /// Whether integers may stand for numbers as they are, which pointers allow.
    var takesIntegers = false
    /// Whether the numbers are 0 and others, for false and true.
    var isBool = false

    /// The components of an element.
    var width: Int { ["VEC2": 2, "VEC3": 3, "VEC4": 4][type] ?? 1 }
  }

  /// A property of a node.
  init(node: Int, _ path: GLTFAnimation.Path, isPointer: Bool = false) {
    (self.node, self.path) = (node, path)
    storage = Storage(type: path == .rotation ? "VEC4" : path == .weights ? "SCALAR" : "VEC3")
    storage.isArray = path == .weights
    storage.takesIntegers = isPointer
  }

  /// The property to which a pointer leads; its values have some components, 0 for a bool.
  private init(pointer: String, components: Int) {
    (path, self.pointer) = (.pointer, pointer)
    storage = Storage(type: components > 1 ? "VEC\(components)" : "SCALAR", takesIntegers: true)
    storage.isBool = components == 0
  }

  /// The name of the target among the targets of an animation.
  var name: String { node < 0 ? pointer : "\(path.rawValue) of nodes[\(node)]" }

  // MARK: - Pointers

  /// The mutable properties of objects, by the pointer to the object with # for each index, and their components; 0 for a
  /// bool. Source: Khronos Group, glTF 2.0 Asset Object Model, and the specifications of the extensions.
  private static let components: [String: [String: Int]] = [
    "/cameras/#/orthographic": ["xmag": 1, "ymag": 1, "zfar": 1, "znear": 1],
    "/cameras/#/perspective": ["aspectRatio": 1, "yfov": 1, "zfar": 1, "znear": 1],
    "/materials/#": ["alphaCutoff": 1, "emissiveFactor": 3],
    "/materials/#/normalTexture": ["scale": 1],
    "/materials/#/occlusionTexture": ["strength": 1],
    "/materials/#/pbrMetallicRoughness": ["baseColorFactor": 4, "metallicFactor": 1, "roughnessFactor": 1],
    "/extensions/KHR_lights_punctual/lights/#": ["color": 3, "intensity": 1, "range": 1],
    "/extensions/KHR_lights_punctual/lights/#/spot": ["innerConeAngle": 1, "outerConeAngle": 1],
    "/extensions/EXT_lights_image_based/lights/#": ["rotation": 4, "intensity": 1],
    "/nodes/#/extensions/EXT_lights_ies": ["multiplier": 1, "color": 3],
    "/nodes/#/extensions/KHR_node_hoverability": ["hoverable": 0],
    "/nodes/#/extensions/KHR_node_selectability": ["selectable": 0],
    "/nodes/#/extensions/KHR_node_visibility": ["visible": 0],
    "/materials/#/extensions/ADOBE_materials_clearcoat_specular": ["clearcoatIor": 1, "clearcoatSpecularFactor": 1],
    "/materials/#/extensions/ADOBE_materials_clearcoat_tint": ["clearcoatTintFactor": 3],
    "/materials/#/extensions/KHR_materials_anisotropy": ["anisotropyStrength": 1, "anisotropyRotation": 1],
    "/materials/#/extensions/KHR_materials_clearcoat": ["clearcoatFactor": 1, "clearcoatRoughnessFactor": 1],
    "/materials/#/extensions/KHR_materials_clearcoat/clearcoatNormalTexture": ["scale": 1],
    "/materials/#/extensions/KHR_materials_diffuse_transmission": [
      "diffuseTransmissionFactor": 1, "diffuseTransmissionColorFactor": 3,
    ],
    "/materials/#/extensions/KHR_materials_dispersion": ["dispersion": 1],
    "/materials/#/extensions/KHR_materials_emissive_strength": ["emissiveStrength": 1],
    "/materials/#/extensions/KHR_materials_ior": ["ior": 1],
    "/materials/#/extensions/KHR_materials_iridescence": [
      "iridescenceFactor": 1, "iridescenceIor": 1, "iridescenceThicknessMinimum": 1, "iridescenceThicknessMaximum": 1,
    ],
    "/materials/#/extensions/KHR_materials_sheen": ["sheenColorFactor": 3, "sheenRoughnessFactor": 1],
    "/materials/#/extensions/KHR_materials_specular": ["specularFactor": 1, "specularColorFactor": 3],
    "/materials/#/extensions/KHR_materials_transmission": ["transmissionFactor": 1],
    "/materials/#/extensions/KHR_materials_volume": [
      "thicknessFactor": 1, "attenuationDistance": 1, "attenuationColor": 3,
    ],
  ]
  private static let ofTextures = ["offset": 2, "rotation": 1, "scale": 2]
  private static let withoutDefault: Set<String> = ["xmag", "ymag", "aspectRatio", "yfov", "zfar", "znear", "range"]

  /// The property to which a pointer leads; nil for one of an unknown extension or an application that the file does not
  /// state.
  static func target(of pointer: String, in description: GLTFDescription) throws(FileError) -> GLTFTarget? {
    guard let steps = steps(of: pointer), let last = steps.last else {
      throw FileError("“\(pointer.printable)” is no JSON pointer: /nodes/0/rotation is one")
    }
    if let target = try weights(pointer, steps, in: description) { return target }
    var (place, pattern) = (description.properties, "")
    for step in steps.dropLast() { place = try next(from: place, step, &pattern, pointer) }
    if pattern == "/nodes/#", let path = GLTFAnimation.Path(rawValue: last), path != .pointer, let node = Int(steps[1])
    {
      return GLTFTarget(node: node, path, isPointer: true)
    }
    let isOfTexture = pattern.hasSuffix("Texture/extensions/KHR_texture_transform")
    let known = (isOfTexture ? ofTextures : components[pattern])?[last]
    var isElement = false
    var value: JSONTree?
    switch place {
    case .object(let object): value = object[last]
    case .array(let elements) where pattern.contains("/extras/"):
      value = index(last, below: elements.count).map { elements[$0] }
      isElement = true
    default: throw FileError("“\(pointer.printable)” leads to no property")
    }
    if let known {
      guard value != nil || !withoutDefault.contains(last) else {
        throw FileError("“\(pointer.printable)” is neither in the file nor has a default")
      }
      return GLTFTarget(pointer: pointer, components: known)
    }
    guard pattern.contains("/extensions/") || "\(pattern)/".contains("/extras/") else {
      throw FileError("“\(pointer.printable)” is no property that animations move")
    }
    guard let value else { return nil }
    var target = try GLTFTarget(stating: value, pointer)
    if isElement { target.array = String(pointer.prefix(pointer.count - last.count - 1)) }
    return target
  }

  /// A property that only the file's own value tells about.
  private init(stating value: JSONTree, _ pointer: String) throws(FileError) {
    switch value {
    case .number: self.init(pointer: pointer, components: 1)
    case .bool: self.init(pointer: pointer, components: 0)
    case .array(let elements) where !elements.isEmpty && elements.allSatisfy(\.isNumber):
      self.init(pointer: pointer, components: elements.count <= 4 ? elements.count : 1)
      if storage.width != elements.count { (storage.isArray, count) = (true, elements.count) }
    default: throw FileError("“\(pointer.printable)” leads to no number, bool or list of numbers")
    }
  }

  /// Weights of morph targets: those of a mesh, or one of them, which a file need not state; nil for another pointer.
  private static func weights(
    _ pointer: String, _ steps: [String], in description: GLTFDescription
  ) throws(FileError) -> GLTFTarget? {
    guard 3...4 ~= steps.count, steps[2] == "weights", steps[0] == "meshes" || steps[0] == "nodes" && steps.count == 4
    else { return nil }
    var mesh = index(steps[1], below: steps[0] == "nodes" ? description.nodes.count : description.meshes.count)
    if steps[0] == "nodes" { mesh = mesh.flatMap { description.nodes[$0].mesh } }
    guard let mesh, description.meshes.indices.contains(mesh) else {
      throw FileError("“\(pointer.printable)” leads to no mesh")
    }
    let count = description.meshes[mesh].morphTargets
    var target = GLTFTarget(pointer: pointer, components: 1)
    if steps.count == 3 {
      guard count > 0 else { throw FileError("“\(pointer.printable)” leads to a mesh without morph targets") }
      (target.storage.isArray, target.count) = (true, count)
    } else {
      guard index(steps[3], below: count) != nil else {
        throw FileError("“\(pointer.printable)” leads to none of \(count) weights")
      }
      target.array = steps[0] == "nodes" ? "weights of nodes[\(steps[1])]" : "/meshes/\(steps[1])/weights"
    }
    return target
  }

  private static func next(
    from place: JSONTree, _ step: String, _ pattern: inout String, _ pointer: String
  ) throws(FileError) -> JSONTree {
    switch place {
    case .object(let object):
      pattern += "/\(step)"
      if let value = object[step] { return value }
    case .array(let elements):
      pattern += "/#"
      if let index = index(step, below: elements.count) { return elements[index] }
    default: break
    }
    throw FileError("“\(pointer.printable)” leads to nothing: “\(step.printable)” is missing")
  }

  /// The index that a step names: digits without a zero before them. Source: RFC 6901.
  private static func index(_ step: String, below count: Int) -> Int? {
    guard step.utf8.allSatisfy(\.isDigit), step == "0" || !step.hasPrefix("0"), let index = Int(step), index < count
    else { return nil }
    return index
  }

  private static func steps(of pointer: String) -> [String]? {
    guard pointer.hasPrefix("/") else { return nil }
    var steps: [String] = []
    for step in pointer.dropFirst().split(separator: "/", omittingEmptySubsequences: false) {
      let parts = step.split(separator: "~", omittingEmptySubsequences: false)
      var text = String(parts[0])
      for part in parts.dropFirst() {
        guard let code = part.first, code == "0" || code == "1" else { return nil }
        text += (code == "0" ? "~" : "/") + part.dropFirst()
      }
      steps.append(text)
    }
    return steps
  }
}

extension JSONTree {
  fileprivate var isNumber: Bool { if case .number = self { true } else { false } }
}
