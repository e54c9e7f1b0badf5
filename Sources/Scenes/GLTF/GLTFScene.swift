// SPDX-License-Identifier: MIT
package import Formats
package import Murmuration

/// The animations of a glTF file, ready for batches: a clip for each, and the labels of its dimensions.
package struct GLTFScene: Sendable {
  /// One animation.
  package struct Part: Sendable {
    /// The name of the animation in the file.
    package let name: String
    /// The motion of the animation, with a dimension for each component of each channel.
    package let clip: Clip
    /// The label of each dimension: `Hip.rotation.x`.
    package let labels: [String]
    /// The animation that the clip was made from, and is checked against.
    package let animation: GLTFAnimation
  }

  /// The animations that move nodes, in the file's order; at least one.
  package let parts: [Part]
  /// The file.
  let document: GLTFDocument

  /// The animations of the `.gltf` or `.glb` file at `path`.
  /// - Throws: `FileError` with the file, the place in it and the reason.
  package init(
    path: String, tolerance: Double = GLTFAnimation.rotationTolerance,
    sharedPieces: Int = GLTFAnimation.sharedPieces
  ) throws(FileError) {
    let document = try GLTFDocument(path: path)
    do {
      try self.init(document, tolerance: tolerance, sharedPieces: sharedPieces)
    } catch {
      throw error.named(path)
    }
  }

  /// The animations of a document.
  package init(
    _ document: GLTFDocument, tolerance: Double = GLTFAnimation.rotationTolerance,
    sharedPieces: Int = GLTFAnimation.sharedPieces
  ) throws(FileError) {
    var spare = GLTFAnimation.pieceLimit
    var parts: [Part] = []
    for animation in document.animations {
      let clip = try animation.clip(tolerance: tolerance, sharedPieces: sharedPieces, spare: &spare)
      parts.append(Part(name: animation.name, clip: clip, labels: animation.labels, animation: animation))
    }
    self.parts = parts
    self.document = document
  }
}
