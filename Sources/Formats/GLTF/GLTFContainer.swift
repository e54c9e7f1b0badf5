// SPDX-License-Identifier: MIT

/// The two parts of a glTF 2.0 file: its JSON text, and the binary chunk that a `.glb` may have.
///
/// The first four bytes tell which of the two kinds of file it is. Source: glTF 2.0 specification, section 4.
struct GLTFContainer: Equatable {
  /// The JSON text.
  let json: [UInt8]
  /// The bytes of the binary chunk; nil without one.
  let binary: ArraySlice<UInt8>?
  /// The place of the JSON text, for errors: empty for a file of JSON alone.
  let place: String

  /// The largest JSON text that is read, in bytes; embedded buffers are part of it.
  static let jsonLimit = FileBytes.sceneLimit

  /// Splits the bytes of a `.gltf` or `.glb` file.
  /// - Throws: `FileError` with the byte.
  init(_ bytes: [UInt8]) throws(FileError) {
    if bytes.starts(with: [0x67, 0x6C, 0x54, 0x46]) {
      (json, binary) = try GLTFContainer.chunks(of: bytes)
      place = "the JSON chunk"
    } else {
      (json, binary) = (bytes, nil)
      place = ""
    }
    guard json.count <= GLTFContainer.jsonLimit else {
      throw FileError(place: place, "is larger than the limit of \(GLTFContainer.jsonLimit >> 20) MiB for JSON")
    }
  }

  /// The JSON chunk, which comes first, and the binary chunk; chunks of other kinds are skipped.
  private static func chunks(of bytes: [UInt8]) throws(FileError) -> (json: [UInt8], binary: ArraySlice<UInt8>?) {
    guard bytes.count >= 12 else { throw FileError(place: "byte \(bytes.count)", "the header is cut short") }
    let version = bytes.word(at: 4)
    guard version == 2 else { throw FileError(place: "byte 4", "is version \(version) of the container; 2 is read") }
    let length = bytes.word(at: 8)
    guard bytes.count >= length else {
      throw FileError(place: "byte \(bytes.count)", "is cut short: the header states \(length) bytes")
    }
    guard bytes.count == length else {
      throw FileError(place: "byte \(length)", "unexpected bytes after the \(length) that the header states")
    }

    var json: ArraySlice<UInt8>?
    var binary: ArraySlice<UInt8>?
    var position = 12
    while position < length {
      guard length - position >= 8 else {
        throw FileError(place: "byte \(position)", "the header of a chunk is cut short")
      }
      let (size, kind) = (bytes.word(at: position), bytes.word(at: position + 4))
      let start = position + 8
      guard size <= length - start else {
        throw FileError(place: "byte \(position)", "states a chunk of \(size) bytes; \(length - start) are left")
      }
      guard size.isMultiple(of: 4) else {
        throw FileError(place: "byte \(position)", "states a chunk of \(size) bytes, which is no multiple of 4")
      }
      let chunk = bytes[start..<(start + size)]
      switch kind {
      case jsonKind where json == nil: json = chunk
      case _ where json == nil: throw FileError(place: "byte \(position)", "the first chunk must be JSON")
      case jsonKind: throw FileError(place: "byte \(position)", "a second JSON chunk")
      case binaryKind where binary == nil: binary = chunk
      case binaryKind: throw FileError(place: "byte \(position)", "a second binary chunk")
      default: break
      }
      position = start + size
    }
    guard let json else { throw FileError(place: "byte 12", "the JSON chunk is missing") }
    return (Array(json), binary)
  }

  private static let jsonKind = 0x4E4F_534A
  private static let binaryKind = 0x004E_4942
}

extension Array where Element == UInt8 {
  /// The unsigned number in the four bytes from `offset` on, lowest byte first; all four must be there.
  fileprivate func word(at offset: Int) -> Int {
    (0..<4).reduce(0) { $0 | Int(self[offset + $1]) << (8 * $1) }
  }
}
