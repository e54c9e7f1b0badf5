// SPDX-License-Identifier: MIT

/// The kind of a file by its first bytes, so that a file of the wrong kind is named as such before it is parsed.
package enum FileKind: Equatable, Sendable {
  /// JSON of a known purpose.
  case scene, requests, gltf, bench
  /// A recording or a binary glTF file.
  case bvh, npy, glb, zip
  /// A file that no command reads, with its kind: `a PNG picture`.
  case foreign(String)
  /// JSON, text or nothing, of which only a parser can tell more.
  case json, text, empty

  /// The kind of these bytes.
  package init(_ bytes: some RandomAccessCollection<UInt8>) {
    let start = Array(bytes.prefix(16))
    if let (_, kind) = Self.marks.first(where: { start.starts(with: $0.mark) }) {
      self = kind
    } else if start.dropFirst(4).starts(with: Array("ftyp".utf8)) {
      self = .foreign("an MP4 film")
    } else if start.starts(with: [0xFF, 0xFE]) || start.starts(with: [0xFE, 0xFF]) {
      // UTF-16, as readers of text say.
      self = .text
    } else if bytes.prefix(4096).contains(0) {
      self = .foreign("a binary file")
    } else {
      let words = bytes.drop { $0 <= 0x20 || [0xEF, 0xBB, 0xBF].contains($0) }
      switch words.first {
      case nil: self = .empty
      case UInt8(ascii: "{"), UInt8(ascii: "["): self = Self.kind(ofJSON: words)
      case UInt8(ascii: "<"): self = .foreign("an XML file")
      default: self = String(decoding: words.prefix(9), as: UTF8.self).uppercased() == "HIERARCHY" ? .bvh : .text
      }
    }
  }

  /// Throws if bytes are certainly none of the kinds that a reader takes.
  ///
  /// - Parameters:
  ///   - kinds: The kinds that are right. JSON of no known purpose is left to the parser.
  ///   - what: The thing that is looked for: `a scene`.
  ///   - allowsText: Whether text that is not JSON is left to the parser.
  package static func check(
    _ bytes: [UInt8], isOneOf kinds: [FileKind], what: String, allowsText: Bool = true
  ) throws(FileError) {
    let kind = FileKind(bytes)
    guard !kinds.contains(kind), kind != .json, !allowsText || kind != .text && kind != .empty else { return }
    let (words, advice) = kind.words
    throw FileError("is \(words), not \(what)\(advice.isEmpty ? "" : ": \(advice)")")
  }

  /// The kind in words, and what to do with such a file.
  private var words: (kind: String, advice: String) {
    switch self {
    case .scene: ("a scene", "murmuration run plays it")
    case .requests: ("a file of requests", "murmuration sample answers it, and murmuration plot draws it")
    case .bench: ("a run of murmuration bench", "murmuration plot draws it")
    case .gltf: ("a glTF file", "its name must end in .gltf")
    case .glb: ("a binary glTF file", "its name must end in .glb")
    case .bvh: ("motion capture", "its name must end in .bvh")
    case .npy: ("a NumPy array", "its name must end in .npy")
    case .zip: ("a zip archive", "one of NumPy's must end in .npz")
    case .foreign(let kind): (kind, "")
    case .json: ("JSON", "")
    case .text: ("text", "")
    case .empty: ("empty", "")
    }
  }

  private static let marks: [(mark: [UInt8], kind: FileKind)] = [
    (Array("glTF".utf8), .glb), ([0x93] + Array("NUMPY".utf8), .npy),
    ([0x89] + Array("PNG".utf8), .foreign("a PNG picture")), (Array("GIF8".utf8), .foreign("a GIF picture")),
    ([0xFF, 0xD8, 0xFF], .foreign("a JPEG picture")), (Array("RIFF".utf8), .foreign("a WebP picture or a sound")),
    ([0x1A, 0x45, 0xDF, 0xA3], .foreign("a WebM film")), (Array("PK\u{3}\u{4}".utf8), .zip),
    ([0x1F, 0x8B], .foreign("a gzip archive")), (Array("%PDF".utf8), .foreign("a PDF document")),
  ]

  /// The purpose of JSON text by the keys of its object, or of the objects in its array.
  private static func kind(ofJSON text: some RandomAccessCollection<UInt8>) -> FileKind {
    let level = text.first == UInt8(ascii: "[") ? 2 : 1
    var (depth, rest) = (0, text[...])
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
      case UInt8(ascii: "\""):
        var string: [UInt8] = []
        while let next = rest.popFirst(), next != UInt8(ascii: "\"") {
          if next == UInt8(ascii: "\\") { _ = rest.popFirst() }
          string.append(next)
        }
        guard depth == level, rest.first(where: { $0 > 0x20 }) == UInt8(ascii: ":") else { continue }
        switch (level, String(decoding: string, as: UTF8.self)) {
        case (1, "murmuration"): return .scene
        case (1, "asset"): return .gltf
        case (1, "machine"): return .bench
        case (_, "kind"): return .requests
        default: continue
        }
      default: continue
      }
    }
    return .json
  }
}
