// SPDX-License-Identifier: MIT
import Foundation

/// The files of one folder, by the paths of requests.
struct ServedFolder: Sendable {
  /// A file and its type, as `Content-Type` names it.
  struct File {
    var data: Data
    var type: String
  }

  /// A reason not to answer with a file.
  enum Refusal: Error {
    /// The path is none that a page of the folder would ask for.
    case malformed
    /// The path leads out of the folder, or to something hidden.
    case outside
    /// There is no such file.
    case missing
  }

  /// The folder's path without symbolic links.
  private let root: String

  /// Returns nil if there is no folder at `path`.
  init?(_ path: String) {
    var isFolder: ObjCBool = false
    guard let root = Self.real(path), FileManager.default.fileExists(atPath: root, isDirectory: &isFolder),
      isFolder.boolValue
    else { return nil }
    self.root = root
  }

  /// Returns the file that a request's path means: `/` means `index.html`.
  ///
  /// Names consist of letters of ASCII, digits, `.`, `_` and `-`, and do not begin with `.`. A symbolic link is followed
  /// within the folder alone.
  func file(at path: String) throws(Refusal) -> File {
    guard path.first == "/" else { throw .malformed }
    var names = path.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
    if names.last == "" { names[names.count - 1] = "index.html" }
    for name in names {
      guard name.first != "." else { throw .outside }
      guard !name.isEmpty, name.utf8.allSatisfy(Self.isPlain) else { throw .malformed }
    }
    guard let place = Self.real(root + "/" + names.joined(separator: "/")) else { throw .missing }
    guard place.hasPrefix(root + "/") else { throw .outside }
    let attributes = try? FileManager.default.attributesOfItem(atPath: place)
    guard attributes?[.type] as? FileAttributeType == .typeRegular,
      let data = FileManager.default.contents(atPath: place)
    else { throw .missing }
    return File(data: data, type: Self.type(ofName: names[names.count - 1]))
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"),
      UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"):
      true
    default: false
    }
  }

  private static func real(_ path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  private static func type(ofName name: Substring) -> String {
    switch name.split(separator: ".").last {
    case "html": "text/html; charset=utf-8"
    case "css": "text/css; charset=utf-8"
    case "js", "mjs": "text/javascript; charset=utf-8"
    case "wasm": "application/wasm"
    case "json", "map": "application/json"
    case "svg": "image/svg+xml"
    case "png": "image/png"
    case "webp": "image/webp"
    case "ts", "txt", "md": "text/plain; charset=utf-8"
    default: "application/octet-stream"
    }
  }
}
