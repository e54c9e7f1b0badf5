// SPDX-License-Identifier: MIT
#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The buffers of a glTF file; each is loaded when it is first asked for, and then kept.
///
/// Buffers that no animation uses are not loaded: the data of meshes may be large, or missing.
struct GLTFBuffers {
  private let descriptions: [GLTFBufferDescription]
  private let binary: ArraySlice<UInt8>?
  private let folder: String?
  private var loaded: [Int: ArraySlice<UInt8>] = [:]
  private var spare = FileBytes.recordingLimit

  /// The buffers of a file.
  /// - Parameters:
  ///   - binary: The binary chunk of a `.glb`; it is buffer 0 if that names no file.
  ///   - folder: The folder of side files; nil if no side file may be read.
  init(_ descriptions: [GLTFBufferDescription], binary: ArraySlice<UInt8>?, folder: String?) {
    self.descriptions = descriptions
    self.binary = binary
    self.folder = folder
  }

  /// The bytes of buffer `index`, cut to the length that the file states.
  /// - Throws: `FileError` if there is no such buffer, its data cannot be read, or it has fewer bytes than stated.
  mutating func bytes(_ index: Int) throws(FileError) -> ArraySlice<UInt8> {
    if let bytes = loaded[index] { return bytes }
    guard descriptions.indices.contains(index) else {
      throw FileError("names buffers[\(index)] of \(descriptions.count)")
    }
    let description = descriptions[index]
    let bytes: ArraySlice<UInt8>
    do {
      bytes = try data(of: description, index: index)
    } catch {
      throw error.within("buffers[\(index)].uri")
    }
    guard description.byteLength <= bytes.count else {
      throw FileError(
        place: "buffers[\(index)].byteLength",
        "states \(description.byteLength) bytes; the data end at byte \(bytes.count)")
    }
    let result = bytes.prefix(description.byteLength)
    loaded[index] = result
    return result
  }

  private mutating func data(
    of description: GLTFBufferDescription, index: Int
  ) throws(FileError) -> ArraySlice<UInt8> {
    guard let uri = description.uri else {
      guard index == 0, let binary else { throw FileError("is missing, and there is no binary chunk for it") }
      return binary
    }
    if uri.utf8.prefix(5).elementsEqual("data:".utf8) { return try GLTFBuffers.embedded(uri)[...] }
    let name = try SideFileName(uri: uri)
    guard let folder else { throw FileError("names a file, and none can be read here") }
    let bytes = try FileBytes.read(try name.resolved(in: folder), limit: spare)
    // All side files together stay within the limit of one: a file may name the same side file a thousand times.
    spare -= bytes.count
    return bytes[...]
  }

  /// The bytes of a data URI (RFC 2397) in base64.
  private static func embedded(_ uri: String) throws(FileError) -> [UInt8] {
    let utf8 = uri.utf8
    guard let comma = utf8.firstIndex(of: UInt8(ascii: ",")) else {
      throw FileError("is a data URI without a comma before its data")
    }
    guard uri[..<comma].hasSuffix(";base64") else { throw FileError("is a data URI that is not in base64") }
    let start = utf8.index(after: comma)
    guard let data = Data(base64Encoded: String(uri[start...])) else {
      throw FileError("its base64 is wrong or cut short")
    }
    return Array(data)
  }
}

extension FileError {
  /// This error with `place` before the place that it names.
  func within(_ place: String) -> FileError {
    FileError(file: file, place: self.place.isEmpty ? place : "\(place): \(self.place)", reason)
  }
}
