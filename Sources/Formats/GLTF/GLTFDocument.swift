// SPDX-License-Identifier: MIT
import Murmuration
import Rigs
import Text

/// The animations of a glTF 2.0 file, `.gltf` or `.glb`, read and checked.
///
/// Data of animations, nodes and skins are read: accessors, buffers and side files of meshes alone are ignored.
/// Source: Khronos Group, glTF 2.0 specification.
public struct GLTFDocument: Sendable, Equatable {
  /// The animations that move nodes, or what pointers of `KHR_animation_pointer` lead to, in the file's order; at least one.
  public let animations: [GLTFAnimation]
  /// The nodes of the file.
  package let nodes: [GLTFNodeDescription]
  /// The skins of the file, or the fault of each.
  private(set) var skins: [Result<NodeSkin, FileError>] = []

  /// The largest size in bytes of a `.glb` file, and of all side files of a file together.
  public static let sizeLimit = FileBytes.recordingLimit

  /// Reads the file at `path`, and the side files it names from the same folder.
  /// - Throws: `FileError` with the file, the place in it and the reason: first of all for a required extension that may
  ///   change animations.
  public init(path: String) throws(FileError) {
    let bytes = try FileBytes.read(path, limit: GLTFDocument.sizeLimit)
    let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
    do {
      try FileKind.check(bytes, isOneOf: [.gltf, .glb], what: "a glTF file")
      try self.init(bytes, folder: folder)
    } catch {
      throw error.named(path)
    }
  }

  /// The animations in the bytes of a `.gltf` or `.glb` file.
  /// - Parameters:
  ///   - bytes: The whole file.
  ///   - folder: The folder of side files; nil if no side file may be read.
  /// - Throws: `FileError` with the place in the file and the reason.
  public init(_ bytes: [UInt8], folder: String? = nil) throws(FileError) {
    let container = try GLTFContainer(bytes)
    let description: GLTFDescription
    do {
      description = try JSONDocument.decode(GLTFDescription.self, from: container.json)
    } catch {
      throw container.place.isEmpty ? FileError(error) : FileError(error).within(container.place)
    }
    let version = description.minimalVersion ?? description.version
    guard version == "2.0" || (description.minimalVersion == nil && version.hasPrefix("2.")) else {
      let key = description.minimalVersion == nil ? "version" : "minVersion"
      throw FileError(place: "asset.\(key)", "is “\(version.printable)”; glTF 2.0 is read")
    }
    var reader = GLTFAnimationReader(
      description, buffers: GLTFBuffers(description.buffers, binary: container.binary, folder: folder))
    var animations: [GLTFAnimation] = []
    for index in description.animations.indices {
      let animation = try reader.animation(index)
      if !animation.channels.isEmpty { animations.append(animation) }
    }
    guard !animations.isEmpty else { throw FileError("holds no animation of nodes") }
    self.animations = animations
    nodes = description.nodes
    var skinReader = GLTFSkinReader(nodeCount: nodes.count, accessors: reader.accessors)
    // An animation needs no skin: a fault in one is thrown when it is asked for.
    for (index, skin) in description.skins.enumerated() {
      do throws(FileError) {
        skins.append(.success(try skinReader.skin(skin, place: "skins[\(index)]")))
      } catch {
        skins.append(.failure(error))
      }
    }
  }
}

extension FileError {
  /// This error as one of the file `name`; if it names another file, that becomes part of its reason.
  package func named(_ name: String) -> FileError {
    guard let file else { return FileError(file: name, place: place, reason) }
    return FileError(file: name, place: place, "“\(file.printable)” \(reason)")
  }
}
