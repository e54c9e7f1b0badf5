// SPDX-License-Identifier: MIT
import Text

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The name by which a file refers to another file: a relative path that stays inside the file's folder.
///
/// It comes from a file of unknown origin, and the named file may be read, so it must not lead anywhere else.
struct SideFileName: Equatable {
  /// The path relative to the folder, decoded.
  let path: String

  /// The longest name that is accepted, in bytes.
  static let lengthLimit = 4096

  /// The name that a relative reference (RFC 3986) spells, its percent escapes decoded.
  /// - Throws: `FileError` for schemes, absolute paths, steps upwards, invalid escapes and names that are too long.
  init(uri: String) throws(FileError) {
    guard !uri.isEmpty else { throw FileError("is empty") }
    guard uri.utf8.count <= SideFileName.lengthLimit else {
      throw FileError("is longer than \(SideFileName.lengthLimit) bytes")
    }
    let first = uri.prefix { $0 != "/" }
    if let colon = first.firstIndex(of: ":") {
      throw FileError("has the scheme “\(String(first[..<colon]).printable)”; data: and names of files are read")
    }
    let path = try SideFileName.decoded(uri)
    guard !path.utf8.contains(0) else { throw FileError("holds a zero byte") }
    guard !path.hasPrefix("/"), !path.utf8.contains(UInt8(ascii: "\\")) else {
      throw FileError("must be relative to the file's folder and use /, is “\(path.printable)”")
    }
    guard !path.utf8.split(separator: UInt8(ascii: "/")).contains(where: { $0.elementsEqual("..".utf8) }) else {
      throw FileError("must stay in the file's folder, is “\(path.printable)”")
    }
    self.path = path
  }

  /// The path of the file in `folder`, with links resolved.
  /// - Throws: `FileError` if there is no such file, or a link leads out of the folder.
  func resolved(in folder: String) throws(FileError) -> String {
    guard let root = SideFileName.realPath(folder.isEmpty ? "." : folder) else {
      throw FileError("the folder cannot be opened: \(lastSystemError())")
    }
    let named = root.hasSuffix("/") ? root + path : "\(root)/\(path)"
    guard let file = SideFileName.realPath(named) else {
      throw FileError("“\(path.printable)” cannot be opened: \(lastSystemError())")
    }
    guard file == root || file.utf8.starts(with: (root.hasSuffix("/") ? root : root + "/").utf8) else {
      throw FileError("“\(path.printable)” leads out of the file's folder")
    }
    return file
  }

  /// The path without links and dots, or nil if nothing is there.
  private static func realPath(_ path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  private static func decoded(_ uri: String) throws(FileError) -> String {
    var bytes: [UInt8] = []
    var rest = Array(uri.utf8)[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      let digits = rest.prefix(2).compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
      guard digits.count == 2 else { throw FileError("a % must stand before two hexadecimal digits") }
      bytes.append(UInt8(digits[0] << 4 | digits[1]))
      rest = rest.dropFirst(2)
    }
    guard let text = String(validating: bytes, as: UTF8.self) else { throw FileError("its escapes are not UTF-8") }
    return text
  }
}
